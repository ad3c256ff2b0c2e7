"""The module tree that programs import: torch, torch.nn, torch.nn.functional, torch.autograd, torch.optim …"""

import importlib
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any

from engine import arguments, autograd, creation, dtypes, layout, modes, printing, random
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


def public(real: ModuleType) -> dict[str, Any]:
    """A module's own names, without what Python gives every module."""
    return {k: v for k, v in vars(real).items() if not (k.startswith("__") and k.endswith("__"))}


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

    def package(name: str, real: ModuleType) -> ModuleType:
        """A package of the engine under torch's name, with all its submodules."""
        m = module(name, real.__doc__ or "", **public(real))
        for info in pkgutil.iter_modules(real.__path__):
            child = importlib.import_module(f"{real.__name__}.{info.name}")
            if hasattr(child, "__path__"):
                package(f"{name}.{info.name}", child)
            elif not callable(getattr(m, info.name, None)):
                module(f"{name}.{info.name}", child.__doc__ or "", **public(child))
            else:
                kept = getattr(m, info.name)
                module(f"{name}.{info.name}", child.__doc__ or "", **public(child))
                setattr(m, info.name, kept)
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
    package("torch.autograd", autograd)
    made["torch.autograd.graph"].Node = Node  # type: ignore[attr-defined]
    module("torch.linalg", "Linear algebra.", **callables["linalg"])
    module("torch.special", "Special functions.", **callables["special"])
    nn = module("torch.nn", "Neural networks.")
    nn.functional = module("torch.nn.functional", "Functions of neural networks.", **callables["nn"])  # type: ignore[attr-defined]
    return made


__all__ = ["TorchModule", "arguments", "build_modules", "return_type"]
