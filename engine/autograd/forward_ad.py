"""Forward-mode differentiation: dual tensors, which carry a tangent along with their value.

Reference: https://docs.pytorch.org/docs/stable/generated/torch.autograd.forward_ad.dual_level.html
"""

import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from engine.autograd.calls import grad
from engine.autograd.tangents import check_size, checked_tangents
from engine.composite import Composite
from engine.dispatch import run, run_inplace
from engine.modes import STATE, enable_grad
from engine.op import Op
from engine.ops.copy import CLONE, COPY_
from engine.ops.slicing import AS_STRIDED
from engine.ops.undifferentiable import NODE
from engine.ops.views import ALIAS, VIEW
from engine.plan import OpNode
from engine.saving import save_input
from engine.tensor import Tensor, TensorBase
from engine.type_names import type_name


class UnpackedDualTensor(NamedTuple):
    """A dual tensor taken apart; without a tangent that is None."""

    primal: Any
    tangent: Any


UnpackedDualTensor.__module__ = "torch.autograd.forward_ad"


class Duals:
    """The active level: what the dispatcher asks about operators, some of whose operands may be dual.

    The value is computed as ever. The tangent is the operator's own derivative rule, which is linear in the gradient,
    differentiated by that gradient: the Jacobian times the operands' tangents.
    """

    by_tensors = True  # a backward pass computes with dual tensors too
    ends_at_functions = True  # a custom Function is differentiated by its own rule

    def __init__(self) -> None:
        self.known: list[weakref.ref[Any]] = []
        self.saved: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()

    def set(self, t: Any, tangent: Any) -> None:
        """Let a tensor carry a tangent as long as the level lasts."""
        if t._tangent is None:
            self.known.append(weakref.ref(t))
        t._tangent = tangent
        if t._fn is not None:  # which may have saved it without the tangent
            self.saved.setdefault(t._fn, {})[t._nr] = tangent

    def tangent(self, v: Any) -> Any:
        """The tangent of an operand; a view made before its base had one sees a part of the base's."""
        if not isinstance(v, TensorBase):
            return None
        if v._tangent is None and v._base is not None and v._base._tangent is not None:
            self.set(v, _same_part(v, v._base._tangent))
        if v._tangent is None and v._fn in self.saved:
            return self.saved[v._fn].get(v._nr)
        return v._tangent

    def run(self, op: Op, values: list[Any]) -> Any:
        """Run an operator out of place; NotImplemented when no operand is dual."""
        if STATE.inference or not self._any_dual(values):
            return NotImplemented
        with self._aside():
            out = run(op, values)
            tangents = self._tangents(op, values)
        for t, tangent in zip(out if isinstance(out, tuple) else [out], tangents, strict=True):
            if tangent is not None:
                self.set(t, tangent)
        return out

    def run_inplace(self, op: Op, values: list[Any]) -> Any:
        """Run an operator in place: its target is dual from then on."""
        if not self._any_dual(values):
            return NotImplemented
        target = values[0]
        if op.view:
            with self._aside():
                run_inplace(op, [self.tangent(target), *values[1:]])
                return run_inplace(op, values)
        with self._aside():
            (tangent,) = self._tangents(op, values)
            out = run_inplace(op, values)
            base = target._base
            if target._tangent is None and base is not None and base._tangent is None:
                self.set(base, Tensor._wrap(np.zeros_like(base._array())))
            own = self.tangent(target)
            if own is None:
                self.set(target, tangent)
            elif tangent is not None:
                run_inplace(COPY_, [own, tangent, False])
        return out

    def compose(self, record: Composite, values: list[Any]) -> Any:
        """A composed function is the operators it is composed of."""
        return record.function(*values)

    def drawn(self, draw: Any, size: tuple[int, ...]) -> Any:
        """draw(size): random numbers have no tangent."""
        return draw(size)

    def function_rule(self, cls: Any, args: tuple[Any, ...]) -> None:
        """A custom Function runs as it is; `after_function` gives its outputs their tangents."""

    def after_function(self, cls: Any, ctx: Any, args: tuple[Any, ...], outputs: list[Any], *told: Any) -> None:
        """Call a custom Function's `jvp` with the tangents of its arguments.

        `told` are the arguments that it said to have changed, and the outputs without a derivative.
        """
        own = [self.tangent(a) for a in args]
        if all(t is None for t in own):
            return
        given = own
        if ctx._materialize:
            given = [
                _zeros(a) if t is None and isinstance(a, TensorBase) else t for a, t in zip(args, own, strict=True)
            ]
        kept, ctx.saved = ctx.saved, ctx.saved or [save_input(t) for t in ctx.saved_for_forward or ()]
        versions = [None if t is None else t._version for t in own]
        with self._aside():
            found = cls.jvp(ctx, *given)
        ctx.saved = kept
        for t, tangent in zip(outputs, checked_tangents(found, args, own, versions, outputs, *told), strict=True):
            if tangent is not None:
                self.set(t, tangent)

    def leave(self) -> None:
        """Take all tangents away."""
        for reference in self.known:
            t = reference()
            if t is not None:
                t._tangent = None

    def _any_dual(self, values: list[Any]) -> bool:
        return any(self.tangent(v) is not None for v in _each(values))

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """A block in which tensors are not taken for dual."""
        STATE.batching = None
        try:
            yield
        finally:
            STATE.batching = self

    def _tangents(self, op: Op, values: list[Any]) -> list[Any]:
        """A tangent, or None, for each output; the observers are not told of how it is found."""
        observers, STATE.observers = STATE.observers, ()
        try:
            if op.view:  # linear: a view of the tangent, so that what is written into one is seen in the other
                out = run(op, [self.tangent(values[0]), *values[1:]])
                return list(out) if isinstance(out, tuple) else [out]
            return self._product(op, values)
        finally:
            STATE.observers = observers

    def _product(self, op: Op, values: list[Any]) -> list[Any]:
        """The Jacobian of an operator times the tangents of its operands."""
        duals: list[Any] = []
        tangents: list[Any] = []
        grad_enabled = STATE.grad_enabled

        def operand(v: Any) -> Any:
            tangent = self.tangent(v)
            if tangent is None:
                return v
            in_graph = v._needs_grad and STATE.grad_enabled
            duals.append(run(ALIAS, [v]) if in_graph else v.detach()._recorded())
            tangents.append(tangent)
            return duals[-1]

        with enable_grad():
            taken = [[operand(x) for x in v] if type(v) in (list, tuple) else operand(v) for v in values]
        for i in op.writes:  # the statistics have moved already
            taken[i] = None if taken[i] is None else run(CLONE, [taken[i], None])
        recorded = grad_enabled and any(
            isinstance(v, TensorBase) and v._needs_grad for v in [*_each(values), *tangents]
        )
        product = _diagonal_product if op.signature.base in _DIAGONAL else _jacobian_product
        with enable_grad(), _refusing(op):
            out = run(op, taken)
            return [
                None if t is None or not t._needs_grad else product(t, duals, tangents, recorded)
                for t in (out if isinstance(out, tuple) else [out])
            ]


