"""A tensor inside `vmap`: it looks like one sample and stands for the whole batch.

`_value` is the tensor of all samples, `_dim` the dimension along which they lie, `_level` the vmap it belongs to: 1 for
the outermost. `_value` may belong to an outer vmap in turn. What a BatchedTensor has of autograd (`_requires`, `_fn`)
is of derivatives taken inside its vmap; the graph outside is that of `_value`. A tensor that is the same for all
samples becomes one with `_dim` None when it takes part in such a derivative.
"""

from typing import Any

import numpy as np

from engine.levels import Transform
from engine.modes import STATE
from engine.tensor import Tensor, TensorBase

DATA_DEPENDENT = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that "
    "yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
)
ESCAPED = (
    "Either your tensor may have escaped from inside a function being vmapped and this is a user error (see "
    "https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal functorch error in "
    "`gen_vmap_plumbing` Please file an issue if it looks like the latter"
)
NO_ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, "
    "please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch "
    "internals, please file a bug report."
)
NO_ITEM_WITHIN = (
    "vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a Tensor in some "
    "data-dependent control flow or (3) encountering this error in PyTorch internals. For (1): we don't support vmap "
    "over calling .item() on a Tensor, please try to rewrite what you're doing with other operations. For (2): we "
    "don't support data-dependent control flow in vmap yet, please file an issue at "
    "https://github.com/pytorch/pytorch/issues . For (3): please file an issue."
)
TOO_SMALL = (
    "vmap: {0}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more "
    "elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over in a "
    "vmap. Please try to use out-of-place operators instead of {0}. If said operator is being called inside the "
    "PyTorch framework, please file a bug report instead."
)
_READ_BY_SHAPE = (np.reshape, np.shape, np.ndim, np.size)


def refusal(in_vmap: str = DATA_DEPENDENT) -> RuntimeError:
    """What is said of reading a number of a sample; a derivative that is taken inside the vmap has its own words."""
    if STATE.batching is None:
        return RuntimeError(ESCAPED)
    innermost = STATE.transforms[-1] if STATE.transforms else None
    return RuntimeError(NO_ITEM_WITHIN if isinstance(innermost, Transform) else in_vmap)


class Sample(np.ndarray):
    """The shape, strides and dtype of one sample. Its elements are nobody's to read: each sample has its own."""

    value: Any = None
    dim: int | None = None
    level: int = 0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        raise refusal()

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in _READ_BY_SHAPE:
            return func(self.view(np.ndarray), *args[1:], **kwargs)
        raise refusal()

    def tensor(self) -> "BatchedTensor":
        """A tensor around it, without history of its own."""
        return BatchedTensor.around(self.value, self.dim, self.level)


class BatchedTensor(Tensor):
    """One tensor of a function under vmap; see the module."""

    __module__ = "torch"
    __qualname__ = "Tensor"
    _prints_class = False
    varies = True
    _value: Any
    _dim: int | None
    _level: int

    @classmethod
    def around(cls, value: Any, dim: int | None, level: int) -> "BatchedTensor":
        """The batch `value`, its samples along `dim`, as one sample of a level."""
        t = object.__new__(cls)
        t.place(value, dim, level)
        return t

    def place(self, value: Any, dim: int | None, level: int) -> None:
        """Stand for another batch: in-place reshaping does that to a tensor."""
        a = np.asarray(value._array())
        if dim is not None:
            shape, strides = list(a.shape), list(a.strides)
            del shape[dim], strides[dim]
            a = np.lib.stride_tricks.as_strided(a, shape, strides)
        seen = a.view(Sample)
        seen.value, seen.dim, seen.level = value, dim, level
        self._a, self._value, self._dim, self._level = seen, value, dim, level

    def _array(self) -> np.ndarray:
        return self._a

    def _below(self) -> tuple[int, str, TensorBase | None]:
        head = "" if self._dim is None else f"BatchedTensor(lvl={self._level}, bdim={self._dim}, value="
        return self._level, head, self._value

    def _all_samples(self) -> TensorBase:
        return self._value._all_samples()


BatchedTensor.__name__ = "Tensor"


def all_elements(a: Any) -> Any:
    """An array as it is; of a Sample, the elements of all samples."""
    return a.value._all_samples()._array() if isinstance(a, Sample) else a


def is_batched(t: Any) -> bool:
    """Whether something is a tensor inside a vmap."""
    return type(t) is BatchedTensor


def part(t: Any, level: int) -> tuple[Any, int | None]:
    """The tensor below a level, and where the samples of that level lie in it; None if it is the same for all."""
    if type(t) is BatchedTensor and t._level == level:
        return t._value, t._dim
    return t, None


def lifted(t: Any, level: int) -> Any:
    """A tensor as one of a level."""
    if not isinstance(t, TensorBase) or (type(t) is BatchedTensor and t._level == level):
        return t
    return BatchedTensor.around(t, None, level)


def unrecorded(t: Any) -> Any:
    """The same batch without the history it has inside its vmap."""
    return BatchedTensor.around(t._value, t._dim, t._level)


def in_order(t: Any) -> Any:
    """The same, in memory sample by sample, unless there is a graph outside that would show it."""
    value, dim = t._value, t._dim
    if not dim or value._needs_grad:
        return unrecorded(t)
    order = (dim, *[d for d in range(value.ndim) if d != dim])
    return BatchedTensor.around(value.permute(order).contiguous(), 0, t._level)


def level_of(values: Any) -> int:
    """The innermost level among arguments of an operator; 0 if none is batched."""
    found = 0
    for v in values:
        kind = type(v)
        if kind is BatchedTensor:
            if v._level > found:
                found = v._level
        elif kind is list or kind is tuple:
            for x in v:
                if type(x) is BatchedTensor and x._level > found:
                    found = x._level
    return found
