"""`torch.autograd.Function`: operations whose backward the program writes itself.

`ctx` is the node of the graph, an object of a class named after the Function ("SquareBackward").
Reference: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.Function
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.graph import SHOWN, Node
from engine.inplace import rebase_history
from engine.modes import STATE
from engine.ops.views import VIEW
from engine.pass_hooks import call_hook
from engine.saved import unpack
from engine.saving import save_input, save_output
from engine.tensor import Tensor, TensorBase
from engine.warning import warn

NEEDS_SETUP_CONTEXT = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override "
    "the setup_context staticmethod. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
NO_TENSOR: Any = ((), None)
"""Shape and dtype of an output that is no tensor."""


class FunctionCtx:
    """What `forward` may call on its `ctx`."""

    saved_for_forward: tuple[Any, ...] | None = None

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for backward. Raises TypeError for anything else."""
        for i, t in enumerate(tensors):
            if t is not None and not isinstance(t, TensorBase):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(t).__name__}"
                )
        self._to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for jvp."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs forward changed in place."""
        self._dirty = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which outputs never need a gradient."""
        self._non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros (True) or None for outputs no gradient reached."""
        self._materialize = value


class FunctionNode(FunctionCtx, Node):
    """The node of a custom Function, which is also its `ctx`."""

    _forward_cls: Any
    runs_without = True

    def __init__(self, needs: tuple[bool, ...]):
        super().__init__((), ())
        self._needs = needs
        self._to_save: tuple[Any, ...] = ()
        self._dirty: tuple[Any, ...] = ()
        self._non_differentiable: tuple[Any, ...] = ()
        self._materialize = True
        self._is_tensor: tuple[bool, ...] = ()
        self.saved = []

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """Which arguments of forward need a gradient."""
        return self._needs

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` kept. Raises RuntimeError once freed, or when changed in place since."""
        if self.saved is None:
            raise RuntimeError(errors.BACKWARD_TWICE)
        return tuple(unpack(self, e) for e in self.saved)

    saved_variables = saved_tensors

    def name(self) -> str:
        return type(self).__name__

    def __dir__(self) -> list[str]:
        hidden = vars(Node).keys() - SHOWN | {"apply"}
        return [n for n in object.__dir__(self) if n.startswith("__") or n not in hidden]

    # ---- running ----------------------------------------------------------------------------------
    def apply_arrays(self, grads: list[Any]) -> list[Any]:
        out = self.apply_tensors([None if g is None else Tensor._wrap(g) for g in grads])
        return [None if g is None else g._a for g in out]

    def apply_tensors(self, grads: list[Any]) -> list[Any]:
        if self._materialize:
            grads = [
                Tensor._wrap(np.zeros(m[0], m[1])) if g is None and m[1] is not None else g
                for g, m in zip(grads, self.meta, strict=True)
            ]
        cls = self._forward_cls
        user = cls.vjp if cls.vjp is not Function.vjp else cls.backward
        out = call_hook(user, self, *grads)
        results = list(out) if isinstance(out, tuple) else [out]
        return self._checked(results)

    def _checked(self, results: list[Any]) -> list[Any]:
        """One gradient per tensor input; complaints as PyTorch makes them."""
        expected = len(self._is_tensor)
        if len(results) > expected and all(r is None for r in results[expected:]):
            results = results[:expected]
        if len(results) != expected:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, got "
                f"{len(results)})"
            )
        kept = []
        for i, (g, is_tensor) in enumerate(zip(results, self._is_tensor, strict=True)):
            if is_tensor:
                if g is not None and not isinstance(g, TensorBase):
                    raise RuntimeError(f"expected Variable or None (got {type(g).__name__})")
                kept.append(g)
            elif g is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {i + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
        return kept

    def release(self) -> None:
        self.saved = None


class FunctionMeta(type):
    """Gives each Function its node class."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]):
        super().__init__(name, bases, namespace)
        cls._backward_cls = type(
            name + "Backward", (FunctionNode,), {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        )


class Function(FunctionCtx, metaclass=FunctionMeta):
    """Subclass it with static methods `forward(ctx, …)` and `backward(ctx, …)`, and call `apply`."""

    __module__ = "torch.autograd.function"
    _backward_cls: Any
    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any):
        warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with "
            "static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The operation itself. Raises NotImplementedError until overridden."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Where forward takes no ctx, what to keep is said here."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The derivative. Raises NotImplementedError until overridden."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward "
            "mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The derivative forward. Raises NotImplementedError until overridden."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], *args: Any) -> Any:
        """What it does with a batch: the output and where the samples lie in it. NotImplementedError until overridden.

        Args:
            info: `batch_size` and `randomness` of the vmap.
            in_dims: where the samples lie in each argument, None for one that is the same for all.
        """
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and record the node."""
        batching = STATE.batching
        rule = None if batching is None else batching.function_rule(cls, args)
        if rule is not None and not rule.recorded:
            return rule.run(args)
        needs = tuple(isinstance(a, TensorBase) and a._needs_grad for a in args)
        recorded = STATE.grad_enabled and any(needs)
        ctx = cls._backward_cls(needs if STATE.grad_enabled else tuple(False for _ in needs))
        before, batching = STATE.grad_enabled, STATE.batching
        STATE.grad_enabled = False
        if batching is not None and batching.by_tensors:  # forward runs on values; `jvp` is told of their tangents
            STATE.batching = None
        try:
            if batching is not None and batching.ends_at_functions:
                STATE.batching = None
            if cls.setup_context is Function.setup_context:
                if STATE.transforms:
                    raise RuntimeError(NEEDS_SETUP_CONTEXT)
                output = cls.forward(ctx, *args, **kwargs)
            else:
                output = cls.forward(*args, **kwargs) if rule is None else rule.run(args)
                cls.setup_context(ctx, args, output)
        finally:
            STATE.grad_enabled, STATE.batching = before, batching
        single = not isinstance(output, tuple)
        outputs = [output] if single else list(output)
        ctx._is_tensor = tuple(isinstance(a, TensorBase) for a in args)
        ctx.edges = tuple(a._edge() if recorded else None for a in args if isinstance(a, TensorBase))
        dirty, fixed = ctx._dirty, ctx._non_differentiable
        outputs = _connect(ctx, args, outputs, recorded)
        if batching is not None:
            batching.after_function(cls, ctx, args, outputs, dirty, fixed)
        for o in STATE.observers:
            o.on_function(cls.__name__, args, outputs, ctx if recorded else None)
        return outputs[0] if single else tuple(outputs)


def _connect(ctx: FunctionNode, args: tuple[Any, ...], outputs: list[Any], recorded: bool) -> list[Any]:
    """Make the node the grad_fn of the outputs, and keep what was to be saved."""
    inputs = {id(a) for a in args if isinstance(a, TensorBase)}
    dirty = {id(t) for t in ctx._dirty}
    fixed = {id(t) for t in ctx._non_differentiable}
    meta = []
    connected: list[Any] = []
    if not dirty <= {id(t) for t in outputs}:
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
            "modified inplace must all be outputs of the Function."
        )
    for nr, t in enumerate(outputs):
        if not isinstance(t, TensorBase):
            meta.append(NO_TENSOR)
            connected.append(t)
            continue
        meta.append((t._a.shape, t._a.dtype))
        if id(t) in dirty:
            t._version_counter().n += 1
            if recorded:
                if t.is_leaf and t._requires:
                    raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
                rebase_history(t, ctx)
                t._nr = nr
        elif id(t) in fixed or not recorded or t._a.dtype.kind not in "fcV":
            if id(t) in inputs and id(t) not in fixed:
                t = _alias(t)
            elif recorded and id(t) in fixed and t._fn is None:
                t._requires = False
        else:
            if id(t) in inputs:
                t = _alias(t)
                t._view_kind = "custom"
            elif t._base is not None:
                t._view_kind = "custom"
            elif t._fn is not None or t._requires:
                t = _alias(t)
            t._fn, t._nr = ctx, nr
        connected.append(t)
    ctx.meta = tuple(meta)
    if recorded:
        numbers = {id(a): i for i, a in enumerate(outputs)}
        saved: list[Any] = []
        for t in ctx._to_save:
            if t is None:
                saved.append(None)
            elif id(t) in numbers and id(t) not in inputs:
                saved.append(save_output(connected[numbers[id(t)]], numbers[id(t)], ctx))
            else:
                saved.append(save_input(t))
        ctx.saved = saved
    ctx._to_save = ctx._dirty = ctx._non_differentiable = ()
    return connected


def _alias(t: Any) -> Any:
    """A view of the whole tensor, as `view_as` makes it."""
    a = t._array()
    view = Tensor._wrap(VIEW.forward(a, a.shape) if type(a) is np.ndarray and 1 in a.shape else a)
    view._base = t if t._base is None else t._base
    view._counter = t._version_counter()
    view._storage = t._memory()
    view._view_version = view._counter.n
    return view


class NestedIOFunction(Function):
    """Kept for programs that name it."""


class _DelayedError(Function):
    @staticmethod
    def forward(ctx: Any, *tensors: Any) -> Any:
        return tuple(t.detach() for t in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for a backward that cannot be differentiated itself."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        enabled, STATE.grad_enabled = STATE.grad_enabled, False
        try:
            outputs = fn(ctx, *args)
        finally:
            STATE.grad_enabled = enabled
        if not enabled or not any(isinstance(a, TensorBase) and a._needs_grad for a in args):
            return outputs
        single = not isinstance(outputs, tuple)
        listed = [outputs] if single else list(outputs)
        fakes = [o.detach()._recorded() if isinstance(o, TensorBase) else o for o in listed]
        results = [_DelayedError.apply(f)[0] if isinstance(f, TensorBase) else f for f in fakes]
        return results[0] if single else tuple(results)

    return wrapper


__all__ = ["Function", "FunctionCtx", "FunctionNode", "NestedIOFunction", "once_differentiable"]
