"""What the code of a checkout imports, read from its syntax trees without running any of it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PACKAGES = ("engine", "backend")


@dataclass(frozen=True)
class Import:
    """One imported module or name. `target` is dotted and absolute; a name taken from a module is part of it only
    when it is itself a module of the project."""

    importer: str
    target: str
    line: int
    in_function: bool
    for_types_only: bool

    @property
    def root(self) -> str:
        return self.target.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.importer} line {self.line} imports {self.target}"


@dataclass(frozen=True)
class Code:
    """The Python packages of the project under `root`."""

    root: Path

    @cached_property
    def modules(self) -> dict[str, Path]:
        """Dotted name to file; a package is named without its `__init__`."""
        found = {}
        for package in PACKAGES:
            for path in sorted((self.root / package).rglob("*.py")):
                parts = path.relative_to(self.root).with_suffix("").parts
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
        return found

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(found for name, path in self.modules.items() for found in self._imports_of(name, path))

    def _imports_of(self, name: str, path: Path) -> Iterator[Import]:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        pending: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
        while pending:
            node, in_function, types_only = pending.pop()
            for target in dict.fromkeys(self._targets(node, package)):
                yield Import(name, target, getattr(node, "lineno", 0), in_function, types_only)
            in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            if isinstance(node, ast.If) and is_type_checking(node.test):
                pending += [(child, in_function, True) for child in node.body]
                pending += [(child, in_function, types_only) for child in node.orelse]
            else:
                pending += [(child, in_function, types_only) for child in ast.iter_child_nodes(node)]

    def _targets(self, node: ast.AST, package: str) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                kept = parents[: len(parents) - node.level + 1]
                base = ".".join([*kept, base] if base else kept)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in self.modules else base


def is_type_checking(test: ast.expr) -> bool:
    """Whether this is the condition of an `if TYPE_CHECKING:`, whose imports never run."""
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"
