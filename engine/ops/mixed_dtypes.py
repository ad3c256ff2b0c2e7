"""Data and parameters of different dtypes, as normalisation layers take them: half-precision data with float32
parameters, and no other mixture."""

from typing import Any

import numpy as np

from engine.narrow import is_narrow
from engine.ops.kinds import torch_name


def check_mixed(input: Any, *parameters: Any) -> None:
    """Raise RuntimeError for a mixture of dtypes that PyTorch's kernels for the CPU refuse. Parameters may be None."""
    known = [p for p in parameters if p is not None]
    if not known:
        return
    if known[0].dtype != input.dtype:
        if any(p.dtype != np.float32 for p in known):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        if not is_narrow(input):
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    for p in known[1:]:
        if p.dtype != known[0].dtype:
            raise RuntimeError(f"expected scalar type {torch_name(known[0])} but found {torch_name(p)}")