def _each(values: list[Any]) -> Iterator[Any]:
    """Operands one by one, those of lists too."""
    for v in values:
        if type(v) in (list, tuple):
            yield from v
        else:
            yield v


def _jacobian_product(out: Any, inputs: list[Any], tangents: list[Any], recorded: bool) -> Any:
    if not out._a.size:
        return _zeros(out)
    weight = Tensor._wrap(np.ones(out._a.shape, out._a.dtype))._recorded()  # any will do
    first = grad([out], inputs, [weight], create_graph=True, allow_unused=True)
    pairs = [(g, t) for g, t in zip(first, tangents, strict=True) if g is not None and g._needs_grad]
    if not pairs:
        return _zeros(out)
    (product,) = grad([g for g, _ in pairs], [weight], [t for _, t in pairs], create_graph=recorded, allow_unused=True)
    if product is None:
        return _zeros(out)
    if any(np.may_share_memory(product._a, t._a) for t in tangents):  # which steps in place would change as well
        product = run(CLONE, [product, None])
    return product if recorded else product.detach()


def _diagonal_product(out: Any, inputs: list[Any], tangents: list[Any], recorded: bool) -> Any:
    """Where every output depends on one input alone, the tangent takes the gradient's place."""
    (product,) = grad([out], inputs, tangents, create_graph=recorded)
    return product


_DIAGONAL = ("hardsigmoid",)  # its backward has no derivative


@contextmanager
def _refusing(op: Op) -> Iterator[None]:
    """Say in PyTorch's words that an operator has no tangent: its backward has no derivative, or there is no rule."""
    if _is_refused(op):
        raise _refusal(op)
    try:
        yield
    except (NotImplementedError, RuntimeError) as e:
        if "not implemented" not in str(e) and "the playground does not yet" not in str(e):
            raise
        raise _refusal(op) from None


def _is_refused(op: Op) -> bool:
    return op.grad_fn == NODE or _forward_of(op) in _WITHOUT_RULE


def _forward_of(op: Op) -> str:
    """The operator's name in PyTorch; of the backward of one that is refused, the one that PyTorch comes to first."""
    base = _ATEN.get(op.signature.base, op.signature.base)
    return base.removesuffix("_backward") if base.removesuffix("_backward") in _WITHOUT_RULE else base


