"""Derivatives that PyTorch does not define either."""

from typing import Any

from engine.op import Grad


def no_derivative(what: str) -> Grad:
    """A rule that raises PyTorch's NotImplementedError when a gradient reaches it."""

    def rule(grads: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{what}' is not implemented.")

    return Grad(rule, "")
