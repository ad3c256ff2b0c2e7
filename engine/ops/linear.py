"""Products of vectors and matrices, and sums with them."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import times
from engine.ops.kinds import check_kind, cpp_name, torch_name
from engine.ops.views import TRANSPOSE, UNSQUEEZE, T


def _same_dtype(a: Any, b: Any) -> None:
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {cpp_name(a)} != {cpp_name(b)}")


def refuse_bool(a: Any, kernel: str) -> None:
    check_kind(kernel, a, "fciuV")


def _mm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    if self.ndim != 2 or mat2.ndim != 2 or self.shape[1] != mat2.shape[0] or self.dtype != mat2.dtype:
        check_matrices(self, mat2)
    refuse_bool(self, "addmm_impl_cpu_")
    return np.matmul(self, mat2)


def check_matrices(self: Any, mat2: Any, name: str = "self") -> None:
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


def left_grad(grad: Any, mat2: Any, sizes: Any, strides: Any, alpha: Any = 1) -> Any:
    """Gradient of the left factor; column-major like the factor itself, as PyTorch makes it."""
    if _is_column_major(sizes, strides):
        return times(T(MM(mat2, T(grad))), alpha)
    return times(MM(grad, T(mat2)), alpha)


def right_grad(grad: Any, mat1: Any, sizes: Any, strides: Any, alpha: Any = 1) -> Any:
    if _is_column_major(sizes, strides):
        return times(T(MM(T(grad), mat1)), alpha)
    return times(MM(T(mat1), grad), alpha)


MM = Op(
    "mm(Tensor self, Tensor mat2) -> Tensor",
    _mm,
    "MmBackward0",
    {
        "self": Grad(
            lambda grad, mat2, self_sym_sizes, self_sym_strides: left_grad(
                grad, mat2, self_sym_sizes, self_sym_strides
            ),
            r"[[grad]]\, [[mat2]]^{\top}",
        ),
        "mat2": Grad(
            lambda grad, self, mat2_sym_sizes, mat2_sym_strides: right_grad(
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


def check_shapes_of_batches(a: Any, b: Any, names: tuple[str, str]) -> None:
    for x, name in zip((a, b), names, strict=True):
        if x.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] "
            f"but got: [{b.shape[0]}, {b.shape[1]}]."
        )


def check_batches(a: Any, b: Any, names: tuple[str, str]) -> None:
    check_shapes_of_batches(a, b, names)
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected scalar type {torch_name(a)} but found {torch_name(b)}")


def _bmm(self: np.ndarray, mat2: np.ndarray) -> np.ndarray:
    check_batches(self, mat2, ("batch1", "batch2"))
    refuse_bool(self, "bmm")
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
        v = torch_name(vec)
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {v}, {torch_name(self)}, and {v}")
    refuse_bool(self, "addmv_impl_cpu")
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
            f"{name} : expected both vectors to have same dtype, but found {torch_name(self)} and {torch_name(tensor)}"
        )
    a, b = self.size, tensor.size
    if a != b:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of elements, "
            f"but got {a} and {b} elements respectively"
        )
    refuse_bool(self, name)
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
    lambda self, other: _dot(self.conj(), other, "vdot" if self.dtype.kind == other.dtype.kind == "c" else "dot"),
    "VdotBackward0",
    {
        "self": Grad(lambda grad, other: grad.conj() * other, r"\overline{[[grad]]} \cdot [[other]]"),
        "other": Grad(lambda grad, self: grad * self, r"[[grad]] \cdot [[self]]"),
    },
    r"\overline{[[self]]} \cdot [[other]]",
    samples=_vectors("other"),
)
