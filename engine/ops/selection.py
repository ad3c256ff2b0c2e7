"""Which of equal elements a selection comes to: the algorithms that PyTorch's kernels run, on one row as Python lists.

They are needed only where elements are equal, for otherwise every algorithm finds the same. References:
https://en.wikipedia.org/wiki/Quickselect, https://en.cppreference.com/w/cpp/algorithm/nth_element and `partial_sort`,
in the way of the GNU C++ library.
"""

from collections.abc import Callable
from typing import Any

Row = list[tuple[Any, int]]  # elements with their places
Before = Callable[[Any, Any], bool]

SMALL = 16  # so many elements are sorted by insertion, which leaves equal ones in their order
_PARTIAL = 64  # of so many times as many elements as are wanted, a heap is made


def greater(a: Any, b: Any) -> bool:
    """Whether an element is greater than another; nan is greatest."""
    return a > b or (a != a and b == b)


def kth(values: list[Any], k: int) -> int:
    """Where the element of rank k (from 0) lies that Hoare's selection with a median of three comes to."""
    where = list(range(len(values)))

    def swap(i: int, j: int) -> None:
        values[i], values[j] = values[j], values[i]
        where[i], where[j] = where[j], where[i]

    left, right = 0, len(values) - 1
    while right > left + 1:
        swap(left + (right - left) // 2, left + 1)
        for i, j in ((left + 1, right), (left, right), (left + 1, left)):
            if greater(values[i], values[j]):
                swap(i, j)
        i, j, pivot = left + 1, right, values[left]
        while True:
            i += 1
            while greater(pivot, values[i]):
                i += 1
            j -= 1
            while greater(values[j], pivot):
                j -= 1
            if j < i:
                break
            swap(i, j)
        swap(left, j)
        if j <= k:
            left = i
        if j >= k:
            right = j - 1
    if right == left + 1 and greater(values[left], values[right]):
        swap(left, right)
    return where[k]


def top(values: list[Any], k: int, largest: bool, in_order: bool) -> list[int]:
    """Where the k greatest (or smallest) elements lie, in the order in which they are given back."""

    def before(a: Any, b: Any) -> bool:
        return greater(a[0], b[0]) if largest else greater(b[0], a[0])

    if not k:
        return []
    row: Row = [(v, i) for i, v in enumerate(values)]
    if k * _PARTIAL <= len(row):
        _heap_select(row, 0, k, len(row), before)
        _sort_heap(row, 0, k, before)
    else:
        _nth_element(row, k - 1, before)
        if in_order:
            _sort(row, k - 1, before)
    return [i for _, i in row[:k]]


def ascending(values: list[Any]) -> list[int]:
    """Where the elements lie, in ascending order."""
    row: Row = [(v, i) for i, v in enumerate(values)]
    _sort(row, len(row), lambda a, b: a[0] < b[0])
    return [i for _, i in row]


def _nth_element(row: Row, n: int, before: Before) -> None:
    first, last = 0, len(row)
    depth = 2 * (last.bit_length() - 1)
    while last - first > 3:
        if depth == 0:
            _heap_select(row, first, n + 1, last, before)
            row[first], row[n] = row[n], row[first]
            return
        depth -= 1
        cut = _partition(row, first, last, before)
        if cut <= n:
            first = cut
        else:
            last = cut
    _insertion_sort(row, first, last, before)


def _sort(row: Row, last: int, before: Before) -> None:
    if last > 1:
        _introsort(row, 0, last, 2 * (last.bit_length() - 1), before)
        _insertion_sort(row, 0, min(SMALL, last), before)
        for i in range(SMALL, last):
            _insert(row, i, before)


def _introsort(row: Row, first: int, last: int, depth: int, before: Before) -> None:
    while last - first > SMALL:
        if depth == 0:
            _heap_select(row, first, last, last, before)
            _sort_heap(row, first, last, before)
            return
        depth -= 1
        cut = _partition(row, first, last, before)
        _introsort(row, cut, last, depth, before)
        last = cut


def _partition(row: Row, first: int, last: int, before: Before) -> int:
    """Bring the median of three to the front and part the others by it."""
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    if before(row[a], row[b]):
        middle = b if before(row[b], row[c]) else c if before(row[a], row[c]) else a
    else:
        middle = a if before(row[a], row[c]) else c if before(row[b], row[c]) else b
    row[first], row[middle] = row[middle], row[first]
    pivot, i, j = row[first], first + 1, last
    while True:
        while before(row[i], pivot):
            i += 1
        j -= 1
        while before(pivot, row[j]):
            j -= 1
        if i >= j:
            return i
        row[i], row[j] = row[j], row[i]
        i += 1


def _insertion_sort(row: Row, first: int, last: int, before: Before) -> None:
    for i in range(first + 1, last):
        if before(row[i], row[first]):
            row[first : i + 1] = [row[i], *row[first:i]]
        else:
            _insert(row, i, before)


def _insert(row: Row, i: int, before: Before) -> None:
    held = row[i]
    while before(held, row[i - 1]):
        row[i] = row[i - 1]
        i -= 1
    row[i] = held


def _heap_select(row: Row, first: int, middle: int, last: int, before: Before) -> None:
    n = middle - first
    for hole in range((n - 2) // 2, -1, -1):
        _adjust(row, first, hole, n, row[first + hole], before)
    for i in range(middle, last):
        if before(row[i], row[first]):
            held, row[i] = row[i], row[first]
            _adjust(row, first, 0, n, held, before)


def _sort_heap(row: Row, first: int, last: int, before: Before) -> None:
    while last - first > 1:
        last -= 1
        held, row[last] = row[last], row[first]
        _adjust(row, first, 0, last - first, held, before)


def _adjust(row: Row, first: int, hole: int, n: int, held: tuple[Any, int], before: Before) -> None:
    """A hole goes down to a leaf of the heap, and the held element rises from there."""
    top_, child = hole, hole
    while child < (n - 1) // 2:
        child = 2 * (child + 1)
        if before(row[first + child], row[first + child - 1]):
            child -= 1
        row[first + hole] = row[first + child]
        hole = child
    if n % 2 == 0 and child == (n - 2) // 2:
        child = 2 * child + 1
        row[first + hole] = row[first + child]
        hole = child
    parent = (hole - 1) // 2
    while hole > top_ and before(row[first + parent], held):
        row[first + hole] = row[first + parent]
        hole = parent
        parent = (hole - 1) // 2
    row[first + hole] = held
