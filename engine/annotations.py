"""`torch.types` and `torch.nn.common_types`: names for annotations."""

from collections.abc import Sequence
from os import PathLike
from typing import IO, Any, TypeVar, Union

from engine.device import device
from engine.dtypes import dtype
from engine.layout import layout
from engine.size import Size
from engine.tensor import Tensor

T = TypeVar("T")

TYPES: dict[str, Any] = {
    "Device": device | str | int | None, "FileLike": str | PathLike[str] | IO[bytes], "Number": int | float | bool,
    "Size": Size, "Tensor": Tensor, "_Number": (int, float, bool), "_size": Size | list[int] | tuple[int, ...],
    "_TensorOrTensors": Tensor | Sequence[Tensor], "_bool": bool, "_bytes": bytes, "_complex": complex,
    "_device": device, "_dtype": dtype, "_float": float, "_int": int, "_layout": layout, "_str": str,
}  # fmt: skip


def _repeated(kind: Any, n: int) -> Any:
    """One of a kind, or a tuple of n of them; of any number for n = 0."""
    return Union[kind, tuple[(kind, ...)] if n == 0 else tuple[(kind,) * n]]  # type: ignore[misc]  # noqa: UP007


_COUNTS = {"any": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}

COMMON_TYPES: dict[str, Any] = {
    "T": T, "Tensor": Tensor, "_tensor_list_t": _repeated(Tensor, 0), "_maybe_indices_t": _repeated(Tensor, 2),
    **{f"_scalar_or_tuple_{name}_t": _repeated(T, n) for name, n in _COUNTS.items()},
    **{f"_size_{name}_t": _repeated(int, n) for name, n in _COUNTS.items()},
    **{f"_ratio_{name}_t": _repeated(float, _COUNTS[name]) for name in ("2", "3", "any")},
    **{f"_size_{name}_opt_t": _repeated(int, _COUNTS[name]) | None for name in ("2", "3", "any")},
}  # fmt: skip
