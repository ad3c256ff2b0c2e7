"""The difference of two runs: nodes and gradients that came, went or changed."""

import itertools
from collections.abc import Iterator

from backend.inspection import wire
from backend.inspection.graph import short
from backend.inspection.matching import Graph, match
from backend.schemas import NodeInfo, Trace, Value


def diff(before: Trace, after: Trace) -> wire.GraphDiff:
    """Compare two traces, best of runs that recorded values whole."""
    nodes = _nodes(Graph(before), Graph(after))
    gradients = _gradients(_grads(before), _grads(after))
    parts = (nodes.added, nodes.removed, nodes.changed, gradients.added, gradients.removed, gradients.changed)
    return wire.GraphDiff(
        same=not any(parts), before=before.outcome, after=after.outcome, nodes=nodes, gradients=gradients,
        notes=[*_notes("before", before), *_notes("after", after)],
    )  # fmt: skip


def _notes(which: str, trace: Trace) -> Iterator[str]:
    if trace.outcome.status != "ok":
        yield f"`{which}` ended with the status {trace.outcome.status}: its graph is what there was by then."
    for left in trace.truncated:
        if left.what != "saved" and not left.limit.startswith("options."):
            yield f"Of `{which}`, some {left.what} were left out: {left.limit}."


def _nodes(before: Graph, after: Graph) -> wire.NodesDiff:
    to = match(before, after)
    changed, unchanged = [], 0
    for one, other in to.items():
        mine, theirs = before.nodes[one], after.nodes[other]
        if changes := list(_changes(before, mine, after, theirs, to)):
            changed.append(
                wire.NodeChange(before=_summary(before, mine), after=_summary(after, theirs), changed=changes)
            )
        else:
            unchanged += 1
    matched = set(to.values())
    return wire.NodesDiff(
        unchanged=unchanged,
        added=[_summary(after, node) for node in after.nodes.values() if node.id not in matched],
        removed=[_summary(before, node) for node in before.nodes.values() if node.id not in to],
        changed=changed,
    )


def _summary(graph: Graph, node: NodeInfo) -> wire.NodeSummary:
    return wire.NodeSummary(id=node.id, name=node.name, output=graph.output(node), line=node.line)


def _changes(
    before: Graph, mine: NodeInfo, after: Graph, theirs: NodeInfo, to: dict[int, int]
) -> Iterator[wire.Change]:
    if mine.name != theirs.name:
        yield "name"
    translated = [None if edge is None else (to.get(edge[0]), edge[1]) for edge in before.inputs(mine)]
    if translated != after.inputs(theirs):
        yield "inputs"
    if _shapes(before, mine) != _shapes(after, theirs):
        yield "shape"
    if mine.name == theirs.name and _constants(before, mine) != _constants(after, theirs):
        yield "constants"
    if [(hook.kind, hook.name) for hook in mine.hooks] != [(hook.kind, hook.name) for hook in theirs.hooks]:
        yield "hooks"


def _shapes(graph: Graph, node: NodeInfo) -> list[tuple[int, ...]]:
    op = graph.ops.get(node.op) if node.op is not None else None
    tensors = [node.tensor] if node.tensor is not None else op.outputs if op is not None else []
    return [graph.shapes.get(tensor, ()) for tensor in tensors]


def _constants(graph: Graph, node: NodeInfo) -> list[tuple[str, str | None]]:
    """Arguments of the op that are no tensors."""
    op = graph.ops.get(node.op) if node.op is not None else None
    return [(one.name, one.constant) for one in op.inputs if one.constant is not None] if op is not None else []


def _grads(trace: Trace) -> dict[str, Value | None]:
    """By the name a variable has at the end: of several tensors of one name, the last that has a gradient."""
    found: dict[str, Value | None] = {}
    for tensor in trace.tensors:
        if tensor.requires_grad and (tensor.is_leaf or tensor.retains_grad) and tensor.names:
            found[tensor.names[0]] = tensor.grad or found.get(tensor.names[0])
    return found


def _gradients(before: dict[str, Value | None], after: dict[str, Value | None]) -> wire.GradientsDiff:
    unchanged, changed = [], []
    for name in before.keys() & after.keys():
        mine, theirs = before[name], after[name]
        if _same(mine, theirs):
            unchanged.append(name)
        else:
            changed.append(_change(name, mine, theirs))
    return wire.GradientsDiff(
        unchanged=sorted(unchanged),
        added=[_change(name, None, after[name]) for name in sorted(after.keys() - before.keys())],
        removed=[_change(name, before[name], None) for name in sorted(before.keys() - after.keys())],
        changed=sorted(changed, key=lambda change: change.name),
    )


def _same(mine: Value | None, theirs: Value | None) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    parts = [(v.shape, v.dtype, v.kind, v.data, v.stats) for v in (mine, theirs)]
    return parts[0] == parts[1]


def _change(name: str, mine: Value | None, theirs: Value | None) -> wire.GradientChange:
    return wire.GradientChange(name=name, before=mine, after=theirs, max_difference=_max_difference(mine, theirs))


def _max_difference(mine: Value | None, theirs: Value | None) -> float | str | None:
    if mine is None or theirs is None or mine.shape != theirs.shape or "preview" in (mine.kind, theirs.kind):
        return None
    try:
        pairs = itertools.zip_longest(_flat(mine.data), _flat(theirs.data))
        largest = max((0.0 if a == b else abs(_number(a) - _number(b)) for a, b in pairs), default=0.0)
    except (TypeError, ValueError):  # what a hostile program may send as data
        return None
    return largest if largest - largest == 0 else short(str(largest))


def _flat(data: object) -> Iterator[object]:
    pending = [data]
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            pending += reversed(one)
        else:
            yield one


def _number(text: object) -> complex:
    return complex(text) if isinstance(text, str | int | float) else complex("nan")
