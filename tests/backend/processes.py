"""Processes as the kernel lists them, told apart for good: the number of one that ended is given to another."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """A process that runs or ran. `started`: clock ticks since the machine did."""

    pid: int
    started: int

    @property
    def is_alive(self) -> bool:
        return self in _parents()

    @property
    def resident_bytes(self) -> int:
        """What it has in memory, pages it shares included; 0 once it has ended."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return 0


def descendants(pid: int, levels: int = 9) -> set[Process]:
    """The live processes below one, so many generations of them."""
    parents = _parents()
    found: set[Process] = set()
    for _ in range(levels):
        above = {process.pid for process in found} | {pid}
        found |= {process for process, parent in parents.items() if parent in above}
    return found


def _parents() -> dict[Process, int]:
    """Every process that has not ended, with the number of its parent."""
    parents = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                state, parent, *more = (entry / "stat").read_text().rpartition(")")[2].split()
                if state not in "ZX":
                    parents[Process(int(entry.name), int(more[17]))] = int(parent)
        except OSError:
            continue
    return parents
