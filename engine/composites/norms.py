"""Norms of vectors and matrices as programs call them."""

from math import inf
from typing import Any

from engine.composite import composite, python_function
from engine.composites.decompositions import svdvals
from engine.composites.parsed import checked
from engine.composites.solving import inv
from engine.dtypes import dtype as Dtype
from engine.dtypes import promote_types
from engine.ops.checks import wrap_dim
from engine.ops.extremes import AMAX, AMIN
from engine.ops.norms import NORM_DIM, VECTOR_NORM
from engine.ops.reduction import SUM_DIM
from engine.ops.slicing import SLICE
from engine.ops.views import PERMUTE, SQUEEZE_DIM, UNSQUEEZE


def _check_dtype(name: str, given: Dtype, asked: Dtype | None) -> None:
    """Raise RuntimeError for a dtype that a norm of a `given` one cannot be computed in."""
    if asked is None:
        return
    if not (asked.is_floating_point or asked.is_complex):
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {asked.torch_name}")
    if asked.is_complex != given.is_complex:
        kind = "complex" if given.is_complex else "real"
        raise RuntimeError(f"{name}: dtype should be {kind} for {kind} inputs, but got {asked.torch_name}")
    if promote_types(given, asked) != asked:
        raise RuntimeError(
            f"{name}: the dtype of the input ({given.torch_name}) should be convertible without narrowing to the "
            f"specified dtype ({asked.torch_name})"
        )


