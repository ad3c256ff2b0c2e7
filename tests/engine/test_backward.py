"""The backward pass: depth, order, accumulation, what is freed, and what is kept alive."""

import gc
import weakref
from typing import Any

import pytest

from engine import backward, install_as_torch
from engine.ready_queue import ReadyQueue


@pytest.fixture(scope="module")
def torch() -> Any:
    return install_as_torch()


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_chain_of_a_hundred_thousand_needs_no_recursion(torch: Any, create_graph: bool) -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1e-5
    (g,) = torch.autograd.grad(y, x, create_graph=create_graph)
    assert g.item() == 1.0


def test_the_latest_node_runs_first(torch: Any) -> None:
    a, b = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    order: list[str] = []

    def watched(t: Any, name: str) -> Any:
        t.grad_fn.register_prehook(lambda g: order.append(name))
        return t

    p, q = watched(a * 2, "p"), watched(b * 3, "q")
    r, s = watched(p.exp(), "r"), watched(q.sin(), "s")
    watched(watched(p * s, "t") + r, "u").backward()
    assert order == ["u", "t", "s", "r", "q", "p"]


def test_leaves_of_one_node_accumulate_in_the_order_of_pytorch(torch: Any) -> None:
    bias, x, w = (torch.ones(*s, requires_grad=True) for s in ((2,), (3, 2), (2, 2)))
    order: list[str] = []
    for name, t in (("bias", bias), ("x", x), ("w", w)):
        t.register_post_accumulate_grad_hook(lambda _, name=name: order.append(name))
    torch.addmm(bias, x, w).sum().backward()
    assert order == ["bias", "x", "w"]


def test_gradients_are_never_shared_between_leaves(torch: Any) -> None:
    a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    (a + b).sum().backward()
    a.grad.add_(1)
    assert b.grad.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "expression", ["x * 1", "x + 0", "x - y", "y - x", "x + y", "x.view(3)", "-(-x)", "x.expand(3)"]
)
@pytest.mark.parametrize("observed", [False, True])
def test_a_gradient_given_by_the_program_is_not_taken_over(torch: Any, expression: str, observed: bool) -> None:
    x, y, g = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True), torch.ones(3)
    if observed:
        x.register_post_accumulate_grad_hook(lambda t: None)
    eval(expression, {"x": x, "y": y}).backward(g)
    x.grad.mul_(5)
    assert g.tolist() == [1.0, 1.0, 1.0]
    if y.grad is not None:
        assert abs(y.grad.tolist()[0]) == 1.0


def test_gradients_added_up_on_the_way_count_a_version_as_in_pytorch(torch: Any) -> None:
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    assert w.grad._version == 1


@pytest.mark.parametrize("expression", ["x * 2", "(x * 2) * y", "x.exp()"])
def test_a_gradient_nobody_else_holds_is_not_copied(
    torch: Any, expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = torch.ones(3, requires_grad=True), torch.ones(3)
    seen = []
    keep = backward.owned
    monkeypatch.setattr(backward, "owned", lambda g, *a: seen.append(id(g)) or keep(g, *a))
    eval(expression, {"x": x, "y": y}).backward(torch.ones(3))
    assert seen == [id(x.grad._a)]


def test_what_a_node_saved_is_freed_with_it(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    hidden = x * 2
    y = (hidden * hidden).sum()
    alive = weakref.ref(hidden)
    del hidden
    assert alive() is not None
    y.backward()
    gc.collect()
    assert alive() is None


def test_an_output_that_a_node_saved_does_not_keep_itself_alive(torch: Any) -> None:
    gc.disable()
    try:
        y = torch.ones(3, requires_grad=True).exp()
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("retain", [True, False])
def test_a_second_backward_needs_the_graph_kept(torch: Any, retain: bool) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=retain)
    if retain:
        y.backward()
        assert x.grad.item() == 12.0
    else:
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            y.backward()


def test_the_queue_pops_equals_as_a_cpp_heap_does() -> None:
    class Item:
        def __init__(self, seq: int, name: str):
            self.seq, self.name = seq, name

    queue = ReadyQueue()
    for i, seq in enumerate([5, 5, 5, 2, 9, 5]):
        queue.push(Item(seq, f"{seq}.{i}"))  # type: ignore[arg-type]
    assert [n.name for n in queue.order(9)] == ["9.4", "5.2", "5.5", "5.1", "5.0", "2.3"]  # type: ignore[attr-defined]


def test_a_hook_may_replace_a_gradient_on_either_kind_of_tensor(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.register_hook(lambda g: g * 2)
    x.register_hook(lambda g: g + 1)
    y.sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]
