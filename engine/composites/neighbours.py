"""Distinct elements, and differences and areas between neighbours."""

from typing import Any

from engine import dtypes
from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.ops.arithmetic import DIV_SCALAR, MUL_SCALAR
from engine.ops.checks import wrap_dim, wrap_real_dim
from engine.ops.counting import UNIQUE2, UNIQUE_CONSECUTIVE, UNIQUE_DIM
from engine.ops.cumulative import CUMSUM
from engine.ops.join import CAT
from engine.ops.norms import LOGSUMEXP
from engine.ops.reduction import SUM_DIM
from engine.ops.slicing import SELECT, SLICE
from engine.ops.sorting import SORT


def _asked(results: tuple[Any, ...], inverse: bool, counts: bool) -> Any:
    """The distinct elements, with what else was asked for."""
    values, of_inverse, of_counts = results
    if not inverse and not counts:
        return values
    return (values, *([of_inverse] if inverse else []), *([of_counts] if counts else []))


def _unique(input: Any, sorted: bool, return_inverse: bool, return_counts: bool, dim: int | None) -> Any:
    asked = {"sorted": sorted, "return_inverse": return_inverse, "return_counts": return_counts}
    if dim is not None:
        if type(dim) is int:
            dim = wrap_real_dim(dim, input.ndim)
        results = checked(UNIQUE_DIM)(input, dim, **asked)
    else:
        results = checked(UNIQUE2)(input, **asked)
    return _asked(results, return_inverse, return_counts)


@python_function("function")
def unique(
    input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The distinct elements, or slices along `dim`, in order."""
    return _unique(input, sorted, return_inverse, return_counts, dim)


unique.function.__qualname__ = "_return_output"  # the name PyTorch's messages have


def _consecutive(input: Any, return_inverse: bool, return_counts: bool, dim: int | None) -> Any:
    if type(dim) is int:
        wrap_real_dim(dim, input.ndim)
    results = checked(UNIQUE_CONSECUTIVE)(input, return_inverse=return_inverse, return_counts=return_counts, dim=dim)
    return _asked(results, return_inverse, return_counts)


@python_function("function")
def unique_consecutive(
    input: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements without those that repeat the one before."""
    return _consecutive(input, return_inverse, return_counts, dim)


unique_consecutive.function.__qualname__ = "_consecutive_return_output"


def _methods() -> list[Any]:
    def unique(
        self: Any,
        sorted: bool = True,
        return_inverse: bool = False,
        return_counts: bool = False,
        dim: int | None = None,
    ) -> Any:
        """The distinct elements, or slices along `dim`, in order."""
        return _unique(self, sorted, return_inverse, return_counts, dim)

    def unique_consecutive(
        self: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
    ) -> Any:
        """The elements without those that repeat the one before."""
        return _consecutive(self, return_inverse, return_counts, dim)

    return [python_function("method")(f) for f in (unique, unique_consecutive)]


UNIQUE_METHOD, UNIQUE_CONSECUTIVE_METHOD = _methods()


@composite("diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor")
def diff(self: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each element minus the one before, `n` times over."""
    if not self.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    wrap_dim(dim, self.ndim)
    parts = [x for x in (prepend, self, append) if x is not None]
    x = CAT(parts, dim) if len(parts) > 1 else self
    for _ in range(min(n, x.shape[dim])):
        size = x.shape[dim]
        upper, lower = SLICE(x, dim, 1, size, 1), SLICE(x, dim, 0, max(size - 1, 0), 1)
        x = upper ^ lower if x.dtype is dtypes.bool_ else upper - lower
    return x


@composite("trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", where=("function",))
def trapezoid_at(y: Any, x: Any, dim: int = -1) -> Any:
    """The area under points (x, y)."""
    if dtypes.bool_ in (y.dtype, x.dtype):
        raise RuntimeError("trapezoid: received a bool input for `x` or `y`, but bool is not supported")
    return DIV_SCALAR(SUM_DIM(_steps(y, x, dim), (dim,)), 2.0)


@composite("trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", where=("function",))
def trapezoid(y: Any, dx: Any = 1, dim: int = -1) -> Any:
    """The area under points at equal distances."""
    wrap_real_dim(dim, y.ndim)
    if y.dtype is dtypes.bool_:
        raise RuntimeError("trapezoid: received a bool input for `y`, but bool is not supported")
    if not y.shape[dim]:
        return SUM_DIM(y, (dim,)) * 0
    ends = MUL_SCALAR(SELECT(y, dim, 0) + SELECT(y, dim, -1), 0.5)
    return MUL_SCALAR(SUM_DIM(y, (dim,)) - ends, float(dx))


@composite("trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", where=("function",))
def trapz_at(y: Any, x: Any, dim: int = -1) -> Any:
    """`trapezoid`, by its old name."""
    return trapezoid_at(y, x, dim)


@composite("trapz.dx(Tensor y, *, float dx=1, int dim=-1) -> Tensor", where=("function",))
def trapz(y: Any, dx: float = 1, dim: int = -1) -> Any:
    """`trapezoid`, by its old name."""
    return trapezoid(y, dx, dim)


@composite("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", where=("function",))
def cumulative_trapezoid_at(y: Any, x: Any, dim: int = -1) -> Any:
    """The area up to every point (x, y)."""
    return DIV_SCALAR(CUMSUM(_steps(y, x, dim), dim), 2.0)


@composite("cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", where=("function",))
def cumulative_trapezoid(y: Any, dx: Any = 1, dim: int = -1) -> Any:
    """The area up to every point, at equal distances."""
    if y.ndim:  # of a number the slices say it
        wrap_dim(dim, y.ndim)
    n = y.shape[dim] if y.ndim else 1
    return CUMSUM(MUL_SCALAR(SLICE(y, dim, 0, n - 1, 1) + SLICE(y, dim, 1, n, 1), dx / 2), dim)


def _steps(y: Any, x: Any, dim: int) -> Any:
    """Twice the area between each two neighbours."""
    n = y.shape[dim]
    at = dim if x.ndim == y.ndim else -1
    width = SLICE(x, at, 1, x.shape[at], 1) - SLICE(x, at, 0, x.shape[at] - 1, 1)
    if x.ndim == 1 and y.ndim > 1:
        width = width.reshape([-1 if d == dim % y.ndim else 1 for d in range(y.ndim)])
    return (SLICE(y, dim, 0, n - 1, 1) + SLICE(y, dim, 1, n, 1)) * width


@composite("msort(Tensor self) -> Tensor")
def msort(self: Any) -> Any:
    """Sorted along the first dimension."""
    return SORT(self, 0)[0]


@composite("special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", where=("special",))
def special_logsumexp(self: Any, dim: Any, keepdim: bool = False) -> Any:
    """The same as torch.logsumexp."""
    return LOGSUMEXP(self, dim, keepdim)
