"""Which of torch's names a program uses, and whether the playground has them. The program is read, never run."""

import ast
import difflib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal

from engine.absent import names_of, names_present
from engine.install import assemble

Verdict = Literal["supported", "not_yet", "unknown"]
_BESIDE_TORCH = {"numpy"} | sys.stdlib_module_names


@dataclass
class NameUse:
    """`verdict`: not_yet for what PyTorch has and the playground lacks, unknown for what PyTorch lacks as well."""

    name: str
    lines: list[int] = field(default_factory=list)
    verdict: Verdict = "supported"
    nearest: str | None = None


def check(code: str) -> list[NameUse]:
    """Every name of torch in the program, and methods of Tensor that are missing, in the order of first use.

    A variable that has the name of an imported module is taken for the module. Raises SyntaxError.
    """
    modules = assemble()
    tree = ast.parse(code)
    found: dict[str, NameUse] = {}
    for line, name in sorted(_used(tree)):
        use = found.get(name)
        if use is None:
            use = found[name] = NameUse(name)
            _judge(use, modules)
        if line not in use.lines:
            use.lines.append(line)
    tensor = modules["torch"].Tensor
    return [use for use in found.values() if not use.name.startswith(".") or _is_missing_method(use, tensor)]


def _used(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Dotted names below torch or another package, with lines; attributes of anything else as ".name"."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                root = one.name.partition(".")[0]
                aliases[one.asname or root] = one.name if one.asname else root
                yield node.lineno, one.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                if one.name != "*":
                    aliases[one.asname or one.name] = f"{node.module}.{one.name}"
                    yield node.lineno, f"{node.module}.{one.name}"
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            yield from _chain(node, aliases)


def _chain(node: ast.Attribute, aliases: dict[str, str]) -> Iterator[tuple[int, str]]:
    parts: list[ast.Attribute] = []
    base: ast.expr = node
    while isinstance(base, ast.Attribute):
        parts.append(base)
        base = base.value
    names = [part.attr for part in reversed(parts)]
    if isinstance(base, ast.Name) and base.id in aliases:
        yield node.lineno, ".".join([aliases[base.id], *names])
    else:
        yield from ((part.end_lineno or part.lineno, f".{part.attr}") for part in parts)


def _judge(use: NameUse, modules: dict[str, ModuleType]) -> None:
    root, _, rest = use.name.partition(".")
    if not root:
        return
    if root != "torch":
        use.verdict = "supported" if root in _BESIDE_TORCH else "unknown"
        return
    owner: Any = modules["torch"]
    path = "torch"
    for part in rest.split(".") if rest else ():
        if not isinstance(owner, ModuleType | type):
            return  # an attribute of a value: only running it would tell
        inner = modules.get(f"{path}.{part}") or getattr(owner, part, None)
        if inner is None and not hasattr(owner, part):
            use.verdict = "not_yet" if part in names_of(path) else "unknown"
            use.nearest = _nearest(path, owner, part)
            return
        owner, path = inner, f"{path}.{part}"


def _is_missing_method(use: NameUse, tensor: type) -> bool:
    """Whether an attribute of something is one that PyTorch's Tensor has and this one lacks."""
    name = use.name[1:]
    if hasattr(tensor, name) or name not in names_of("torch.Tensor"):
        return False
    use.name, use.verdict = f"torch.Tensor.{name}", "not_yet"
    use.nearest = _nearest("torch.Tensor", tensor, name)
    return True


def _nearest(path: str, owner: Any, name: str) -> str | None:
    """The most similar name that `owner`, known as `path`, has."""
    near = difflib.get_close_matches(name, names_present(owner), 1, 0.75)
    return f"{path}.{near[0]}" if near else None
