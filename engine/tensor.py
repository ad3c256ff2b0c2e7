"""The Tensor: a numpy view on shared memory, with its place in the graph.

Operators are attached by engine.install from the op table, so that tensors and ops do not import each other.

Internal attributes, for the engine only:
    _a        the data: an ndarray, or a numpy scalar for a 0-dimensional result whose memory nobody asked for yet
    _fn, _nr  the node that made it, and which of that node's outputs it is
    _counter  the version counter shared with views; made when first needed
    _base     for views, the tensor whose memory it is; `_view_version` is the base's version its `_fn` belongs to
    _trace_id, _grad_of  an observer's own: its number for the tensor, and weakly the tensor whose `.grad` this is

What every op reads is set when a tensor is made, although the class has it too: an instance's own is read faster.
"""

import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import errors
from engine.device import CPU, device
from engine.dtypes import dtype, from_numpy
from engine.graph import AccumulateGrad, HookDict, Node, RemovableHandle, add_hook
from engine.modes import STATE
from engine.size import Size
from engine.storage import Storage, Version, offset_of, storage_of, strides_of
from engine.warning import warn


class TensorBase:
    """The state of a tensor, without the operators."""

    __module__ = "torch._C"

    _a: Any
    _requires: bool = False
    _fn: Node | None = None
    _nr: int = 0
    _grad: "TensorBase | None" = None
    _counter: Version | None = None
    _storage: Storage | None = None
    _base: "TensorBase | None" = None
    _view_version: int = 0
    _view_kind: str = ""  # "", "multi" (one of several views), "no_grad", "inference", "custom"
    _inference: bool = False
    _accumulator: "weakref.ref[AccumulateGrad] | None" = None
    _hooks: HookDict | None = None
    _post_hooks: HookDict | None = None
    _retains: bool = False
    _keeps_class: bool = False
    _prints_class: bool = True
    _trace_id: int | None = None
    _tangent: "TensorBase | None" = None  # of a dual tensor, set by engine.autograd.forward_ad
    _grad_of: "weakref.ref[TensorBase] | None" = None
    _transforms: tuple[Any, ...] = ()  # those of torch.func that it was made in, set by engine.levels
    _outside: "TensorBase | None" = None  # what an input of such a transform was before it

    if TYPE_CHECKING:  # what engine.install attaches from the table of ops

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...
        def __iter__(self) -> Iterator[Any]: ...
        def __len__(self) -> int: ...
        def __ge__(self, other: Any) -> Any: ...

    @classmethod
    def _wrap(cls, a: Any) -> Any:
        """A plain tensor around an array, sharing its memory."""
        t = object.__new__(Tensor)
        t._a = a
        t._nr = 0
        t._fn = t._base = t._counter = None
        t._requires = False
        t._inference = STATE.inference
        return t

    # ---- memory ---------------------------------------------------------------------------------
    def _array(self) -> np.ndarray:
        """The data as an ndarray whose memory stays this tensor's."""
        a = self._a
        if type(a) is not np.ndarray:
            a = self._a = np.array(a)
        return a

    def _memory(self) -> Storage:
        if self._storage is None:
            if self._base is not None:
                self._storage = self._base._memory()
            else:
                self._storage = storage_of(self._array())
        return self._storage

    def _all_samples(self) -> "TensorBase":
        """The tensor itself; for one inside a vmap the whole batch."""
        return self

    def _below(self) -> "tuple[int, str, TensorBase | None]":
        """For one inside a vmap its level, the first line of its text, and the batch; else the tensor outside."""
        return 0, "", self._outside

    def _is_wrapped(self) -> bool:
        """Whether a transform of torch.func runs that it belongs to: PyTorch has a wrapper there, without memory."""
        return any(level in STATE.transforms for level in self._transforms)

    def _version_counter(self) -> Version:
        if self._counter is None:
            self._counter = Version() if self._base is None else self._base._version_counter()
        return self._counter

    @property
    def _version(self) -> int:
        """How often in-place operations changed this memory. Raises RuntimeError for inference tensors."""
        if self._inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return 0 if self._counter is None else self._counter.n

    def storage_offset(self) -> int:
        """Elements between the start of the storage and the first element."""
        return offset_of(self._array(), self._memory())

    def stride(self, dim: int | None = None) -> Any:
        """Strides in elements: all of them, or one dimension's."""
        s = strides_of(self._a) if self._a.ndim else ()
        return s if dim is None else s[self._place(dim)]

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the elements lie in memory in row-major order, or in that of another format."""
        name = "" if memory_format is None else repr(memory_format)
        if "channels_last" in name:
            return self._a.ndim == (5 if "3d" in name else 4) and np.moveaxis(self._a, 1, -1).flags.c_contiguous
        return self._a.ndim == 0 or self._a.flags.c_contiguous

    # ---- description ----------------------------------------------------------------------------
    @property
    def shape(self) -> Size:
        """Sizes of the dimensions, a torch.Size."""
        return tuple.__new__(Size, self._a.shape)  # without a check of what numpy gives

    def size(self, dim: int | None = None) -> Any:
        """The shape, or one dimension's size."""
        if dim is None:
            return Size(self._a.shape)
        return self._a.shape[self._place(dim)]

    def _place(self, dim: int) -> int:
        """A dimension that is there. Raises IndexError for another."""
        n = self._a.ndim
        if not -max(n, 1) <= dim < max(n, 1):
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-max(n, 1)}, {max(n, 1) - 1}], but got {dim})"
            )
        if n == 0:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        return dim

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._a.ndim

    def dim(self) -> int:
        """Number of dimensions."""
        return self._a.ndim

    ndimension = dim

    def numel(self) -> int:
        """Number of elements."""
        return self._a.size

    nelement = numel

    @property
    def dtype(self) -> dtype:
        """Element type."""
        return from_numpy(self._a.dtype)

    @property
    def device(self) -> device:
        """Always the CPU."""
        return CPU

    def element_size(self) -> int:
        """Bytes per element."""
        return self._a.itemsize

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self._a.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._a.nbytes

    # ---- autograd -------------------------------------------------------------------------------
    @property
    def _needs_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        if self._requires or self._fn is not None:
            return True
        base = self._base
        return base is not None and (base._requires or base._fn is not None)

    @property
    def requires_grad(self) -> bool:
        """The same as a program sees it: nothing that is made inside a forward transform is recorded there."""
        return self._needs_grad and not (self._transforms and self._transforms[-1].hides_graph)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if self._fn is not None:
            if not value:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
                )
            return
        if value and self._a.dtype.kind not in "fcV":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        if value and self._inference and not STATE.inference:
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        self._requires = bool(value)
        for o in STATE.observers:
            o.on_requires_grad(self)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Set requires_grad; returns the tensor."""
        if STATE.transforms:
            raise RuntimeError(errors.REQUIRES_INSIDE)
        return self._recorded(requires_grad)

    def _recorded(self, requires_grad: bool = True) -> Any:
        """What requires_grad_ does, also inside transforms."""
        if not requires_grad and self._fn is not None:
            self.requires_grad = False
        if requires_grad and self._a.dtype.kind not in "fcV" and self._fn is None:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """True for tensors that no recorded operation made."""
        return (self._fn if self._base is None and not self._transforms else self.grad_fn) is None

    @property
    def output_nr(self) -> int:
        """Which output of its grad_fn it is."""
        return self._nr

    @property
    def grad_fn(self) -> Node | None:
        """The node that made it, which an input of a transform does not show, nor what a forward one makes."""
        if self._transforms and (self._outside is not None or self._transforms[-1].hides_graph):
            return None
        return self._node()

    def _node(self) -> Node | None:
        """The node that made it; after its base changed in place, one that reads it from the base anew."""
        base = self._base
        if base is not None and (self._fn is not None or base._fn is not None or (self._view_kind and base._requires)):
            STATE.refresh_view(self)
        return self._fn

    @property
    def grad(self) -> Any:
        """The accumulated gradient, or None."""
        if self._grad is None and self._fn is not None and not self._retains:
            warn(errors.NON_LEAF_GRAD)
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            check_grad(self, value)
        self._grad = value
        for o in STATE.observers:
            o.on_grad_set(self)

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @property
    def retains_grad(self) -> bool:
        """Whether this non-leaf keeps its gradient."""
        return self._retains

    def retain_grad(self) -> None:
        """Keep `.grad` although this is not a leaf. Raises RuntimeError when nothing is recorded."""
        if not self._needs_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if STATE.transforms:
            raise RuntimeError(errors.RETAIN_INSIDE)
        fn = None if self._fn is None and self._view_kind else self._node()
        if fn is None or self._retains:
            return
        fn.more().retains[self._nr] = weakref.ref(self)
        self._retains = True

    def _edge(self) -> tuple[Node, int] | None:
        """Where a gradient for this tensor goes; None when it needs none."""
        fn = self._fn
        if self._base is not None:
            counter = self._counter
            if fn is None or counter is None or self._view_version != counter.n:
                fn = self._node()
        if fn is not None:
            return (fn, self._nr)
        if not self._requires:
            return None
        acc = self._accumulator() if self._accumulator is not None else None
        if acc is None:
            acc = AccumulateGrad(self)
            self._accumulator = weakref.ref(acc)
            if self._hooks:
                acc.more().tensor.append((0, self._hooks))
        return (acc, 0)

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call hook(grad) when the gradient of this tensor is known; what it returns replaces the gradient."""
        if not self._needs_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._hooks is None:
            self._hooks = HookDict()
            edge = self._edge()
            if edge is not None:
                known = edge[0].more().tensor
                if not any(h is self._hooks for _, h in known):
                    known.append((edge[1], self._hooks))
                if self._fn is None:
                    self._hooks_keep = edge[0]  # a leaf's accumulator lives as long as its hooks
        return add_hook(self._hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], None]) -> RemovableHandle:
        """Call hook(tensor) each time its `.grad` was accumulated. Raises RuntimeError on non-leaves."""
        if not self._needs_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        if self._post_hooks is None:
            self._post_hooks = HookDict()
        return add_hook(self._post_hooks, hook)

    def is_inference(self) -> bool:
        """Whether it was made in inference mode."""
        return self._inference

    def _is_view(self) -> bool:
        return self._base is not None

    @property
    def data(self) -> Any:
        """The same memory without history, and with a version counter of its own."""
        t = object.__new__(type(self)) if type(self)._keeps_class else Tensor._wrap(self._array())
        t._a = self._array()
        t._storage = self._memory()
        t._inference = self._inference
        if self._transforms:
            t._transforms = self._transforms
        return t

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, TensorBase):
            raise TypeError("Variable data has to be a tensor, but got " + type(value).__name__)
        if self._needs_grad and value._a.dtype.kind not in "fcV":
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        self._a = value._array()
        self._storage = value._memory()
        self._accumulator = None
        for o in STATE.observers:
            o.on_data_set(self)


class Tensor(TensorBase):
    """A multi-dimensional array whose operations are recorded: https://docs.pytorch.org/docs/stable/tensors.html"""

    __module__ = "torch"


def check_grad(tensor: TensorBase, grad: Any) -> None:
    """Raise PyTorch's error when `grad` cannot be the gradient of `tensor`."""
    if not isinstance(grad, TensorBase):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(grad).__name__}")
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if grad._a.dtype != tensor._a.dtype:
        want, got = from_numpy(tensor._a.dtype), from_numpy(grad._a.dtype)
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{got.cpp_name}' to a tensor with grad_dtype "
            f"'{want.torch_name}'. "
            "The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the "
            "tensor's "
            "grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. "
            "Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match."
        )
    if grad._a.shape != tensor._a.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{errors.sizes(grad._a.shape)}' to a tensor of size "
            f"'{errors.sizes(tensor._a.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )


def as_tensor(value: Any) -> Tensor:
    """A 0-dimensional tensor of a Python number, with the dtype an operation would give it: int64, float64, bool."""
    return Tensor._wrap(np.array(value))


__all__ = ["Tensor", "TensorBase", "as_tensor", "check_grad"]
