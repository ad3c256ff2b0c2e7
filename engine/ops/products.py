"""Products of elements, whole and running."""

from typing import Any

import numpy as np

from engine.dtypes import dtype as Dtype
from engine.op import Grad, Op
from engine.ops.batched import is_array, varies
from engine.ops.checks import wrap_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.cumulative import accumulated, backward_sums
from engine.ops.join import CAT, FLIP, STACK
from engine.ops.layouts import contiguous_results
from engine.ops.reduction import SUM_DIM, accumulate
from engine.ops.samples import along_dim, reduced_dim
from engine.ops.slicing import SLICE
from engine.ops.views import UNSQUEEZE


def ones_at(x: Any, dim: int) -> Any:
    """Ones in the shape of `x`, of length 1 along `dim`."""
    return NEW_ZEROS(x, tuple(1 if i == dim else n for i, n in enumerate(x.shape))) + 1


def product_of_others(grad: Any, self: Any, dim: int) -> Any:
    """Each element's gradient is the product of all others: running products from both ends, no division."""
    n = self.shape[dim]
    if n <= 1:
        return grad
    ones = ones_at(self, dim)
    before = CUMPROD(CAT([ones, SLICE(self, dim, 0, n - 1)], dim), dim)
    after = FLIP(CUMPROD(CAT([ones, FLIP(SLICE(self, dim, 1, n), (dim,))], dim), dim), (dim,))
    return grad * (before * after)


def _prod_backward(grad: Any, self: Any, result: Any) -> Any:
    if not self.ndim:
        return grad
    zeros = 1 if varies(self) else int((self == 0).sum())
    if not zeros:
        return grad * (result / self)
    if zeros > 1 and is_array(self):
        return NEW_ZEROS(self, self.shape)
    return product_of_others(grad, self.reshape((-1,)), 0).reshape(self.shape)


def _prod_dim_backward(grad: Any, self: Any, dim: int, keepdim: bool, result: Any) -> Any:
    if not self.ndim:
        return grad
    if not keepdim:
        grad, result = UNSQUEEZE(grad, dim), UNSQUEEZE(result, dim)
    if not varies(self) and not bool((self == 0).any()):
        return grad * (result / self)
    return product_of_others(grad, self, wrap_dim(dim, self.ndim))


def _cumprod_backward(grad: Any, self: Any, dim: int, result: Any) -> Any:
    if not self.ndim or self.shape[dim] <= 1:
        return grad
    if not varies(self) and not bool((self == 0).any()):
        return backward_sums(result * grad, dim) / self
    return _cumprod_backward_at_zeros(grad, self, wrap_dim(dim, self.ndim))


def _cumprod_backward_at_zeros(grad: Any, self: Any, dim: int) -> Any:
    """Without dividing: for element k, what the products from k on would be if it were left out."""
    n = self.shape[dim]
    parts = []
    for k in range(n):
        after = CUMPROD(SLICE(self, dim, k + 1, n), dim) if k + 1 < n else None
        if k == 0:
            left_out = CAT([ones_at(self, dim), after], dim)
        else:
            before = PROD_DIM(SLICE(self, dim, 0, k), dim, True)
            left_out = before if after is None else CAT([before, before * after], dim)
        parts.append(SUM_DIM(SLICE(grad, dim, k, n) * left_out, (dim,)))
    return STACK(parts, dim)


def _zeros(rng: np.random.Generator) -> list[dict[str, Any]]:
    one, two = np.array([2.0, 0.0, 3.0]), np.array([2.0, 0.0, 3.0, 0.0])
    return [{"self": x} for x in (one, two, rng.normal(size=(2, 3)), rng.normal(size=()), rng.normal(size=(3, 2)).T)]


PROD = Op(
    "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    lambda self, dtype=None: accumulate(np.multiply, self, None, False, dtype),
    "ProdBackward0",
    {"self": Grad(_prod_backward, r"[[grad]] \cdot \frac{[[result]]}{[[self]]}")},
    r"\prod_i [[self]]_i",
    samples=_zeros,
)


@contiguous_results
def _prod_dim(self: Any, dim: int, keepdim: bool = False, dtype: Dtype | None = None) -> Any:
    d = wrap_dim(dim, self.ndim)
    return accumulate(np.multiply, self, d if self.ndim else None, keepdim, dtype)


PROD_DIM = Op(
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    _prod_dim,
    "ProdBackward1",
    {"self": Grad(_prod_dim_backward, r"[[grad]] \cdot \frac{[[result]]}{[[self]]}")},
    r"\prod_{[[dim]]} [[self]]",
    samples=lambda rng: [*reduced_dim(rng), {"self": np.array([[2.0, 0.0, 3.0], [1.0, 2.0, 3.0]]), "dim": 1}],
)


def _cumprod_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    zeros = np.array([[1.5, 0.0, 2.0, -1.0], [0.0, 3.0, 0.0, 2.0]])
    return [*along_dim(rng), {"self": zeros, "dim": 1}, {"self": zeros.T.copy(), "dim": 0}]


CUMPROD = Op(
    "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    lambda self, dim, dtype=None: accumulated(np.multiply, self, dim, dtype),
    "CumprodBackward0",
    {"self": Grad(_cumprod_backward, r"\frac{1}{[[self]]_i} \textstyle\sum_{j \ge i} [[grad]]_j\, [[result]]_j")},
    r"\textstyle\prod_{j \le i} [[self]]_j",
    inplace=True,
    samples=_cumprod_samples,
)
