"""Layers against rows recorded from PyTorch: text, first values, random numbers used, outputs, graph, gradients."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

import engine

torch = engine.install_as_torch()
ROWS = json.loads((Path(__file__).parents[2] / "oracle" / "nn_modules.json").read_text())
GOOD = {name: row for name, row in ROWS.items() if "exception" not in row}
BAD = {name: row for name, row in ROWS.items() if "exception" in row}


def run(code, names, target):
    """Run code; the value of a last expression becomes `target` unless a statement set it."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<row>", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<row>", "eval"), names)
        names.setdefault(target, value)


def tensor(fact, requires_grad=False):
    made = torch.tensor(plain(fact["values"]), dtype=getattr(torch, fact["dtype"].removeprefix("torch.")))
    return made.reshape(fact["shape"]).requires_grad_(requires_grad)


def plain(value):
    """nan and inf are strings in the recordings."""
    if isinstance(value, list):
        return [plain(v) for v in value]
    return float(value) if isinstance(value, str) else value


def check(got, fact, scale=1.0):
    assert list(got.shape) == fact["shape"]
    assert str(got.dtype) == fact["dtype"]
    expected = np.array(plain(fact["values"])).reshape(fact["shape"])
    np.testing.assert_allclose(got.detach().numpy(), expected, rtol=1e-4 * scale, atol=1e-5 * scale)


def start(row):
    names = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    torch.manual_seed(0)
    return names


def tensors(value, path="out"):
    if isinstance(value, torch.Tensor):
        return [(path, value)]
    if isinstance(value, list | tuple):
        return [found for i, v in enumerate(value) for found in tensors(v, f"{path}[{i}]")]
    return []


def node_names(roots):
    """The names of all nodes under some tensors, each node once."""
    seen = {}
    todo = [t.grad_fn for t in roots if t.grad_fn is not None]
    while todo:
        node = todo.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            todo += [n for n, _ in node.next_functions if n is not None]
    return sorted(n.name() for n in seen.values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GOOD)
def test_layer(name):
    row = GOOD[name]
    names = start(row)
    run(row["make"], names, "m")
    module = names["m"]
    assert repr(module) == row["repr"]
    assert torch.rand(3).tolist() == pytest.approx(row["rand_after_make"], abs=1e-7)
    for key, fact in row.get("initial", {}).items():
        check(module.state_dict()[key], fact)
    for key, fact in row["inputs"].items():
        names[key] = tensor(fact, fact["requires_grad"])
    torch.manual_seed(0)
    run(row["call"], names, "out")
    outputs = tensors(names["out"])
    assert [path for path, _ in outputs] == [fact["path"] for fact in row["outputs"]]
    for (_, got), fact in zip(outputs, row["outputs"], strict=True):
        check(got, fact)
    assert node_names([t for _, t in outputs]) == row["nodes"]
    roots = [t for _, t in outputs if t.requires_grad]
    if "grads" not in row:
        return
    upstream = [
        torch.tensor(plain(u), dtype=t.dtype).reshape(t.shape)
        for u, t in zip(row["upstream"].values(), roots, strict=True)
    ]
    torch.autograd.backward(roots, upstream)
    held = {**dict(module.named_parameters()), **{k: names[k] for k in row["inputs"]}}
    for key, fact in row["grads"].items():
        if fact is None:
            assert held[key].grad is None
        else:
            check(held[key].grad, fact, 10)
    for key, fact in row.get("buffers", {}).items():
        check(module.state_dict()[key], fact)


def make_and_call(row, names):
    run(row["make"], names, "m")
    for key, fact in row.get("inputs", {}).items():
        names[key] = tensor(fact, fact["requires_grad"])
    run(row["call"], names, "out")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BAD)
def test_mistake(name):
    row = BAD[name]
    names = start(row)
    with pytest.raises(BaseException) as raised:  # noqa: PT011 - type and words are compared below
        make_and_call(row, names)
    assert type(raised.value).__name__ == row["exception"]["type"]
    assert str(raised.value) == row["exception"]["message"]


def test_first_values_of_a_linear_layer_follow_from_the_seed():
    torch.manual_seed(0)
    layer = torch.nn.Linear(2, 1)
    assert layer.weight.tolist()[0] == pytest.approx([-0.0052932, 0.3793229], abs=1e-6)
    assert layer.bias.item() == pytest.approx(-0.5819807648658752, abs=1e-7)
