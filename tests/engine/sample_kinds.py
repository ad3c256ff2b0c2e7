"""The kinds of inputs that derivatives are checked on, made from the samples of an operator's record.

Each maker takes a sample and gives others like it; the same ones whichever torch is asked about them.
"""

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.op import Op

Sample = dict[str, Any]


def samples(op: Op) -> list[Sample]:
    """The samples of an operator's record, the same each time."""
    assert op.samples is not None
    return op.samples(np.random.default_rng(zlib.crc32(op.name.encode())))


def is_array(v: Any) -> bool:
    return isinstance(v, np.ndarray | np.generic)


def arrays(sample: Sample) -> list[np.ndarray]:
    """The arrays of a sample, those in lists too."""
    return [np.asarray(x) for v in sample.values() for x in (v if type(v) is list else [v]) if is_array(x)]


def shape(sample: Sample) -> tuple[Any, ...]:
    """The sizes of all arrays of a sample."""
    return tuple(a.shape for a in arrays(sample))


def changed(sample: Sample, change: Callable[[np.ndarray], np.ndarray]) -> Sample:
    """A sample with every array changed."""

    def of(v: Any) -> Any:
        return change(np.asarray(v)) if is_array(v) else v

    return {k: [of(x) for x in v] if type(v) is list else of(v) for k, v in sample.items()}


def first_array(sample: Sample) -> np.ndarray | None:
    """The first array that has a dimension."""
    return next((a for a in arrays(sample) if a.ndim), None)


def along_first(sample: Sample, change: Callable[[np.ndarray], np.ndarray]) -> Sample:
    """A sample with every array changed whose first dimension is as long as that of the first array that has one."""
    first = first_array(sample)
    return changed(sample, lambda a: change(a) if a.ndim and first is not None and len(a) == len(first) else a)


def longer(sample: Sample) -> Sample:
    """The same twice as long."""
    return along_first(sample, lambda a: np.concatenate([a, a[::-1]]))


def spread(a: np.ndarray) -> np.ndarray:
    """The same values at every second place of a larger array, the last dimension first."""
    if not a.ndim:
        return a
    wide = np.zeros([2 * n for n in a.shape[::-1]], a.dtype)
    view = wide[tuple(slice(None, None, 2) for _ in a.shape)].transpose()
    view[...] = a
    return view


def without_elements(sample: Sample) -> Iterator[Sample]:
    """None along the first dimension, with the sizes that are given in numbers; none along equal dimensions."""
    first = first_array(sample)
    if first is None or not first.size:
        return
    n = len(first)

    def sizes(name: str, v: Any) -> Any:
        if type(v) is tuple and "size" in name and "kernel" not in name and "output" not in name and v[:1] == (n,):
            return (0, *v[1:])
        return 0 if name == "N" and v == n else v

    yield {k: sizes(k, v) for k, v in along_first(sample, lambda a: a[:0]).items()}
    for length in dict.fromkeys((n, first.shape[-1])):
        yield changed(sample, lambda a, k=length: a[tuple(slice(0 if m == k else m) for m in a.shape)])


def broadcasting(sample: Sample) -> Iterator[Sample]:
    """One of several inputs with one row, without its first dimension, with one column."""
    named = {k: np.asarray(v) for k, v in sample.items() if is_array(v)}
    for k, a in named.items():
        if a.size > 1 and a.ndim and len(named) > 1:
            yield {**sample, k: a[:1]}
            if a.ndim > 1:
                yield {**sample, k: a[0]}
                yield {**sample, k: a[..., :1]}


MADE: dict[str, Callable[[Sample], Iterator[Sample]]] = {
    "without elements": without_elements,
    "broadcasting": broadcasting,
}
"""The kinds of which PyTorch does not take every one."""


def described(v: Any) -> Any:
    if is_array(v):
        return v.dtype.str, np.shape(v)
    return [described(x) for x in v] if type(v) is list else v


def twins(op: Op, kind: str) -> list[Sample]:
    """All samples of a kind for an operator, each once."""
    made = [twin for sample in samples(op) for twin in MADE[kind](sample)]
    return list({repr({k: described(v) for k, v in twin.items()}): twin for twin in made}.values())
