"""The transforms of torch.func that run now, one in the other, and the tensors that were made inside them.

PyTorch wraps each tensor once for every `grad`, `vjp` or `jvp` that it is made in, and says so when it prints one. Here
they are ordinary tensors that remember the transforms (`_transforms`); engine.showing puts the frames around the text.
"""

from collections.abc import Iterable
from typing import Any

from engine.modes import STATE
from engine.tensor import TensorBase

DEAD = -2  # what PyTorch prints as the level of a transform that has ended


class Transform:
    """One `grad`, `vjp` or `jvp` that runs: its level, counted from 1 outside, and whether it still does.

    What a forward one makes has a tangent in PyTorch and shows no graph.
    """

    __slots__ = ("hides_graph", "number", "running")

    def __init__(self, number: int, forward: bool = False):
        self.number, self.running, self.hides_graph = number, True, forward

    def head(self) -> str:
        """The first line of the text of a tensor of this level."""
        return f"GradTrackingTensor(lvl={self.number if self.running else DEAD}, value="


class Births:
    """Observes which transforms each tensor is made in."""

    def __init__(self) -> None:
        for name in (
            "mode", "before_write", "written", "value_changed", "data_set", "requires_grad", "grad_set",
            "view_refreshed", "node", "hook", "accumulate", "release", "retain", "backward_start", "backward_end",
            "module_enter", "module_exit", "optimizer_enter", "optimizer_exit",
        ):  # fmt: skip
            setattr(self, f"on_{name}", self._ignore)

    def on_op(self, op: Any, values: Any, outs: Any, node: Any, target: Any) -> None:
        """The results of an operator are new, unless it wrote into one of them."""
        if target is None:
            for t in outs:
                if t is not None:
                    t._transforms = STATE.transforms

    def on_create(self, tensor: TensorBase, name: str) -> None:
        """A function made a tensor."""
        tensor._transforms = STATE.transforms

    def on_function(self, name: str, args: Any, outputs: Any, node: Any) -> None:
        """A custom Function ran; its outputs may be its inputs."""
        for t in outputs:
            if isinstance(t, TensorBase) and not any(t is a for a in args):
                t._transforms = STATE.transforms

    def _ignore(self, *_event: Any, **_fields: Any) -> None:
        pass


class transforming:
    """For the length of the block a function runs inside a transform, of so many levels. Gives what stands for it."""

    __slots__ = ("_births", "_outer", "_transform")

    def __init__(self, levels: int = 1, forward: bool = False) -> None:
        self._transform = Transform(next_number() + levels - 1, forward)
        self._outer: tuple[Any, ...] = ()
        self._births = Births()

    def __enter__(self) -> Transform:
        self._outer = STATE.transforms
        STATE.transforms = (*self._outer, self._transform)
        if not any(isinstance(t, Transform) for t in self._outer):
            STATE.observers = (*STATE.observers, self._births)
        return self._transform

    def __exit__(self, *exc: object) -> None:
        STATE.transforms = self._outer
        STATE.observers = tuple(o for o in STATE.observers if o is not self._births)
        self._transform.running = False


def born(tensors: Iterable[Any]) -> None:
    """Tensors were made of which the observers are not told."""
    if STATE.transforms and any(isinstance(level, Transform) for level in STATE.transforms):
        for t in tensors:
            if t is not None:
                t._transforms = STATE.transforms


def births(observers: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those among the observers that note what is made inside transforms."""
    return tuple(o for o in observers if isinstance(o, Births)) if observers else observers


def next_number() -> int:
    """The level of a transform that begins now."""
    return STATE.transforms[-1].number + 1 if STATE.transforms else 1
