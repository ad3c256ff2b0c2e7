"""`functorch`, the former name of torch.func, with what it had besides: modules as functions of their tensors."""

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import func
from engine.func.functional_call import check_alike, stacked
from engine.nn.modules.module import Module
from engine.nn.utils.stateless import call_with
from engine.warning import warn_within


def _tell(name: str, successor: str) -> None:
    warn_within(
        "We've integrated functorch into PyTorch. As the final step of the integration, "
        f"`functorch.{name}` is deprecated as of PyTorch 2.0 and will be deleted in a future version of PyTorch >= "
        f"2.3. Please use `{successor}` instead; see the PyTorch 2.0 release notes and/or the `torch.func` migration "
        "guide for more details https://pytorch.org/docs/main/func.migrating.html",
        "functorch",
        FutureWarning,
    )


class _Functional(Module):
    """A module that is given its tensors with every call."""

    def _keep(self, model: Module, names: Sequence[str]) -> None:
        self.stateless_model = model
        self._given = tuple(names)

    def _call(self, tensors: Iterable[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = dict(zip(self._given, tensors, strict=False))
        return call_with(self.stateless_model, given, args, kwargs, True, False)


class FunctionalModule(_Functional):
    """A module as a function of its parameters and its inputs."""

    def __init__(self, stateless_model: Module, param_names: Sequence[str]) -> None:
        super().__init__()
        self.param_names = tuple(param_names)
        self._keep(stateless_model, param_names)

    def forward(self, params: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
        """What the module returns with these parameters."""
        return self._call(params, args, kwargs)


class FunctionalModuleWithBuffers(_Functional):
    """A module as a function of its parameters, its buffers and its inputs."""

    def __init__(self, stateless_model: Module, param_names: Sequence[str], buffer_names: Sequence[str]) -> None:
        super().__init__()
        self.param_names, self.buffer_names = tuple(param_names), tuple(buffer_names)
        self._keep(stateless_model, (*param_names, *buffer_names))

    def forward(self, params: Iterable[Any], buffers: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
        """What the module returns with these parameters and buffers."""
        return self._call((*params, *buffers), args, kwargs)


def _taken_out(model: Module, untracked: bool) -> tuple[Module, dict[str, Any], dict[str, Any]]:
    """A copy of the model, and the parameters and buffers of that copy."""
    model = copy.deepcopy(model)
    params, buffers = dict(model.named_parameters()), dict(model.named_buffers())
    if untracked:
        for p in params.values():
            p.requires_grad_(False)
    return model, params, buffers


def _functional(model: Module, untracked: bool) -> Any:
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    model, params, _ = _taken_out(model, untracked)
    return FunctionalModule(model, tuple(params)), tuple(params.values())


def _functional_with_buffers(model: Module, untracked: bool) -> Any:
    model, params, buffers = _taken_out(model, untracked)
    called = FunctionalModuleWithBuffers(model, tuple(params), tuple(buffers))
    return called, tuple(params.values()), tuple(buffers.values())


def make_functional(model: Module, disable_autograd_tracking: bool = False) -> Any:
    """The model as a function of its parameters, and those. Raises RuntimeError for a model with buffers."""
    _tell("make_functional", "torch.func.functional_call")
    return _functional(model, disable_autograd_tracking)


def make_functional_with_buffers(model: Module, disable_autograd_tracking: bool = False) -> Any:
    """The model as a function of its parameters and buffers, the parameters, and the buffers."""
    _tell("make_functional_with_buffers", "torch.func.functional_call")
    return _functional_with_buffers(model, disable_autograd_tracking)


def combine_state_for_ensemble(models: Sequence[Module]) -> Any:
    """The first of several models of one kind as a function, and the tensors of all, stacked.

    Raises RuntimeError when there are none, or they are not of one class, or not all in the same mode.
    """
    _tell("combine_state_for_ensemble", "torch.func.stack_module_state")
    check_alike(models, "combine_state_for_ensemble")
    functions, params, buffers = zip(*(_functional_with_buffers(m, False) for m in models), strict=True)
    return functions[0], _stacked(params), _stacked(buffers)


def _stacked(states: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(stacked(list(shards)).detach() for shards in zip(*states, strict=True))


def _former(name: str, successor: str) -> Callable[..., Any]:
    function = getattr(func, name)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        _tell(name, successor)
        return function(*args, **kwargs)

    return call


_SAME = ("functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "vjp")
FUNCTORCH: dict[str, Any] = {
    **{name: _former(name, f"torch.func.{name}") for name in _SAME}, "vmap": _former("vmap", "torch.vmap"),
    "FunctionalModule": FunctionalModule, "FunctionalModuleWithBuffers": FunctionalModuleWithBuffers,
    "make_functional": make_functional, "make_functional_with_buffers": make_functional_with_buffers,
    "combine_state_for_ensemble": combine_state_for_ensemble,
}  # fmt: skip
EXPERIMENTAL: dict[str, Any] = {
    name: getattr(func, name)
    for name in ("functionalize", "hessian", "jacfwd", "jvp", "replace_all_batch_norm_modules_")
}
