"""From an op's record to the class of its backward node, worked out once per op.

The class is named after the derivative ("MulBackward0"); its plan says which inputs have edges, what is saved under
which `_saved_*` name, and which rules run.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from engine import errors
from engine.graph import RELEASED, Node, PackedTensor, SavedTensor
from engine.modes import STATE
from engine.op import Op, rule_names
from engine.ops.complex import CONJ
from engine.ops.undifferentiable import NODE
from engine.saved import as_saved, read_saved, unpack
from engine.saving import packed_by
from engine.storage import strides_of


class RawSavedTensor:
    """What `_raw_saved_*` gives: a handle on which hooks can be registered once."""

    __module__ = "torch._C._autograd"
    __qualname__ = "SavedTensor"

    def __init__(self, node: "Node", index: int):
        self._node, self._index = node, index

    @property
    def data(self) -> Any:
        """The saved tensor."""
        return read_saved(self._node, self._index)

    def register_hooks(self, pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
        """Pack the saved tensor now, unpack it when backward needs it."""
        saved = self._node.saved
        entry = saved[self._index]
        if entry is RELEASED:
            raise RuntimeError(errors.HOOKS_ON_FREED)
        given = as_saved(entry).tensor
        if given is None:  # of an output nothing but its array is kept
            saved[self._index] = PackedTensor(packed_by(pack, self.data.detach()), unpack, entry.output_nr)
        else:
            saved[self._index] = PackedTensor(packed_by(pack, self.data.detach()), unpack, None, given._edge())


RawSavedTensor.__name__ = "SavedTensor"


class Save:
    """One thing a plan saves: under which name, read from what."""

    __slots__ = ("name", "kind", "index", "detail", "guard", "type", "is_list", "exposed")

    def __init__(self, name: str, kind: str, index: int, detail: Any = None, type_: str = "", exposed: bool = True):
        self.name, self.kind, self.index, self.detail, self.type, self.exposed = (
            name,
            kind,
            index,
            detail,
            type_,
            exposed,
        )
        self.guard: int | None = None  # saved only when this differentiable input needs a gradient
        self.is_list = type_ == "Tensor[]" or (kind == "input" and type_.startswith("Tensor?["))


class Rule:
    """A derivative rule with where its arguments come from: ("grad",), ("grads",), ("mask",) or ("saved", index)."""

    __slots__ = ("names", "slots", "rule", "reads", "joint")

    def __init__(
        self, names: tuple[str, ...], slots: tuple[int, ...], rule: Callable[..., Any], reads: tuple[int, ...]
    ):
        self.names, self.slots, self.rule, self.reads = names, slots, rule, reads
        self.joint = len(names) > 1


GRAD, GRADS, MASK = -1, -2, -3  # entries of Rule.reads that are not indices of saved values


class Plan:
    """How an op's node is made and run, worked out once from its record."""

    def __init__(self, op: Op):
        self.op = op
        sig = op.signature
        names = [p.name for p in sig.params]
        grouped = [tuple(k.strip() for k in key.split(",")) for key in op.grads]
        order = sorted((n for g in grouped for n in g), key=names.index)
        self.inputs = tuple(
            order
        )  # differentiable inputs, in the signature's order: one edge each (a list: one per tensor)
        self.positions = tuple(names.index(n) for n in order)
        self.has_list = any(sig.params[p].type == "Tensor[]" for p in self.positions)
        self.saves: list[Save] = []
        self.outputs = op.outputs or (
            ("result",) if sig.returns == 1 else tuple(f"result{i}" for i in range(sig.returns))
        )
        uses: dict[str, list[int]] = {}
        self.rules = []
        for group, grad in zip(grouped, op.grads.values(), strict=True):
            reads = []
            for n in rule_names(grad):
                special = {"grad": GRAD, "grads": GRADS, "mask": MASK}.get(n)
                if n == "mask" and (n in names or n in self.outputs):  # of that name, as masked_fill has an input
                    special = None
                reads.append(self._save(n) if special is None else special)
                uses.setdefault(n, []).append(order.index(group[0]) if len(group) == 1 else -1)
            self.rules.append(Rule(group, tuple(order.index(n) for n in group), grad.rule, tuple(reads)))
        for n in op.save_also:
            self._save(n)
        self._sort_saves()
        for s in self.saves:
            users = uses.get(s.name, [])
            alone = len(users) == 1 and users[0] >= 0 and len(order) > 1 and not self.has_list
            if s.kind in ("input", "sym_strides") and alone:
                s.guard = users[0]
        self.tensor_saves = tuple(i for i, s in enumerate(self.saves) if s.kind in ("input", "output"))

    def _sort_saves(self) -> None:
        """Inputs by name, then results by name: the order in which PyTorch saves, as pack and unpack hooks see it."""
        order = sorted(self.saves, key=lambda s: (s.kind == "output", s.name))
        place = [order.index(s) for s in self.saves]
        for rule in self.rules:
            rule.reads = tuple(place[r] if r >= 0 else r for r in rule.reads)
        self.saves = order

    def _save(self, name: str) -> int:
        for i, s in enumerate(self.saves):
            if s.name == name:
                return i
        self.saves.append(self._source(name))
        return len(self.saves) - 1

    def _source(self, name: str) -> Save:
        params = self.op.signature.params
        for i, p in enumerate(params):
            if p.name == name:
                kind = "input" if p.type.startswith("Tensor") else "attr"
                shown = p.type != "ScalarType" and not (p.type == "bool" and p.optional)
                return Save(name, kind, i, type_=p.type, exposed=shown)
        if name in self.outputs:
            return Save(name, "output", self.outputs.index(name))
        for i, p in enumerate(params):
            if name.startswith(p.name + "_"):
                what = name[len(p.name) + 1 :]
                if what in _PROPERTIES:
                    return Save(name, what, i, exposed=what not in ("dtype", "geometry", "args_sizes"))
                if what.startswith("sym_argsize_"):
                    n = what.removeprefix("sym_argsize_")
                    return Save(name, "argsize", i, -int(n[6:]) if n.startswith("minus_") else int(n))
        for i, output in enumerate(self.outputs):
            if name == f"{output}_sym_argsize_minus_1":
                return Save(name, "output_argsize", i, -1)
        raise TypeError(f"{self.op.name}: a rule asks for {name!r}, which is no input, output or property of one")


