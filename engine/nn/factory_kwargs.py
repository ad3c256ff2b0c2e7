"""`torch.nn.factory_kwargs`: the options for factories among a module's keyword arguments."""

from typing import Any

_SIMPLE = ("device", "dtype", "memory_format")


def factory_kwargs(kwargs: dict[str, Any] | None) -> dict[str, Any]:
    """device, dtype and memory_format, given as they are or in `factory_kwargs`. Raises TypeError for other names."""
    if kwargs is None:
        return {}
    if unexpected := kwargs.keys() - {*_SIMPLE, "factory_kwargs"}:
        raise TypeError(f"unexpected kwargs {unexpected}")
    found = dict(kwargs.get("factory_kwargs", {}))
    for name in _SIMPLE:
        if name in kwargs:
            if name in found:
                raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
            found[name] = kwargs[name]
    return found
