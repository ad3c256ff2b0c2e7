"""An LSTM by one operator and step by step, whole and packed: the same numbers and gradients."""

import numpy as np
import pytest

from engine.install import install_as_torch

torch = install_as_torch()


def weights(layers, directions, dtype):
    rng = np.random.default_rng(0)
    out = []
    for layer in range(layers):
        for _ in range(directions):
            inputs = 2 if layer == 0 else 3 * directions
            shapes = ((12, inputs), (12, 3), (12,), (12,))
            out += [torch.from_numpy(rng.normal(size=s).astype(dtype)).requires_grad_() for s in shapes]
    return out


@pytest.mark.parametrize("bidirectional", [False, True])
def test_the_layer_operator_agrees_with_single_steps(bidirectional):
    rng = np.random.default_rng(1)
    x, h = rng.normal(size=(4, 3, 2)), rng.normal(size=(2 * (1 + bidirectional), 3, 3))
    results = []
    for dtype in ("float32", "float64"):  # PyTorch has the operator for float32 only
        a, s = torch.from_numpy(x.astype(dtype)).requires_grad_(), torch.from_numpy(h.astype(dtype)).requires_grad_()
        w = weights(2, 1 + bidirectional, dtype)
        out = torch.lstm(a, (s, s * 0.5), w, True, 2, 0.0, True, bidirectional, False)
        loss = (out[0] * out[0]).sum() + out[1].sum() + (out[2] * out[2]).sum()
        results.append([t.detach().numpy() for t in (*out, *torch.autograd.grad(loss, [a, s, *w]))])
    for one, other in zip(*results, strict=True):
        assert np.allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["gru", "rnn_tanh"])
def test_packed_sequences_give_what_each_gives_alone(kind):
    rng = np.random.default_rng(2)
    gates = 9 if kind == "gru" else 3
    w = [torch.from_numpy(rng.normal(size=s)) for s in ((gates, 2), (gates, 3), (gates,), (gates,))]
    run = getattr(torch, kind)
    long, short = torch.from_numpy(rng.normal(size=(3, 1, 2))), torch.from_numpy(rng.normal(size=(2, 1, 2)))
    h = torch.zeros(1, 1, 3, dtype=torch.float64)
    alone = [run(x, h, w, True, 1, 0.0, False, False, False) for x in (long, short)]
    data = torch.cat([long[0], short[0], long[1], short[1], long[2]])
    packed, last = run(data, torch.tensor([2, 2, 1]), torch.cat([h, h], 1), w, True, 1, 0.0, False, False)
    assert np.allclose(packed[[0, 2, 4]].numpy(), alone[0][0][:, 0].numpy())
    assert np.allclose(packed[[1, 3]].numpy(), alone[1][0][:, 0].numpy())
    assert np.allclose(last[0].numpy(), np.concatenate([alone[0][1][0].numpy(), alone[1][1][0].numpy()]))


def test_the_gradient_of_a_gradient_agrees_with_a_difference():
    rng = np.random.default_rng(3)
    w = [torch.from_numpy(rng.normal(size=s).astype(np.float32)) for s in ((12, 2), (12, 3), (12,), (12,))]
    h = torch.zeros(1, 1, 3)
    x = rng.normal(size=(3, 1, 2)).astype(np.float32)
    step = rng.normal(size=x.shape).astype(np.float32)

    def slope(at):
        t = torch.from_numpy(at).requires_grad_()
        out = torch.lstm(t, (h, h), w, True, 1, 0.0, True, False, False)[0]
        (g,) = torch.autograd.grad((out * out).sum(), t, create_graph=True)
        return t, (g * torch.from_numpy(step)).sum()

    t, value = slope(x)
    (second,) = torch.autograd.grad(value, t)
    e = 1e-2
    numeric = (slope(x + e * step)[1].item() - slope(x - e * step)[1].item()) / (2 * e)
    assert np.isclose((second.numpy() * step).sum(), numeric, rtol=2e-2, atol=1e-3)
