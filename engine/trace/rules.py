"""The formulas of a grad_fn for the page, from the op's record."""

from typing import Any

from engine.op import Op


def rule_document(op: Op) -> dict[str, Any]:
    """Forward formula, and per input the formula of the gradient that leaves for it, as LaTeX with slots."""
    backward: dict[str, str] = {}
    for names, grad in op.grads.items():
        for name in names.split(","):
            backward[name.strip()] = grad.latex
    return {"forward": op.latex, "backward": backward}
