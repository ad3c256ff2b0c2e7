"""What the module `torch` holds besides the operators."""

import math
from typing import Any

from engine import (
    anomaly,
    creation,
    dlpack,
    dtypes,
    generators,
    layout,
    legacy,
    modes,
    printing,
    serialization,
    settings,
)
from engine.amp import autocast_mode, grad_scaler
from engine.builtin import without_arguments
from engine.device import device
from engine.func.vmap import vmap
from engine.generators import Generator
from engine.nn import compiled
from engine.size import Size
from engine.storages import STORAGE, TypedStorage, UntypedStorage
from engine.tensor import Tensor, TensorBase
from engine.torch_version import TorchVersion

VERSION = TorchVersion("2.13.0+cpu")


def is_tensor(obj: Any, /) -> bool:
    """Whether an object is a tensor."""
    return isinstance(obj, TensorBase)


def is_storage(obj: Any, /) -> bool:
    """Whether an object is a storage."""
    return isinstance(obj, TypedStorage | UntypedStorage)


def root() -> dict[str, Any]:
    """The names of `torch` that are no operators and no submodules."""
    return {
        **dtypes.TORCH_NAMES,
        **layout.LAYOUTS,
        **layout.MEMORY_FORMATS,
        **legacy.tensor_types(),
        **STORAGE,
        **autocast_mode.ROOT,

        "__version__": VERSION, "pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None,
        "Tensor": Tensor, "Size": Size, "device": device, "dtype": dtypes.dtype, "layout": layout.layout,
        "memory_format": layout.memory_format, "finfo": dtypes.finfo, "iinfo": dtypes.iinfo,
        "tensor": creation.tensor, "as_tensor": creation.as_tensor, "asarray": creation.asarray,
        "from_numpy": creation.from_numpy, "frombuffer": creation.frombuffer, "from_dlpack": dlpack.from_dlpack,
        "to_dlpack": dlpack.to_dlpack,
        "is_tensor": is_tensor, "is_storage": is_storage, "typename": legacy.typename,
        "no_grad": modes.no_grad, "enable_grad": modes.enable_grad, "set_grad_enabled": modes.set_grad_enabled,
        "inference_mode": modes.inference_mode,
        "is_grad_enabled": without_arguments(modes.is_grad_enabled, owner="torch"),
        "is_inference_mode_enabled": modes.is_inference_mode_enabled,
        "is_anomaly_enabled": anomaly.is_anomaly_enabled,
        "is_anomaly_check_nan_enabled": anomaly.is_anomaly_check_nan_enabled,
        "Generator": Generator, "default_generator": generators.default_generator,
        "manual_seed": generators.manual_seed, "seed": generators.seed, "initial_seed": generators.initial_seed,
        "get_rng_state": generators.get_rng_state, "set_rng_state": generators.set_rng_state,
        "set_printoptions": printing.set_printoptions,
        "get_default_dtype": without_arguments(dtypes.get_default_dtype, owner="torch"),
        "set_default_dtype": dtypes.set_default_dtype,
        "set_default_tensor_type": legacy.set_default_tensor_type, "promote_types": dtypes.promote_types,
        "result_type": dtypes.result_type, "can_cast": dtypes.can_cast,
        "get_num_threads": settings.get_num_threads, "set_num_threads": settings.set_num_threads,
        "get_num_interop_threads": settings.get_num_interop_threads,
        "set_num_interop_threads": settings.set_num_interop_threads,
        "use_deterministic_algorithms": settings.use_deterministic_algorithms,
        "are_deterministic_algorithms_enabled": settings.are_deterministic_algorithms_enabled,
        "is_deterministic_algorithms_warn_only_enabled": settings.is_deterministic_algorithms_warn_only_enabled,
        "set_deterministic_debug_mode": settings.set_deterministic_debug_mode,
        "get_deterministic_debug_mode": settings.get_deterministic_debug_mode,
        "set_flush_denormal": settings.set_flush_denormal,
        "set_warn_always": settings.set_warn_always, "is_warn_always_enabled": settings.is_warn_always_enabled,
        "get_float32_matmul_precision": settings.get_float32_matmul_precision,
        "set_float32_matmul_precision": settings.set_float32_matmul_precision,
        "get_default_device": settings.get_default_device, "set_default_device": settings.set_default_device,
        "GradScaler": grad_scaler.GradScaler, "OutOfMemoryError": OutOfMemoryError,
        "AcceleratorError": AcceleratorError, "has_lapack": True, "has_mkl": True, "has_openmp": True,
        "has_spectral": True, "legacy_contiguous_format": layout.MEMORY_FORMATS["contiguous_format"],
        "compile": compiled.compile, "save": serialization.save, "load": serialization.load, "vmap": vmap,
    }  # fmt: skip


class OutOfMemoryError(RuntimeError):
    """A device had no memory left."""

    __module__ = "torch"


class AcceleratorError(RuntimeError):
    """A device failed."""

    __module__ = "torch"


RANDOM: dict[str, Any] = {
    name: getattr(generators, name)
    for name in (
        "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state",
    )
}  # fmt: skip
