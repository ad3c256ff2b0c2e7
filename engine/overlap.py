"""Tensors that share memory with what is written: PyTorch refuses where the result would depend on the order of writes.

Two questions are asked of a write. Do several places of the target lie in one piece of memory, as after `expand`? And
does an operand share some of the target's memory, without being the very same view of it?
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine import errors
from engine.op import Op
from engine.ops.fill import FILL_TENSOR_
from engine.ops.layouts import is_dense
from engine.tensor import TensorBase
from engine.warning import warn

_FREE_NAMES = """
    amax amin baddbmm bmm cholesky_inverse cholesky_solve conj_physical det diag diagonal_copy dot fft_hfft
    fft_irfft fft_irfft2 fft_irfftn fill fill_diagonal frobenius_norm histc index_fill inner inverse linalg_cond
    linalg_det linalg_eigvalsh linalg_inv linalg_matmul linalg_matrix_norm linalg_matrix_power linalg_matrix_rank
    linalg_multi_dot linalg_norm linalg_pinv linalg_solve linalg_svdvals linalg_vecdot linalg_vector_norm
    logsumexp masked_fill matmul matrix_power mean mm nanmean nanquantile nansum nuclear_norm prod quantile
    special_logsumexp std sum threshold tril triu var vdot zero
"""
_FREE = frozenset(_FREE_NAMES.split())
"""Functions that ask neither question: they write the same to each place, or make their result elsewhere first."""
_ALONE_NAMES = """
    addbmm addmm addmv fill.Tensor ldexp linalg_cross log_softmax masked_scatter renorm slice_scatter softmax
    special_ndtr
"""
_ALONE = frozenset(_ALONE_NAMES.split())
"""Functions that ask about the target alone."""
_APART_NAMES = """
    cat column_stack concat concatenate dstack gather hstack index_add index_copy index_put index_reduce
    index_select kron put row_stack scatter scatter_add scatter_reduce stack take_along_dim vstack
"""
_APART = frozenset(_APART_NAMES.split())
"""Functions that read other places than they write: their operands may not even be the target itself."""
_WARNING = {"masked_fill": "tensor[mask] = scalar", "index_fill": "tensor[mask] = scalar",
            "index_put": "tensor[indices] = tensor"}  # fmt: skip
"""Functions that only warn of a target with several places in one piece of memory, and the form they are met in."""


def check_memory(op: Op, memory: np.ndarray, arrays: list[Any]) -> None:
    """Raise RuntimeError when an operator may not replace its first argument, which lies in `memory`, by its result."""
    name = "fill.Tensor" if op is FILL_TENSOR_ else op.signature.base.removesuffix("_")
    check_target(name, memory)
    if name == "index_put" and _fills_a_mask(arrays):  # which is what PyTorch then calls
        check_target("masked_fill", memory)
        return
    for i in op.tensors[1:]:
        check_operands(name, memory, arrays[i : i + 1])


def _fills_a_mask(arrays: list[Any]) -> bool:
    """Whether arguments of `index_put` write one value to where masks are true."""
    _, indices, values, accumulate = arrays[:4]
    return values.size == 1 and not accumulate and all(i is None or i.dtype == np.bool_ for i in indices)


def check_target(name: str, memory: np.ndarray) -> None:
    """Raise RuntimeError when the function `name` may not write into memory several places of which are one.

    A function that may, but should not, warns.
    """
    if memory.flags.c_contiguous or not repeats(memory):
        return
    if name in _WARNING:
        warn(
            f"Use of {name}_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
            f"operation. This also applies to advanced indexing e.g. {_WARNING[name]}"
        )
    elif name not in _FREE:
        raise RuntimeError(errors.OVERLAPPING_INPLACE)


def check_operands(name: str, memory: np.ndarray, operands: Iterable[Any]) -> None:
    """Raise RuntimeError when the function `name` may not write into memory that it reads through `operands` too.

    Those are arrays, lists of them, or anything else, which is passed over.
    """
    for a in operands:
        if type(a) is np.ndarray:
            if np.may_share_memory(memory, a) and name not in _FREE and name not in _ALONE:
                _check_operand(memory, a, name in _APART)
        elif type(a) is list or type(a) is tuple:
            check_operands(name, memory, a)


def arrays_of(values: Iterable[Any]) -> list[Any]:
    """The arrays of Tensors among the arguments of a call, those in lists too."""
    found: list[Any] = []
    for v in values:
        if isinstance(v, TensorBase):
            found.append(v._a)
        elif type(v) is list or type(v) is tuple:
            found += arrays_of(v)
    return found


def repeats(a: np.ndarray) -> bool:
    """Whether an array certainly has several places in one piece of memory: a stride of 0 is what is looked for."""
    return 0 in a.strides and a.size > 0 and any(s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True))


def _check_operand(memory: np.ndarray, a: np.ndarray, apart: bool) -> None:
    """Raise RuntimeError when an operand shares memory with the target; being the same view is fine unless `apart`.

    What has gaps is not looked into: `x[::2].add_(x[1::2])` is allowed, as is any other pair of such views.
    """
    if not (memory.size and a.size and is_dense(memory) and is_dense(a)):
        return
    same = memory.strides == a.strides and memory.nbytes == a.nbytes and _start(memory) == _start(a)
    if apart or not same:
        raise RuntimeError(errors.OVERLAPPING_OPERAND)


def _start(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]
