"""`torch.nn.utils.stateless`: calling a module with other tensors than its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.nn.modules.module import Module
from engine.tensor import TensorBase
from engine.warning import warn

Tensors = dict[str, Any]
_ABSENT = object()


def functional_call(
    module: Module, parameters_and_buffers: Tensors, args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    """What the module returns with the given tensors in place of its own; see `torch.func.functional_call`."""
    warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future "
        "version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
    )
    return call_with(module, parameters_and_buffers, args, kwargs, tie_weights, strict)


def call_with(
    module: Module, given: Tensors, args: Any, kwargs: dict[str, Any] | None, tie_weights: bool, strict: bool
) -> Any:
    """What the module returns with `given` in place of its parameters and buffers of those names."""
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


__all__ = ["functional_call"]
