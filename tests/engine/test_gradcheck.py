"""The derivatives of every operator through Tensors: gradcheck and gradgradcheck, over the samples of the records.

Each sample comes as written, which includes broadcasting, once more with inputs that are not contiguous, and once more
with twice as many elements along its first dimension; inputs without elements are tried on every operator.

`make test` runs the checks whose samples are small; `make gradcheck` runs all of them, on all samples, twice over.
"""

import zlib
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.autograd.gradcheck import GradcheckError
from engine.op import Grad, Op
from engine.records import all_records
from engine.signature import REQUIRED
from engine.tensor import TensorBase

torch = install_as_torch()

CHECKED = [r for r in all_records() if isinstance(r, Op) and r.grads and r.samples is not None]
REASONS_WITHOUT_ELEMENTS = (RuntimeError, IndexError, ValueError)
"""What PyTorch raises for a call without elements that it does not take."""
ONCE_ONLY = {
    "hardsigmoid", "_scaled_dot_product_flash_attention_for_cpu", "_cdist_forward", "_embedding_bag",
    "multi_margin_loss", "multilabel_margin_loss_forward", "pdist",
}  # fmt: skip
"""Operators whose backward has no derivative."""
CONTIGUOUS_ONLY = {"view", "_unsafe_view", "_reshape_alias"}
"""Operators for which the memory of their input decides what they may do."""
ELEMENTS_NEEDED = {"linalg_inv_ex", "linalg_lu", "linalg_lu_factor_ex", "lu_unpack"}
"""Operators on square matrices: without rows the samples are no matrices that they take."""
MANY = 40
"""Elements of a sample from which on derivatives by differences take their time."""


def spread(a: np.ndarray) -> np.ndarray:
    """The same values at every second place of a larger array, the last dimension first."""
    if not a.ndim:
        return a
    if a.ndim < 2:
        wide = np.zeros([2 * n for n in a.shape], a.dtype)
        view = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    else:
        wide = np.zeros([2 * n for n in a.shape[::-1]], a.dtype)
        view = wide[tuple(slice(None, None, 2) for _ in a.shape)].transpose()
    view[...] = a
    return view


def tensors(op: Op, sample: dict[str, Any], change: Any = None) -> tuple[list[Any], list[Any]]:
    """The arguments in order, arrays as Tensors, and those among them that a rule is for."""
    named = {k.strip() for key in op.grads for k in key.split(",")}
    values, wanted = [], []

    def made(v: Any, name: str) -> Any:
        if not isinstance(v, np.ndarray | np.generic):
            return v
        v = np.array(v) if change is None else change(np.asarray(v))
        t = torch.from_numpy(v) if v.ndim else torch.tensor(v)
        if name in named and v.dtype.kind in "fc":
            wanted.append(t.requires_grad_())
        return t

    for p in op.signature.params:
        v = sample.get(p.name, p.default)
        assert v is not REQUIRED, f"{op.name}: the sample lacks {p.name}"
        values.append([made(x, p.name) for x in v] if type(v) is list else made(v, p.name))
    return values, wanted


def function(op: Op, values: list[Any]) -> Any:
    """The operator as a function of the tensors that need a gradient."""

    def call(*given: Any) -> Any:
        new = iter(given)

        def put(v: Any) -> Any:
            return next(new) if isinstance(v, TensorBase) and v.requires_grad else v

        out = op(*[[put(x) for x in v] if type(v) is list else put(v) for v in values])
        return tuple(t for t in out if t is not None) if isinstance(out, tuple) else out  # None: not asked for

    return call


def samples(op: Op) -> list[dict[str, Any]]:
    return op.samples(np.random.default_rng(zlib.crc32(op.name.encode())))


def arrays(sample: dict[str, Any]) -> list[np.ndarray]:
    """The arrays of a sample, those in lists too."""
    given = [x for v in sample.values() for x in (v if type(v) is list else [v])]
    return [np.asarray(x) for x in given if isinstance(x, np.ndarray | np.generic)]


def along_first(sample: dict[str, Any], change: Any) -> dict[str, Any]:
    """A sample with every array changed whose first dimension is as long as that of the first array that has one."""
    n = next((a.shape[0] for a in arrays(sample) if a.ndim), None)

    def changed(v: Any) -> Any:
        return change(v) if isinstance(v, np.ndarray) and v.ndim and v.shape[0] == n else v

    return {k: [changed(x) for x in v] if type(v) is list else changed(v) for k, v in sample.items()}


def shapes(op: Op) -> set[Any]:
    """The different shapes that an operator's samples have."""
    return {tuple(a.shape for a in arrays(s)) for s in samples(op)}


