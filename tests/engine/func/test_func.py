"""torch.func and torch.autograd.functional: against closed forms and against each other."""

import pytest

from engine import install_as_torch

torch = install_as_torch()
func, functional = torch.func, torch.autograd.functional


@pytest.fixture
def x():
    return torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)


def cubic(t):
    return (t**3).sum() + t[0] * t[1] * t[2]


def gradient_of_cubic(t):
    a, b, c = t.tolist()
    return [3 * a * a + b * c, 3 * b * b + a * c, 3 * c * c + a * b]


def hessian_of_cubic(t):
    a, b, c = t.tolist()
    return [[6 * a, c, b], [c, 6 * b, a], [b, a, 6 * c]]


def test_gradient_and_value(x):
    gradient, value = func.grad_and_value(cubic)(x)
    assert gradient.tolist() == pytest.approx(gradient_of_cubic(x))
    assert value.item() == cubic(x).item()
    assert not gradient.requires_grad


def test_gradients_nest():
    third = func.grad(func.grad(func.grad(lambda t: t**4)))
    assert third(torch.tensor(2.0)).item() == 48.0


def test_a_gradient_stays_connected_to_what_is_captured(x):
    w = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    gradient = func.grad(lambda t: w * (t * t).sum())(x)
    gradient.sum().backward()
    assert w.grad.item() == pytest.approx(2 * x.sum().item())


@pytest.mark.parametrize(
    "hessian",
    [
        func.hessian(cubic),
        func.jacrev(func.jacrev(cubic)),
        func.jacfwd(func.grad(cubic)),
        lambda t: functional.hessian(cubic, t),
        lambda t: functional.jacobian(func.grad(cubic), t),
    ],
    ids=["hessian", "reverse", "forward", "functional", "jacobian of grad"],
)
def test_every_way_to_the_hessian(x, hessian):
    assert hessian(x).tolist() == [pytest.approx(row) for row in hessian_of_cubic(x)]


def test_products_with_the_hessian(x):
    v = torch.tensor([1.0, 2.0, -1.0], dtype=torch.float64)
    expected = (torch.tensor(hessian_of_cubic(x), dtype=torch.float64) @ v).tolist()
    assert functional.hvp(cubic, x, v)[1].tolist() == pytest.approx(expected)
    assert functional.vhp(cubic, x, v)[1].tolist() == pytest.approx(expected)
    assert func.jvp(func.grad(cubic), (x,), (v,))[1].tolist() == pytest.approx(expected)
    assert func.vjp(func.grad(cubic), x)[1](v)[0].tolist() == pytest.approx(expected)


def test_jacobians_have_the_structure_of_outputs_and_inputs(x):
    def two(a, b):
        return {"product": a * b, "sum": a.sum()}

    jac = func.jacrev(two, argnums=(0, 1))(x, x + 1)
    assert jac["product"][0].tolist() == torch.diag(x + 1).tolist()
    assert jac["sum"][1].tolist() == [0.0, 0.0, 0.0]


def test_gradients_per_sample():
    model = torch.nn.Linear(3, 1)
    given = {k: p.detach() for k, p in model.named_parameters()}
    inputs, targets = torch.randn(4, 3), torch.randn(4, 1)

    def loss(parameters, sample, target):
        return ((func.functional_call(model, parameters, (sample,)) - target) ** 2).sum()

    each = func.vmap(func.grad(loss), in_dims=(None, 0, 0))(given, inputs, targets)
    loss(dict(model.named_parameters()), inputs, targets).backward()
    assert each["weight"].shape == (4, 1, 3)
    assert torch.allclose(each["weight"].sum(0), model.weight.grad, atol=1e-5)
    assert torch.allclose(each["bias"].sum(0), model.bias.grad, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: func.grad(lambda t: t)(x), RuntimeError, "to return a scalar Tensor, got tensor with 1 dims"),
        (lambda x: func.grad(cubic, argnums=2)(x), RuntimeError, "Got argnum=2, but only 1 positional inputs"),
        (
            lambda x: func.vmap(lambda a, b: a + b)(x, x[:2]),
            ValueError,
            "got sizes \\[3, 2\\] for the mapped dimension",
        ),
        (
            lambda x: func.vmap(lambda a: torch.rand(2))(x),
            RuntimeError,
            "called random operation while in randomness error",
        ),
        (lambda x: functional.jacobian(cubic, [x]), TypeError, "must be either a Tensor or a tuple of Tensors"),
        (lambda x: functional.vjp(lambda t: t, x), RuntimeError, "The vector v can only be None if"),
        (lambda x: functional.hvp(cubic, x, x[:2]), RuntimeError, "v has invalid size"),
        (lambda x: functional.jacobian(lambda t: x * 1.0, x, strict=True), RuntimeError, "does not require gradients"),
    ],
)
def test_what_is_refused(x, call, error, message):
    with pytest.raises(error, match=message):
        call(x)
