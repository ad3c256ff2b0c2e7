"""Which masks PyTorch's fused attention takes, and that a mask it broadcasts gives what the written-out one does."""

import numpy as np
import pytest

from engine import install_as_torch

torch = install_as_torch()
B, H, Q, K, D = 2, 2, 3, 5, 4
FUSED = "ScaledDotProductFlashAttentionForCpuBackward0"


def attend(mask, enabled: bool = True):
    """Attention over fixed numbers, its gradient for the query beside it."""
    rng = np.random.default_rng(0)
    q, k, v = (torch.tensor(rng.normal(size=(B, H, n, D))) for n in (Q, K, K))
    q.requires_grad_()
    backend = torch.nn.attention.SDPBackend
    with torch.nn.attention.sdpa_kernel([backend.MATH, backend.FLASH_ATTENTION] if enabled else [backend.MATH]):
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    y.pow(2).sum().backward()
    return y.grad_fn.name(), y.detach().numpy(), q.grad.numpy()


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("last", [(1, K), (Q, 1), (1, 1), (Q, K)])
@pytest.mark.parametrize("first", [(), (1, 1), (B, 1), (1, H), (B, H)])
def test_a_mask_that_broadcasts_is_fused_and_exact(first, last, kind):
    numbers = np.random.default_rng(1).normal(size=first + last)
    mask = torch.tensor(numbers > -1 if kind == "bool" else numbers)
    name, y, grad = attend(mask)
    other, want_y, want_grad = attend(mask, enabled=False)
    assert (name, other) == (FUSED, "UnsafeViewBackward0")
    np.testing.assert_allclose(y, want_y, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(grad, want_grad, rtol=1e-12, atol=1e-12)


def test_a_mask_of_three_dimensions_is_not_fused():
    assert attend(torch.zeros(H, Q, K, dtype=torch.float64))[0] == "UnsafeViewBackward0"


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((), "Dimension specified as -2 but tensor has no dimensions"),
        ((K,), "Dimension out of range (expected to be in range of [-1, 0], but got -2)"),
    ],
)
def test_a_mask_needs_two_dimensions(shape, message):
    with pytest.raises(IndexError) as caught:
        attend(torch.zeros(shape, dtype=torch.float64))
    assert str(caught.value) == message
