"""Calling a module with other parameters than its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.dispatch import apply
from engine.nn.modules.module import Module
from engine.ops.join import STACK
from engine.tensor import TensorBase

Tensors = dict[str, Any]
_ABSENT = object()


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
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    with _replaced(module, given, tie_weights, strict):
        return module(*positional, **(kwargs or {}))


def _places(module: Module, given: Tensors) -> dict[str, tuple[dict[str, Any], str]]:
    """By full name, the table of a module that holds a tensor, or None but is given one, and its name there."""
    found = {}
    for prefix, m in module.named_modules(remove_duplicate=False):
        for table in (m._parameters, m._buffers):
            for name, t in table.items():
                if t is not None or (given and f"{prefix}.{name}".removeprefix(".") in given):
                    found[f"{prefix}.{name}" if prefix else name] = (table, name)
    return found


def _attribute(module: Module, full_name: str) -> tuple[dict[str, Any], str]:
    """The attributes of the module that a name leads to, and the name there, which may be new.

    Raises AttributeError and TypeError where there is no such module or the attribute is no tensor, KeyError for "".
    """
    prefix, _, name = full_name.rpartition(".")
    holder = module
    walked: list[str] = []
    for part in prefix.split(".") if prefix else ():
        walked.append(part)
        if not hasattr(holder, part):
            raise AttributeError(f"{holder._get_name()} has no attribute `{part}`")
        found = getattr(holder, part)
        if not isinstance(found, Module):
            raise TypeError(f"submodule `{'.'.join(walked)}`: {found} is not an instance of torch.nn.Module")
        holder = found
    if not name:
        raise KeyError('tensor name can\'t be empty string ""')
    if hasattr(holder, name) and not isinstance(getattr(holder, name), TensorBase):
        raise TypeError(f"attribute `{name}`: {getattr(holder, name)} is not an instance of torch.Tensor")
    return vars(holder), name


@contextmanager
def _replaced(module: Module, given: Tensors, tie_weights: bool, strict: bool) -> Iterator[None]:
    places = _places(module, given)
    if strict:
        _check_names(module, given, places)
    places.update({name: _attribute(module, name) for name in given if name not in places})
    new = dict(given)
    for t in new.values():
        if t is not None and not isinstance(t, TensorBase):
            raise TypeError(f"{t} is not an instance of torch.Tensor")
    if tie_weights:
        by_tensor = {id(table[key]): new[name] for name, (table, key) in places.items() if name in new and key in table}
        for name, (table, key) in places.items():
            if name not in new and id(table[key]) in by_tensor:
                new[name] = by_tensor[id(table[key])]
    before = {name: places[name][0].get(places[name][1], _ABSENT) for name in new}
    try:
        for name, t in new.items():
            table, key = places[name]
            table[key] = t
        yield
    finally:
        for name, t in before.items():
            table, key = places[name]
            if t is _ABSENT:
                del table[key]
            else:
                table[key] = t


def _check_names(module: Module, given: Tensors, places: Any) -> None:
    extra, missing = sorted(given.keys() - places.keys()), sorted(places.keys() - given.keys())
    lines = [
        f"\n\t{what} key(s): " + ", ".join(f"'{name}'" for name in names) + "."
        for what, names in (("Unexpected", extra), ("Missing", missing))
        if names
    ]
    if lines:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:" + "".join(lines))


def stack_module_state(models: Any) -> tuple[Tensors, Tensors]:
    """The parameters, and the buffers, of several models of one kind, stacked along a new first dimension."""
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if any(m.training != models[0].training for m in models):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    params = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {k: _stacked([p[k] for p in params]).detach().requires_grad_(params[0][k].requires_grad) for k in params[0]},
        {k: _stacked([b[k] for b in buffers]) for k in buffers[0]},
    )


def _stacked(tensors: list[Any]) -> Any:
    return apply(STACK, (tensors, 0), {})
