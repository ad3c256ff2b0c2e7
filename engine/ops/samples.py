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


def reductions(rng: np.random.Generator) -> list[dict[str, Any]]:
    """One real input reduced over one dimension, over several, over all, and keeping the dimensions."""
    cases = (((2, 3), (1,), False), ((2, 3, 2), (0, 2), True), ((2, 3, 2), (0, -1), False), ((3,), (), False))
    made = [{"self": rng.normal(size=s), "dim": d, "keepdim": k} for s, d, k in cases]
    return [*made, {"self": rng.normal(size=(3, 4)).T, "dim": (0,), "keepdim": True}]


def along_dim(rng: np.random.Generator) -> list[dict[str, Any]]:
    """One real input and one dimension."""
    cases = [{"self": rng.normal(size=s), "dim": d} for s, d in (((2, 3), 1), ((2, 3, 2), -2), ((4,), 0))]
    return [*cases, {"self": rng.normal(size=(3, 4)).T, "dim": 0}]


def reduced_dim(rng: np.random.Generator) -> list[dict[str, Any]]:
    """One real input and one dimension that goes away or stays with size 1."""
    return [{**s, "keepdim": bool(i % 2)} for i, s in enumerate(along_dim(rng))]
