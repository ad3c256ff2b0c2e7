"""Arrays of the user's: read, never written, whatever their shape; and no error of numpy's reaches a program."""

import zlib
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.op import Op
from engine.records import all_records
from engine.signature import REQUIRED
from engine.tensor import TensorBase

torch = install_as_torch()

PUBLIC = [r for r in all_records() if isinstance(r, Op) and r.samples is not None and r.where]
PYTORCHS_OWN = (RuntimeError, IndexError, TypeError, NotImplementedError)
CHANGES = {
    "no rows": lambda a: a[:0],
    "no columns": lambda a: a[..., :0],
    "one number": lambda a: a.reshape(-1)[0] if a.size else a,
    "one dimension more": lambda a: a[None],
    "whole numbers": lambda a: a.astype(np.int64) if a.dtype.kind == "f" else a,
}


def sample(op: Op) -> dict[str, Any]:
    found = op.samples(np.random.default_rng(zlib.crc32(op.name.encode())))[0]
    return {p.name: found.get(p.name, p.default) for p in op.signature.params}


def each(ops: list[Op]) -> Any:
    """One test per operator."""
    return pytest.mark.parametrize("op", ops, ids=lambda o: o.name)


def arrays_of(values: dict[str, Any]) -> list[np.ndarray]:
    return [x for v in values.values() for x in (v if type(v) is list else [v]) if isinstance(x, np.ndarray)]


def shared(v: Any) -> Any:
    """A tensor on an array's memory, one that needs a gradient where it can."""
    if type(v) is list:
        return [shared(x) for x in v]
    if not isinstance(v, np.ndarray | np.generic):
        return v
    t = torch.from_numpy(v) if isinstance(v, np.ndarray) else torch.tensor(v)
    return t.requires_grad_() if t.is_floating_point() else t


@each(PUBLIC)
def test_an_operator_and_its_backward_write_into_no_array(op: Op) -> None:
    values = sample(op)
    given = arrays_of(values)
    before = [a.copy() for a in given]
    assert all(v is not REQUIRED for v in values.values())
    out = op(*[shared(v) for v in values.values()])
    for y in [out] if isinstance(out, TensorBase) else out:
        if isinstance(y, TensorBase) and y.requires_grad:
            y.backward(torch.ones_like(y), retain_graph=True)
    for a, b in zip(given, before, strict=True):
        np.testing.assert_array_equal(a, b)


@each(PUBLIC)
def test_no_error_of_numpy_reaches_a_program(op: Op) -> None:
    for name, change in CHANGES.items():
        values = sample(op)
        first = next((k for k, v in values.items() if isinstance(v, np.ndarray)), None)
        if first is None:
            return
        values[first] = change(values[first])
        given = [torch.tensor(np.array(v)) if isinstance(v, np.ndarray | np.generic) else v for v in values.values()]
        given = [[torch.tensor(x) for x in v] if type(v) is list else v for v in given]
        said = ""
        try:
            op(*given)
        except PYTORCHS_OWN as error:
            if str(error) == "index_select(): self indexing axis dim should be positive":  # PyTorch's own words
                continue
            said = f"{type(error).__module__}: {error}"
        assert not any(word in said for word in ("numpy", "axis", "ufunc", "tuple index")), (name, said)


@each([op for op in PUBLIC if op.promote is not None and all(p.type == "Tensor" for p in op.signature.params)])
def test_numbers_without_dimensions(op: Op) -> None:
    """An elementwise operator on 0-dimensional tensors gives what it gives on the same numbers in a row."""
    values = [np.asarray(v) for v in sample(op).values() if v is not None]
    row = op(*[torch.tensor(v.reshape(-1)[:1]) for v in values])
    given = [torch.tensor(v.reshape(-1)[0]).requires_grad_(v.dtype.kind == "f") for v in values]
    one = op(*given)
    if not isinstance(one, TensorBase):
        row, one = row[0], one[0]
    assert one.shape == ()
    assert type(one.item()) in (float, int, bool, complex)
    np.testing.assert_allclose(one.detach().numpy(), row.numpy()[0], rtol=1e-12)
    if one.requires_grad:
        one.backward()
        assert all(t.grad is None or t.grad.shape == () for t in given)


def test_an_array_read_backwards_is_refused_unless_copied() -> None:
    a = np.arange(6.0)[::-1]
    for taken in (torch.from_numpy, torch.tensor, torch.as_tensor, torch.Tensor, torch.ones(1).new_tensor):
        with pytest.raises(ValueError, match="negative"):
            taken(a)
    assert torch.tensor(a.copy()).tolist() == a.tolist()
    assert torch.from_numpy(a.copy()).flip(0).is_contiguous()


def test_memory_is_shared_where_pytorch_shares_it() -> None:
    a = np.zeros(3)
    torch.from_numpy(a)[0] = 1
    torch.as_tensor(a)[1] = 2
    torch.tensor(a)[2] = 3
    assert a.tolist() == [1.0, 2.0, 0.0]
    torch.from_numpy(a).add(1)
    x = torch.from_numpy(a).requires_grad_()
    (x * x).sum().backward()
    x.grad.zero_()
    assert a.tolist() == [1.0, 2.0, 0.0]


def test_a_gradient_given_as_an_array_stays_as_it_is() -> None:
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    g = np.ones(3)
    for _ in range(2):
        (x * 1).backward(torch.from_numpy(g))
        x.grad.mul_(2)
    assert g.tolist() == [1.0, 1.0, 1.0]
