"""Products of vectors and matrices, and sums with them."""

from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.arithmetic import times
from engine.ops.reducers import add_up
from engine.ops.views import EXPAND, TRANSPOSE, UNSQUEEZE, T


def _cpp(a: Any) -> str:
    return from_numpy(a.dtype).cpp_name


def _name(a: Any) -> str:
    return from_numpy(a.dtype).torch_name


def _same_dtype(a: Any, b: Any) -> None:
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {_cpp(a)} != {_cpp(b)}")


def _not_bool(a: Any, kernel: str) -> None:
    if a.dtype.kind == "b":
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")


def _mm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    if self.ndim != 2 or mat2.ndim != 2 or self.shape[1] != mat2.shape[0] or self.dtype != mat2.dtype:
        _check_mm(self, mat2)
    _not_bool(self, "addmm_impl_cpu_")
    return np.matmul(self, mat2)


def _check_mm(self: Any, mat2: Any, name: str = "self") -> None:
    if self.ndim != 2:
        raise RuntimeError(f"{name} must be a matrix" + ("" if name == "self" else f", got {self.ndim}-D tensor"))
    if mat2.ndim != 2:
        raise RuntimeError("mat2 must be a matrix" + ("" if name == "self" else f", got {mat2.ndim}-D tensor"))
    if self.shape[1] != mat2.shape[0]:
        (a, b), (c, d) = self.shape, mat2.shape
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a}x{b} and {c}x{d})")
    if name == "self":
        _same_dtype(self, mat2)


def _is_column_major(sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    return strides[0] == 1 and strides[1] == sizes[0]


def _left_grad(grad: Any, mat2: Any, sizes: Any, strides: Any, alpha: Any = 1) -> Any:
    """Gradient of the left factor; column-major like the factor itself, as PyTorch makes it."""
    if _is_column_major(sizes, strides):
        return times(T(MM(mat2, T(grad))), alpha)
    return times(MM(grad, T(mat2)), alpha)


def _right_grad(grad: Any, mat1: Any, sizes: Any, strides: Any, alpha: Any = 1) -> Any:
    if _is_column_major(sizes, strides):
        return times(T(MM(T(grad), mat1)), alpha)
    return times(MM(T(mat1), grad), alpha)


MM = Op(
    "mm(Tensor self, Tensor mat2) -> Tensor",
    _mm,
    "MmBackward0",
    {
        "self": Grad(
            lambda grad, mat2, self_sym_sizes, self_sym_strides: _left_grad(
                grad, mat2, self_sym_sizes, self_sym_strides
            ),
            r"[[grad]]\, [[mat2]]^{\top}",
        ),
        "mat2": Grad(
            lambda grad, self, mat2_sym_sizes, mat2_sym_strides: _right_grad(
                grad, self, mat2_sym_sizes, mat2_sym_strides
            ),
            r"[[self]]^{\top} [[grad]]",
        ),
    },
    r"[[self]]\, [[mat2]]",
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "mat2": rng.normal(size=(3, 4))},
        {"self": rng.normal(size=(3, 2)).T, "mat2": rng.normal(size=(4, 3)).T},
        {"self": rng.normal(size=(2, 0)), "mat2": rng.normal(size=(0, 3))},
    ],
)


def _batches(a: Any, b: Any, names: tuple[str, str]) -> None:
    for x, name in zip((a, b), names, strict=True):
        if x.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] "
            f"but got: [{b.shape[0]}, {b.shape[1]}]."
        )
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected scalar type {_name(a)} but found {_name(b)}")


def _bmm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    _batches(self, mat2, ("batch1", "batch2"))
    _not_bool(self, "bmm")
    return np.matmul(self, mat2)


BMM = Op(
    "bmm(Tensor self, Tensor mat2) -> Tensor",
    _bmm,
    "BmmBackward0",
    {
        "self": Grad(lambda grad, mat2: BMM(grad, TRANSPOSE(mat2, 1, 2)), r"[[grad]]\, [[mat2]]^{\top}"),
        "mat2": Grad(lambda grad, self: BMM(TRANSPOSE(self, 1, 2), grad), r"[[self]]^{\top} [[grad]]"),
    },
    r"[[self]]\, [[mat2]]",
    samples=lambda rng: [{"self": rng.normal(size=(2, 2, 3)), "mat2": rng.normal(size=(2, 3, 4))}],
)


def outer(a: Any, b: Any) -> Any:
    """Column times row, as the product of a column view and a vector that broadcasts."""
    return UNSQUEEZE(a, 1) * b


def _mv(self: np.ndarray, vec: np.ndarray) -> np.ndarray:
    if self.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {self.ndim}, {vec.ndim}")
    (m, n), (k,) = self.shape, vec.shape
    if n != k:
        raise RuntimeError(f"size mismatch, got input ({m}), mat ({m}x{n}), vec ({k})")
    if self.dtype != vec.dtype:
        v = _name(vec)
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {v}, {_name(self)}, and {v}")
    _not_bool(self, "addmv_impl_cpu")
    return np.matmul(self, vec)


MV = Op(
    "mv(Tensor self, Tensor vec) -> Tensor",
    _mv,
    "MvBackward0",
    {
        "self": Grad(lambda grad, vec: outer(grad, vec), r"[[grad]] \otimes [[vec]]"),
        "vec": Grad(lambda grad, self: MV(T(self), grad), r"[[self]]^{\top} [[grad]]"),
    },
    r"[[self]]\, [[vec]]",
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "vec": rng.normal(size=3)}],
)


