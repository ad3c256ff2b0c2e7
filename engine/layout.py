"""`torch.layout` and `torch.memory_format`: names in signatures; only the strided layout holds data."""

from engine.type_names import Native


class layout(metaclass=Native):
    """How a tensor's elements are stored."""

    __module__ = "torch"

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"


class memory_format(metaclass=Native):
    """In which order of dimensions a dense tensor's elements lie."""

    __module__ = "torch"

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"


STRIDED = layout("strided")
LAYOUTS = {"strided": STRIDED, "sparse_coo": layout("sparse_coo"), "sparse_csr": layout("sparse_csr")}
MEMORY_FORMATS = {
    name: memory_format(name) for name in ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
}


def check_layout(wanted: layout) -> None:
    """Raise NotImplementedError for any layout but the strided one."""
    if wanted is not STRIDED:
        raise NotImplementedError(
            f"Tensors of layout {wanted} are not supported here. A dense one has the same values: leave `layout` out."
        )
