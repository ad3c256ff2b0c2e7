"""The lower triangle of square matrices as a vector, row by row, and back."""

from typing import Any

from engine.dtypes import finfo
from engine.nn.functional import VF


def vec_to_tril_matrix(vec: Any, diag: int = 0) -> Any:
    """Square matrices (..., D, D) that hold a vector in the triangle up to diagonal `diag`, and zeros beyond it.

    Raises ValueError for a length that no such triangle has.
    """
    odd = 1 + 2 * diag
    size = (-odd + (odd**2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(size) - size > finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the lower triangular part of "
            "a square D x D matrix."
        )
    matrix = vec.new_zeros((*vec.shape[:-1], round(size), round(size)))
    matrix[..., _triangle(round(size), diag)] = vec
    return matrix


def tril_matrix_to_vec(mat: Any, diag: int = 0) -> Any:
    """The triangle of square matrices up to diagonal `diag` as vectors. Raises ValueError for a diagonal outside."""
    size = mat.shape[-1]
    if diag < -size or diag >= size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    return mat[..., _triangle(size, diag)]


def _triangle(size: int, diag: int) -> Any:
    places = VF.arange(size)
    return places < places.view(-1, 1) + (diag + 1)
