"""Variable names: a note after each assignment tells what the program calls its tensors."""

import ast
import builtins
from collections.abc import Callable
from typing import Any

from engine.trace.until import STOP, insert_stop

NOTE = "__autograd_note__"
_MAX_ELEMENTS = 32
_MAX_DEPTH = 3
_MAX_LOOKED_AT = 200


_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def _insert_notes(owner: Any) -> None:
    """Insert `NOTE("y", y)` after the statements that bind simple names, in every block below. Line numbers stay."""
    for field in _BODIES:
        body = getattr(owner, field, None)
        if not body or not isinstance(body, list):
            continue
        out: list[Any] = []
        if field == "body" and isinstance(owner, ast.For):
            out.extend(_note(n, owner, owner.lineno) for n in _names(owner.target))
        for statement in body:
            out.append(statement)
            if isinstance(statement, ast.Assign):
                targets = statement.targets
            elif isinstance(statement, ast.AugAssign) or (isinstance(statement, ast.AnnAssign) and statement.value):
                targets = [statement.target]
            else:
                _insert_notes(statement)
                continue
            line = statement.end_lineno or statement.lineno
            out.extend(_note(n, statement, line) for t in targets for n in _names(t))
        setattr(owner, field, out)


def _names(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple | ast.List):
        return [n for e in target.elts for n in _names(e)]
    return _names(target.value) if isinstance(target, ast.Starred) else []


def _note(name: str, at: Any, line: int) -> ast.stmt:
    place = {"lineno": line, "end_lineno": line, "col_offset": at.col_offset, "end_col_offset": at.col_offset}
    function, value = ast.Name(NOTE, ast.Load(), **place), ast.Name(name, ast.Load(), **place)
    return ast.Expr(ast.Call(function, [ast.Constant(name, **place), value], [], **place), **place)


def with_notes(source: str, filename: str, stop_line: int | None = None) -> Any:
    """Compile a program with notes after its assignments, and a stop at a line. Raises SyntaxError as compile does."""
    tree: Any = compile(source, filename, "exec", ast.PyCF_ONLY_AST)
    _insert_notes(tree)
    if stop_line is not None:
        insert_stop(tree, stop_line)
    return compile(tree, filename, "exec")


class Notes:
    """Puts the note and stop functions where the program finds them, and takes them away again."""

    def __init__(self, note: Callable[[str, Any], None], stop: Callable[[], None]):
        self.functions = {NOTE: note, STOP: stop}

    def __enter__(self) -> None:
        for name, function in self.functions.items():
            setattr(builtins, name, function)

    def __exit__(self, *exc: object) -> None:
        for name in self.functions:
            if hasattr(builtins, name):
                delattr(builtins, name)


def named_tensors(name: str, value: Any, is_tensor: Callable[[Any], bool]) -> list[tuple[str, Any]]:
    """Tensors that a binding names: the value, elements of lists and dicts, parameters and buffers of a module."""
    found: list[tuple[str, Any]] = []
    todo = [(name, value, 0)]
    looked = 0
    while todo and looked < _MAX_LOOKED_AT:
        name, value, depth = todo.pop()
        looked += 1
        if is_tensor(value):
            found.append((name, value))
        elif isinstance(value, list | tuple):
            if depth < _MAX_DEPTH:
                parts = [(f"{name}[{i}]", v, depth + 1) for i, v in enumerate(value[:_MAX_ELEMENTS])]
                todo.extend(reversed(parts))
        elif isinstance(value, dict):
            if depth < _MAX_DEPTH:
                todo.extend([(f"{name}[{k!r}]", value[k], depth + 1) for k in list(value)[:_MAX_ELEMENTS]][::-1])
        elif not isinstance(value, type) and callable(getattr(value, "named_parameters", None)):
            for named in (value.named_parameters(), value.named_buffers()):
                found.extend((f"{name}.{n}", t) for n, t in named)
    return found
