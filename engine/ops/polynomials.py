"""Orthogonal polynomials by their recurrences, for which PyTorch defines no derivative."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.kinds import wide_only

Step = Callable[[Any, Any, Any, int], Any]
"""The next polynomial from x, the one before, this one, and this one's degree."""
_MOST = 10_000


def _doubled(x: Any, before: Any, here: Any, k: int) -> Any:
    return 2 * x * here - before


def _shifted(x: Any, before: Any, here: Any, k: int) -> Any:
    return (4 * x - 2) * here - before


_FAMILIES: dict[str, tuple[Callable[[Any], Any], Step, str]] = {
    "chebyshev_polynomial_t": (lambda x: x, _doubled, "T"),
    "chebyshev_polynomial_u": (lambda x: 2 * x, _doubled, "U"),
    "chebyshev_polynomial_v": (lambda x: 2 * x - 1, _doubled, "V"),
    "chebyshev_polynomial_w": (lambda x: 2 * x + 1, _doubled, "W"),
    "shifted_chebyshev_polynomial_t": (lambda x: 2 * x - 1, _shifted, "T^*"),
    "shifted_chebyshev_polynomial_u": (lambda x: 4 * x - 2, _shifted, "U^*"),
    "shifted_chebyshev_polynomial_v": (lambda x: 4 * x - 3, _shifted, "V^*"),
    "shifted_chebyshev_polynomial_w": (lambda x: 4 * x - 1, _shifted, "W^*"),
    "hermite_polynomial_he": (lambda x: x, lambda x, before, here, k: x * here - k * before, "He"),
    "laguerre_polynomial_l": (
        lambda x: 1 - x,
        lambda x, before, here, k: ((2 * k + 1 - x) * here - k * before) / (k + 1),
        "L",
    ),
    "legendre_polynomial_p": (
        lambda x: x,
        lambda x, before, here, k: ((2 * k + 1) * x * here - k * before) / (k + 1),
        "P",
    ),
}  # fmt: skip
"""By name: the polynomial of degree 1, how the next one follows, and the letter of the family; the first one is 1."""


def _kernel(first: Callable[[Any], Any], step: Step) -> Callable[[Any, Any], np.ndarray]:
    """The polynomial of degree n at x, in the common dtype; zero for a negative degree."""

    def values(x: Any, n: Any) -> np.ndarray:
        kind = np.result_type(x, n) if hasattr(x, "dtype") or hasattr(n, "dtype") else np.dtype(np.float64)
        x, n = np.broadcast_arrays(np.asarray(x, kind), np.trunc(np.asarray(n, np.float64)))
        before, here = np.ones_like(x), first(x)
        out = np.where(n == 0, before, np.where(n == 1, here, 0)).astype(kind)
        for k in range(1, int(min(np.max(n, initial=0), _MOST))):
            before, here = here, step(x, before, here, k)
            out = np.where(n == k + 1, here, out)
        return out.astype(kind)

    return values


def _family(name: str) -> tuple[Op, ...]:
    first, step, letter = _FAMILIES[name]
    ways = (("", "Tensor", "Tensor"), (".x_scalar", "Scalar", "Tensor"), (".n_scalar", "Tensor", "Scalar"))
    return tuple(
        Op(
            f"special_{name}{overload}({x} x, {n} n) -> Tensor",
            wide_only(f"{name}_cpu", _kernel(first, step), "f"),
            latex=rf"{letter}_{{[[n]]}}([[x]])",
            promote="float",
            where=("special",),
            example=f"torch.special.{name}(torch.tensor([0.5, 1.0]), 3)",
        )
        for overload, x, n in ways
    )


CHEBYSHEV_T = _family("chebyshev_polynomial_t")
CHEBYSHEV_U = _family("chebyshev_polynomial_u")
CHEBYSHEV_V = _family("chebyshev_polynomial_v")
CHEBYSHEV_W = _family("chebyshev_polynomial_w")
SHIFTED_T = _family("shifted_chebyshev_polynomial_t")
SHIFTED_U = _family("shifted_chebyshev_polynomial_u")
SHIFTED_V = _family("shifted_chebyshev_polynomial_v")
SHIFTED_W = _family("shifted_chebyshev_polynomial_w")
HERMITE_HE = _family("hermite_polynomial_he")
LAGUERRE = _family("laguerre_polynomial_l")
LEGENDRE = _family("legendre_polynomial_p")
