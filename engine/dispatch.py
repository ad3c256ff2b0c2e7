"""The one place where operators run forward.

`run` takes an op and its arguments in the signature's order, promotes dtypes, calls the numpy kernel, wraps the result,
records a node when something needs a gradient, and tells the observers.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.anomaly import remember_traceback
from engine.dtypes import NARROW
from engine.fitting import check_broadcast, check_target, promote, write
from engine.inplace import check_inplace, rebase_history, reshaped_history
from engine.modes import STATE
from engine.narrow import run_wide
from engine.op import Op
from engine.ops.copy import CLONE
from engine.ops.layouts import iterated
from engine.ops.undifferentiable import NODE
from engine.overlap import check_memory
from engine.plan import complex_class, node_class, property_of
from engine.saving import save_input, save_output
from engine.signature import REQUIRED
from engine.specialise import is_plain, node_maker, rules_runner, runner
from engine.tensor import Tensor, TensorBase


def apply(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call an op with Python arguments (rules and composites do): fill in defaults, then run."""
    if not kwargs and len(args) >= op.required:
        values = [*args, *op.defaults[len(args) :]]
    else:
        values = bind(op, args, kwargs)
    return (op.runner or specialised(op).runner)(values)


def bind(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Arguments in the signature's order, defaults filled in. Raises TypeError when one is missing or unknown."""
    values = list(args)
    for p in op.signature.params[len(values) :]:
        if p.name in kwargs:
            values.append(kwargs[p.name])
        elif p.default is not REQUIRED:
            values.append(p.default)
        else:
            raise TypeError(f"{op.name} misses {p.name}")
    return values


def run(op: Op, values: list[Any]) -> Any:
    """Run an op out of place. Returns a Tensor, or a tuple of them."""
    return (op.runner or specialised(op).runner)(values)


def run_general(op: Op, values: list[Any]) -> Any:
    """What `run` does, decided anew each time: for ops that are not plain, and for whatever is watched or unusual."""
    if STATE.batching is not None and (batch := STATE.batching.run(op, values)) is not NotImplemented:
        return batch
    arrays = list(values)
    needs = unwrap(op, arrays)
    if op.promote is not None:
        promote(op, arrays)
    if op.writes and STATE.observers:
        announce_writes(op, values)
    out = call_kernel(op, arrays)
    if op.pointwise and out.ndim > 1:
        out = iterated(out, *[arrays[i] for i in op.operands])
    record = needs and STATE.grad_enabled and op.grad_fn is not None and not _beyond_recording(op, values)
    if type(out) is tuple:
        outs = tuple([None if a is None else wrap(op, a, values) for a in out])
        if op.view:
            for t in outs:
                if t is not None:
                    t._view_kind = t._view_kind or "multi"
        if not record:
            node = None
        elif op.maker and not STATE.anomaly and all(t is None or t._a.dtype.kind != "c" for t in outs):
            node = op.maker(values, outs)
        else:
            node = make_node(op, values, outs)
        result: Any = outs
    else:
        result = wrap(op, out, values)
        if record:
            if op.maker and out.dtype.kind in "fV" and not STATE.anomaly:
                node = op.maker(values, result)
            else:
                node = make_node(op, values, (result,))
        else:
            node = None
        if not STATE.observers:
            return result
        outs = (result,)
    for o in STATE.observers:
        o.on_op(op, values, outs, node, None)
        for i in op.writes:
            if values[i] is not None:
                o.on_value_changed(values[i])
    return result


def _beyond_recording(op: Op, values: list[Any]) -> bool:
    """Whether autograd does not hear of a call: in inference mode, and where all tensors come from there.

    A number that stands for a tensor is an ordinary one.
    """
    if STATE.inference:
        return True
    given = [v for i in op.tensors for v in (values[i] if type(values[i]) is list else values[i : i + 1])]
    return all(getattr(v, "_inference", v is None) for v in given)


def announce_writes(op: Op, values: list[Any]) -> None:
    """Tell the observers which inputs an op is about to change."""
    for o in STATE.observers:
        for i in op.writes:
            if values[i] is not None:
                o.on_before_write(values[i])


def specialised(op: Op) -> Op:
    """The op, with how it is run worked out: by straight-line code if it is plain."""
    op.runner = partial(run_general, op)
    cls = op.node_class or node_class(op)
    if is_plain(op, op.plan):
        cls.fast_rules = staticmethod(rules_runner(op, op.plan))
        op.maker = node_maker(op, op.plan)
        op.runner = runner(op, op.plan, run_general) or op.runner
    if op.constants:
        op.runner = partial(_run_with_constants, op, op.runner)
    return op


def _run_with_constants(op: Op, plain: Any, values: list[Any]) -> Any:
    for i in op.constants:
        if STATE.grad_enabled and isinstance(values[i], TensorBase) and values[i]._needs_grad:
            raise RuntimeError(
                f"The function '{op.signature.base}' is not differentiable with respect to argument "
                f"'{op.signature.params[i].name}'. This input cannot have requires_grad True."
            )
    return plain(values)


def run_inplace(op: Op, values: list[Any]) -> Any:
    """Run the in-place twin of an op: the result replaces the first argument's memory. Returns that tensor."""
    if STATE.batching is not None and (batch := STATE.batching.run_inplace(op, values)) is not NotImplemented:
        return batch
    target = values[0]
    arrays = list(values)
    needs = unwrap(op, arrays) and STATE.grad_enabled and op.grad_fn is not None
    if needs and target._inference:
        needs = not _beyond_recording(op, values)
    if op.name == "copy_" and target._a.dtype.kind not in "fcV":  # integers have no gradient to hand on
        needs = False
    check_inplace(target, needs, not op.signature.base.startswith("logical_"))
    if op.view:
        return run_reshaping(op, values, call_kernel(op, arrays), needs)
    memory = target._array()
    check_memory(op, memory, arrays)
    if callable(op.inplace):
        op.inplace(*arrays)
    if op.promote is not None:
        promote(op, arrays)
    saved_self = None
    if needs and must_keep_self(op, values):
        saved_self = run(CLONE, [target, None])
    try:
        out = call_kernel(op, arrays)
    except NotImplementedError:  # of a dtype: PyTorch first asks whether the target can hold the result
        if op.promote is not None:
            check_target(op, memory, arrays)
        raise
    for o in STATE.observers:
        o.on_before_write(target)
    write(op, memory, out)
    node = None
    if needs:
        kept = values if saved_self is None else [saved_self, *values[1:]]
        node = make_node(op, values, (target,), kept)
    target._version_counter().n += not target._inference
    if node is not None:
        rebase_history(target, node)
        settle_outputs(node, target)
    for o in STATE.observers:
        o.on_op(op, values, (target,), node, target)
    return target


def run_reshaping(op: Op, values: list[Any], out: np.ndarray, needs: bool) -> Any:
    """The end of `x.t_()` and its kin: the tensor sees its memory in another shape. Returns that tensor."""
    target = values[0]
    before = Tensor._wrap(target._array())
    before._fn, before._nr = target._fn, target._nr
    target._a = out
    node = make_node(op, [before, *values[1:]], (target,), values) if needs else None
    target._version_counter().n += not target._inference
    if node is not None:
        reshaped_history(target, node)
    for o in STATE.observers:
        o.on_op(op, values, (target,), node, target)
    return target


def unwrap(op: Op, arrays: list[Any]) -> bool:
    """Replace the Tensors in `arrays` by their data; whether any of them needs a gradient."""
    needs = False
    for i in op.tensors:
        v = arrays[i]
        if isinstance(v, TensorBase):
            arrays[i] = v._a if not op.view else v._array()
            if v._requires or v._fn is not None or (v._base is not None and v._needs_grad):
                needs = True
        elif type(v) is list or type(v) is tuple:
            arrays[i] = [t._a if isinstance(t, TensorBase) else t for t in v]
            needs = needs or any(isinstance(t, TensorBase) and t._needs_grad for t in v)
    return needs


def call_kernel(op: Op, arrays: list[Any]) -> Any:
    """Call the numpy kernel; numpy's own shape errors become PyTorch's."""
    try:
        if NARROW.used and not op.view:
            return run_wide(op.forward, arrays, None, op.writes)
        return op.forward(*arrays)
    except OverflowError:
        return op.forward(*wrapped_around(op, arrays))
    except ValueError as e:
        if "broadcast" in str(e):
            check_broadcast(op, arrays)
        raise
    except NotImplementedError:  # of a dtype: PyTorch looks at the shapes first
        if op.promote is not None:
            check_broadcast(op, arrays)
        raise


def wrapped_around(op: Op, arrays: list[Any]) -> list[Any]:
    """Operands with integers too large for their dtype wrapped around it, as PyTorch's casts do."""
    dt = next(a.dtype for i in op.tensors if hasattr(a := arrays[i], "dtype"))
    return [np.asarray(a).astype(dt)[()] if type(a) is int else a for a in arrays]


def wrap(op: Op, a: Any, values: list[Any]) -> Tensor:
    """A Tensor around a kernel's result; a view remembers its base."""
    t = Tensor._wrap(a)
    if op.view:
        source = values[op.tensors[0]]
        if source._inference:
            t._storage = source._memory()
            t._inference = True
            return t
        if op.grad_fn is None:  # bytes read as another dtype: to autograd, a tensor of its own
            shared = sharing(t, source)
            shared._inference |= STATE.inference
            return shared
        t._base = source if source._base is None else source._base
        t._counter = version = source._version_counter()
        t._view_version = version.n
        t._view_kind = source._view_kind
        t._inference = source._inference
        if not (t._inference or STATE.grad_enabled or t._view_kind):
            t._view_kind = "inference_mode" if STATE.inference else "no_grad"
    return t


def sharing(t: Tensor, source: TensorBase) -> Tensor:
    """A tensor on the memory of `source`, whose version counter it shares and whose history it does not."""
    t._storage = source._memory()
    t._counter = None if source._inference else source._version_counter()
    t._inference = source._inference
    return t


def make_node(op: Op, values: list[Any], outs: tuple[Any, ...], kept: list[Any] | None = None) -> Any:
    """Make the node of an op that ran: its edges, what it saves, the outputs it belongs to.

    `kept` are the arguments to save where they differ from `values`: the former value of an in-place target.
    """
    cls = op.node_class or node_class(op)
    plan = op.plan
    meta: list[Any] = []
    diff: list[bool] = []
    kinds = ""
    for i, t in enumerate(outs):
        if t is None:
            meta.append(((), np.float32))
            diff.append(False)
            continue
        dt = t._a.dtype
        meta.append((t._a.shape, dt))
        # a comparison written in place into integers has a node all the same
        diff.append((dt.kind in "fcV" or t is values[0]) and i not in op.nondiff)
        if diff[i]:
            kinds += dt.kind
    if not kinds:
        return None
    if "c" in kinds:
        cls = complex_class(op)
    edges: list[Any] = []
    counts: list[int] = []
    for p in plan.positions:
        v = values[p]
        if isinstance(v, TensorBase):
            edges.append(v._edge())
            counts.append(1)
        elif type(v) is list or type(v) is tuple:
            edges.extend(t._edge() if isinstance(t, TensorBase) else None for t in v)
            counts.append(len(v))
        else:
            edges.append(None)
            counts.append(1)
    if op.grad_fn == NODE:
        edges = [e for e in edges if e is not None]
    node = cls(tuple(edges), tuple(meta))
    inplace = kept is not None or (outs[0] is values[0])
    saved: list[Any] = []
    for s in plan.saves:
        kind = s.kind
        if kind == "input":
            v = (values if kept is None else kept)[s.index]
            if s.guard is not None and edges[s.guard] is None:
                saved.append(None)
            elif isinstance(v, TensorBase):
                saved.append(save_input(v))
            elif type(v) is list or type(v) is tuple:
                saved.append([save_input(t) if isinstance(t, TensorBase) else t for t in v])
            else:
                saved.append(v)
        elif kind == "attr":
            saved.append(values[s.index])
        elif kind == "output":
            t = outs[s.index]
            saved.append(None if t is None else t if inplace else save_output(t, s.index, node))
        elif kind == "output_argsize":
            saved.append(outs[s.index]._a.shape[s.detail])
        elif s.guard is not None and edges[s.guard] is None:
            saved.append(())
        else:
            saved.append(property_of(kind, values[s.index], s.detail))
    if plan.has_list:
        saved.append(tuple(counts))
    node.saved = saved
    if not inplace:
        for i, t in enumerate(outs):
            if diff[i]:
                t._fn = node
                t._nr = i
    if STATE.anomaly:
        remember_traceback(node)
    return node


def settle_outputs(node: Any, target: TensorBase) -> None:
    """After an in-place op: save its result as an output, now that the version is the new one."""
    for i, s in enumerate(node.plan.saves):
        if s.kind == "output" and node.saved[i] is target:
            node.saved[i] = save_output(target, 0, node)


def must_keep_self(op: Op, values: list[Any]) -> bool:
    """Whether the in-place twin's node saves its first argument, which the op is about to overwrite."""
    if op.node_class is None:
        node_class(op)
    first = op.signature.params[0].name
    for s in op.plan.saves:
        if s.kind == "input" and s.name == first:
            if s.guard is None:
                return True
            v = values[op.plan.positions[s.guard]]
            return isinstance(v, TensorBase) and v._needs_grad
    return False