def check_one(op: Op, sample: dict[str, Any], change: Any = None, twice: bool = False) -> None:
    values, wanted = tensors(op, sample, change)
    checked = torch.autograd.gradgradcheck if twice else torch.autograd.gradcheck
    assert checked(function(op, values), wanted)


def check(op: Op, change: Any = None, twice: bool = False, only: int | None = None) -> None:
    for sample in samples(op)[:only]:
        check_one(op, sample, change, twice)


def elements(op: Op) -> int:
    """Elements of an operator's first sample."""
    return sum(a.size for a in arrays(samples(op)[0]))


def each(ops: list[Op]) -> Any:
    """One test per operator."""
    return pytest.mark.parametrize("op", ops, ids=lambda o: o.name)


def each_quick_first(ops: list[Op]) -> Any:
    """One test per operator, those with large samples marked slow."""
    marks = [[pytest.mark.slow] if elements(op) > MANY else [] for op in ops]
    return pytest.mark.parametrize(
        "op", [pytest.param(op, id=op.name, marks=m) for op, m in zip(ops, marks, strict=True)]
    )


@each_quick_first(CHECKED)
def test_gradcheck(op: Op) -> None:
    check(op)


@each([op for op in CHECKED if op.name not in CONTIGUOUS_ONLY])
def test_inputs_that_are_not_contiguous(op: Op) -> None:
    check(op, spread, only=1)


@each_quick_first([op for op in CHECKED if op.name not in ONCE_ONLY])
def test_gradgradcheck(op: Op) -> None:
    check(op, twice=True, only=1)


@pytest.mark.slow
@each([op for op in CHECKED if op.name not in ONCE_ONLY])
def test_gradgradcheck_of_all_samples(op: Op) -> None:
    check(op, twice=True)


@each([op for op in CHECKED if op.name in ONCE_ONLY])
def test_a_second_derivative_that_is_not_there_says_so(op: Op) -> None:
    with pytest.raises((NotImplementedError, RuntimeError), match=r"derivative for .* is not implemented|does not yet"):
        check(op, twice=True, only=1)


ONE_SHAPE = [op for op in CHECKED if len(shapes(op)) == 1 and any(a.ndim for a in arrays(samples(op)[0]))]


@each_quick_first(ONE_SHAPE)
def test_another_shape(op: Op) -> None:
    """Where all samples have one shape, the first one again, twice as long."""
    longer = along_first(samples(op)[0], lambda a: np.concatenate([a, a[::-1]]))
    assert tuple(a.shape for a in arrays(longer)) not in shapes(op)
    check_one(op, longer)


@each([op for op in CHECKED if op.where and op.name not in ELEMENTS_NEEDED])
def test_inputs_without_elements(op: Op) -> None:
    """The gradient has no elements or is zero; a call that cannot be without elements says so in PyTorch's way."""
    values, wanted = tensors(op, along_first(samples(op)[0], lambda a: a[:0]))
    try:
        out = op(*values)
    except REASONS_WITHOUT_ELEMENTS:
        return
    outs = [out] if isinstance(out, TensorBase) else [o for o in out if isinstance(o, TensorBase)]
    outs = [o for o in outs if o.requires_grad]
    if not outs:
        return
    grads = torch.autograd.grad(outs[0], wanted, torch.ones_like(outs[0]), allow_unused=True)
    for t, g in zip(wanted, grads, strict=True):
        assert g is None or g.shape == t.shape
        assert g is None or outs[0].numel() or not g.any()


def test_a_wrong_derivative_is_noticed() -> None:
    wrong = Op(
        "wrong(Tensor self) -> Tensor",
        np.sin,
        "WrongBackward0",
        {"self": Grad(lambda grad, self: grad * self, "")},
        samples=lambda rng: [{"self": rng.normal(size=3)}],
    )
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        check(wrong)


def test_a_wrong_second_derivative_is_noticed() -> None:
    inner = Op(
        "inner(Tensor grad, Tensor self) -> Tensor",
        lambda grad, self: grad * np.cos(self),
        "InnerBackward0",
        {
            "grad": Grad(lambda grad, self: grad * torch.cos(self) if isinstance(self, TensorBase) else grad, ""),
            "self": Grad(lambda grad, self: grad * self, ""),
        },
    )
    outer = Op(
        "outer(Tensor self) -> Tensor",
        np.sin,
        "OuterBackward0",
        {"self": Grad(lambda grad, self: inner(grad, self), "")},
        samples=lambda rng: [{"self": rng.normal(size=3)}],
    )
    check(outer)
    with pytest.raises(GradcheckError):
        check(outer, twice=True)
