"""Sums of a tensor with a product of vectors, matrices or batches of them."""

from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.arithmetic import times
from engine.ops.checks import wrap_real_dim
from engine.ops.kinds import cpp_name, torch_name
from engine.ops.linear import (
    BMM,
    MV,
    check_batches,
    check_matrices,
    check_shapes_of_batches,
    left_grad,
    outer,
    refuse_bool,
    right_grad,
)
from engine.ops.reducers import add_up
from engine.ops.views import EXPAND, TRANSPOSE, UNSQUEEZE, T


def _fits(self: Any, shape: tuple[int, ...]) -> None:
    """A summand must expand to the shape of the product. Raises RuntimeError."""
    lead = len(shape) - self.ndim
    if lead < 0:
        raise RuntimeError(
            f"expand({from_numpy(self.dtype).class_name}{{{list(self.shape)}}}, size={list(shape)}): the number of "
            f"sizes provided ({len(shape)}) must be greater or equal to the number of dimensions in the tensor "
            f"({self.ndim})"
        )
    for i in range(self.ndim - 1, -1, -1):
        if self.shape[i] not in (1, shape[i + lead]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[i + lead]}) must match the existing size ({self.shape[i]}) "
                f"at non-singleton dimension {i + lead}.  Target sizes: {list(shape)}.  "
                f"Tensor sizes: {list(self.shape)}"
            )


def _stays(self: Any, shape: tuple[int, ...], of: Any) -> None:
    """Raise ATen's RuntimeError for a result of another shape or dtype than the tensor that is changed in place."""
    bad = "Bad in-place call: input tensor {} {} and output tensor {} {} should match"
    if self.dtype != of.dtype:
        raise RuntimeError(bad.format("dtype", cpp_name(self), "dtype", cpp_name(of)))
    if self.shape != shape:
        raise RuntimeError(bad.format("size", list(self.shape), "size", list(shape)))


def _plus(self: Any, product: Any, beta: Any, alpha: Any) -> Any:
    """beta * self + alpha * product. A beta of zero leaves `self` out, nan and all."""
    if (type(alpha) is complex or type(beta) is complex) and product.dtype.kind != "c":
        raise RuntimeError(f"value cannot be converted to type {cpp_name(product)} without overflow")
    if product.dtype.kind in "iu":  # the factors become two of theirs
        alpha, beta = (f if isinstance(f, complex) else int(f) for f in (alpha, beta))
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        return product
    return self + product if beta == 1 else self * beta + product


def one_dtype(self: Any, mat1: Any, mat2: Any) -> None:
    """Raise ATen's RuntimeError for a summand or a matrix of another dtype than the second matrix."""
    for a, name in ((self, "self"), (mat1, "mat1")):
        if a.dtype != mat2.dtype:
            raise RuntimeError(
                f"{name} and mat2 must have the same dtype, but got {torch_name(a)} and {torch_name(mat2)}"
            )


def _check_addmm(self: Any, mat1: Any, mat2: Any) -> None:
    if not self.dtype == mat1.dtype == mat2.dtype:
        one_dtype(self, mat1, mat2)
    if mat1.ndim != 2 or mat2.ndim != 2 or mat1.shape[1] != mat2.shape[0]:
        check_matrices(mat1, mat2, "mat1")


def _addmm_stays(self: Any, mat1: Any, mat2: Any, *factors: Any) -> None:
    _check_addmm(self, mat1, mat2)
    _stays(self, (mat1.shape[0], mat2.shape[1]), mat1)


