"""Which nodes of a graph lie on the way to others."""

from collections.abc import Iterable, Set

from engine.graph import Node


def on_a_path(roots: Iterable[Node], targets: Set[Node]) -> set[Node]:
    """The nodes from which an edge leads towards one of `targets`, of those that can be reached from `roots`."""
    order: list[Node] = []  # a node comes after all that its edges lead to
    seen: set[Node] = set()
    stack: list[tuple[Node, int]] = [(r, 0) for r in dict.fromkeys(roots)]
    while stack:
        node, i = stack.pop()
        if i == 0:
            if node in seen:
                continue
            seen.add(node)
        edges = node.edges
        if i < len(edges):
            stack.append((node, i + 1))
            if edges[i] is not None and edges[i][0] not in seen:
                stack.append((edges[i][0], 0))
        else:
            order.append(node)
    found: set[Node] = set()
    for node in order:
        if any(e is not None and (e[0] in found or e[0] in targets) for e in node.edges):
            found.add(node)
    return found
