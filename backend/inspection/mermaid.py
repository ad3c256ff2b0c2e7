"""A trace as a Mermaid flowchart, forward and backward, modules as subgraphs."""

import re
from collections.abc import Iterator

from backend.inspection.graph import Arrow, Box, Shape, arrows, by_scope, headline
from backend.sandbox.verdict import visible
from backend.schemas import Trace

_BRACKETS: dict[Shape, tuple[str, str]] = {
    "leaf": ("([", "])"),
    "tensor": ("(", ")"),
    "op": ("[", "]"),
    "node": ("[[", "]]"),
    "accumulate": ("[[", "]]"),
}
_CLASSES = {
    "leaf": "fill:#d9ead3,color:#000",
    "tensor": "fill:#ffffff,color:#000",
    "op": "fill:#cfe2f3,color:#000",
    "node": "fill:#fce5cd,color:#000",
    "accumulate": "fill:#f4cccc,color:#000",
}
_PLAIN = re.compile(r"[^\w .,:×…/+=-]")  # what may stand in a quoted label as itself


def render(trace: Trace) -> str:
    """The text of one flowchart."""
    return "\n".join(_lines(trace)) + "\n"


def quoted(text: str) -> str:
    """Any text as a quoted label: whatever could be markup is written by its code point."""
    return '"' + _PLAIN.sub(lambda match: f"#{ord(match[0])};", visible(text.replace("\n", " "))) + '"'


def _lines(trace: Trace) -> Iterator[str]:
    inside = by_scope(trace)
    yield "flowchart TB"
    yield f"  accTitle: {quoted(headline(trace))[1:-1]}"
    yield from (f"  classDef {shape} {style}" for shape, style in _CLASSES.items())
    yield from (f"  {_box(box)}" for box in inside.get(None, ()))
    names = {scope.id: f"{scope.name} ({scope.module})" for scope in trace.scopes}
    # Side by side, not nested: a program may nest module calls more deeply than a reader of this can.
    for scope, name in names.items():
        if inside.get(scope):
            yield f"  subgraph s{scope} [{quoted(name)}]"
            yield from (f"    {_box(box)}" for box in inside[scope])
            yield "  end"
    yield from (f"  {_arrow(arrow)}" for arrow in arrows(trace))


def _box(box: Box) -> str:
    left, right = _BRACKETS[box.shape]
    label = '"' + "<br/>".join(quoted(line)[1:-1] for line in box.lines) + '"'
    return f"{box.key}{left}{label}{right}:::{box.shape}"


def _arrow(arrow: Arrow) -> str:
    label = f"|{quoted(arrow.label)}|" if arrow.label else ""
    if arrow.kind == "twin":
        return f"{arrow.start} -.- {arrow.end}"
    return f"{arrow.start} {'==>' if arrow.kind == 'gradient' else '-->'}{label} {arrow.end}"