_PROPERTIES = ("sym_sizes", "args_sizes", "sym_sizes_opt", "sym_numel", "sym_strides", "geometry", "dim", "dtype")


def property_of(what: str, tensor: Any, detail: Any) -> Any:
    """A property of an input that a rule uses in place of the input; `tensor` may be a plain number or None."""
    a = getattr(tensor, "_a", tensor)
    if what in ("sym_sizes", "args_sizes"):
        return (
            [getattr(getattr(t, "_a", t), "shape", ()) for t in a]
            if type(a) in (list, tuple)
            else getattr(a, "shape", ())
        )
    if what == "sym_sizes_opt":
        return (0,) if a is None else tuple(a.shape)  # as PyTorch keeps the sizes of an absent bias
    if what == "sym_numel":
        return getattr(a, "size", 1)
    if what == "sym_strides":
        return strides_of(a) if hasattr(a, "strides") else ()
    if what == "geometry":
        return tuple(a.shape), strides_of(a), tensor.storage_offset() if a is not tensor else 0
    if what == "dim":
        return getattr(a, "ndim", 0)
    if what == "dtype":
        return (
            [getattr(getattr(t, "_a", t), "dtype", None) for t in a]
            if type(a) in (list, tuple)
            else getattr(a, "dtype", None)
        )
    return a.shape[detail]


