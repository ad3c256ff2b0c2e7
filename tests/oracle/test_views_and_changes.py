"""Views whose base changes in place, made with and without recording: what PyTorch 2.13 answers, question by question.

views_and_changes.json holds ways to make a view `v`, the questions asked of each, in this order, and the answers. Error
messages stand in it once, by number.
"""

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from engine import install_as_torch
from tests.oracle.recordings import load, near

RECORDED = load("views_and_changes")
CASES = RECORDED["cases"]


def _name(t: Any) -> str | None:
    return None if t.grad_fn is None else t.grad_fn.name()


def _scope() -> dict[str, Any]:
    torch = install_as_torch()
    scope: dict[str, Any] = {"torch": torch, "name": _name, "unrecorded": torch.no_grad()(lambda f: f())}

    def leads(operation: Callable[[Any], Any]) -> Any:
        fn = operation(scope["v"]).grad_fn
        return None if fn is None else [fn.name(), [n and n.name() for n, _ in fn.next_functions]]

    scope["leads"] = leads
    return scope


@pytest.mark.parametrize("case", CASES, ids=[str(i) for i in range(len(CASES))])
def test_a_view_answers_as_in_pytorch(case: dict[str, Any]) -> None:
    scope, different = _scope(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(case["setup"], scope)
        for question, wanted in zip(RECORDED["asked"], case["found"], strict=True):
            try:
                found = eval(question, scope)
                found = found if found is None or isinstance(found, bool | int | list | str) else str(found)
            except (RuntimeError, TypeError, ValueError) as e:
                found = {"error": [type(e).__name__, str(e)]}
            if isinstance(wanted, dict):
                kind, text = wanted["error"]
                wanted = {"error": [kind, RECORDED["texts"][text]]}
            if not near(wanted, found):
                different.append((question, wanted, found))
    assert not different, case["setup"]
