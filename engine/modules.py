"""The module tree that programs import: torch, torch.nn, torch.nn.functional, torch.autograd, torch.optim …"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from engine import anomaly, arguments, creation, dtypes, layout, modes, printing, random
from engine.autograd import calls
from engine.device import device
from engine.functions import return_type
from engine.graph import Node
from engine.size import Size
from engine.tensor import Tensor

VERSION = "2.13.0+cpu"


class TorchModule(ModuleType):
    """A module that says of a missing name whether PyTorch has it."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")


def build_modules(callables: dict[str, dict[str, Callable[..., Any]]]) -> dict[str, ModuleType]:
    """All modules by full name."""
    made: dict[str, ModuleType] = {}

    def module(name: str, doc: str, **names: Any) -> ModuleType:
        m = TorchModule(name, doc)
        m.__path__ = []  # type: ignore[attr-defined]
        m.__dict__.update(names)
        made[name] = m
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(made[parent], last, m)
        return m

    torch = module("torch", "The engine, under PyTorch's name.", **callables["function"])
    torch.__dict__.update(dtypes.TORCH_NAMES)
    torch.__dict__.update(layout.LAYOUTS)
    torch.__dict__.update(layout.MEMORY_FORMATS)
    torch.__dict__.update(
        __version__=VERSION, Tensor=Tensor, Size=Size, device=device, dtype=dtypes.dtype, layout=layout.layout,
        memory_format=layout.memory_format, Generator=random.Generator, finfo=dtypes.finfo, iinfo=dtypes.iinfo,
        tensor=creation.tensor, as_tensor=creation.as_tensor, from_numpy=creation.from_numpy_array,
        no_grad=modes.no_grad, enable_grad=modes.enable_grad, set_grad_enabled=modes.set_grad_enabled,
        inference_mode=modes.inference_mode, is_grad_enabled=modes.is_grad_enabled,
        is_inference_mode_enabled=modes.is_inference_mode_enabled, manual_seed=random.manual_seed,
        set_printoptions=printing.set_printoptions, get_default_dtype=dtypes.get_default_dtype,
        set_default_dtype=dtypes.set_default_dtype, promote_types=dtypes.promote_types, result_type=dtypes.result_type,
        can_cast=dtypes.can_cast,
    )  # fmt: skip
    module(
        "torch.autograd", "Automatic differentiation.", backward=calls.backward, grad=calls.grad,
        set_detect_anomaly=anomaly.set_detect_anomaly, detect_anomaly=anomaly.detect_anomaly, no_grad=modes.no_grad,
        enable_grad=modes.enable_grad, set_grad_enabled=modes.set_grad_enabled, inference_mode=modes.inference_mode,
    )  # fmt: skip
    module("torch.autograd.graph", "The backward graph.", Node=Node)
    module("torch.linalg", "Linear algebra.", **callables["linalg"])
    module("torch.special", "Special functions.", **callables["special"])
    nn = module("torch.nn", "Neural networks.")
    nn.functional = module("torch.nn.functional", "Functions of neural networks.", **callables["nn"])  # type: ignore[attr-defined]
    return made


__all__ = ["TorchModule", "arguments", "build_modules", "return_type"]
