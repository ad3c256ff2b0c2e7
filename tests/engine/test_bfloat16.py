"""bfloat16: kernels run in float32 and round, as PyTorch's do. Values and texts are PyTorch's."""

from typing import Any

import pytest

from engine import install_as_torch

torch = install_as_torch()
b = torch.bfloat16
F = torch.nn.functional


def tensors() -> dict[str, Any]:
    return {
        "torch": torch, "b": b, "F": F,
        "x": torch.tensor([1.1, -2.3, 65504.0, 1e-3], dtype=b),
        "y": torch.tensor([0.3, 7.0, -1.0, 2.0], dtype=b),
        "m": torch.tensor([[1.5, 2.25], [-0.75, 3.0]], dtype=b),
        "g": torch.tensor([1.1, -2.3, 0.7], dtype=b, requires_grad=True),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("x * 2.5", "tensor([ 2.7500e+00, -5.7500e+00,  1.6384e+05,  2.5024e-03],\n       dtype=torch.bfloat16)"),
        ("y.sigmoid()", "tensor([0.5742, 1.0000, 0.2695, 0.8789], dtype=torch.bfloat16)"),
        ("F.gelu(y)", "tensor([ 0.1855,  7.0000, -0.1582,  1.9531], dtype=torch.bfloat16)"),
        ("F.softmax(y, 0)", "tensor([1.2207e-03, 9.9219e-01, 3.3188e-04, 6.6833e-03], dtype=torch.bfloat16)"),
        ("m @ m", "tensor([[ 0.5625, 10.1250],\n        [-3.3750,  7.3125]], dtype=torch.bfloat16)"),
        ("x > y", "tensor([ True, False,  True, False])"),
        ("F.mse_loss(x[:2], y[:2])", "tensor(43.5000, dtype=torch.bfloat16)"),
        ("F.layer_norm(m, (2,))", "tensor([[-1.,  1.],\n        [-1.,  1.]], dtype=torch.bfloat16)"),
        ("(torch.ones(1000, dtype=b) * 0.1).sum()", "tensor(100., dtype=torch.bfloat16)"),
        ("y.sum(dtype=torch.float32)", "tensor(8.3008)"),
        ("(y + torch.ones(4)).dtype", "torch.float32"),
        ("(y + torch.ones(4, dtype=torch.float16)).dtype", "torch.float32"),
        ("g.softmax(0)", "tensor([0.5859, 0.0197, 0.3926], dtype=torch.bfloat16,\n       grad_fn=<SoftmaxBackward0>)"),
        ("torch.autograd.grad(F.softmax(g, 0)[0], g)", "(tensor([ 0.2422, -0.0115, -0.2305], dtype=torch.bfloat16),)"),
        ("torch.nn.BatchNorm1d(2).to(b)(m).dtype", "torch.bfloat16"),
    ],
)
def test_texts(expression: str, text: str) -> None:
    assert repr(eval(expression, tensors())) == text


def test_running_statistics_are_written() -> None:
    layer = torch.nn.BatchNorm1d(2).to(b)
    layer(tensors()["m"])
    assert layer.running_mean[0].item() == 0.03759765625
