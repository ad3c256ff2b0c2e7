/**
 * Which explanation fits an error: the trace's own key when the page knows it, else one found by the message.
 * @typedef {import("../wire").ErrorInfo} ErrorInfo
 */

/** @type {Array<[RegExp, string]>} */
const BY_MESSAGE = [
  [/backward through the graph a second time/, "backward_twice"],
  [/does not require grad and does not have a grad_fn/, "no_grad_fn"],
  [/grad can be implicitly created only for scalar outputs/, "not_scalar"],
  [/has been modified by an inplace operation/, "modified_inplace"],
  [/leaf Variable that requires grad is being used in an in-place operation/, "inplace_leaf"],
  [/This view is the output of a function that returns multiple views|is a view and is being modified inplace/, "inplace_view"],
  [/view size is not compatible/, "view_layout"],
  [/can't retain_grad/, "retain_grad_nothing"],
  [/trying to differentiate twice/, "once_differentiable"],
  [/appears to not have been used in the graph/, "unused_input"],
  [/Only Tensors of floating point and complex dtype can require gradients/i, "integer_grad"],
  [/Can't call numpy\(\) on Tensor that requires grad/, "numpy_grad"],
  [/shapes cannot be multiplied|inconsistent tensor size|size mismatch/, "matmul_shapes"],
  [/must match the size of tensor b|not broadcastable|shape mismatch/, "broadcast"],
  [/only change requires_grad flags of leaf variables/, "requires_grad_nonleaf"],
  [/[Ii]nference tensor/, "inference_tensor"],
  [/expected .* to have the same dtype|expected scalar type|Found dtype/, "dtype_mismatch"],
  [/returned nan values in its/, "nan_gradient"],
  [/Mismatch in shape: grad_output|invalid gradient at index/, "gradient_shape"],
  [/returned an incorrect number of gradients/, "function_count"],
  [/playground does not/, "not_yet"],
  [/ended Python itself/, "ended"],
  [/CUDA|cuda/, "no_cuda"],
];

/** @type {Record<string, string>} */
const BY_TYPE = {
  SyntaxError: "syntax", IndentationError: "syntax", TabError: "syntax",
  NameError: "name", UnboundLocalError: "name",
  ModuleNotFoundError: "module", ImportError: "module",
};

/**
 * @param {ErrorInfo} error
 * @param {(key: string) => boolean} known whether the page has a text for a key
 * @returns {string | null} a key such that `explain.KEY.why` and `explain.KEY.fix` exist
 */
export function explanationOf(error, known) {
  const found = BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1];
  const candidates = [error.explanation, found, BY_TYPE[error.type]];
  return candidates.find((key) => key != null && known(`explain.${key}.why`)) ?? null;
}
