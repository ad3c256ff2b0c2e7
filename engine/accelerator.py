"""`torch.accelerator`, `torch.cpu` and `torch.xpu`: what PyTorch says where there is nothing but the CPU."""

from typing import Any

from engine.cuda import no, nothing, zero


def _none(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("Cannot access accelerator device when none is available.")


ACCELERATOR: dict[str, Any] = {
    "is_available": no, "device_count": zero, "current_accelerator": nothing,
    **dict.fromkeys(
        ("current_device_idx", "current_device_index", "current_stream", "empty_cache", "max_memory_allocated",
         "memory_allocated", "memory_reserved", "reset_peak_memory_stats", "set_device_idx", "set_device_index",
         "set_stream", "synchronize"),
        _none,
    ),
}  # fmt: skip
XPU: dict[str, Any] = {
    "is_available": no, "device_count": zero, "empty_cache": nothing, "manual_seed": nothing,
    "manual_seed_all": nothing,
}  # fmt: skip
CPU_MODULE: dict[str, Any] = {
    "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: "cpu",
    "synchronize": nothing, "set_device": nothing,
}  # fmt: skip
