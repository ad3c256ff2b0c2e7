"""What the program prints, as steps on the timeline."""

import io
from collections.abc import Callable
from typing import Any

from engine.trace.lines import current_line
from engine.trace.records import Printed
from engine.trace.tables import Tables


class Stream(io.TextIOBase):
    """A text stream that becomes print steps; pieces printed by one line of the program are one step."""

    def __init__(self, recorder: Tables, name: str, write_early: Callable[[str], str], before_step: Callable[[], None]):
        self.recorder = recorder
        self.stream = name
        self.write_early = write_early
        self.before_step = before_step

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Always UTF-8."""
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: Any) -> int:
        """Record a piece of text. Raises TypeError for anything but str."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        kept = self.write_early(text)
        if kept:
            self._record(kept)
        return len(text)

    def _record(self, text: str) -> None:
        line = current_line()
        steps = self.recorder.steps
        if steps:
            _kind, last_line, _scope, last = steps[-1]
            if type(last) is Printed and last_line == line and last.stream == self.stream and last.text[-1] != "\n":
                last.text += text
                return
        self.before_step()
        if self.recorder.step("print", line, Printed(text, self.stream)) is None:
            self.recorder.late_prints.append({"stream": self.stream, "text": text, "line": line})
