"""Hooks that are called for every module: https://docs.pytorch.org/docs/stable/nn.html#global-hooks-for-module"""

from collections.abc import Callable
from typing import Any

from engine.graph import HookDict, RemovableHandle

BOTH_KINDS = (
    "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of "
    "them."
)


class GlobalHooks:
    """What is registered for every module. `full` says which kind the backward hooks are, once there was one."""

    def __init__(self) -> None:
        self.forward_pre: HookDict = HookDict()
        self.forward: HookDict = HookDict()
        self.backward_pre: HookDict = HookDict()
        self.backward: HookDict = HookDict()
        self.full: bool | None = None
        self.with_kwargs: set[int] = set()
        self.always_called: set[int] = set()
        self.new_buffer: HookDict = HookDict()
        self.new_module: HookDict = HookDict()
        self.new_parameter: HookDict = HookDict()

    def any(self) -> bool:
        """Whether there is one that a call has to call."""
        return bool(self.forward_pre or self.forward or self.backward_pre or self.backward)


GLOBAL = GlobalHooks()


def register(hooks: HookDict, hook: Any, prepend: bool = False) -> RemovableHandle:
    """Add a hook, at the end or in front."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call hook(module, args) before the forward of every module."""
    return register(GLOBAL.forward_pre, hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call hook(module, args, output) after the forward of every module."""
    handle = register(GLOBAL.forward, hook)
    if with_kwargs:
        GLOBAL.with_kwargs.add(handle.id)
    if always_call:
        GLOBAL.always_called.add(handle.id)
    return handle


def _register_backward(hook: Callable[..., Any], full: bool) -> RemovableHandle:
    if GLOBAL.full is not None and GLOBAL.full is not full:
        raise RuntimeError(BOTH_KINDS)
    GLOBAL.full = full
    return register(GLOBAL.backward, hook)


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """The old kind: it sees the gradients of each module's last node only. Raises RuntimeError beside full hooks."""
    return _register_backward(hook, False)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call hook(module, grad_input, grad_output) when gradients of any module's inputs are known."""
    return _register_backward(hook, True)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call hook(module, grad_output) before the backward of every module."""
    return register(GLOBAL.backward_pre, hook)


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call hook(module, name, buffer) for every new buffer; what it returns takes the buffer's place."""
    return register(GLOBAL.new_buffer, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call hook(module, name, submodule) for every new submodule; what it returns takes its place."""
    return register(GLOBAL.new_module, hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call hook(module, name, parameter) for every new parameter; what it returns takes its place."""
    return register(GLOBAL.new_parameter, hook)


def registered(hooks: HookDict, module: Any, name: str, value: Any) -> Any:
    """A new part of a module, after the hooks for such parts."""
    for hook in hooks.values():
        result = hook(module, name, value)
        if result is not None:
            value = result
    return value


__all__ = [
    "register_module_backward_hook", "register_module_buffer_registration_hook", "register_module_forward_hook",
    "register_module_forward_pre_hook", "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook", "register_module_parameter_registration_hook",
]  # fmt: skip
