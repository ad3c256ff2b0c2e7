"""Variable names: a note after each assignment tells what the program calls its tensors."""

import ast
import builtins
from collections.abc import Callable
from typing import Any

NOTE = "__autograd_note__"
_MAX_ELEMENTS = 32
_MAX_DEPTH = 3


class _Noter(ast.NodeTransformer):
    """Inserts `NOTE("y", y)` after statements that bind simple names. Line numbers stay."""

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                setattr(node, field, _with_notes(body, node if field == "body" else None))
        return node


def _with_notes(body: list[ast.stmt], owner: ast.AST | None) -> list[ast.stmt]:
    out: list[ast.stmt] = []
    if isinstance(owner, ast.For):
        out.extend(_note(n, owner) for n in _names(owner.target))
    for statement in body:
        out.append(statement)
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AugAssign) or (isinstance(statement, ast.AnnAssign) and statement.value):
            targets = [statement.target]
        for t in targets:
            out.extend(_note(n, statement) for n in _names(t))
    return out


def _names(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple | ast.List):
        return [n for e in target.elts for n in _names(e)]
    return _names(target.value) if isinstance(target, ast.Starred) else []


def _note(name: str, at: ast.AST) -> ast.stmt:
    call = ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(name), ast.Name(name, ast.Load())], [])
    statement = ast.Expr(call)
    line = getattr(at, "end_lineno", None) if not isinstance(at, ast.For) else at.lineno
    for node in ast.walk(statement):
        ast.copy_location(node, at)
        node.lineno = line or at.lineno  # type: ignore[attr-defined]
    return statement


def with_notes(source: str, filename: str) -> Any:
    """Compile a program with notes after its assignments. Raises SyntaxError as compile does."""
    tree = compile(source, filename, "exec", ast.PyCF_ONLY_AST)
    tree = _Noter().visit(tree)
    return compile(tree, filename, "exec")


class Notes:
    """Puts the note function where the program finds it, and takes it away again."""

    def __init__(self, note: Callable[[str, Any], None]):
        self.note = note

    def __enter__(self) -> None:
        setattr(builtins, NOTE, self.note)

    def __exit__(self, *exc: object) -> None:
        if hasattr(builtins, NOTE):
            delattr(builtins, NOTE)


def named_tensors(name: str, value: Any, is_tensor: Callable[[Any], bool], depth: int = 0) -> list[tuple[str, Any]]:
    """Tensors that a binding names: the value, elements of lists and dicts, parameters and buffers of a module."""
    if is_tensor(value):
        return [(name, value)]
    if depth < _MAX_DEPTH and isinstance(value, list | tuple):
        parts: Any = ((f"{name}[{i}]", v) for i, v in enumerate(value[:_MAX_ELEMENTS]))
    elif depth < _MAX_DEPTH and isinstance(value, dict):
        parts = ((f"{name}[{k!r}]", value[k]) for k in list(value)[:_MAX_ELEMENTS])
    elif callable(getattr(value, "named_parameters", None)) and not isinstance(value, type):
        return [(f"{name}.{n}", t) for found in (value.named_parameters(), value.named_buffers()) for n, t in found]
    else:
        return []
    return [pair for n, v in parts for pair in named_tensors(n, v, is_tensor, depth + 1)]
