"""The derivatives of every operator through Tensors: gradcheck and gradgradcheck, over the samples of the records.

Each sample comes as written, once more with inputs that are not contiguous, once more twice as long where there is only
one shape, without elements, and with each of several inputs broadcast. tests/oracle/sample_kinds.json says which of the
last two PyTorch takes; the last test here says that no operator lacks a kind without a reason.

`make test` runs the checks whose samples are small; `make gradcheck` runs all of them, on all samples, twice over.
"""

import contextlib
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.autograd.gradcheck import GradcheckError
from engine.op import Grad, Op
from engine.records import all_records
from engine.signature import REQUIRED
from engine.tensor import TensorBase
from tests.engine.sample_kinds import Sample, arrays, longer, samples, shape, spread, twins
from tests.oracle.recordings import load

torch = install_as_torch()

CHECKED = [r for r in all_records() if isinstance(r, Op) and r.grads and r.samples is not None]
ONCE_ONLY = {
    "hardsigmoid", "_scaled_dot_product_flash_attention_for_cpu", "_cdist_forward", "_embedding_bag",
    "multi_margin_loss", "multilabel_margin_loss_forward", "pdist",
}  # fmt: skip
"""Operators whose backward has no derivative."""
CONTIGUOUS_ONLY = {"view", "_unsafe_view", "_reshape_alias"}
"""Operators for which the memory of their input decides what they may do."""
RECORDED = load("sample_kinds")
REFUSALS = (RuntimeError, IndexError, NotImplementedError)
UNLIKE_PYTORCH = {
    "native_batch_norm": "PyTorch reads beyond the end of a weight of another size",
    "_weight_norm_interface": "PyTorch reads beyond the end of norms of another size",
    "lu_unpack": "with inputs that are no factors of a matrix",
    "linalg_lu": "its derivative for matrices that are not square is not there",
    "_embedding_bag": "of bags that no index belongs to",
    "_scaled_dot_product_flash_attention_for_cpu": "with a mask that no query belongs to",
    "convolution_backward": "for no channels, with a gradient of a size that the forward does not give",
    "max_pool3d_with_indices_backward": "with places of another size, which PyTorch does not look at",
    "fractional_max_pool3d_backward": "with places of another size, which PyTorch does not look at",
    "binary_cross_entropy_backward": "into a result smaller than its inputs, which PyTorch writes only in part",
}
"""Operators that PyTorch runs on some inputs which mean nothing, and why the engine does otherwise."""
MANY = 40
"""Elements of a sample from which on derivatives by differences take their time."""


def tensors(op: Op, sample: Sample, change: Any = None) -> tuple[list[Any], list[Any]]:
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


def shapes(op: Op) -> set[Any]:
    """The different shapes that an operator's samples have."""
    return {shape(s) for s in samples(op)}


def check_one(op: Op, sample: Sample, change: Any = None, twice: bool = False) -> None:
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
    twice = longer(samples(op)[0])
    assert shape(twice) not in shapes(op)
    check_one(op, twice)


def taken(op: Op, kind: str, letters: str = "+1") -> list[Sample]:
    """The samples of a kind that PyTorch takes, and whose derivatives its own gradcheck finds right.

    Before they are recorded, by scripts/record_sample_kinds.py, "w" tells those that the engine takes.
    """
    made, recorded = twins(op, kind), RECORDED[kind].get(op.name, "")
    if len(made) != len(recorded):
        return [twin for twin in made if "w" in letters and computed(op, twin)]
    return [twin for twin, letter in zip(made, recorded, strict=True) if letter in letters]


def computed(op: Op, sample: Sample) -> bool:
    """Whether the engine computes an operator and its gradients."""
    try:
        gradients(op, sample)
    except REFUSALS:
        return False
    return True


def gradients(op: Op, sample: Sample) -> tuple[list[Any], list[Any], list[Any]]:
    """The outputs that need a gradient, the inputs that do, and their gradients for ones."""
    values, wanted = tensors(op, sample)
    out = op(*values)
    outs = [o for o in (out if isinstance(out, tuple) else (out,)) if isinstance(o, TensorBase) and o.requires_grad]
    ones = [torch.ones_like(o) for o in outs]
    return outs, wanted, list(torch.autograd.grad(outs, wanted, ones, allow_unused=True)) if outs else []


EMPTY, BROADCAST = "without elements", "broadcasting"
SURE = [op for op in CHECKED if op.name not in UNLIKE_PYTORCH]


@each(SURE)
def test_inputs_without_elements(op: Op) -> None:
    """Where PyTorch takes them, with a gradient of each input's size, and the right one where there is one."""
    for sample in taken(op, EMPTY, "+1w"):
        outs, wanted, grads = gradients(op, sample)
        assert all(g is None or g.shape == t.shape for t, g in zip(wanted, grads, strict=bool(outs)))
    for sample in taken(op, EMPTY):
        check_one(op, sample)


@each_quick_first([op for op in SURE if taken(op, BROADCAST)])
def test_inputs_that_broadcast(op: Op) -> None:
    for sample in taken(op, BROADCAST):
        check_one(op, sample)


@each([op for op in SURE if op.where])
def test_what_pytorch_refuses_is_computed_or_refused_in_its_way(op: Op) -> None:
    for kind in (EMPTY, BROADCAST):
        for sample in taken(op, kind, "-"):
            with contextlib.suppress(*REFUSALS):
                gradients(op, sample)


@pytest.mark.slow
@each([op for op in CHECKED if op.name not in CONTIGUOUS_ONLY])
def test_all_samples_that_are_not_contiguous(op: Op) -> None:
    check(op, spread)


@pytest.mark.slow
@each([op for op in SURE if op.name not in ONCE_ONLY])
def test_gradgradcheck_without_elements_and_broadcasting(op: Op) -> None:
    for sample in taken(op, EMPTY, "+") + taken(op, BROADCAST, "+"):
        if gradients(op, sample)[0]:  # what is cut into no pieces has no gradient
            check_one(op, sample, twice=True)


@each([r for r in all_records() if isinstance(r, Op) and r.grads])
def test_no_operator_lacks_a_kind_of_input_without_a_reason(op: Op) -> None:
    """Kinds made of its samples by the tests above; one that is not there is one PyTorch refuses, in its own words."""
    if op.samples is None:
        assert op.unchecked
        return
    given = arrays(samples(op)[0])
    if not any(a.ndim for s in samples(op) for a in arrays(s)):
        assert op.signature.base == "cat" or not any(a.ndim for a in given)
        return
    assert len(shapes(op) | {shape(longer(samples(op)[0]))}) > 1
    assert op.name in CONTIGUOUS_ONLY or any(not spread(a).flags.c_contiguous for s in samples(op) for a in arrays(s))
    assert taken(op, EMPTY, "+1w") or RECORDED["words"][EMPTY][op.name]
    if twins(op, BROADCAST):
        assert taken(op, BROADCAST, "+1w") or RECORDED["words"][BROADCAST][op.name]
    else:
        assert max(len(arrays(s)) for s in samples(op)) < 2 or any(type(v) is list for v in samples(op)[0].values())


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