def _vector_norm(self: Any, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if self.dtype.is_floating_point or self.dtype.is_complex:  # of any other the operator says so itself
        _check_dtype("linalg.vector_norm", self.dtype, dtype)
    return VECTOR_NORM(self, ord, dim, keepdim, dtype=dtype)


def _named_or_p(input: Any, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    _ = input.layout  # what a value that is no tensor lacks first
    dims = [dim] if isinstance(dim, int) else dim
    if not isinstance(p, str):
        return checked(vector_norm)(input, 2.0 if p is None else p, dims, keepdim, dtype=dtype)
    if p == "fro" and (dims is None or len(dims) <= 2):
        return checked(vector_norm)(input, 2, dims, keepdim, dtype=dtype)
    return matrix_norm_by_name(input, p, tuple(range(input.ndim)) if dims is None else dims, keepdim, dtype)


@python_function("function")
def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None) -> Any:
    """The p-norm of all elements or over `dim`; "fro" is the 2-norm."""
    return _named_or_p(input, p, dim, keepdim, dtype)


def _method() -> Any:
    def norm(self: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
        """The p-norm of all elements or over `dim`; "fro" is the 2-norm."""
        return _named_or_p(self, p, dim, keepdim, dtype)

    norm.__qualname__ = "Tensor.norm"
    return python_function("method")(norm)


NORM_METHOD = _method()


@composite(
    "linalg_vector_norm.of_any(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor",
    where=("linalg",),
)
def vector_norm(self: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The norm of the elements over `dim`, taken for one vector."""
    return _vector_norm(self, ord, dim, keepdim, dtype)


def _check_matrix(A: Any, dim: Any) -> tuple[int, int]:
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if not (A.dtype.is_floating_point or A.dtype.is_complex):
        raise RuntimeError(
            f"linalg.matrix_norm: Expected a floating point or complex tensor as input. Got {A.dtype.torch_name}"
        )
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    a, b = wrap_dim(dim[0], A.ndim), wrap_dim(dim[1], A.ndim)
    if a == b:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({a}, {b})")
    return a, b


def _singular_values(A: Any, a: int, b: int) -> Any:
    order = [d for d in range(A.ndim) if d not in (a, b)]
    return svdvals(PERMUTE(A, (*order, a, b)))


def _kept(result: Any, a: int, b: int, keepdim: bool) -> Any:
    """Put both dimensions back with size 1."""
    if not keepdim:
        return result
    result = UNSQUEEZE(UNSQUEEZE(result, -1), -1)
    order = [*(d for d in range(result.ndim) if d not in (a, b)), a, b]
    return PERMUTE(result, tuple(order.index(d) for d in range(result.ndim)))


@composite(
    "linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    where=("linalg",),
)
def matrix_norm(self: Any, ord: Any, dim: Any = (-2, -1), keepdim: bool = False, dtype: Any = None) -> Any:
    """The operator norm of every matrix: 1, 2, inf, or the same of its inverse with a minus."""
    a, b = _check_matrix(self, dim)
    if abs(ord) not in (1, 2, inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord:g} not supported.")
    _check_dtype("linalg.matrix_norm", self.dtype, dtype)
    A = self if dtype is None else self.to(dtype)

    def extreme(sizes: Any, dim: int, keepdim: bool = False) -> Any:
        if ord < 0:
            return AMIN(sizes, (dim,), keepdim)
        if not sizes.shape[dim]:  # the largest of none counts as zero
            return SUM_DIM(sizes.detach(), (dim,), keepdim)
        return AMAX(sizes, (dim,), keepdim)

    if abs(ord) == 2:
        return _kept(extreme(_singular_values(A, a, b), -1), a, b, keepdim)
    if abs(ord) == inf:
        a, b = b, a
    over = b - 1 if a < b and not keepdim else b
    return extreme(VECTOR_NORM(A, 1.0, (a,), keepdim), over, keepdim)


@composite(
    "linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2,-1], bool keepdim=False, *,"
    " ScalarType? dtype=None) -> Tensor",
    where=("linalg",),
)
def matrix_norm_by_name(
    self: Any, ord: str = "fro", dim: Any = (-2, -1), keepdim: bool = False, dtype: Any = None
) -> Any:
    """The Frobenius or the nuclear norm of every matrix."""
    a, b = _check_matrix(self, dim)
    if ord not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    _check_dtype("linalg.matrix_norm", self.dtype, dtype)
    if ord == "fro":
        return VECTOR_NORM(self, 2, (a, b), keepdim, dtype=dtype)
    A = self if dtype is None else self.to(dtype)
    return _kept(SUM_DIM(_singular_values(A, a, b), (-1,)), a, b, keepdim)


@composite(
    "linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    where=("linalg",),
)
def linalg_norm(self: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """A vector norm, or a matrix norm when `ord` is given for a matrix."""
    _check_dims(self, ord is not None, dim)
    if ord is not None and (len(dim) if dim is not None else self.ndim) == 2:
        return matrix_norm(self, ord, (0, 1) if dim is None else dim, keepdim, dtype)
    return _vector_norm(self, 2.0 if ord is None else ord, dim, keepdim, dtype)


@composite(
    "linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
    where=("linalg",),
)
def linalg_norm_by_name(self: Any, ord: str, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """A matrix norm by name."""
    _check_dims(self, True, dim)
    return matrix_norm_by_name(self, ord, (0, 1) if dim is None else dim, keepdim, dtype)


def _check_dims(A: Any, given: bool, dim: Any) -> None:
    if dim is not None:
        if len(dim) not in (1, 2):
            raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    elif given and A.ndim not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D."
        )


@composite("linalg_cond(Tensor self, Scalar? p=None) -> Tensor", where=("linalg",))
def cond(self: Any, p: Any = None) -> Any:
    """How much a matrix amplifies errors: its norm times that of its inverse."""
    if self.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p is None or abs(p) == 2:
        s = svdvals(self)
        if not self.numel():
            return SUM_DIM(s.detach(), (-1,))
        k = s.shape[-1]
        top, bottom = SLICE(s, -1, 0, 1), SLICE(s, -1, k - 1, k)
        return SQUEEZE_DIM(bottom / top if p == -2 else top / bottom, -1)
    return (matrix_norm(self, p) * matrix_norm(inv(self), p)).nan_to_num(inf, inf, -inf)


@composite("linalg_cond.p_str(Tensor self, str p) -> Tensor", where=("linalg",))
def cond_by_name(self: Any, p: str) -> Any:
    """The same in the Frobenius or the nuclear norm."""
    return (matrix_norm_by_name(self, p) * matrix_norm_by_name(inv(self), p)).nan_to_num(inf, inf, -inf)


@composite("frobenius_norm(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", where=("function",))
def frobenius_norm(self: Any, dim: Any, keepdim: bool = False) -> Any:
    """The root of the sum of squares over some dimensions."""
    return NORM_DIM(self, 2, dim, keepdim)


@composite("nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", where=("function",))
def nuclear_norm(self: Any, keepdim: bool = False) -> Any:
    """The sum of singular values."""
    return matrix_norm_by_name(self, "nuc", (-2, -1), keepdim, None)


@composite("nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", where=("function",))
def nuclear_norm_over(self: Any, dim: Any, keepdim: bool = False) -> Any:
    """The sum of singular values, over two dimensions."""
    return matrix_norm_by_name(self, "nuc", dim, keepdim, None)
