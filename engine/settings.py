"""Switches that programs set and that change nothing here: threads, determinism, matmul precision, default device."""

from typing import Any

from engine.device import CPU, device


class _Settings:
    """What a program has set; it reads the same values back."""

    __slots__ = (
        "threads", "interop_threads", "deterministic", "only_warning", "precision", "default_device", "fast_attention",
        "always_warning",
    )  # fmt: skip

    def __init__(self) -> None:
        self.threads = self.interop_threads = 1
        self.deterministic = self.only_warning = self.always_warning = False
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
    SETTINGS.deterministic, SETTINGS.only_warning = bool(mode), bool(warn_only)


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether the program asked for warnings in place of errors."""
    return SETTINGS.only_warning


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same by one word or number: 0 "default", 1 "warn", 2 "error". Raises TypeError or RuntimeError for others."""
    if not isinstance(debug_mode, int | str):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    words = ("default", "warn", "error")
    if isinstance(debug_mode, str) and debug_mode not in words:
        raise RuntimeError(
            f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
        )
    level = words.index(debug_mode) if isinstance(debug_mode, str) else debug_mode
    if level not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {level}")
    use_deterministic_algorithms(level > 0, warn_only=level == 1)


def get_deterministic_debug_mode() -> int:
    """That number."""
    return (1 if SETTINGS.only_warning else 2) if SETTINGS.deterministic else 0


def set_flush_denormal(mode: bool) -> bool:
    """Whether the machine could be told to take the smallest numbers for zero, which numpy's cannot."""
    return not mode


def set_warn_always(b: bool) -> None:
    """Accepted; what warns once warns once."""
    SETTINGS.always_warning = b


def is_warn_always_enabled() -> bool:
    """What the program asked for last."""
    return SETTINGS.always_warning


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
    d.check()
    SETTINGS.default_device = d
