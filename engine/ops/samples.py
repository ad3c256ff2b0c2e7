"""Arguments for the gradient checks that many ops share: float64, away from kinks and poles."""

from typing import Any

import numpy as np


def singles(rng: np.random.Generator) -> list[dict[str, Any]]:
    """One real input: a matrix, a scalar, an empty one, a non-contiguous one."""
    return [{"self": rng.normal(size=s)} for s in ((2, 3), (), (0, 2))] + [{"self": rng.normal(size=(3, 4)).T}]


def positive(rng: np.random.Generator) -> list[dict[str, Any]]:
    """One input above 0.3."""
    return [{"self": rng.uniform(0.3, 2.0, size=s)} for s in ((2, 3), ())]


def inside_unit(rng: np.random.Generator) -> list[dict[str, Any]]:
    """One input inside (-0.9, 0.9)."""
    return [{"self": rng.uniform(-0.9, 0.9, size=s)} for s in ((2, 3), ())]


def pairs(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Two real inputs: equal shapes, row and column broadcasting, a scalar."""
    shapes = (((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 3)))
    return [{"self": rng.normal(size=a), "other": rng.normal(size=b)} for a, b in shapes]


def positive_pairs(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Two inputs above 0.3."""
    return [{k: np.abs(v) + 0.3 for k, v in s.items()} for s in pairs(rng)]
