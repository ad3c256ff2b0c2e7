"""Which node of one graph is which of another. Linear in the size of the graphs, whatever they look like.

Surest first: nodes whose whole history down to named leaves is the same; nodes whose results have the same variable
name; the inputs of matched nodes, place by place; what is left over, by name in the order of the run; and last, again
the inputs of matched nodes, whatever they are: there one function took the place of another.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable

from backend.schemas import NodeInfo, Trace


class Graph:
    """The nodes of a trace with what identifies them."""

    def __init__(self, trace: Trace) -> None:
        self.nodes = {node.id: node for node in trace.nodes}
        self.names = {tensor.id: tensor.names[0] for tensor in trace.tensors if tensor.names}
        self.shapes = {tensor.id: tuple(tensor.shape) for tensor in trace.tensors}
        self.ops = {op.id: op for op in trace.ops}
        self._history: dict[int, int] = {}

    def inputs(self, node: NodeInfo) -> list[tuple[int, int] | None]:
        """Where its gradients go; None for inputs that need none, and for nodes that the trace left out."""
        return [
            (edge[0], edge[1]) if edge is not None and edge[0] is not None and edge[0] in self.nodes else None
            for edge in node.next_functions
        ]

    def output(self, node: NodeInfo) -> str | None:
        """The variable name of what its op made, or of its leaf."""
        if node.tensor is not None:
            return self.names.get(node.tensor)
        op = self.ops.get(node.op) if node.op is not None else None
        return next((self.names[tensor] for tensor in op.outputs if tensor in self.names), None) if op else None

    def histories(self, known: dict[Hashable, int]) -> dict[int, int]:
        """A number for each node; two nodes with equal numbers were made alike from leaves of the same names."""
        found: dict[int, int] = {}
        pending = list(reversed(self.nodes))
        open_: set[int] = set()
        while pending:
            node = self.nodes[pending[-1]]
            below = [edge[0] for edge in self.inputs(node) if edge is not None and edge[0] not in found]
            if node.id in found:
                pending.pop()
            elif below and node.id not in open_:
                open_.add(node.id)
                pending += below
            else:  # a cycle cannot be: should a trace claim one, its nodes are told apart by what is known so far
                made_of = tuple(None if e is None else (found.get(e[0], -1), e[1]) for e in self.inputs(node))
                leaf = self.names.get(node.tensor, "") if node.tensor is not None else None
                found[node.id] = known.setdefault((node.name, made_of, leaf), len(known))
                pending.pop()
        return found


def match(before: Graph, after: Graph) -> dict[int, int]:
    """Ids of `before` to ids of `after`; one of each at most."""
    pairs = _Pairs()
    known: dict[Hashable, int] = {}
    histories = before.histories(known), after.histories(known)
    pairs.by_key(before, after, lambda graph, node: histories[graph is after][node.id])
    pairs.by_key(before, after, lambda graph, node: graph.output(node))
    pairs.along_edges(before, after, lambda mine, theirs: mine.name == theirs.name)
    pairs.by_key(before, after, lambda _graph, node: node.name)
    pairs.along_edges(before, after, lambda mine, theirs: mine.tensor is None and theirs.tensor is None)
    return pairs.to


class _Pairs:
    def __init__(self) -> None:
        self.to: dict[int, int] = {}
        self.taken: set[int] = set()

    def add(self, one: int, other: int) -> bool:
        free = one not in self.to and other not in self.taken
        if free:
            self.to[one] = other
            self.taken.add(other)
        return free

    def by_key(self, before: Graph, after: Graph, key: Callable[[Graph, NodeInfo], Hashable | None]) -> None:
        """Pair the free nodes that share a key, in the order of the run."""
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for node in reversed(after.nodes.values()):
            if node.id not in self.taken and (wanted := key(after, node)) is not None:
                waiting[wanted].append(node.id)
        for node in before.nodes.values():
            if node.id not in self.to and (rest := waiting.get(key(before, node))):
                self.add(node.id, rest.pop())

    def along_edges(self, before: Graph, after: Graph, alike: Callable[[NodeInfo, NodeInfo], bool]) -> None:
        """From each pair on to inputs in the same place that are alike."""
        pending = list(self.to.items())
        while pending:
            one, other = pending.pop()
            inputs = zip(before.inputs(before.nodes[one]), after.inputs(after.nodes[other]), strict=False)
            for mine, theirs in inputs:
                if mine is None or theirs is None:
                    continue
                if alike(before.nodes[mine[0]], after.nodes[theirs[0]]) and self.add(mine[0], theirs[0]):
                    pending.append((mine[0], theirs[0]))
