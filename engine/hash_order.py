"""The order in which a C++ hash table holds names: messages list keyword arguments as PyTorch's table has them."""

from collections.abc import Iterable

_MASK = 2**64 - 1
_FACTOR = 0xC6A4A7935BD1E995
_SEED = 0xC70F6907
_BUCKETS = 13
"""What a table starts with; it grows beyond so many names."""


def in_table(names: Iterable[str]) -> list[str]:
    """Names as they are met in a table that they were put into one after the other.

    A name goes before those of its bucket, and the first of a bucket before all others.
    """
    order: list[tuple[int, str]] = []
    for name in names:
        bucket = _hash(name.encode()) % _BUCKETS
        place = next((i for i, (other, _) in enumerate(order) if other == bucket), 0)
        order.insert(place, (bucket, name))
    return [name for _, name in order]


def _hash(data: bytes) -> int:
    """MurmurHash64A (Appleby, 2008), by which the GNU library hashes strings."""
    h = _SEED ^ (len(data) * _FACTOR & _MASK)
    whole = len(data) & ~7
    for i in range(0, whole, 8):
        word = int.from_bytes(data[i : i + 8], "little") * _FACTOR & _MASK
        h = (h ^ (_mixed(word) * _FACTOR & _MASK)) * _FACTOR & _MASK
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _MASK
    return _mixed(_mixed(h) * _FACTOR & _MASK)


def _mixed(word: int) -> int:
    return word ^ (word >> 47)