class OpNode(Node):
    """A node of an op: runs the op's rules, on arrays or on Tensors."""

    __slots__ = ()
    plan: ClassVar[Plan]
    fast_rules: ClassVar[Any] = None  # made by engine.specialise for plain ops

    def apply_arrays(self, grads: list[Any]) -> list[Any]:
        """Gradients per edge, as arrays, from gradients per output."""
        return self._run(grads, self._unpacked_once(self.read_entry))

    def apply_tensors(self, grads: list[Any]) -> list[Any]:
        """Gradients per edge, as Tensors whose own history is recorded when grad mode is on."""
        return self._run(grads, self._unpacked_once(lambda entry: unpack(self, entry)))

    def _unpacked_once(self, read: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """`read`, by which every unpack hook has been asked, once each and in the order in which they packed."""
        entries = [e for s in self.saved for e in (s if type(s) is list else (s,)) if type(e) is PackedTensor]
        if not entries:
            return read
        known = {id(e): read(e) for e in entries}

        def look(entry: Any) -> Any:
            if type(entry) is list:
                return [look(e) for e in entry]
            return known[id(entry)] if type(entry) is PackedTensor else read(entry)

        return look

    def read_entry(self, entry: Any) -> Any:
        if entry is RELEASED:
            raise RuntimeError(errors.BACKWARD_TWICE)
        entry = as_saved(entry)
        kind = type(entry)
        if kind is SavedTensor:
            counter = entry.counter if entry.tensor is None else entry.tensor._counter
            if counter is not None and counter.n != entry.version:
                entry.check(self)
            return entry.array if entry.tensor is None else entry.tensor._a
        if kind is PackedTensor:
            return unpack(self, entry)._a
        if kind is list:
            return [self.read_entry(e) for e in entry]
        return entry

    def _run(self, grads: list[Any], read: Callable[[Any], Any]) -> list[Any]:
        plan, saved, edges = self.plan, self.saved, wanted_edges(self)
        if plan.has_list:
            return self._run_list(grads, read)
        out: list[Any] = [None] * len(edges)
        for rule in plan.rules:
            slots = rule.slots
            if not rule.joint:
                slot = slots[0]
                if edges[slot] is not None:
                    out[slot] = rule.rule(*[self._argument(r, grads, saved, slots, read) for r in rule.reads])
            elif any(edges[s] is not None for s in slots):
                results = rule.rule(*[self._argument(r, grads, saved, slots, read) for r in rule.reads])
                for s, g in zip(slots, results, strict=True):
                    out[s] = None if edges[s] is None else g
        return out

    def _argument(self, r: int, grads: list[Any], saved: Any, slots: Any, read: Callable[[Any], Any]) -> Any:
        if r >= 0:
            return read(saved[r])
        if r == GRAD:
            return grads[0]
        if r == GRADS:
            return grads
        edges = wanted_edges(self)
        return tuple(edges[s] is not None for s in slots)

    def _run_list(self, grads: list[Any], read: Callable[[Any], Any]) -> list[Any]:
        """Nodes with an edge per tensor of a list: rules of the list return a list."""
        plan, edges, out = self.plan, wanted_edges(self), []
        counts = self.saved[-1]  # edges per differentiable input, kept last by the dispatcher
        start = 0
        spans = []
        for n in counts:
            spans.append(range(start, start + n))
            start += n
        results: dict[int, Any] = {}
        for rule in plan.rules:
            if any(edges[i] is not None for s in rule.slots for i in spans[s]):
                args = [
                    [tuple(edges[i] is not None for i in spans[s]) for s in rule.slots] if r == MASK
                    else self._argument(r, grads, self.saved, rule.slots, read)
                    for r in rule.reads
                ]  # fmt: skip
                r = rule.rule(*args)
                results.update(zip(rule.slots, r if rule.joint else (r,), strict=True))
        for s, span in enumerate(spans):
            r = results.get(s)
            is_list = plan.op.signature.params[plan.positions[s]].type == "Tensor[]"
            out.extend(
                list(r) if is_list and r is not None else [r] if len(span) == 1 and not is_list else [None] * len(span)
            )
        return out


def wanted_edges(node: Node) -> Sequence[Any]:
    """The edges of a node with None also for those that lead to nothing which the pass that runs is to compute."""
    run = STATE.backward_pass
    return node.edges if run is None or run.needed is None else run.wanted(node.edges)


class UndifferentiableNode(OpNode):
    """A node of an operator without derivative: it has edges for the inputs that need a gradient, and cannot run."""

    __slots__ = ()

    def _run(self, grads: list[Any], read: Callable[[Any], Any]) -> list[Any]:
        self.plan.rules[0].rule(grads[0])
        raise RuntimeError(f"derivative for aten::{self.plan.op.signature.base} is not implemented")


class HolomorphicNode(OpNode):
    """A node whose output is complex.

    Rules are written as for real numbers, where the gradient is the derivative's transpose times what arrives.
    PyTorch's convention takes the conjugate of the derivative, so both ends are conjugated.
    """

    __slots__ = ()

    def _run(self, grads: list[Any], read: Callable[[Any], Any]) -> list[Any]:
        return [_conjugate(g) for g in super()._run([_conjugate(g) for g in grads], read)]


def _conjugate(g: Any) -> Any:
    a = getattr(g, "_a", g)
    return CONJ(g) if getattr(a, "dtype", None) is not None and a.dtype.kind == "c" else g


NOT_HOLOMORPHIC = {
    "_conj", "sgn", "complex", "polar", "view_as_complex", "vdot", "_linalg_svd", "_linalg_eigh", "linalg_qr",
    "linalg_cholesky_ex", "linalg_eig", "linalg_pinv.atol_rtol_tensor", "linalg_lstsq", "var_mean.correction",
    "std_mean.correction", "linalg_lu_solve", "linalg_householder_product", "ormqr",
}  # fmt: skip
"""Operators with complex outputs whose rules say themselves what is conjugated."""


def complex_class(op: Op) -> type[Node]:
    """The node class for a complex output: the plain one where the rules are linear, or conjugate themselves."""
    cls = op.node_class or node_class(op)
    if op.complex_class is None:
        plan = op.plan
        reads = [plan.saves[r] for rule in plan.rules for r in rule.reads if r >= 0]
        depends = any(s.kind in ("input", "output") or s.type == "Scalar" for s in reads)
        if depends and op.name not in NOT_HOLOMORPHIC:
            body = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__", "fast_rules")}
            op.complex_class = type(cls.__name__, (HolomorphicNode,), {**body, "fast_rules": None})
        else:
            op.complex_class = cls
    return op.complex_class


def node_class(op: Op) -> type[Node]:
    """The class of an op's backward node, with its `_saved_*` attributes. Made once per op."""
    plan = Plan(op)
    body: dict[str, Any] = {"__slots__": (), "plan": plan, "torch_name": op.grad_fn, "__module__": "builtins"}
    for i, s in enumerate(plan.saves):
        if s.exposed:
            body["_saved_" + s.name] = property(lambda self, i=i: read_saved(self, i))
            if s.kind in ("input", "output"):
                body["_raw_saved_" + s.name] = property(lambda self, i=i: RawSavedTensor(self, i))
    op.plan = plan
    parent = UndifferentiableNode if op.grad_fn == NODE else OpNode
    op.node_class = type((op.grad_fn or "").rsplit("::", 1)[-1], (parent,), body)
    return op.node_class
