"""The base of all optimizers: parameter groups, state, zero_grad, hooks.

Reference: https://docs.pytorch.org/docs/stable/optim.html#base-class
"""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from itertools import chain
from typing import Any

import numpy as np

from engine.graph import HookDict, RemovableHandle, add_hook
from engine.legacy import typename
from engine.modes import STATE
from engine.optim.real_parts import RealParts
from engine.tensor import Tensor, TensorBase
from engine.warning import warn_inside
from engine.writing import write_memory


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()
ParamsT = Iterable[Any]


class Optimizer:
    """Groups of parameters, each with its options, and what is remembered of each parameter between steps."""

    _stepping = True  # the step of an optimizer that wraps another and is not set up itself has no hooks

    def __init__(self, params: Any, defaults: dict[str, Any]):
        self.defaults = defaults
        self._optimizer_step_pre_hooks = HookDict()
        self._optimizer_step_post_hooks = HookDict()
        self._optimizer_state_dict_pre_hooks = HookDict()
        self._optimizer_state_dict_post_hooks = HookDict()
        self._optimizer_load_state_dict_pre_hooks = HookDict()
        self._optimizer_load_state_dict_post_hooks = HookDict()
        self._stepping = False
        if defaults.get("differentiable"):
            raise NotImplementedError(
                "The playground does not yet record the steps of an optimizer (differentiable=True)"
            )
        if defaults.get("fused") and defaults.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
        if isinstance(params, TensorBase):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + params.type()  # type: ignore[attr-defined]
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _with_hooks(cls.step)  # type: ignore[attr-defined, method-assign]

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {k}: {group[k]}\n" for k in sorted(group) if k != "params")
        return text + ")"

    # ---- groups ---------------------------------------------------------------------------------
    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group with options of its own. Raises TypeError or ValueError for what cannot be optimized."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, TensorBase):
            param_group["params"] = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in "
                "sets will "
                "change between runs. Please use a list instead."
            )
        else:
            param_group["params"] = list(params)
        named = [p for p in param_group["params"] if isinstance(p, tuple)]
        if named:
            if len(named) != len(param_group["params"]):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            param_group["param_names"] = [p[0] for p in named]
            param_group["params"] = [p[1] for p in named]
        for p in param_group["params"]:
            if not isinstance(p, TensorBase):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(p)}")
            if not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        if len({id(p) for p in param_group["params"]}) != len(param_group["params"]):
            warn_inside(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
                "see github.com/pytorch/pytorch/issues/40967 for more information"
            )
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        known = {id(p) for g in self.param_groups for p in g["params"]}
        if known & {id(p) for p in param_group["params"]}:
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def parameters(self) -> Iterable[Any]:
        """All parameters of all groups."""
        return chain.from_iterable(g["params"] for g in self.param_groups)

    # ---- stepping -------------------------------------------------------------------------------
    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients, or fill them with zeros. Raises AttributeError before the optimizer is set up."""
        _ = self.defaults
        for o in STATE.observers:
            o.on_optimizer_enter(self, "zero_grad")
        try:
            for p in self.parameters():
                if p._grad is None:
                    continue
                if set_to_none:
                    p._grad = None
                else:
                    if p._grad._fn is not None:
                        p._grad = p._grad.detach()
                    p._grad._requires = False
                    p._grad.zero_()
        finally:
            for o in STATE.observers:
                o.on_optimizer_exit(self, "zero_grad", list(self.parameters()), set_to_none=set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters by their gradients; returns the closure's loss."""
        raise NotImplementedError

    @contextmanager
    def _announced(self) -> Iterator[None]:
        """Tell the observers that what changes inside is the optimizer's work."""
        for o in STATE.observers:
            o.on_optimizer_enter(self, "optimizer_step")
        try:
            yield
        finally:
            for o in STATE.observers:
                o.on_optimizer_exit(self, "optimizer_step", list(self.parameters()))

    def _write(self, p: Any, change: np.ndarray, write: Callable[..., Any] = np.add) -> None:
        """Add a change to a parameter's memory, in place; `write` is another ufunc than addition."""
        if type(p) is RealParts:
            p.write(lambda memory: write(memory, change, out=memory))
        else:
            write_memory(p, lambda memory: write(memory, change, out=memory))

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call hook(optimizer, args, kwargs) before each step; what it returns replaces args and kwargs."""
        return add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call hook(optimizer, args, kwargs) after each step."""
        return add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call hook(optimizer) before the state is put together."""
        return _add_in_line(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call hook(optimizer, state_dict); what it returns replaces the state."""
        return _add_in_line(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call hook(optimizer, state_dict) before loading; what it returns replaces the state."""
        return _add_in_line(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call hook(optimizer) after loading."""
        return _add_in_line(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # ---- saving ---------------------------------------------------------------------------------
    def state_dict(self) -> dict[str, Any]:
        """State by parameter number, and the groups with numbers in place of parameters."""
        for hook in list(self._optimizer_state_dict_pre_hooks.values()):
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for g in self.param_groups:
            packed = {k: v for k, v in g.items() if k != "params"}
            for p in g["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed["params"] = [numbers[id(p)] for p in g["params"]]
            groups.append(packed)
        state = {(numbers[id(k)] if isinstance(k, TensorBase) else k): v for k, v in self.state.items()}
        out = {"state": state, "param_groups": groups}
        for hook in list(self._optimizer_state_dict_post_hooks.values()):
            out = _replaced(hook(self, out), out)
        return out

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state. Raises ValueError when the groups do not match."""
        state_dict = state_dict.copy()
        for hook in list(self._optimizer_load_state_dict_pre_hooks.values()):
            state_dict = _replaced(hook(self, state_dict), state_dict)
        saved = state_dict["param_groups"]
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(saved, self.param_groups, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        numbers = [n for g in saved for n in g["params"]]
        by_number = dict(zip(numbers, self.parameters(), strict=True))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for k, v in state_dict["state"].items():
            if k in by_number:
                state[by_number[k]] = _cast_like(by_number[k], v)
            else:
                state[k] = v
        groups = []
        for g, old in zip(deepcopy(saved), self.param_groups, strict=True):
            g["params"] = old["params"]
            if "param_names" in old and "param_names" not in g:
                g["param_names"] = old["param_names"]
            groups.append(g)
        self.state, self.param_groups = state, groups
        for hook in list(self._optimizer_load_state_dict_post_hooks.values()):
            hook(self)


def _replaced(returned: Any, before: Any) -> Any:
    return before if returned is None else returned


def _add_in_line(hooks: HookDict, hook: Callable[..., Any], first: bool) -> RemovableHandle:
    handle = add_hook(hooks, hook)
    if first:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _cast_like(p: Any, value: Any, key: str | None = None) -> Any:
    """A loaded state with its tensors in the parameter's dtype; step counters keep theirs."""
    if isinstance(value, TensorBase):
        if key == "step" or p._a.dtype.kind not in "fcV" or value._a.dtype == p._a.dtype:
            return value
        return Tensor._wrap(value._array().astype(p._a.dtype))
    if isinstance(value, dict):
        return {k: _cast_like(p, v, k) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)(_cast_like(p, v) for v in value)  # type: ignore[call-arg]
    return value


def recorded(closure: Callable[[], Any]) -> Any:
    """What a closure returns, called with recording on."""
    enabled, STATE.grad_enabled = STATE.grad_enabled, True
    try:
        return closure()
    finally:
        STATE.grad_enabled = enabled


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step with the hooks around it, once where steps call each other; the engine's own are not recorded."""
    ours = step.__module__.startswith("engine.")

    @functools.wraps(step)
    def hooked(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self._stepping:
            return step(self, *args, **kwargs)
        for hook in list(self._optimizer_step_pre_hooks.values()):
            args, kwargs = _checked_arguments(hook, hook(self, (self, *args), kwargs), args, kwargs)
        enabled, self._stepping = STATE.grad_enabled, True
        STATE.grad_enabled = enabled and not ours
        try:
            out = step(self, *args, **kwargs)
        finally:
            STATE.grad_enabled, self._stepping = enabled, False
        for hook in list(self._optimizer_step_post_hooks.values()):
            hook(self, (self, *args), kwargs)
        return out

    return hooked


def _checked_arguments(hook: Any, returned: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a hook before the step asks to call it with."""
    if returned is None:
        return args, kwargs
    if isinstance(returned, tuple) and len(returned) == 2:
        return returned[0][1:], returned[1]
    raise RuntimeError(f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {returned}.")


__all__ = ["Optimizer", "ParamsT", "required"]
