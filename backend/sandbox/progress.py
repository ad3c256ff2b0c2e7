"""Where one run stands, for who watches it."""

from collections.abc import Callable
from typing import Literal

Phase = Literal["waiting", "running", "writing"]


class Progress:
    """Given to `run`, which keeps it current; to be read at any time.

    A program that hides where it is, or is in C code for long, leaves `line` and `steps` as they were.
    """

    def __init__(self) -> None:
        self.phase: Phase = "waiting"
        """For a place; while the program runs; while its trace is written."""
        self.line: int | None = None
        self.steps: int | None = None
        """Recorded so far; None until the program has been asked."""
        self._ahead: Callable[[], int] | None = None

    @property
    def position(self) -> int | None:
        """Place in the queue, 1 for who is next; None for who is not in it."""
        return self._ahead() + 1 if self.phase == "waiting" and self._ahead is not None else None

    def waits(self, ahead: Callable[[], int]) -> None:
        """`ahead` tells how many are served first, at any time."""
        self._ahead = ahead

    def runs(self) -> None:
        self.phase = "running"

    def is_at(self, line: int | None, steps: int) -> None:
        """What the program's process said: without a line, its program is over or has not begun."""
        self.line = line
        if line is not None:
            self.steps = steps
        elif self.steps is not None:
            self.writes()

    def writes(self) -> None:
        self.phase, self.line = "writing", None