def _addmm(self: Any, mat1: Any, mat2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _check_addmm(self, mat1, mat2)
    refuse_bool(mat1, "addmm_impl_cpu_")
    product = np.matmul(mat1, mat2)
    if self.shape != product.shape[1:]:
        _fits(self, product.shape)
    if alpha == 1 and beta == 1:
        product += self
        return product
    return _plus(self, product, beta, alpha)


_BETA = Grad(lambda grad, beta: times(grad, beta), r"[[beta]]\, [[grad]]")


def _sums(b: tuple[int, ...], **shapes: tuple[int, ...]) -> Any:
    """Samples with both factors one, and neither, and with a summand that is stretched."""

    def make(rng: np.random.Generator) -> list[dict[str, Any]]:
        tensors = {"self": rng.normal(size=b), **{k: rng.normal(size=s) for k, s in shapes.items()}}
        return [tensors, {**tensors, "beta": 0.5, "alpha": 2}, {**tensors, "self": rng.normal(size=(1,) * len(b))}]

    return make


ADDMM = Op(
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    _addmm,
    "AddmmBackward0",
    {
        "self": _BETA,
        "mat1": Grad(
            lambda grad, mat2, mat1_sym_sizes, mat1_sym_strides, alpha: left_grad(
                grad, mat2, mat1_sym_sizes, mat1_sym_strides, alpha
            ),
            r"[[alpha]]\, [[grad]]\, [[mat2]]^{\top}",
        ),
        "mat2": Grad(
            lambda grad, mat1, mat2_sym_sizes, mat2_sym_strides, alpha: right_grad(
                grad, mat1, mat2_sym_sizes, mat2_sym_strides, alpha
            ),
            r"[[alpha]]\, [[mat1]]^{\top} [[grad]]",
        ),
    },
    r"[[beta]]\, [[self]] + [[alpha]]\, [[mat1]]\, [[mat2]]",
    inplace=_addmm_stays,
    samples=_sums((4,), mat1=(2, 3), mat2=(3, 4)),
)


def _check_addmv(self: Any, mat: Any, vec: Any) -> None:
    if mat.ndim != 2 or vec.ndim != 1 or self.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {self.ndim}, {mat.ndim}, {vec.ndim}")
    (m, n), (k,) = mat.shape, vec.shape
    if n != k or self.shape not in ((m,), (1,), ()):
        size = self.shape[0] if self.ndim else 1
        raise RuntimeError(f"size mismatch, got input ({size}), mat ({m}x{n}), vec ({k})")
    if not self.dtype == mat.dtype == vec.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {torch_name(self)}, {torch_name(mat)}, and "
            + torch_name(vec)
        )


def _addmv_stays(self: Any, mat: Any, vec: Any, *factors: Any) -> None:
    _check_addmv(self, mat, vec)
    _stays(self, mat.shape[:1], vec)


def _addmv(self: Any, mat: Any, vec: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _check_addmv(self, mat, vec)
    refuse_bool(mat, "addmv_impl_cpu")
    return _plus(self, np.matmul(mat, vec), beta, alpha)


ADDMV = Op(
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    _addmv,
    "AddmvBackward0",
    {
        "self": _BETA,
        "mat": Grad(lambda grad, vec, alpha: times(outer(grad, vec), alpha), r"[[alpha]]\, [[grad]] \otimes [[vec]]"),
        "vec": Grad(lambda grad, mat, alpha: times(MV(T(mat), grad), alpha), r"[[alpha]]\, [[mat]]^{\top} [[grad]]"),
    },
    r"[[beta]]\, [[self]] + [[alpha]]\, [[mat]]\, [[vec]]",
    inplace=_addmv_stays,
    samples=_sums((2,), mat=(2, 3), vec=(3,)),
)


def _check_baddbmm(self: Any, batch1: Any, batch2: Any) -> tuple[int, ...]:
    """The shape of the result."""
    shape = _sizes_at((batch1, 0), (batch1, 1), (batch2, 2))
    _fits(self, shape)
    if self.dtype != batch1.dtype:
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {cpp_name(self)}, batch1: {cpp_name(batch1)}, "
            f"batch2: {cpp_name(batch2)}"
        )
    return shape


def _baddbmm_stays(self: Any, batch1: Any, batch2: Any, *factors: Any) -> None:
    shape = _check_baddbmm(self, batch1, batch2)
    check_shapes_of_batches(batch1, batch2, ("batch1", "batch2"))
    _stays(self, shape, batch2)