def _refusal(op: Op) -> NotImplementedError:
    name = _forward_of(op)
    if op.grad_fn == NODE and name not in _WITHOUT_RULE:
        return NotImplementedError(f"Trying to use forward AD with aten::{name} that does not support it.")
    return NotImplementedError(
        f"Trying to use forward AD with {name} that does not support it because it has not been implemented yet.\n"
        "Please file an issue to PyTorch at "
        "https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can prioritize its "
        "implementation or submit a PR adding the implementation to derivatives.yaml"
    )


def check_rules(outputs: Iterable[Any], inputs: Iterable[Any]) -> None:
    """Raise NotImplementedError for an operator without a tangent on a way from the inputs to the outputs."""
    users: dict[Any, list[Any]] = {}
    todo = [edge[0] for t in outputs if (edge := t._edge()) is not None]
    seen = set(todo)
    while todo:
        node = todo.pop()
        for edge in node.edges:
            if edge is not None:
                users.setdefault(edge[0], []).append(node)
                if edge[0] not in seen:
                    seen.add(edge[0])
                    todo.append(edge[0])
    todo = [edge[0] for t in inputs if (edge := t._edge()) is not None and edge[0] in seen]
    reached: set[Any] = set()
    while todo:
        for node in users.get(todo.pop(), ()):
            if node not in reached:
                reached.add(node)
                todo.append(node)
    refused = [n for n in reached if isinstance(n, OpNode) and _is_refused(n.plan.op)]
    if refused:
        raise _refusal(min(refused, key=lambda n: n._sequence_nr()).plan.op)


_NAMES = """
    _cdist_forward _ctc_loss _embedding_bag _pack_padded_sequence _pdist_forward
    _scaled_dot_product_flash_attention_for_cpu _standard_gamma _unique2 _weight_norm_interface conv_tbc
    fake_quantize_per_channel_affine_cachemask fake_quantize_per_tensor_affine_cachemask geqrf grid_sampler_2d
    grid_sampler_3d igamma igammac index_reduce mkldnn_rnn_layer multi_margin_loss multilabel_margin_loss_forward
    soft_margin_loss_backward special_zeta unique_consecutive unique_dim
"""
_WITHOUT_RULE = frozenset(_NAMES.split())
"""Operators for which PyTorch defines a derivative and no tangent."""
_ATEN = {
    "pdist": "_pdist_forward", "_linalg_ldl_factor_ex": "linalg_ldl_factor_ex", "_pack_rows": "_pack_padded_sequence",
    "multilabel_margin_loss_backward": "multilabel_margin_loss_forward",
}  # fmt: skip
"""PyTorch's names for operators that the engine names otherwise."""


def _zeros(t: Any) -> Any:
    return Tensor._wrap(np.zeros(t._a.shape, t._a.dtype))


def _same_part(view: Any, whole: Any) -> Any:
    offset = view.storage_offset() - view._base.storage_offset()
    return run(AS_STRIDED, [whole, tuple(view.shape), view.stride(), offset])


# ---- what programs call ------------------------------------------------------------------------------
def _level() -> Duals | None:
    return STATE.batching if isinstance(STATE.batching, Duals) else None


def enter_dual_level() -> int:
    """Begin a level, outside of which no tensor is dual. Raises RuntimeError inside another."""
    if _level() is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    if STATE.batching is not None:
        raise NotImplementedError(
            "The playground does not yet combine forward_ad with vmap or autocast: use torch.func.jvp inside a vmap"
        )
    STATE.batching = Duals()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level. Raises RuntimeError when there is none."""
    duals = _level()
    if duals is None:
        raise RuntimeError("Dual level must be a positive number.")
    if level not in (None, 0):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    duals.leave()
    STATE.batching = None


class dual_level:
    """A block inside which dual tensors can be made."""

    __module__ = "torch.autograd.forward_ad"

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        exit_dual_level()


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """A tensor with the same memory that carries a tangent of the same shape."""
    duals = _level()
    if duals is None:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for name, t in (("primal", tensor), ("tangent", tangent)):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")
    if duals.tangent(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
            "supported."
        )
    check_size(tensor, tangent)
    _check_level(level, "_make_dual")
    dual = run(VIEW, [tensor, tuple(tensor.shape)])
    if not STATE.inference:
        duals.set(dual, tangent)
    return dual


def _check_level(level: int | None, function: str) -> None:
    """Raise RuntimeError for a level other than the only one."""
    if level not in (None, 0):
        raise RuntimeError(f"Invalid level given to {function}")


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """The value and the tangent of a dual tensor; None for the tangent of any other."""
    duals = _level()
    if duals is None:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, TensorBase):
        raise TypeError(f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type_name(tensor)}")
    _check_level(level, "_fw_primal")
    tangent = duals.tangent(tensor)
    with duals._aside():
        return UnpackedDualTensor(run(ALIAS, [tensor]), tangent)


__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]
