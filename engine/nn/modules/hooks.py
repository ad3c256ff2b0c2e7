"""Calling a module that has hooks, and the identity nodes by which full backward hooks see gradients."""

from collections.abc import Callable
from typing import Any

from engine.autograd.function import Function
from engine.modes import STATE
from engine.nn.modules.global_hooks import GLOBAL
from engine.nn.modules.old_backward_hooks import hook_last_node
from engine.tensor import TensorBase
from engine.warning import warn

NO_INPUT_GRADIENT = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
    "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#"
    "torch.nn.Module.register_full_backward_hook for more details."
)


class BackwardHookFunction(Function):
    """The identity, whose node carries the hooks."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        """The inputs as they are."""
        ctx.mark_non_differentiable(*[a for a in args if not a._needs_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients as they are."""
        return grads


def _not_all_none(result: Any) -> bool:
    return result is not None and not (isinstance(result, tuple) and all(x is None for x in result))


class BackwardHook:
    """The full backward hooks of one call of a module."""

    def __init__(self, module: Any, hooks: list[Any], pre_hooks: list[Any]):
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_outputs: Any = None
        self.inputs: list[int] | None = None
        self.outputs: list[int] | None = None
        self.n_inputs = self.n_outputs = -1

    def _through(
        self, attach: Callable[[Any], None], args: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], list[int] | None]:
        """The arguments with those that need a gradient sent through an identity node, and their positions."""
        positions = [i for i, a in enumerate(args) if isinstance(a, TensorBase)]
        if not (STATE.grad_enabled and any(args[i]._needs_grad for i in positions)):
            return args, None
        made = BackwardHookFunction.apply(*[args[i] for i in positions])
        if not made:
            raise RuntimeError("Cannot set Module backward hook for a Module with no input Tensors.")
        nodes = [t.grad_fn for t in made if t.grad_fn is not None and "BackwardHookFunction" in t.grad_fn.name()]
        if not nodes:
            raise RuntimeError("Error while setting up backward hooks. Please open an issue with a code sample.")
        attach(nodes[0])
        new = list(args)
        for i, t in zip(positions, made, strict=True):
            new[i] = t
        return (type(args)(*new) if hasattr(args, "_fields") else tuple(new)), positions

    def watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The module's inputs, watched."""
        new, self.inputs = self._through(self._on_input_gradients, args)
        self.n_inputs = len(args)
        return new

    def watch_outputs(self, output: Any) -> Any:
        """The module's output, watched."""
        args = output if isinstance(output, tuple) else (output,)
        new, self.outputs = self._through(self._on_output_gradients, args)
        self.n_outputs = len(args)
        return new if isinstance(output, tuple) else new[0]

    def _on_input_gradients(self, node: Any) -> None:
        def hook(grad_input: Any, _: Any) -> Any:
            if self.grad_outputs is None:  # the gradient came round the module's output
                return None
            grads = _spread(self.inputs or [], grad_input, self.n_inputs)
            for user in self.hooks:
                result = user(self.module, grads, self.grad_outputs)
                if result is not None:
                    if len(result) != len(grads):
                        raise RuntimeError(
                            f"Backward hook returned an invalid number of grad_input, got {len(result)}, but "
                            f"expected {len(grads)}"
                        )
                    grads = result
            self.grad_outputs = None
            return tuple(grads[i] for i in self.inputs or [])

        node.register_hook(hook)

    def _on_output_gradients(self, node: Any) -> None:
        def hook(_: Any, grad_output: Any) -> Any:
            outputs = self.outputs or []
            self.grad_outputs = _spread(outputs, grad_output, self.n_outputs)
            for user in self.pre_hooks:
                result = user(self.module, self.grad_outputs)
                if result is None:
                    continue
                if len(result) != len(self.grad_outputs):
                    raise RuntimeError(
                        f"Backward pre hook returned an invalid number of grad_output, got {len(result)}, "
                        f"but expected {len(self.grad_outputs)}"
                    )
                self.grad_outputs = result
            known = self.grad_outputs
            if self.inputs is None:
                self._without_inputs()
            return tuple(known[i] for i in outputs)

        node.register_hook(hook)

    def _without_inputs(self) -> None:
        """No input needs a gradient: the hooks are called as soon as the output's is known."""
        warn(NO_INPUT_GRADIENT)
        nothing = (None,) * self.n_inputs
        for user in self.hooks:
            if _not_all_none(user(self.module, nothing, self.grad_outputs)):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or "
                    "None for all "
                    "gradients."
                )
        self.grad_outputs = None


def _spread(positions: list[int], values: Any, n: int) -> tuple[Any, ...]:
    out: list[Any] = [None] * n
    for i, v in zip(positions, values, strict=True):
        out[i] = v
    return tuple(out)


def call_with_hooks(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `module(*args, **kwargs)` does when there are hooks."""
    everywhere = list(GLOBAL.backward.values())
    own = list(module._backward_hooks.values())
    full = (everywhere if GLOBAL.full else []) + (own if module._is_full_backward_hook else [])
    legacy = ([] if GLOBAL.full else everywhere) + ([] if module._is_full_backward_hook else own)
    before = [*GLOBAL.backward_pre.values(), *module._backward_pre_hooks.values()]
    called: set[int] = set()
    output = None
    try:
        args, kwargs = _call_pre_hooks(module, args, kwargs)
        watch = BackwardHook(module, full, before) if full or before else None
        if watch is not None:
            args = watch.watch_inputs(args)
        output = module.forward(*args, **kwargs)
        for key, hook in (*GLOBAL.forward.items(), *module._forward_hooks.items()):
            if key in module._forward_hooks_always_called or key in GLOBAL.always_called:
                called.add(key)
            with_kwargs = key in module._forward_hooks_with_kwargs or key in GLOBAL.with_kwargs
            result = hook(module, args, kwargs, output) if with_kwargs else hook(module, args, output)
            if result is not None:
                output = result
        if watch is not None:
            if not isinstance(output, TensorBase | tuple):
                warn(
                    "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
                    f"received {type(output)}"
                )
            output = watch.watch_outputs(output)
        if legacy:
            hook_last_node(module, legacy, args, output)
        return output
    except Exception:
        _call_always(module, args, kwargs, output, called)
        raise


def _call_pre_hooks(module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments after the forward pre-hooks."""
    for key, hook in (*GLOBAL.forward_pre.items(), *module._forward_pre_hooks.items()):
        if key in module._forward_pre_hooks_with_kwargs:
            result = hook(module, args, kwargs)
            if result is not None:
                if not (isinstance(result, tuple) and len(result) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {result}."
                    )
                args, kwargs = result
        else:
            result = hook(module, args)
            if result is not None:
                args = result if isinstance(result, tuple) else (result,)
    return args, kwargs


def _call_always(module: Any, args: Any, kwargs: Any, output: Any, called: set[int]) -> None:
    """After a failure: the forward hooks registered with `always_call` that have not been called yet."""
    for name, hooks, always in (
        ("global module", GLOBAL.forward, GLOBAL.always_called),
        ("module", module._forward_hooks, module._forward_hooks_always_called),
    ):
        for key, hook in hooks.items():
            if key not in always or key in called:
                continue
            try:
                with_kwargs = key in module._forward_hooks_with_kwargs
                result = hook(module, args, kwargs, output) if with_kwargs else hook(module, args, output)
                output = output if result is None else result
            except Exception as e:  # noqa: BLE001  # the forward's own error is the one to raise
                warn(
                    f"{name} forward hook with ``always_call=True`` raised an exception that was silenced as another "
                    f"error was raised in forward: {e}"
                )
