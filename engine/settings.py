"""Switches that programs set and that change nothing here: threads, determinism, matmul precision, default device."""

from typing import Any

from engine.device import CPU, device


class _Settings:
    """What a program has set; it reads the same values back."""

    __slots__ = ("threads", "interop_threads", "deterministic", "precision", "default_device", "fast_attention")

    def __init__(self) -> None:
        self.threads = self.interop_threads = 1
        self.deterministic = False
        self.precision = "highest"
        self.default_device: device = CPU
        self.fast_attention = True


SETTINGS = _Settings()


def get_num_threads() -> int:
    """The number of threads a program asked for."""
    return SETTINGS.threads


def set_num_threads(n: Any) -> None:
    """Ask for a number of threads."""
    if not isinstance(n, int):
        raise RuntimeError(f"set_num_threads expects an int, but got {type(n).__name__}")
    if n <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    SETTINGS.threads = n


def get_num_interop_threads() -> int:
    """The number of threads between operators that a program asked for."""
    return SETTINGS.interop_threads


def set_num_interop_threads(n: int) -> None:
    """Ask for a number of threads between operators."""
    SETTINGS.interop_threads = n


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Everything here is deterministic anyway."""
    SETTINGS.deterministic = bool(mode)


def are_deterministic_algorithms_enabled() -> bool:
    """What the program asked for last."""
    return SETTINGS.deterministic


def get_float32_matmul_precision() -> str:
    """ "highest" unless the program set it."""
    return SETTINGS.precision


def set_float32_matmul_precision(precision: str) -> None:
    """Ask for a precision of float32 matrix products; they are always computed in float32."""
    SETTINGS.precision = precision


def get_fastpath_enabled() -> bool:
    """Whether encoder layers that are not trained may take PyTorch's shorter way."""
    return SETTINGS.fast_attention


def set_fastpath_enabled(value: bool) -> None:
    """Let encoder layers take the shorter way, or not."""
    SETTINGS.fast_attention = value


def get_default_device() -> device:
    """The CPU."""
    return SETTINGS.default_device


def set_default_device(where: Any) -> None:
    """Accept the CPU; any other device raises what using it would raise."""
    d = device(where) if where is not None else CPU
    if d.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    SETTINGS.default_device = d
