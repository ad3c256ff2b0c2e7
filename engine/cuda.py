"""`torch.cuda`, `torch.backends` and `torch.mps` on a machine that has none of them: PyTorch's own answers."""

from types import SimpleNamespace
from typing import Any

from engine.attention_backends import SDP_SWITCHES
from engine.settings import get_fastpath_enabled, set_fastpath_enabled

ABSENT = "Torch not compiled with CUDA enabled"


def absent(*args: Any, **kwargs: Any) -> Any:
    """Raise what PyTorch raises without CUDA."""
    raise AssertionError(ABSENT)


def no(*args: Any, **kwargs: Any) -> bool:
    """There is none."""
    return False


def zero(*args: Any, **kwargs: Any) -> int:
    """None of it is in use."""
    return 0


def nothing(*args: Any, **kwargs: Any) -> None:
    """Nothing to do."""


def refused(message: str) -> Any:
    """A class that cannot be made without CUDA."""

    def make(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(message)

    return make


def unavailable(name: str) -> Any:
    """A tensor type of the GPU."""

    def make(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"type torch.cuda.{name} not available. Torch not compiled with CUDA enabled.")

    make.cuda_name = name  # type: ignore[attr-defined]
    return make


CUDA: dict[str, Any] = {
    **dict.fromkeys(("is_available", "is_initialized", "is_bf16_supported"), no),
    **dict.fromkeys(("device_count", "memory_allocated", "max_memory_allocated", "memory_reserved"), zero),
    **dict.fromkeys(
        ("manual_seed", "manual_seed_all", "seed", "seed_all", "empty_cache", "reset_peak_memory_stats", "set_device"),
        nothing,
    ),
    **dict.fromkeys(
        ("current_device", "get_device_name", "get_device_properties", "get_device_capability", "synchronize", "init",
         "current_stream", "mem_get_info", "get_rng_state", "set_rng_state"),
        absent,
    ),
    "Stream": refused("torch.cuda.Stream requires CUDA support"),
    "Event": refused("Tried to instantiate dummy base class Event"),
    **{f"{kind}Tensor": unavailable(f"{kind}Tensor") for kind in ("Float", "Double", "Half", "Long", "Int", "Byte")},
}  # fmt: skip
MPS: dict[str, Any] = {"is_available": no, "device_count": zero, "manual_seed": nothing, "empty_cache": nothing}
VERSION_MODULE: dict[str, Any] = {"cuda": None, "hip": None, "debug": False}


def backends() -> dict[str, dict[str, Any]]:
    """The modules of `torch.backends` and what they say."""
    return {
        "cudnn": {
            "deterministic": False, "benchmark": False, "enabled": True, "allow_tf32": True, "is_available": no,
            "version": nothing,
        },
        "mps": {"is_available": no, "is_built": no},
        "cuda": {"is_built": no, "matmul": SimpleNamespace(allow_tf32=False), **SDP_SWITCHES},
        "mkldnn": {"is_available": no},
        "mkl": {"is_available": no},
        "openmp": {"is_available": no},
        "mha": {"get_fastpath_enabled": get_fastpath_enabled, "set_fastpath_enabled": set_fastpath_enabled},
    }  # fmt: skip
