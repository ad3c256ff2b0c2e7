"""Stops a program at a line or after a step, with what was recorded up to there."""

import ast
from collections.abc import Iterator
from typing import Any

from engine.modes import STATE
from engine.trace.options import Options
from engine.trace.recorder import Recorder

STOP = "__autograd_stop__"


class Stop(BaseException):
    """Ends the program. Not an Exception, so that the program's own handlers let it pass."""


class Until:
    """Raises Stop once, where the options say. It observes the engine on both sides of the recorder: no step is
    added after the last one asked for, and the program does not run on past it."""

    def __init__(self, options: Options, recorder: Recorder):
        self.recorder = recorder
        self.line, self.last_step = options.until_line, options.until_step
        self.reached: str | None = None
        if self.last_step is not None:
            recorder.room = self.last_step + 1

    def __getattr__(self, name: str) -> Any:
        """Every event is a moment to look at the number of steps."""
        if name.startswith("on_"):
            return self.look
        raise AttributeError(name)

    def look(self, *_arguments: Any, **_fields: Any) -> None:
        """Raises Stop when the last step asked for is there."""
        if self.last_step is not None and len(self.recorder.steps) > self.last_step:
            self._stop(f"Stopped after step {self.last_step}, as asked.")

    def at_line(self) -> None:
        """The program is about to run the line asked for. Raises Stop."""
        self._stop(f"Stopped before line {self.line}, as asked.")

    def _stop(self, message: str) -> None:
        if self.reached is None:
            self.reached = message
            STATE.observers = ()  # what runs while the program is unwound is no part of the record,
            self.recorder.room = 0  # nor is what a backward pass that is left still tells
            raise Stop(message)

    @property
    def message(self) -> str | None:
        """How it went, in a sentence; None when no stop was asked for."""
        if self.reached is not None or (self.line is None and self.last_step is None):
            return self.reached
        if self.line is not None:
            return f"The program ended without reaching line {self.line}."
        return f"The program ended after {len(self.recorder.steps)} steps; it was to stop after step {self.last_step}."


def insert_stop(tree: ast.Module, line: int) -> None:
    """Insert a call of STOP before the first statement on or after a line, or the simple statement that spans it."""
    found: tuple[tuple[int, int, int], list[ast.stmt], int] | None = None
    for depth, block, index in _statements(tree):
        statement = block[index]
        first = _first_line(statement)
        spans = first <= line <= (statement.end_lineno or first) and not _holds_others(statement)
        if (spans or first >= line) and not _must_be_first(statement):
            key = (line if spans else first, depth if first >= line else 0, statement.col_offset)
            if found is None or key < found[0]:
                found = key, block, index
    if found is not None:
        _key, block, index = found
        place = {"lineno": _first_line(block[index]), "col_offset": 0}
        place |= {"end_lineno": place["lineno"], "end_col_offset": 0}
        block.insert(index, ast.Expr(ast.Call(ast.Name(STOP, ast.Load(), **place), [], [], **place), **place))


def _statements(tree: ast.Module) -> Iterator[tuple[int, list[ast.stmt], int]]:
    pending: list[tuple[int, ast.AST]] = [(0, tree)]
    while pending:
        depth, node = pending.pop()
        for _field, block in ast.iter_fields(node):
            if isinstance(block, list):
                for index, child in enumerate(block):
                    if isinstance(child, ast.stmt):
                        yield depth, block, index
                    if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                        pending.append((depth + 1, child))


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _holds_others(statement: ast.stmt) -> bool:
    return hasattr(statement, "body") or hasattr(statement, "cases")


def _must_be_first(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
