"""Householder reflections, as a QR factorisation leaves them, multiplied out or applied to a matrix."""

from typing import Any

from engine.op import Grad, Op
from engine.ops.batched import adjoint as turned
from engine.ops.batched import matmul
from engine.ops.copy import NEW_ZEROS
from engine.ops.join import CAT, TRIL
from engine.ops.kinds import wide_only
from engine.ops.layouts import by_columns
from engine.ops.slicing import SLICE
from engine.ops.views import SQUEEZE_DIM, UNSQUEEZE


def _first_columns(input: Any) -> Any:
    """Those of the identity matrix, as many as `input` has."""
    ones = NEW_ZEROS(input, tuple(input.shape[-2:])) + 1
    return TRIL(ones) - TRIL(ones, -1)


def _steps(count: int, adjoint: bool) -> list[int]:
    """The order in which the reflections are applied."""
    return list(range(count) if adjoint else reversed(range(count)))


def _reflected(x: Any, v: Any, factor: Any) -> Any:
    """x - factor * v (v^H x)."""
    return x - factor * matmul(v, matmul(turned(v), x))


def _parts(input: Any, tau: Any, adjoint: bool) -> tuple[list[Any], list[Any]]:
    """The vectors of the reflections, ones on the diagonal and zeros above it, and their factors."""
    below = TRIL(input, -1) + _first_columns(input)
    scales = UNSQUEEZE(tau.conj() if adjoint else tau, -2)
    places = range(tau.shape[-1])
    return [SLICE(below, -1, i, i + 1) for i in places], [SLICE(scales, -1, i, i + 1) for i in places]


def _applied(input: Any, tau: Any, x: Any, adjoint: bool) -> Any:
    """All reflections applied to x from the left, or their adjoints in the opposite order."""
    vectors, factors = _parts(input, tau, adjoint)
    for i in _steps(len(vectors), adjoint):
        x = _reflected(x, vectors[i], factors[i])
    return x


def _backward(grad: Any, input: Any, tau: Any, x: Any, adjoint: bool) -> tuple[Any, Any, Any]:
    """Gradients of `input`, `tau` and `x`: each reflection is undone on the gradient, which meets what it was given."""
    vectors, factors = _parts(input, tau, adjoint)
    order, given = _steps(len(vectors), adjoint), []
    for i in order:
        given.append(x)
        x = _reflected(x, vectors[i], factors[i])
    of_vectors, of_factors = [None] * len(order), [None] * len(order)
    for i, x in zip(reversed(order), reversed(given), strict=True):
        v, factor = vectors[i], factors[i]
        of_x, of_grad = matmul(turned(v), x), matmul(turned(v), grad)
        of_factors[i] = -matmul(of_grad, turned(of_x))
        of_vectors[i] = -factor.conj() * matmul(grad, turned(of_x)) - factor * matmul(x, turned(of_grad))
        grad = _reflected(grad, v, factor.conj())
    unused = input.shape[-1] - len(order)
    if unused or not order:
        of_vectors.append(NEW_ZEROS(input, (*input.shape[:-1], unused)))
    if order:
        of_tau = SQUEEZE_DIM(CAT(of_factors, -1), -2)
    else:
        of_tau = NEW_ZEROS(tau, tau.shape)
    return TRIL(CAT(of_vectors, -1), -1), of_tau.conj() if adjoint else of_tau, grad


def _product_backward(grad: Any, input: Any, tau: Any) -> tuple[Any, Any]:
    return _backward(grad, input, tau, _first_columns(input), False)[:2]


HOUSEHOLDER_PRODUCT = Op(
    "linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
    wide_only("orgqr_cpu", lambda input, tau: by_columns(_applied(input, tau, _first_columns(input), False))),
    "LinalgHouseholderProductBackward0",
    {
        "input, tau": Grad(
            _product_backward,
            {
                "input": r"-\tau ([[grad]]\, Q^{\top} v + Q\, [[grad]]^{\top} v)",
                "tau": r"-v^{\top} [[grad]]\, Q^{\top} v",
            },
        )
    },
    r"(I - \tau_1 v_1 v_1^{\top}) (I - \tau_2 v_2 v_2^{\top}) \cdots",
    where=(),
    save_also=("result",),
    samples=lambda rng: [
        {"input": rng.normal(size=(4, 3)), "tau": rng.normal(size=2)},
        {"input": rng.normal(size=(2, 3, 3)), "tau": rng.normal(size=(2, 3))},
    ],
)


def _ormqr(self: Any, input2: Any, input3: Any, left: bool = True, transpose: bool = False) -> Any:
    if left:
        return by_columns(_applied(self, input2, input3, transpose))
    return by_columns(turned(_applied(self, input2, turned(input3), not transpose)))


def _ormqr_backward(
    grad: Any, self: Any, input2: Any, input3: Any, left: bool, transpose: bool
) -> tuple[Any, Any, Any]:
    of_other = ORMQR(self, input2, grad, left, not transpose)
    if left:
        return (*_backward(grad, self, input2, input3, transpose)[:2], of_other)
    return (*_backward(turned(grad), self, input2, turned(input3), not transpose)[:2], of_other)


ORMQR = Op(
    "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
    wide_only("ormqr_cpu", _ormqr),
    "OrmqrBackward0",
    {
        "self, input2, input3": Grad(
            _ormqr_backward,
            {
                "self": r"-\tau ([[grad]]\, [[input3]]^{\top} v + [[input3]]\, [[grad]]^{\top} v)",
                "input2": r"-v^{\top} [[grad]]\, [[input3]]^{\top} v",
                "input3": r"Q^{\top} [[grad]]",
            },
        )
    },
    r"Q\, [[input3]]",
    where=(),
    save_also=("result",),
    samples=lambda rng: [
        {"self": rng.normal(size=(4, 3)), "input2": rng.normal(size=3), "input3": rng.normal(size=(4, 2))},
        {
            "self": rng.normal(size=(4, 3)),
            "input2": rng.normal(size=3),
            "input3": rng.normal(size=(2, 4)),
            "left": False,
            "transpose": True,
        },
    ],
)
