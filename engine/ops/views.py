"""Ops that look at the same memory with another shape or order of dimensions."""

from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.checks import wrap_dim, wrap_dims
from engine.ops.copy import contiguous
from engine.ops.strided import broadcast_view, element_strides, memory_of, strided_view


def _view(self: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """numpy decides by torch's rule whether a shape fits the strides; only the error texts differ."""
    if size and min(size) < -1:
        i = next(i for i, n in enumerate(size) if n < -1)
        raise RuntimeError(f"invalid shape dimension {size[i]} at index {i} of shape {list(size)}")
    try:
        if self.flags.c_contiguous and not (self.ndim and self.shape[-1] == 1 and self.strides[-1] != self.itemsize):
            same = 1 in self.shape and tuple(size) == self.shape  # which numpy would leave as it lies
            return self.reshape(-1).reshape(size) if same else self.reshape(size)
        return strided_as(self, size)
    except ValueError:
        pass
    inferred(size, self.size)
    raise RuntimeError(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
        "contiguous subspaces). Use .reshape(...) instead."
    )


def strided_as(self: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """A view of another shape; its dimensions of size 1 have ATen's strides, after what stands to their right.

    Raises ValueError where there is no such view.
    """
    seen = np.reshape(self, size, copy=False)
    if 1 not in seen.shape or not seen.size or not self.ndim:
        return seen
    shape, steps = self.shape, self.strides
    strides = list(seen.strides)
    chunk, numel, viewed, d = steps[-1], 1, 1, seen.ndim - 1
    for at in range(self.ndim - 1, -1, -1):
        numel *= shape[at]
        if at and (shape[at - 1] == 1 or steps[at - 1] == numel * chunk):
            continue
        while d >= 0 and (viewed < numel or seen.shape[d] == 1):
            strides[d] = viewed * chunk
            viewed *= seen.shape[d]
            d -= 1
        if at:
            chunk, numel, viewed = steps[at - 1], 1, 1
    return np.lib.stride_tricks.as_strided(seen, seen.shape, strides)


def inferred(size: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """A shape with its -1 filled in. Raises RuntimeError when it does not fit `numel` elements."""
    known, at = 1, None
    for i, n in enumerate(size):
        if n == -1:
            if at is not None:
                raise RuntimeError("only one dimension can be inferred")
            at = i
        elif n < 0:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(size)}")
        else:
            known *= n
    if known == numel if at is None else known > 0 and numel % known == 0:
        if at is None:
            return tuple(size)
        return (*size[:at], numel // known, *size[at + 1 :])
    if at is not None and known == 0 and numel == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        )
    raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {numel}")


def _expand(self: np.ndarray, size: tuple[int, ...], implicit: bool = False) -> np.ndarray:
    shape = self.shape
    lead = len(size) - len(shape)
    if lead < 0:
        raise RuntimeError(
            f"expand({from_numpy(self.dtype).class_name}{{{list(shape)}}}, size={list(size)}): the number "
            f"of sizes provided ({len(size)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(shape)})"
        )
    if not lead and shape == size:
        return self[...]
    out = list(size)
    for i, wanted in reversed([*enumerate(size)]):
        if i < lead:
            if wanted < 0:
                raise RuntimeError(
                    f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing dimension {i}"
                )
        elif wanted == -1:
            out[i] = shape[i - lead]
        elif shape[i - lead] not in (1, wanted):
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) must match the existing size ({shape[i - lead]}) at "
                f"non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes: {list(shape)}"
            )
    return broadcast_view(self, tuple(out))


