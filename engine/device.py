"""`torch.device`. Only the CPU exists here; the names of others may be written down, not used."""

import re

KINDS = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
         "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")  # fmt: skip


class device:
    """A device by its name ("cpu", "cuda:0") or by kind and index."""

    __module__ = "torch"
    __slots__ = ("type", "index")

    def __init__(self, type: "str | int | device", index: int | None = None):
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not re.fullmatch(r"[a-zA-Z_]+(:(0|[1-9]\d*))?", type):
            raise RuntimeError(f"Invalid device string: '{type}'")
        kind, _, number = type.partition(":")
        if kind not in KINDS:
            raise RuntimeError(f"Expected one of {', '.join(KINDS)} device type at start of device string: {type}")
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
        return self

    def __exit__(self, *exc: object) -> None:
        return None


CPU = device("cpu")
