"""Bytes saved for backward, as they change over the steps. Memory that several nodes save counts once."""

from collections.abc import Iterable


class SavedMemory:
    """`timeline` is (step, bytes from this step on)."""

    def __init__(self) -> None:
        self.timeline: list[tuple[int, int]] = []
        self.bytes = 0
        self.holders: dict[int, int] = {}

    def hold(self, key: int, nbytes: int) -> None:
        """A node saves the memory known by `key`."""
        if not self.holders.get(key):
            self.bytes += nbytes
        self.holders[key] = self.holders.get(key, 0) + 1

    def free(self, keys: Iterable[tuple[int, int]], step: int) -> int:
        """A node lets go of what it saved, (key, bytes) each; returns the bytes that nothing saves any more."""
        freed = 0
        for key, nbytes in keys:
            self.holders[key] -= 1
            if not self.holders[key]:
                freed += nbytes
        if freed:
            self.bytes -= freed
            self.note(step)
        return freed

    def note(self, step: int) -> None:
        """Put the present number of bytes on the timeline."""
        if self.timeline and self.timeline[-1][0] == step:
            self.timeline[-1] = (step, self.bytes)
        elif not self.timeline or self.timeline[-1][1] != self.bytes:
            self.timeline.append((step, self.bytes))
