"""Derivatives that PyTorch does not have: the node and its edges are there, running it is an error."""

from typing import Any

from engine.op import Grad

NODE = "torch::autograd::NotImplemented"
REASON = "PyTorch defines no derivative"
NO_FORMULA = r"\nexists"


def no_derivative(name: str) -> Grad:
    """A Grad for the inputs of ATen's operator `name`, which raises PyTorch's RuntimeError when it is run."""

    def rule(grad: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return Grad(rule, NO_FORMULA)


def not_implemented(what: str) -> Grad:
    """A Grad for one input of an operator that has derivatives for others. Raises NotImplementedError."""

    def rule(grad: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{what}' is not implemented.")

    return Grad(rule, NO_FORMULA)
