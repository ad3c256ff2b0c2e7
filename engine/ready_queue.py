"""The engine's queue of nodes whose gradients are complete.

The node with the highest sequence number runs first. Nodes of equal number, as all AccumulateGrads are, come out in the
order of PyTorch's std::priority_queue: https://en.cppreference.com/w/cpp/container/priority_queue. Python's heapq moves
its elements as the C++ library does (a hole goes down to a leaf, to the right child when both are equal, and the last
element rises from there), so with the order turned round it is that heap, and written in C.
"""

from heapq import heappop, heappush
from typing import Any

from engine.graph import Node


class _Waiting:
    """A node in the queue: of two with the same number neither comes before the other."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def __lt__(self, other: Any) -> bool:
        return False


class ReadyQueue:
    """A heap by `seq`, greatest first, with the C++ library's order among equals."""

    __slots__ = ("heap",)

    def __init__(self) -> None:
        self.heap: list[tuple[int, _Waiting]] = []

    def __len__(self) -> int:
        return len(self.heap)

    def push(self, node: Node) -> None:
        """Add a node."""
        heappush(self.heap, (-node.seq, _Waiting(node)))

    def pop(self) -> Node:
        """Take the node to run next. Raises IndexError when empty."""
        return heappop(self.heap)[1].node

    def order(self, most: int) -> list[Node]:
        """The waiting nodes, next to run first, but no more than `most`."""
        heap = self.heap[:]
        return [heappop(heap)[1].node for _ in range(min(len(heap), most))]