def _baddbmm(self: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _check_baddbmm(self, batch1, batch2)
    check_batches(batch1, batch2, ("batch1", "batch2"))
    refuse_bool(batch1, "baddbmm")
    return _plus(self, np.matmul(batch1, batch2), beta, alpha)


def _addbmm(self: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _fits(self, _sizes_at((batch1, 1), (batch2, 2)))
    if batch1.ndim == batch2.ndim == 3:
        (a, n, k), (b, m, p) = batch1.shape, batch2.shape
        if a != b:
            raise RuntimeError(f"batch1 and batch2 must have same number of batches, got {a} and {b}")
        if k != m:
            raise RuntimeError(f"Incompatible matrix sizes for bmm ({n}x{k} and {m}x{p})")
        if not self.dtype == batch1.dtype == batch2.dtype:
            one_dtype(self, batch1, batch2)
        refuse_bool(batch1, "addmm_impl_cpu_")
    check_batches(batch1, batch2, ("batch1", "batch2"))
    return _plus(self, add_up(np.matmul(batch1, batch2), 0), beta, alpha)


BADDBMM = Op(
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    _baddbmm,
    "BaddbmmBackward0",
    {
        "self": _BETA,
        "batch1": Grad(
            lambda grad, batch2, alpha: times(BMM(grad, TRANSPOSE(batch2, 1, 2)), alpha),
            r"[[alpha]]\, [[grad]]\, [[batch2]]^{\top}",
        ),
        "batch2": Grad(
            lambda grad, batch1, alpha: times(BMM(TRANSPOSE(batch1, 1, 2), grad), alpha),
            r"[[alpha]]\, [[batch1]]^{\top} [[grad]]",
        ),
    },
    r"[[beta]]\, [[self]] + [[alpha]]\, [[batch1]]\, [[batch2]]",
    inplace=_baddbmm_stays,
    samples=_sums((2, 2, 4), batch1=(2, 2, 3), batch2=(2, 3, 4)),
)


def _sizes_at(*places: tuple[Any, int]) -> tuple[int, ...]:
    """Sizes of arrays at dimensions. Raises IndexError for one that is not there."""
    return tuple(x.shape[wrap_real_dim(d, x.ndim)] for x, d in places)


def _each_batch(grad: Any, b: int, n: int, m: int) -> Any:
    return EXPAND(UNSQUEEZE(grad, 0), (b, n, m))


ADDBMM = Op(
    "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    _addbmm,
    "AddbmmBackward0",
    {
        "self": _BETA,
        "batch1": Grad(
            lambda grad, batch2, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2, alpha: times(
                BMM(
                    _each_batch(grad, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2),
                    TRANSPOSE(batch2, 1, 2),
                ),
                alpha,
            ),
            r"[[alpha]]\, [[grad]]\, [[batch2]]_i^{\top}",
        ),
        "batch2": Grad(
            lambda grad, batch1, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2, alpha: times(
                BMM(
                    TRANSPOSE(batch1, 1, 2),
                    _each_batch(grad, batch1_sym_argsize_0, batch1_sym_argsize_1, batch2_sym_argsize_2),
                ),
                alpha,
            ),
            r"[[alpha]]\, [[batch1]]_i^{\top} [[grad]]",
        ),
    },
    r"[[beta]]\, [[self]] + [[alpha]] \textstyle\sum_i [[batch1]]_i\, [[batch2]]_i",
    inplace=True,
    samples=_sums((2, 4), batch1=(2, 2, 3), batch2=(2, 3, 4)),
)


def _check_vectors(vec1: Any, vec2: Any) -> None:
    for x, which in ((vec1, "vec1"), (vec2, "vec2")):
        if x.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {which}, but got {x.ndim}-D")


def _addr_stays(self: Any, vec1: Any, vec2: Any, *factors: Any) -> None:
    _check_vectors(vec1, vec2)
    if self.ndim != 2:
        raise RuntimeError(f"2D tensor expected, got {self.ndim}D tensor for input")
    if self.shape != vec1.shape + vec2.shape:
        sizes = f"input: {list(self.shape)}, v1: {list(vec1.shape)}, v2: {list(vec2.shape)}"
        raise RuntimeError(f"size mismatch, {sizes}")


def _addr(self: Any, vec1: Any, vec2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _check_vectors(vec1, vec2)
    product = np.multiply.outer(vec1, vec2)
    for factor, which in ((beta, "beta"), (alpha, "alpha")):
        if isinstance(factor, bool) and product.dtype.kind != "b":
            raise RuntimeError(f"Boolean {which} only supported for Boolean results.")
        if isinstance(factor, float) and product.dtype.kind in "iub":
            raise RuntimeError(f"For integral input tensors, argument {which} must not be a floating point number.")
    _fits(self, product.shape)
    return _plus(self, product, beta, alpha)


ADDR = Op(
    "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    _addr,
    "AddrBackward0",
    {
        "self": _BETA,
        "vec1": Grad(lambda grad, vec2, alpha: times(MV(grad, vec2), alpha), r"[[alpha]]\, [[grad]]\, [[vec2]]"),
        "vec2": Grad(
            lambda grad, vec1, alpha: times(MV(T(grad), vec1), alpha), r"[[alpha]]\, [[grad]]^{\top} [[vec1]]"
        ),
    },
    r"[[beta]]\, [[self]] + [[alpha]]\, [[vec1]] \otimes [[vec2]]",
    promote="common",
    inplace=_addr_stays,
    samples=_sums((2, 3), vec1=(2,), vec2=(3,)),
)