def _dot(self: np.ndarray, tensor: np.ndarray, name: str = "dot") -> Any:
    if self.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors")
    if self.dtype != tensor.dtype:
        raise RuntimeError(
            f"{name} : expected both vectors to have same dtype, but found {_name(self)} and {_name(tensor)}"
        )
    a, b = self.size, tensor.size
    if a != b:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of elements, "
            f"but got {a} and {b} elements respectively"
        )
    _not_bool(self, name)
    return np.dot(self, tensor)


def _vectors(name: str) -> Any:
    return lambda rng: [{"self": rng.normal(size=3), name: rng.normal(size=3)}]


DOT = Op(
    "dot(Tensor self, Tensor tensor) -> Tensor",
    _dot,
    "DotBackward0",
    {
        "self": Grad(lambda grad, tensor: grad * tensor, r"[[grad]] \cdot [[tensor]]"),
        "tensor": Grad(lambda grad, self: grad * self, r"[[grad]] \cdot [[self]]"),
    },
    r"[[self]] \cdot [[tensor]]",
    samples=_vectors("tensor"),
)
VDOT = Op(
    "vdot(Tensor self, Tensor other) -> Tensor",
    lambda self, other: _dot(self.conj(), other, "vdot"),
    "VdotBackward0",
    {
        "self": Grad(lambda grad, other: grad.conj() * other, r"\overline{[[grad]]} \cdot [[other]]"),
        "other": Grad(lambda grad, self: grad * self, r"[[grad]] \cdot [[self]]"),
    },
    r"\overline{[[self]]} \cdot [[other]]",
    samples=_vectors("other"),
)


def _fits(self: Any, shape: tuple[int, ...]) -> None:
    """A summand must expand to the shape of the product. Raises RuntimeError."""
    lead = len(shape) - self.ndim
    if lead < 0:
        raise RuntimeError(
            f"expand(torch.{_name(self)}Tensor{{{list(self.shape)}}}, size={list(shape)}): the number of sizes "
            f"provided ({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({self.ndim})"
        )
    for i in range(self.ndim - 1, -1, -1):
        if self.shape[i] not in (1, shape[i + lead]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[i + lead]}) must match the existing size ({self.shape[i]}) "
                f"at non-singleton dimension {i + lead}.  Target sizes: {list(shape)}.  "
                f"Tensor sizes: {list(self.shape)}"
            )


def _plus(self: Any, product: Any, beta: Any, alpha: Any) -> Any:
    """beta * self + alpha * product. A beta of zero leaves `self` out, nan and all."""
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        return product
    return self + product if beta == 1 else self * beta + product


def _addmm(self: Any, mat1: Any, mat2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    if mat1.ndim != 2 or mat2.ndim != 2 or mat1.shape[1] != mat2.shape[0]:
        _check_mm(mat1, mat2, "mat1")
    if not self.dtype == mat1.dtype == mat2.dtype:
        a, name = (self, "self") if self.dtype != mat2.dtype else (mat1, "mat1")
        raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {_name(a)} and {_name(mat2)}")
    _not_bool(mat1, "addmm_impl_cpu_")
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
            lambda grad, mat2, mat1_sym_sizes, mat1_sym_strides, alpha: _left_grad(
                grad, mat2, mat1_sym_sizes, mat1_sym_strides, alpha
            ),
            r"[[alpha]]\, [[grad]]\, [[mat2]]^{\top}",
        ),
        "mat2": Grad(
            lambda grad, mat1, mat2_sym_sizes, mat2_sym_strides, alpha: _right_grad(
                grad, mat1, mat2_sym_sizes, mat2_sym_strides, alpha
            ),
            r"[[alpha]]\, [[mat1]]^{\top} [[grad]]",
        ),
    },
    r"[[beta]]\, [[self]] + [[alpha]]\, [[mat1]]\, [[mat2]]",
    inplace=True,
    samples=_sums((4,), mat1=(2, 3), mat2=(3, 4)),
)


def _addmv(self: Any, mat: Any, vec: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    if mat.ndim != 2 or vec.ndim != 1 or self.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {self.ndim}, {mat.ndim}, {vec.ndim}")
    (m, n), (k,) = mat.shape, vec.shape
    if n != k or self.shape not in ((m,), (1,), ()):
        size = self.shape[0] if self.ndim else 1
        raise RuntimeError(f"size mismatch, got input ({size}), mat ({m}x{n}), vec ({k})")
    if not self.dtype == mat.dtype == vec.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {_name(self)}, {_name(mat)}, and {_name(vec)}"
        )
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
    inplace=True,
    samples=_sums((2,), mat=(2, 3), vec=(3,)),
)


def _baddbmm(self: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _batches(batch1, batch2, ("batch1", "batch2"))
    product = np.matmul(batch1, batch2)
    _fits(self, product.shape)
    return _plus(self, product, beta, alpha)


def _addbmm(self: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    _fits(self, (batch1.shape[1], batch2.shape[2]))
    _batches(batch1, batch2, ("batch1", "batch2"))
    product = add_up(np.matmul(batch1, batch2), 0)
    _fits(self, product.shape)
    return _plus(self, product, beta, alpha)


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
    inplace=True,
    samples=_sums((2, 2, 4), batch1=(2, 2, 3), batch2=(2, 3, 4)),
)


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


def _addr(self: Any, vec1: Any, vec2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    for x, which in ((vec1, "vec1"), (vec2, "vec2")):
        if x.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {which}, but got {x.ndim}-D")
    product = np.multiply.outer(vec1, vec2)
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
    inplace=True,
    samples=_sums((2, 3), vec1=(2,), vec2=(3,)),
)
