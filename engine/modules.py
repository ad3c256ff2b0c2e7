"""The module tree that programs import: torch, torch.nn, torch.nn.functional, torch.autograd, torch.optim …"""

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import engine.amp
import engine.autograd
import engine.distributions
import engine.func
import engine.nn
import engine.optim
import engine.profiler
import engine.signal
import engine.utils
from engine import accelerator, cuda, distributed, serialization, torch_names
from engine.absent import TorchModule, names_of
from engine.amp.autocast_mode import cpu_autocast, cuda_autocast, cuda_bwd, cuda_fwd
from engine.amp.grad_scaler import cpu_scaler, cuda_scaler
from engine.annotations import COMMON_TYPES, TYPES
from engine.compiler import COMPILER
from engine.dlpack import DLPACK
from engine.errors import LinAlgError
from engine.functions import RETURN_TYPES
from engine.functorch import EXPERIMENTAL, FUNCTORCH
from engine.jit import JIT
from engine.mirror import lend, mirror
from engine.nn import functional
from engine.op import Op
from engine.outline import definitions
from engine.records import all_records
from engine.return_types import KNOWN, written_type
from engine.storages import STORAGE
from engine.testing import TESTING
from engine.torch_version import TorchVersion

FORMER_AMP: dict[str, dict[str, Any]] = {
    "cuda": {
        "autocast": cuda_autocast, "GradScaler": cuda_scaler, "custom_fwd": cuda_fwd, "custom_bwd": cuda_bwd,
    },
    "cpu": {"autocast": cpu_autocast, "GradScaler": cpu_scaler},
}  # fmt: skip


def build_modules(callables: dict[str, dict[str, Callable[..., Any]]]) -> dict[str, ModuleType]:
    """All modules by full name."""
    made: dict[str, ModuleType] = {}

    def module(name: str, doc: str, names: dict[str, Any]) -> None:
        m = TorchModule(name, doc)
        m.__path__ = []  # type: ignore[attr-defined]
        m.__dict__.update(names)
        add({name: m})

    def add(found: dict[str, ModuleType]) -> None:
        made.update(found)
        for name, m in found.items():
            parent, _, last = name.rpartition(".")
            if parent in made and not callable(made[parent].__dict__.get(last)):
                setattr(made[parent], last, m)

    functional.attach(callables)
    offered = names_of("torch")  # PyTorch offers few of the in-place forms as functions
    functions = {n: f for n, f in callables["function"].items() if not n.endswith("_") or n in offered}
    functions |= {"spmm": functions["mm"], "dsmm": functions["mm"], "saddmm": functions["sspaddmm"]}
    module("torch", "The engine, under PyTorch's name.", {**functions, **torch_names.root()})
    add(mirror(engine.autograd, "torch.autograd"))
    add(mirror(engine.nn, "torch.nn"))
    add(mirror(engine.optim, "torch.optim"))
    add(mirror(engine.utils, "torch.utils"))
    add(mirror(engine.func, "torch.func"))
    add(mirror(engine.distributions, "torch.distributions"))
    add(mirror(engine.amp, "torch.amp"))
    add(mirror(engine.profiler, "torch.profiler"))
    add(mirror(engine.signal, "torch.signal"))
    module("torch.nn.functional", "Functions of neural networks.", functional.public())
    module("torch.linalg", "Linear algebra.", {**callables["linalg"], "LinAlgError": LinAlgError})
    module("torch.fft", "Fourier transforms.", callables["fft"])
    module("torch.special", "Special functions.", callables["special"])
    module("torch.functional", "Functions written in Python.", offered_by("torch.functional", functions))
    module("torch.types", "Names for annotations.", TYPES)
    module("torch.nn.common_types", "Names for annotations.", COMMON_TYPES)
    module("torch._tensor", "The class of tensors.", {"Tensor": made["torch"].__dict__["Tensor"]})
    module("torch.serialization", "Objects in memory.", serialization.SERIALIZATION)
    module("torch.storage", "The memory behind tensors.", STORAGE)
    module("torch.testing", "Comparing results.", TESTING)
    module("torch.random", "Random streams.", torch_names.RANDOM)
    module("torch.return_types", "Named tuples that functions return.", return_types())
    module("torch.cuda", "There is no CUDA here.", cuda.CUDA)
    module("torch.accelerator", "There is none here.", accelerator.ACCELERATOR)
    module("torch.distributed", "There is one process here.", distributed.DISTRIBUTED)
    module("torch.xpu", "There is no XPU here.", accelerator.XPU)
    module("torch.cpu", "The only device here.", accelerator.CPU_MODULE)
    for device, names in FORMER_AMP.items():
        module(f"torch.{device}.amp", "Mixed precision, by its former names.", names)
        module(f"torch.{device}.amp.autocast_mode", "Which dtype.", {k: v for k, v in names.items() if k[0] != "G"})
        module(f"torch.{device}.amp.grad_scaler", "Scaled losses.", {"GradScaler": names["GradScaler"]})
    module("torch.mps", "There is no Metal here.", cuda.MPS)
    module("torch.version", "Which PyTorch this speaks.", {"__version__": torch_names.VERSION, **cuda.VERSION_MODULE})
    module("torch.torch_version", "What a version is.", {"TorchVersion": TorchVersion})
    module("torch.utils.dlpack", "Memory shared with other libraries.", DLPACK)
    module("torch.compiler", "Nothing is compiled.", COMPILER)
    module("functorch", "torch.func by its former name.", FUNCTORCH)
    module("functorch.experimental", "torch.func by its former name.", EXPERIMENTAL)
    module("torch.jit", "Nothing is compiled.", JIT)
    module("torch.backends", "Libraries a PyTorch may be built with.", {})
    for name, names in cuda.backends().items():
        module(f"torch.backends.{name}", "Not built in.", names)
    lend(made)
    claim(made)
    return made


def claim(modules: dict[str, ModuleType]) -> None:
    """Let functions say that they are of the module programs have them from: of several, the one furthest down."""
    owners: list[tuple[str, dict[str, Any]]] = [(name, m.__dict__) for name, m in modules.items()]
    owners.sort(key=lambda owner: -owner[0].count("."))
    owners.append(("torch._tensor", dict(vars(modules["torch"].__dict__["Tensor"]))))
    for name, names in owners:
        for value in names.values():
            if isinstance(value, FunctionType) and value.__module__.startswith("engine."):
                value.__module__ = name


def offered_by(module: str, functions: dict[str, Any]) -> dict[str, Any]:
    """Those of some functions that PyTorch has in a module."""
    return {name: functions[name] for name in definitions()[module] if name in functions}


def return_types() -> dict[str, type]:
    """The named tuples of functions with several results, by function name, and those that `out=` gives."""
    for record in all_records():
        if isinstance(record, Op) and record.names:
            RETURN_TYPES(record)
    return KNOWN | {cls.__name__: cls for cls in map(written_type, list(KNOWN.values()))}
