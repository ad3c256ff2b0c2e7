"""The derivatives of every operator through Tensors: gradcheck and gradgradcheck, over the samples of the records.

Each sample comes as written, which includes broadcasting, and once more with inputs that are not contiguous; inputs
without elements are tried where an operator takes them.
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
ONCE_ONLY = {
    "hardsigmoid", "_scaled_dot_product_flash_attention_for_cpu", "_cdist_forward", "_embedding_bag",
    "grid_sampler_2d", "multi_margin_loss", "multilabel_margin_loss_forward", "pdist",
}  # fmt: skip
"""Operators whose backward has no derivative, in PyTorch neither except for grid_sampler_2d."""
CONTIGUOUS_ONLY = {"view", "_unsafe_view", "_reshape_alias"}
"""Operators for which the memory of their input decides what they may do."""
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

        return op(*[[put(x) for x in v] if type(v) is list else put(v) for v in values])

    return call


def samples(op: Op) -> list[dict[str, Any]]:
    return op.samples(np.random.default_rng(zlib.crc32(op.name.encode())))


def check(op: Op, change: Any = None, twice: bool = False, only: int | None = None) -> None:
    for sample in samples(op)[:only]:
        values, wanted = tensors(op, sample, change)
        run = function(op, values)
        if twice:
            assert torch.autograd.gradgradcheck(run, wanted)
        else:
            assert torch.autograd.gradcheck(run, wanted)


def elements(op: Op) -> int:
    """Elements of an operator's first sample."""
    given = [x for v in samples(op)[0].values() for x in (v if type(v) is list else [v])]
    return sum(x.size for x in given if isinstance(x, np.ndarray))


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


@each([op for op in CHECKED if op.promote is not None])
def test_inputs_without_elements(op: Op) -> None:
    sample = samples(op)[0]
    given = [x for v in sample.values() for x in (v if type(v) is list else [v])]
    most = max((x.ndim for x in given if isinstance(x, np.ndarray)), default=0)

    def emptied(a: np.ndarray) -> np.ndarray:
        return a[:0] if a.ndim == most and most else a

    values, wanted = tensors(op, sample, emptied)
    out = op(*values)
    out = out if isinstance(out, TensorBase) else out[0]
    grads = torch.autograd.grad(out, wanted, torch.ones_like(out), allow_unused=True)
    for t, g in zip(wanted, grads, strict=True):
        assert g is None or (g.shape == t.shape and not g.any())


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
