"""Checkpoint: same values, gradients and random numbers as without, computed again once per backward pass."""

import pytest

from engine import install_as_torch

torch = install_as_torch()
checkpoint = torch.utils.checkpoint.checkpoint


def made():
    torch.manual_seed(1)
    return torch.randn(3, 4, requires_grad=True), torch.randn(4, 2, requires_grad=True)


class Layer:
    """A layer with dropout that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, w):
        self.calls += 1
        return torch.dropout((x @ w).tanh(), 0.5, True).exp()


@pytest.mark.parametrize("reentrant", [True, False])
def test_gradients_and_random_numbers_are_those_without(reentrant):
    results = []
    for wrapped in (False, True):
        layer, (x, w) = Layer(), made()
        y = checkpoint(layer, x, w, use_reentrant=reentrant) if wrapped else layer(x, w)
        y.sum().backward()
        results.append((y.tolist(), x.grad.tolist(), w.grad.tolist(), torch.rand(2).tolist()))
        assert layer.calls == 1 + wrapped
    assert results[0] == results[1]


@pytest.mark.parametrize("reentrant", [True, False])
def test_the_graph_is_one_node_or_as_without(reentrant):
    y = checkpoint(lambda t: t.sin().exp(), torch.ones(2, requires_grad=True), use_reentrant=reentrant)
    assert y.grad_fn.name() == ("CheckpointFunctionBackward" if reentrant else "ExpBackward0")


def test_one_pass_computes_once_and_a_second_pass_again():
    layer, (x, w) = Layer(), made()
    y = checkpoint(layer, x, w, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert layer.calls == 3


def test_higher_derivatives_go_through():
    x = torch.tensor(0.5, requires_grad=True)
    y = checkpoint(lambda t: t.sin().exp(), x, use_reentrant=False)
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    s, c = x.sin().item(), x.cos().item()
    assert second.item() == pytest.approx(y.item() * (c * c - s))


def test_what_only_some_ways_can_do_is_refused_in_pytorchs_words():
    x, w = made()
    y = checkpoint(Layer(), x, w, use_reentrant=True)
    with pytest.raises(RuntimeError, match=r"incompatible with \.grad\(\) or passing an `inputs` parameter"):
        torch.autograd.grad(y.sum(), x)
    with pytest.raises(ValueError, match="determinism_check should be one of"):
        checkpoint(Layer(), x, w, use_reentrant=False, determinism_check="all")


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (lambda t: t.sin(), "A different number of tensors was saved"),
        (lambda t: t[:1].sin().cos(), "have different metadata than during the forward pass"),
    ],
)
def test_another_computation_the_second_time_is_found(second, message):
    calls = []

    def changing(t):
        calls.append(1)
        return t.sin().cos() if len(calls) == 1 else second(t)

    y = checkpoint(changing, torch.ones(2, requires_grad=True), use_reentrant=False)
    with pytest.raises(torch.utils.checkpoint.CheckpointError, match=message):
        y.sum().backward()


@pytest.mark.parametrize("reentrant", [True, False])
def test_layers_in_segments(reentrant):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    x, _ = made()
    torch.utils.checkpoint.checkpoint_sequential(model, 2, x, use_reentrant=reentrant).sum().backward()
    got = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    model(x).sum().backward()
    for a, p in zip(got, model.parameters(), strict=True):
        assert a.tolist() == pytest.approx(p.grad.tolist()) if a.ndim == 1 else torch.allclose(a, p.grad)
