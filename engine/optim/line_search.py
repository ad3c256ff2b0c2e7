"""A line search by the strong Wolfe conditions, as LBFGS uses it.

Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6, with cubic interpolation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

ARMIJO, CURVATURE = 1e-4, 0.9


class Point(NamedTuple):
    """A step length, the value and gradient found there, and the slope along the direction."""

    t: Any
    value: float
    gradient: np.ndarray
    slope: Any


def strong_wolfe(
    at: Callable[[Any], Point], start: Point, t: Any, longest: Any, tolerance: float, most: int
) -> tuple[Point, int]:
    """A point that decreases enough and is flat enough, and how many points were tried.

    `at` evaluates a step length, `start` is the point of length 0, `t` the first length to try, `longest` the largest
    element of the direction; at most `most` points are tried after the first.
    """
    tried = 0

    def too_high(p: Point) -> bool:
        return p.value > start.value + ARMIJO * p.t * start.slope

    def flat(p: Point) -> bool:
        return abs(p.slope) <= -CURVATURE * start.slope

    before, now = start, at(t)
    while tried < most:
        if too_high(now) or (tried > 1 and now.value >= before.value):
            bracket = [before, now]
            break
        if flat(now):
            return now, tried + 1
        if now.slope >= 0:
            bracket = [before, now]
            break
        bounds = (now.t + 0.01 * (now.t - before.t), now.t * 10)
        before, now = now, at(cubic_minimum(before, now, bounds))
        tried += 1
    else:
        bracket = [start, now]

    stuck = False
    low = 0 if bracket[0].value <= bracket[1].value else 1
    while tried < most:
        left, right = bracket
        if abs(right.t - left.t) * longest < tolerance:
            break
        first, last = min(left.t, right.t), max(left.t, right.t)
        t = cubic_minimum(left, right, (first, last))
        margin = 0.1 * (last - first)
        if min(last - t, t - first) < margin:
            if stuck or t >= last or t <= first:
                t = last - margin if abs(t - last) < abs(t - first) else first + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        now = at(t)
        tried += 1
        if too_high(now) or now.value >= bracket[low].value:
            bracket[1 - low] = now
            low = 0 if bracket[0].value <= bracket[1].value else 1
            continue
        done = flat(now)
        if not done and now.slope * (bracket[1 - low].t - bracket[low].t) >= 0:
            bracket[1 - low] = bracket[low]
        bracket[low] = now
        if done:
            break
    return bracket[low], tried + 1


def cubic_minimum(a: Point, b: Point, bounds: tuple[Any, Any]) -> Any:
    """Where the cubic through two values and slopes is least, within bounds; their middle where it has no minimum."""
    if a.t > b.t:
        a, b = b, a
    d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.t - b.t)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (bounds[0] + bounds[1]) / 2.0
    d2 = np.sqrt(square)
    lowest = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    return min(max(lowest, bounds[0]), bounds[1])
