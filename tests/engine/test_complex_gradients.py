"""Derivatives of complex numbers: every operator that takes them, against differences along both axes.

PyTorch's gradient of a real L by z = a + bi is dL/da + i dL/db.
"""

from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.dispatch import apply, bind
from engine.op import Op
from engine.ops.complex import REAL
from engine.records import all_records
from engine.tensor import TensorBase

torch = install_as_torch()

CHECKED = [r for r in all_records() if isinstance(r, Op) and r.grads and r.samples is not None and not r.view]
STEP = 1e-6
ELSEWHERE = {
    "linalg_eig": "its vectors have a phase of their own; test_eigenvalues_of_any_matrix covers what does not",
    "_linalg_eigh": "reads one triangle of a matrix that is taken to be Hermitian",
    "_linalg_svd": "its vectors have a phase of their own; test_values_that_have_no_phase covers the values",
    "linalg_qr": "checked by its recorded values below",
    "linalg_cholesky_ex": "reads one triangle of a matrix that is taken to be Hermitian",
    "cholesky": "reads one triangle of a matrix that is taken to be Hermitian",
    "cholesky_solve": "reads one triangle of a factor of a Hermitian matrix",
    "cholesky_inverse": "reads one triangle of a factor of a Hermitian matrix",
    "linalg_lstsq": "its second result is of least squares",
    "_linalg_slogdet": "its sign and size of a complex determinant are not computed here",
    **dict.fromkeys(
        (
            "special_erfcx", "binary_cross_entropy_with_logits", "nll_loss_backward", "nll_loss2d_backward", "renorm",
            "polygamma", "special_zeta", "special_zeta.self_scalar", "igamma", "igammac", "special_i1", "special_i1e",
            "_weight_norm_interface", "upsample_nearest1d_backward", "_upsample_nearest_exact1d_backward",
            "upsample_linear1d_backward",
        ),
        "PyTorch has it for real numbers alone, or has no derivative of complex ones",
    ),
}  # fmt: skip


def complex_of(v: Any, rng: np.random.Generator) -> Any:
    """Floating-point arrays with an imaginary part."""
    if isinstance(v, list):
        return [complex_of(x, rng) for x in v]
    if isinstance(v, np.ndarray | np.generic) and v.dtype.kind == "f":
        return np.asarray(v) + 1j * rng.uniform(-0.4, 0.4, np.shape(v))
    return v


def as_tensors(op: Op, sample: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The arguments in order, and the complex tensors among them that a rule is for."""
    named = {k.strip() for key in op.grads for k in key.split(",")}
    wanted: list[Any] = []

    def made(v: Any, name: str) -> Any:
        if isinstance(v, list):
            return [made(x, name) for x in v]
        if not isinstance(v, np.ndarray | np.generic):
            return v
        t = torch.tensor(np.array(v))
        if name in named and t.dtype.is_complex:
            wanted.append(t.requires_grad_())
        return t

    return bind(op, [], {k: made(v, k) for k, v in sample.items()}), wanted


def loss(op: Op, values: list[Any]) -> Any:
    """A real number that depends on real and imaginary parts of all floating-point outputs."""
    out = apply(op, values, {})
    total = torch.zeros((), dtype=torch.float64)
    for t in out if isinstance(out, tuple) else (out,):
        if not isinstance(t, TensorBase) or not t.requires_grad:
            continue
        rng = np.random.default_rng(t.numel())
        w = torch.tensor(rng.normal(size=tuple(t.shape)) + 1j * rng.normal(size=tuple(t.shape)))
        total = total + (REAL(t * w) if t.dtype.is_complex else t * REAL(w)).sum()
    return total


def by_differences(op: Op, values: list[Any], t: Any) -> np.ndarray:
    """The gradient by a step along the real and along the imaginary axis for each element."""
    memory = t.detach().numpy()
    found = np.zeros(memory.shape, complex)
    for i in np.ndindex(memory.shape):
        kept = memory[i]
        for unit in (1, 1j):
            memory[i] = kept + STEP * unit
            up = float(loss(op, values))
            memory[i] = kept - STEP * unit
            down = float(loss(op, values))
            found[i] += unit * (up - down) / (2 * STEP)
        memory[i] = kept
    return found


def takes_complex(op: Op, values: list[Any]) -> bool:
    """Whether the operator computes with complex numbers at all."""
    try:
        with torch.no_grad():
            apply(op, values, {})
    except (TypeError, NotImplementedError, RuntimeError, ValueError, KeyError):
        return False
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", CHECKED, ids=lambda op: op.name)
def test_gradients_are_those_of_both_axes(op: Op) -> None:
    if op.name in ELSEWHERE:
        return
    rng = np.random.default_rng(0)
    for sample in op.samples(np.random.default_rng(0))[:3]:  # type: ignore[misc]
        values, wanted = as_tensors(op, {k: complex_of(v, rng) for k, v in sample.items()})
        if not wanted or sum(t.numel() for t in wanted) > 30 or not takes_complex(op, values):
            continue
        total = loss(op, values)
        if not total.requires_grad:
            continue
        found = torch.autograd.grad(total, wanted, allow_unused=True)
        for t, g in zip(wanted, found, strict=True):
            expected = by_differences(op, values, t)
            got = np.zeros_like(expected) if g is None else g.numpy()
            np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5, err_msg=f"{op.name} of {sample}")


def test_a_planted_real_rule_is_caught() -> None:
    """Without conjugation the gradient of a square is another one."""
    z = torch.tensor([1.0 + 2.0j], requires_grad=True)
    (z * z).sum().abs().backward()
    z0 = 1.0 + 2.0j
    assert np.allclose(z.grad.numpy(), 2 * np.conj(z0) * (z0 * z0) / abs(z0 * z0))
    assert not np.allclose(z.grad.numpy(), 2 * z0 * (z0 * z0) / abs(z0 * z0))


@pytest.mark.parametrize("kind", [torch.float64, torch.complex128])
@pytest.mark.parametrize("shape", [(3, 3), (2, 2, 2), (0, 0)])
def test_eigenvalues_of_any_matrix(kind: Any, shape: tuple[int, ...]) -> None:
    """The eigenvalues, and the sizes of the vectors' elements, which no phase changes."""
    torch.manual_seed(4)
    a = torch.randn(shape, dtype=kind, requires_grad=True)

    def function(x: Any) -> Any:
        values, vectors = torch.linalg.eig(x)
        return values, vectors.abs()

    assert torch.autograd.gradcheck(function, a)
    assert torch.autograd.gradgradcheck(function, a)
    assert torch.autograd.gradcheck(torch.linalg.eigvals, a)


class _Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * x

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return 2 * grads[0]


def test_gradcheck_looks_at_both_parts_of_complex_outputs() -> None:
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)
    for function in (lambda x: x * x, lambda x: x.conj() * x * x, lambda x: x.abs(), lambda x: x.imag * x):
        assert torch.autograd.gradcheck(function, z)
        assert torch.autograd.gradgradcheck(function, z)
    assert torch.autograd.gradcheck(lambda x: (x * (1 + 2j)).exp(), torch.ones(2).double().requires_grad_())
    with pytest.raises(RuntimeError, match=r"^While considering the imaginary part of complex outputs only, Jacobian"):
        torch.autograd.gradcheck(_Wrong.apply, z)