def _permute(self: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    if len(dims) != self.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {self.ndim} is not equal to len(dims) = {len(dims)}"
        )
    order = [wrap_dim(d, self.ndim) for d in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return self.transpose(order)


def _permute_back(grad: Any, dims: tuple[int, ...]) -> Any:
    back = [0] * len(dims)
    for i, d in enumerate(dims):
        back[d % len(dims)] = i
    return PERMUTE(grad, tuple(back))


def _transpose(self: np.ndarray, dim0: int, dim1: int) -> np.ndarray:
    ndim = self.ndim
    a, b = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    return self.swapaxes(a, b) if ndim else self[...]


def turned(self: np.ndarray, name: str = "t") -> np.ndarray:
    """A matrix with rows and columns exchanged, a vector as it is. Raises RuntimeError for more dimensions."""
    if self.ndim > 2:
        raise RuntimeError(f"{name}() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


def _squeeze(self: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    return self.squeeze(tuple(d for d in wrap_dims(dims, self.ndim) if self.ndim and self.shape[d] == 1))


def _unsqueeze_to(grad: Any, sizes: tuple[int, ...], dims: tuple[int, ...] | None = None) -> Any:
    """Put the dimensions of length 1 back that squeeze took away."""
    wanted = range(len(sizes)) if dims is None else sorted(wrap_dims(dims, len(sizes)))
    for d in wanted:
        if sizes and sizes[d] == 1:
            grad = UNSQUEEZE(grad, d)
    return grad


def _unsqueeze(self: np.ndarray, dim: int) -> np.ndarray:
    ndim, shape = self.ndim, self.shape
    d = wrap_dim(dim, ndim + 1)
    step = shape[d] * self.strides[d] if d < ndim else self.itemsize
    return strided_view(self, (*shape[:d], 1, *shape[d:]), (*self.strides[:d], step, *self.strides[d:]))


def _view_dtype(self: np.ndarray, dtype: Any) -> np.ndarray:
    wanted = dtype.numpy
    if self.itemsize == wanted.itemsize:
        return self.view(wanted)
    if self.ndim == 0:
        raise RuntimeError(
            f"self.dim() cannot be 0 to view {from_numpy(self.dtype).torch_name} as {dtype.torch_name} (different "
            "element sizes)"
        )
    ratio = wanted.itemsize // self.itemsize
    if ratio > 1 and self.shape[-1] % ratio:
        raise RuntimeError(
            f"self.size(-1) must be divisible by {ratio} to view {from_numpy(self.dtype).torch_name} as "
            f"{dtype.torch_name} (different element sizes), but got {self.shape[-1]}"
        )
    return self.view(wanted)


def _view_as_real(self: np.ndarray) -> np.ndarray:
    if self.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    real = np.float32 if self.dtype == np.complex64 else np.float64
    return self[..., None].view(real)


def _view_as_complex(self: np.ndarray) -> np.ndarray:
    if self.dtype.kind != "f":
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: "
            f"{from_numpy(self.dtype).torch_name}"
        )
    if self.ndim == 0:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if self.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    wide = np.complex64 if self.dtype == np.float32 else np.complex128
    if not self.size:  # strides mean nothing where there are no elements
        return np.zeros(self.shape[:-1], wide)
    if self.strides[-1] != self.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(step % 2 for step in element_strides(self)[:-1]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    if memory_of(self)[1] % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    return self.view(wide)[..., 0]


def _matrices(rng: np.random.Generator, **more: Any) -> list[dict[str, Any]]:
    return [{"self": rng.normal(size=(2, 3)), **more}, {"self": rng.normal(size=(3, 2)).T, **more}]


VIEW_DTYPE = Op(
    "view.dtype(Tensor self, ScalarType dtype) -> Tensor",
    _view_dtype,
    view=True,
    where=("method",),
    latex=r"\text{the same bytes, read as } [[dtype]]",
    example="torch.tensor([1.0, -2.0]).view(torch.int32)",
)
VIEW = Op(
    "view(Tensor self, SymInt[] size) -> Tensor",
    _view,
    "ViewBackward0",
    {"self": Grad(lambda grad, self_sym_sizes: grad.reshape(self_sym_sizes), r"\operatorname{reshape}([[grad]])")},
    r"\operatorname{view}([[self]])",
    view=True,
    where=("method",),
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "size": (3, -1)},
        {"self": rng.normal(size=()), "size": (1, 1)},
    ],
)
UNSAFE_VIEW = Op(
    "_unsafe_view(Tensor self, SymInt[] size) -> Tensor",
    _view,
    "UnsafeViewBackward0",
    {"self": Grad(lambda grad, self_sym_sizes: grad.reshape(self_sym_sizes), r"\operatorname{reshape}([[grad]])")},
    r"\operatorname{view}([[self]])",
    where=(),
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "size": (6,)},
        {"self": rng.normal(size=(2, 1, 2)), "size": (4, 1)},
    ],
)
RESHAPE_ALIAS = Op(
    "_reshape_alias(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor",
    lambda self, size, stride: strided_view(self, tuple(size), tuple(s * self.itemsize for s in stride)),
    "ReshapeAliasBackward0",
    {"self": Grad(lambda grad, self_sym_sizes: grad.reshape(self_sym_sizes), r"\operatorname{reshape}([[grad]])")},
    r"\operatorname{reshape}([[self]])",
    view=True,
    where=(),
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "size": (6,), "stride": (1,)},
        {"self": rng.normal(size=4), "size": (2, 2), "stride": (2, 1)},
    ],
)
EXPAND = Op(
    "expand(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor",
    _expand,
    "ExpandBackward0",
    # The engine sums a gradient that broadcasting made larger than its input.
    {"self": Grad(lambda grad, self_sym_sizes: grad, r"\textstyle\sum [[grad]]")},
    r"\operatorname{expand}([[self]])",
    view=True,
    where=("method",),
    samples=lambda rng: [
        {"self": rng.normal(size=(1, 3)), "size": (2, -1)},
        {"self": rng.normal(size=(3, 1)), "size": (2, 3, 4)},
        {"self": rng.normal(size=()), "size": (2,)},
    ],
)
PERMUTE = Op(
    "permute(Tensor self, int[] dims) -> Tensor",
    _permute,
    "PermuteBackward0",
    {"self": Grad(_permute_back, r"\operatorname{permute}^{-1}([[grad]])")},
    r"\operatorname{permute}([[self]], [[dims]])",
    view=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 3, 4)), "dims": d} for d in ((2, 0, 1), (-1, 1, 0))],
)
TRANSPOSE = Op(
    "transpose.int(Tensor self, int dim0, int dim1) -> Tensor",
    _transpose,
    "TransposeBackward0",
    {"self": Grad(lambda grad, dim0, dim1: TRANSPOSE(grad, dim0, dim1), r"[[grad]]^{\top}")},
    r"[[self]]^{\top}",
    view=True,
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3, 4)), "dim0": 0, "dim1": -1},
        {"self": rng.normal(size=()), "dim0": 0, "dim1": -1},
    ],
)
T = Op(
    "t(Tensor self) -> Tensor",
    turned,
    "TBackward0",
    {"self": Grad(lambda grad: T(grad), r"[[grad]]^{\top}")},
    r"[[self]]^{\top}",
    view=True,
    samples=_matrices,
)
SQUEEZE = Op(
    "squeeze(Tensor self) -> Tensor",
    lambda self: self.squeeze(),
    "SqueezeBackward0",
    {
        "self": Grad(
            lambda grad, self_sym_sizes: _unsqueeze_to(grad, self_sym_sizes), r"\operatorname{unsqueeze}([[grad]])"
        )
    },
    r"\operatorname{squeeze}([[self]])",
    view=True,
    samples=lambda rng: [{"self": rng.normal(size=s)} for s in ((2, 1, 3, 1), (2,), ())],
)
SQUEEZE_DIM = Op(
    "squeeze.dim(Tensor self, int dim) -> Tensor",
    lambda self, dim: _squeeze(self, (dim,)),
    "SqueezeBackward1",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim: _unsqueeze_to(grad, self_sym_sizes, (dim,)),
            r"\operatorname{unsqueeze}([[grad]], [[dim]])",
        )
    },
    r"\operatorname{squeeze}([[self]], [[dim]])",
    view=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 1, 3)), "dim": d} for d in (1, 0, -2)],
)
SQUEEZE_DIMS = Op(
    "squeeze.dims(Tensor self, int[] dim) -> Tensor",
    lambda self, dim: _squeeze(self, tuple(dim)),
    "SqueezeBackward2",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim: _unsqueeze_to(grad, self_sym_sizes, dim),
            r"\operatorname{unsqueeze}([[grad]], [[dim]])",
        )
    },
    r"\operatorname{squeeze}([[self]], [[dim]])",
    view=True,
    samples=lambda rng: [{"self": rng.normal(size=(2, 1, 3, 1)), "dim": (1, -1)}],
)
UNSQUEEZE = Op(
    "unsqueeze(Tensor self, int dim) -> Tensor",
    _unsqueeze,
    "UnsqueezeBackward0",
    {"self": Grad(lambda grad, dim: SQUEEZE_DIM(grad, dim), r"\operatorname{squeeze}([[grad]], [[dim]])")},
    r"\operatorname{unsqueeze}([[self]], [[dim]])",
    view=True,
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "dim": 1},
        {"self": rng.normal(size=(3, 2)).T, "dim": -1},
        {"self": rng.normal(size=()), "dim": 0},
    ],
)
ALIAS = Op(
    "alias(Tensor self) -> Tensor",
    lambda self: self[...],
    "AliasBackward0",
    {"self": Grad(lambda grad: grad, r"[[grad]]")},
    r"[[self]]",
    view=True,
    where=(),
    samples=_matrices,
)
VIEW_AS_REAL = Op(
    "view_as_real(Tensor self) -> Tensor",
    _view_as_real,
    "ViewAsRealBackward0",
    {"self": Grad(lambda grad: VIEW_AS_COMPLEX(contiguous(grad)), r"\operatorname{complex}([[grad]])")},
    r"(\Re [[self]], \Im [[self]])",
    view=True,
    where=("function",),
    unchecked="complex input",
    example="torch.view_as_real(torch.tensor([1 + 2j, 3 - 1j]))",
)
VIEW_AS_COMPLEX = Op(
    "view_as_complex(Tensor self) -> Tensor",
    _view_as_complex,
    "ViewAsComplexBackward0",
    {"self": Grad(lambda grad: VIEW_AS_REAL(contiguous(grad)), r"(\Re [[grad]], \Im [[grad]])")},
    r"[[self]]_0 + i\,[[self]]_1",
    view=True,
    where=("function",),
    unchecked="complex output",
    example="torch.view_as_complex(torch.tensor([[1.0, 2.0], [3.0, -1.0]]))",
)
