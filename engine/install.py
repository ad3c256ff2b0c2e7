"""`install_as_torch()`: put the parts together and let `import torch` find them.

Nothing here happens on import: the first call attaches the operators to Tensor and builds the modules.
"""

import sys
from functools import cache
from types import ModuleType

from engine import dispatch, indexing, inplace, legacy, method_signatures, methods, operators
from engine.absent import AbsentImports, mark_absent
from engine.autograd import calls, resizing
from engine.batching import methods as batched_methods
from engine.composites import joining, pointwise, shapes, sparse
from engine.creation import quiet_numpy
from engine.functions import build
from engine.modes import STATE
from engine.modules import build_modules
from engine.nn.parameter import UninitializedBuffer, UninitializedParameter, refuse_operations
from engine.records import all_records, ops_by_name
from engine.storage import keep_freed_memory
from engine.tensor import Tensor


@cache
def assemble() -> dict[str, ModuleType]:
    """Attach the operators to Tensor, join what refers to each other, and build torch's modules, once."""
    callables = build(all_records())
    ops = ops_by_name()
    Tensor.__torch_op__ = staticmethod(dispatch.apply)  # type: ignore[attr-defined]
    for name, method in callables["method"].items():
        setattr(Tensor, name, method)
    methods.attach(Tensor)
    indexing.attach(Tensor)
    shapes.attach(Tensor)
    pointwise.attach(Tensor)
    joining.attach(Tensor)
    sparse.attach(Tensor)
    operators.attach(Tensor, ops, {**callables["method"], **callables["function"]})
    batched_methods.attach()
    Tensor.backward = calls.tensor_backward  # type: ignore[attr-defined]
    resizing.attach(Tensor)
    method_signatures.attach(Tensor)
    Tensor.__new__ = legacy.new_tensor  # type: ignore[assignment, method-assign]
    mark_absent(Tensor, "torch.Tensor")
    refuse_operations(UninitializedParameter, Tensor)
    refuse_operations(UninitializedBuffer, Tensor)
    STATE.refresh_view = inplace.refresh_view
    return build_modules(callables)


def install_as_torch() -> ModuleType:
    """Register the engine as `torch` and its submodules in sys.modules; returns the module.

    numpy's warnings about inf and nan are switched off, since PyTorch computes them silently, and freed memory is kept.
    """
    quiet_numpy()
    keep_freed_memory()
    modules = assemble()
    sys.modules.update(modules)
    if AbsentImports not in sys.meta_path:
        sys.meta_path.append(AbsentImports)
    return modules["torch"]
