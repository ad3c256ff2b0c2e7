"""A trace as a Graphviz graph, forward and backward, modules as clusters."""

from collections.abc import Iterator

from backend.inspection.graph import Arrow, Box, Shape, arrows, by_scope, headline
from backend.sandbox.verdict import visible
from backend.schemas import Trace

_SHAPES: dict[Shape, str] = {
    "leaf": 'shape=ellipse, style="filled", fillcolor="#d9ead3"',
    "tensor": "shape=ellipse",
    "op": 'shape=box, style="filled", fillcolor="#cfe2f3"',
    "node": 'shape=box, style="rounded,filled", fillcolor="#fce5cd"',
    "accumulate": 'shape=box, style="rounded,filled", fillcolor="#f4cccc"',
}
_ARROWS = {
    "data": "",
    "gradient": 'color="#b45f06"',
    "twin": 'style="dotted", arrowhead="none", constraint=false',
}


def render(trace: Trace) -> str:
    """The text of one digraph."""
    return "\n".join(_lines(trace)) + "\n"


def quoted(text: str) -> str:
    """Any text as a quoted string of the language, to be shown as it is."""
    escaped = visible(text.replace("\n", " ")).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _lines(trace: Trace) -> Iterator[str]:
    inside = by_scope(trace)
    yield "digraph autograd {"
    yield f"  label={quoted(headline(trace))};"
    yield '  node [fontname="sans-serif"]; edge [fontname="sans-serif", fontsize=10];'
    yield from _scope(trace, None, inside, "  ")
    for arrow in arrows(trace):
        yield f"  {_arrow(arrow)}"
    yield "}"


def _scope(trace: Trace, at: int | None, inside: dict[int | None, list[Box]], indent: str) -> Iterator[str]:
    """The boxes of a module call and, nested, the calls in it. Without recursion: a program may nest them deeply."""
    children: dict[int | None, list[int]] = {}
    names = {scope.id: f"{scope.name} ({scope.module})" for scope in trace.scopes}
    for scope in trace.scopes:
        children.setdefault(scope.parent if scope.parent in names else None, []).append(scope.id)
    pending: list[tuple[int | None, bool]] = [(at, False)]
    depth = 0
    while pending:
        scope, closing = pending.pop()
        pad = indent + "  " * min(depth, 20)
        if closing:
            depth -= 1
            yield indent + "  " * min(depth, 20) + "}"
            continue
        if scope is not None:
            yield f"{pad}subgraph cluster_{scope} {{"
            yield f"{pad}  label={quoted(names[scope])};"
            depth += 1
            pending.append((scope, True))
        yield from (f"{pad}  {_box(box)}" for box in inside.get(scope, ()))
        pending += [(child, False) for child in reversed(children.get(scope, []))]


def _box(box: Box) -> str:
    label = "\\n".join(quoted(line)[1:-1] for line in box.lines)
    return f'{box.key} [label="{label}", {_SHAPES[box.shape]}];'


def _arrow(arrow: Arrow) -> str:
    attributes = [text for text in (_ARROWS[arrow.kind], f"label={quoted(arrow.label)}" * bool(arrow.label)) if text]
    return f"{arrow.start} -> {arrow.end}" + (f" [{', '.join(attributes)}];" if attributes else ";")
