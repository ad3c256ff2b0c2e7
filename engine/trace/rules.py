"""The formulas of a grad_fn for the page, from the op's record."""

from typing import Any

from engine.op import Op, formulas


def rule_document(op: Op) -> dict[str, Any]:
    """Forward formula, and per input the formula of the gradient that leaves for it, as LaTeX with slots."""
    return {"forward": op.latex, "backward": formulas(op)}
