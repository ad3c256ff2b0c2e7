"""`torch.device`. Only the CPU exists here; the names of others may be written down, not used."""

import re
from typing import Any

from engine.type_names import Native, type_name

KINDS = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
         "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")  # fmt: skip


NO_META = (
    "PyTorch has the meta device, for tensors of a shape without elements; the playground does not yet: its tensors "
    "all have elements"
)


class device(metaclass=Native):
    """A device by its name ("cpu", "cuda:0") or by kind and index."""

    __module__ = "torch"
    __slots__ = ("type", "index")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Called as device(device) or as device(type, index). Raises TypeError and RuntimeError as PyTorch does."""
        what, index = _arguments(args, kwargs)
        if isinstance(what, device):
            self.type, self.index = what.type, what.index
            return
        if isinstance(what, int):
            if what < 0:
                raise RuntimeError("Device index must not be negative")
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not what:
            raise RuntimeError("Device string must not be empty")
        if not re.fullmatch(r"[a-zA-Z_]+(:(0|[1-9]\d*))?", what):
            raise RuntimeError(f"Invalid device string: '{what}'")
        kind, _, number = what.partition(":")
        if kind not in KINDS:
            raise RuntimeError(f"Expected one of {', '.join(KINDS)} device type at start of device string: {what}")
        if number and index is not None:
            raise RuntimeError(f"type (string) must not include an index because index was passed explicitly: {what}")
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        self.type = kind
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        return (
            f"device(type='{self.type}')" if self.index is None else f"device(type='{self.type}', index={self.index})"
        )

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __enter__(self) -> "device":
        self.check()
        return self

    def check(self) -> None:
        """Raise what PyTorch says of a device that is not there; of the meta device, that it is not here."""
        if self.type == "cpu":
            return
        if self.type == "cuda":
            raise AssertionError("Torch not compiled with CUDA enabled")
        if self.type == "meta":
            raise NotImplementedError(NO_META)
        raise RuntimeError(f"PyTorch is not linked with support for {self.type} devices")

    def __exit__(self, *exc: object) -> None:
        return None


_SIGNATURES = " * (torch.device device)\n{} * (str type, int index = -1)\n"


def _arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, int | None]:
    """The device, its name or number, and an index where one was given."""
    if len(args) == 1 and not kwargs and _names_a_device(args[0]):
        return args[0], None
    if not args and len(kwargs) == 1 and _names_a_device(kwargs.get("device")):
        return kwargs["device"], None
    if not args and kwargs.keys() == {"type"} and isinstance(kwargs["type"], str):
        return kwargs["type"], None
    if len(args) + len(kwargs) != 2:
        got = ", ".join([*map(type_name, args), *(f"{k}={type_name(v)}" for k, v in kwargs.items())])
        why = ""
        if kwargs and not args:
            got += ", "
            why = f"      didn't match because some of the keywords were incorrect: {', '.join(kwargs)}\n"
        elif len(args) == 1:
            shown = f"list of [{', '.join(map(type_name, args[0]))}]" if isinstance(args[0], list) else got
            why = f"      didn't match because some of the arguments have invalid types: (!{shown}!)\n"
        raise TypeError(
            f"device() received an invalid combination of arguments - got ({got}), but expected one of:\n"
            + _SIGNATURES.format(why)
        )
    for name in kwargs:
        if name not in ("type", "index"):
            raise TypeError(f"device() got an unexpected keyword argument '{name}'")
    kind, index = {**dict(zip(("type", "index"), args, strict=False)), **kwargs}.values()
    if not isinstance(kind, str):
        raise TypeError(f"device(): argument 'type' (position 1) must be str, not {type_name(kind)}")
    if index is not None and (not isinstance(index, int) or isinstance(index, bool)):
        raise TypeError(f"device(): argument 'index' (position 2) must be int, not {type_name(index)}")
    return kind, index


def _names_a_device(v: Any) -> bool:
    return isinstance(v, device | str | int) and not isinstance(v, bool)


CPU = device("cpu")
