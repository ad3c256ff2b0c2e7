"""What torch.linalg checks of its inputs, worded as PyTorch words it."""

from typing import Any

from engine.errors import LinAlgError


def check_matrix(A: Any, name: str, which: str = "A") -> None:
    """At least two dimensions. Raises RuntimeError."""
    if A.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {which} must have at least 2 dimensions.")


def check_float(A: Any, name: str) -> None:
    """Real or complex numbers. Raises RuntimeError."""
    if not (A.dtype.is_floating_point or A.dtype.is_complex):
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {A.dtype.torch_name}")


def check_wide(A: Any, kernel: str) -> None:
    """No half precision, which LAPACK does not have. Raises NotImplementedError with the kernel's name."""
    if A.dtype.itemsize == 2:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{A.dtype.torch_name}'")


def check_kernel(A: Any, kernel: str) -> None:
    """Neither integers nor half precision. Raises NotImplementedError with the kernel's name."""
    if not (A.dtype.is_floating_point or A.dtype.is_complex) or A.dtype.itemsize == 2:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{A.dtype.torch_name}'")


def check_square(A: Any, name: str) -> None:
    """Square matrices. Raises RuntimeError."""
    check_matrix(A, name)
    m, n = A.shape[-2:]
    if m != n:
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {m} by {n} matrices")


def check_same_dtype(A: Any, B: Any, name: str) -> None:
    """Both sides of an equation in one dtype. Raises RuntimeError."""
    if A.dtype is not B.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type {A.dtype.torch_name} and B of type "
            f"{B.dtype.torch_name} instead"
        )


def check_equation(A: Any, B: Any, left: bool, name: str) -> None:
    """Matrices that fit an equation AX = B or XA = B. Raises RuntimeError."""
    check_matrix(B, name)
    (a, b), (c, d) = A.shape[-2:], B.shape[-2:]
    if a != (c if left else d):
        equation = "AX = B" if left else "XA = B"
        raise RuntimeError(f"{name}: Incompatible shapes of A and B for the equation {equation} ({a}x{b} and {c}x{d})")


def check_info(info: Any, name: str, text: str) -> None:
    """What LAPACK reported, 0 being success. `text` says it with {n} for the number. Raises LinAlgError."""
    codes = info._all_samples()._a.reshape(-1).tolist()
    for i, n in enumerate(codes):
        if n:
            where = f"(Batch element {i}): " if info.ndim else ""
            raise LinAlgError(f"{name}: {where}{text.format(n=n)}")
