"""The engine's queue of nodes whose gradients are complete.

The node with the highest sequence number runs first. Nodes of equal number, as all AccumulateGrads are, come out in the
order of PyTorch's std::priority_queue, so this is that heap: https://en.cppreference.com/w/cpp/container/priority_queue
"""

from engine.graph import Node


class ReadyQueue:
    """A binary max-heap by `seq` with the C++ library's order among equals."""

    __slots__ = ("heap",)

    def __init__(self) -> None:
        self.heap: list[Node] = []

    def __len__(self) -> int:
        return len(self.heap)

    def push(self, node: Node) -> None:
        """Add a node."""
        heap = self.heap
        heap.append(node)
        _sift_up(heap, len(heap) - 1, 0, node)

    def pop(self) -> Node:
        """Take the node to run next. Raises IndexError when empty."""
        heap = self.heap
        last = heap.pop()
        if not heap:
            return last
        first = heap[0]
        n = len(heap)
        hole = 0
        child = 2
        while child < n:
            if heap[child].seq < heap[child - 1].seq:
                child -= 1
            heap[hole] = heap[child]
            hole = child
            child = 2 * child + 2
        if child == n:
            heap[hole] = heap[n - 1]
            hole = n - 1
        _sift_up(heap, hole, 0, last)
        return first

    def order(self, most: int) -> list[Node]:
        """The waiting nodes, next to run first, but no more than `most`."""
        if len(self.heap) < 2:
            return self.heap[:most]
        copy = ReadyQueue()
        copy.heap = self.heap[:]
        return [copy.pop() for _ in range(min(len(copy), most))]


def _sift_up(heap: list[Node], hole: int, top: int, value: Node) -> None:
    parent = (hole - 1) // 2
    while hole > top and heap[parent].seq < value.seq:
        heap[hole] = heap[parent]
        hole = parent
        parent = (hole - 1) // 2
    heap[hole] = value
