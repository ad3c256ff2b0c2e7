/**
 * The picture of one run, before it has positions. Keys are strings: `t4` a tensor, `t4.1` the same tensor after
 * something wrote into it, `o7` an op, `n3` a grad_fn node, `s2` a module call, `lap1` one turn of a training loop.
 */

/**
 * @typedef {object} Item  a box of the forward graph
 * @property {string} key
 * @property {"tensor" | "op"} kind
 * @property {number} id  row of the trace
 * @property {"leaf" | "tensor" | "constant" | "plain" | "op"} look
 * @property {"compute" | "view" | "inplace" | "create"} flavor
 * @property {string} title
 * @property {Chip[]} chips  constants of an op
 * @property {string | null} group
 * @property {number} born  step at which it appears
 * @property {number} until  step from which a newer version replaces it; Infinity when none does
 * @property {number} version
 * @property {number} lap
 * @property {number | null} gradFn  node recorded for the op that made it
 * @property {number | null} line
 */

/** @typedef {{ name: string, text: string }} Chip */

/**
 * @typedef {object} Pill  a box of the backward graph
 * @property {string} key
 * @property {number} id  node id
 * @property {string} title
 * @property {string | null} twin  key of the forward box at whose height it sits
 * @property {number | null} leaf  for AccumulateGrad: tensor id
 * @property {boolean} custom
 * @property {number} born
 * @property {number} lap
 * @property {Slot[]} slots
 * @property {number | null} line
 */

/** @typedef {{ name: string, version: number | null, released: number, tensor: number | null }} Slot */

/**
 * @typedef {object} Edge
 * @property {string} key
 * @property {"data" | "next" | "seed" | "saved"} kind
 * @property {string} from
 * @property {string} to
 * @property {number} slot  data: index of the input; next: index in next_functions; saved: index of the slot
 * @property {number} born
 * @property {string | null} via  next: key of the data edge it runs against
 */

/**
 * @typedef {object} Group  `module` is empty for one turn of a loop
 * @property {string} key
 * @property {string | null} parent
 * @property {string} title
 * @property {string} module
 * @property {number} first  step
 * @property {number} last  step
 * @property {string[]} [blocks]  the equal blocks it stands around, if it does
 */

/**
 * @typedef {object} Scene
 * @property {import("../model/index.js").Index} index
 * @property {Item[]} items
 * @property {Pill[]} pills
 * @property {Edge[]} data
 * @property {Edge[]} nexts
 * @property {Edge[]} seeds
 * @property {Edge[]} saved
 * @property {Group[]} groups
 * @property {Map<string, Item>} itemOf
 * @property {Map<string, Pill>} pillOf
 * @property {Map<string, Group>} groupOf
 * @property {Map<number, string[]>} keysOfTensor
 * @property {Map<number, string>} keyOfOp
 * @property {Map<number, string[]>} keysOfNode
 * @property {Map<string, Edge[]>} inputsOf  data edges by the op they lead into
 * @property {number[]} laps  first step of each lap
 * @property {import("./history.js").History} history
 */

export {};
