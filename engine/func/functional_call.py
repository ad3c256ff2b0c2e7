"""Calling a module with other parameters than its own."""

from collections.abc import Sequence
from typing import Any

from engine.dispatch import apply
from engine.nn.modules.module import Module
from engine.nn.utils.stateless import Tensors, call_with
from engine.ops.join import STACK


def functional_call(
    module: Module, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    """What the module returns with the given tensors in place of its parameters and buffers.

    Names are those of `named_parameters()`. A tensor that the module has under several names is replaced under all of
    them with `tie_weights`. With `strict` RuntimeError is raised when names are missing or too many.
    """
    given: Tensors = {}
    if isinstance(parameter_and_buffer_dicts, dict):
        given.update(parameter_and_buffer_dicts)
    elif not isinstance(parameter_and_buffer_dicts, Sequence):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(parameter_and_buffer_dicts)}"
        )
    elif not all(isinstance(d, dict) for d in parameter_and_buffer_dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    else:
        for d in parameter_and_buffer_dicts:
            if repeated := given.keys() & d.keys():
                raise ValueError(
                    f"{sorted(repeated)} appeared in multiple dictionaries; behavior of functional call is ambiguous"
                )
            given.update(d)
    return call_with(module, given, args, kwargs, tie_weights, strict)


def stack_module_state(models: Any) -> tuple[Tensors, Tensors]:
    """The parameters, and the buffers, of several models of one kind, stacked along a new first dimension."""
    models = list(models)
    check_alike(models, "stack_module_state")
    params = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {k: stacked([p[k] for p in params]).detach().requires_grad_(params[0][k]._needs_grad) for k in params[0]},
        {k: stacked([b[k] for b in buffers]) for k in buffers[0]},
    )


def check_alike(models: Sequence[Any], who: str) -> None:
    """Raise RuntimeError when there are no models, or they are not of one class, or not all in the same mode."""
    if len(models) == 0:
        raise RuntimeError(f"{who}: Expected at least one model, got 0.")
    if any(m.training != models[0].training for m in models):
        raise RuntimeError(f"{who}: Expected all models to have the same training/eval mode.")
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError(f"{who}: Expected all models to be of the same class.")


def stacked(tensors: list[Any]) -> Any:
    """Tensors along a new first dimension."""
    return apply(STACK, (tensors, 0), {})
