"""Anomaly detection: which forward calls the warnings lead back to."""

import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from engine import install_as_torch

MADE = re.compile(r"(Error detected in|induced by) (\w+)\. Traceback of forward call that .*:\n(?:.*\n)*    (.*)$")


@pytest.fixture
def torch() -> Iterator[Any]:
    torch = install_as_torch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.autograd.set_detect_anomaly(True, check_nan=False)
    yield torch
    torch.autograd.set_detect_anomaly(False)


def told(torch: Any, tensor: Any) -> list[tuple[str, ...]]:
    """What the warnings of a backward pass that fails say: how, of which node, made by which line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        torch.autograd.set_detect_anomaly(True)
        warnings.simplefilter("always")
        with pytest.raises(RuntimeError, match="returned nan values"):
            tensor.sum().backward()
    return [match.groups() for each in caught if (match := MADE.search(str(each.message)))]


def test_a_node_of_the_forward_pass(torch: Any) -> None:
    x = torch.tensor([0.0], requires_grad=True)
    y = torch.sqrt(x) * 0
    assert told(torch, y) == [("Error detected in", "SqrtBackward0", "y = torch.sqrt(x) * 0")]


def test_a_node_of_a_backward_pass_leads_on_to_the_node_whose_gradient_it_is(torch: Any) -> None:
    x = torch.tensor([0.0], requires_grad=True)
    y = (x * x).sqrt()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    assert told(torch, g * 2) == [
        ("Error detected in", "DivBackward0", "(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)"),
        ("induced by", "SqrtBackward0", "y = (x * x).sqrt()"),
    ]
    assert [(how, node) for how, node, _ in told(torch, h)] == [
        ("Error detected in", "MulBackward0"),
        ("induced by", "MulBackward0"),
    ]
