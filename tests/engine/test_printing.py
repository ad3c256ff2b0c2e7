"""The text of tensors against what PyTorch printed."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine import dtypes, printing
from engine.printing import parameter_text, scalar_format, tensor_text

ORACLE = Path(__file__).parent.parent / "oracle"
PROGRAMS = [
    row
    for row in json.loads((ORACLE / "reprs.json").read_text())["cases"]
    if re.match(r"(torch\.(tensor|arange|zeros|set_printoptions)|nn\.Parameter)\(", row["code"])
    and not row["code"].endswith(("tolist()", "item()"))
]
ROWS = json.loads((ORACLE / "tensor_texts.json").read_text())["rows"]


@pytest.fixture(autouse=True)
def defaults():
    yield
    printing.set_printoptions(profile="default")
    dtypes.set_default_dtype(dtypes.float32)


def as_float32(array):
    return array.astype(np.float32) if array.dtype == np.float64 else array


def tensor(data, dtype=None, requires_grad=False):
    array = np.array(data)
    if dtype is None:
        dtype = {"f": dtypes.float32, "c": dtypes.complex64}.get(array.dtype.kind, dtypes.from_numpy(array.dtype))
    # numpy may lack bfloat16; the text needs only its values
    array = array.astype(np.float32 if dtype is dtypes.bfloat16 else dtype.numpy)
    return tensor_text(array, dtype, requires_grad=requires_grad)


def parameter(text, requires_grad=True):
    return "Parameter containing:\n" + (text[:-1] + ", requires_grad=True)" if requires_grad else text)


# As much of torch as the recorded programs use; a tensor is a numpy array or already its text.
NAMESPACE = {
    "torch": SimpleNamespace(
        **dtypes.TORCH_NAMES,
        tensor=tensor,
        arange=lambda end: as_float32(np.arange(end)),
        zeros=lambda *shape, dtype=dtypes.float32: np.zeros(shape, dtype.numpy),
        ones=lambda *shape: tensor(np.ones(shape)),
        set_printoptions=printing.set_printoptions,
    ),
    "nn": SimpleNamespace(Parameter=parameter),
}


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row["code"])
def test_recorded_programs(row):
    *statements, last = row["code"].split("; ")
    for statement in statements:
        exec(statement, NAMESPACE)
    value = eval(last, NAMESPACE)
    assert (value if isinstance(value, str) else tensor_text(value)) == row["repr"]


def test_the_recorded_programs_are_there():
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize("row", ROWS, ids=[str(number) for number in range(len(ROWS))])
def test_recorded_values(row):
    printing.set_printoptions(**row["options"])
    values = [complex(*value) for value in row["values"]] if row["dtype"] == "complex64" else row["values"]
    array = np.array(values, row["dtype"]).reshape(row["shape"])
    extras = {key: row[key] for key in ("requires_grad", "grad_fn_name") if key in row}
    assert tensor_text(array, **extras) == row["text"]


def test_suffixes():
    two = np.array([1.0, 2.0], np.float32)
    assert tensor_text(two, requires_grad=True) == "tensor([1., 2.], requires_grad=True)"
    assert tensor_text(two, requires_grad=True, grad_fn_name="MulBackward0") == (
        "tensor([1., 2.], grad_fn=<MulBackward0>)"
    )
    assert tensor_text(two, prefix="Tagged(") == "Tagged([1., 2.])"
    assert tensor_text(two, device="meta") == "tensor([1., 2.], device='meta')"
    assert parameter_text(two) == "Parameter containing:\ntensor([1., 2.], requires_grad=True)"


def test_a_suffix_that_does_not_fit_starts_a_line():
    row = np.arange(1, 14, dtype=np.float64) / 7
    assert tensor_text(row[:9], requires_grad=True) == (
        "tensor([0.1429, 0.2857, 0.4286, 0.5714, 0.7143, 0.8571, 1.0000, 1.1429, 1.2857],\n"
        "       dtype=torch.float64, requires_grad=True)"
    )


def test_the_type_is_named_unless_it_is_the_default():
    half = np.array([0.5], np.float32)
    dtypes.set_default_dtype(dtypes.float64)
    assert tensor_text(half) == "tensor([0.5000], dtype=torch.float32)"
    assert tensor_text(half.astype(np.float64)) == "tensor([0.5000])"
    assert tensor_text(half.astype(np.complex128)) == "tensor([0.5000+0.j])"


def test_options_come_and_go():
    third = np.array([1 / 3], np.float32)
    with printing.printoptions(precision=2, sci_mode=True):
        assert tensor_text(third) == "tensor([3.33e-01])"
        assert printing.get_printoptions()["precision"] == 2
    assert tensor_text(third) == "tensor([0.3333])"
    assert printing.get_printoptions() == {
        "precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (np.float32(0.1), ".4f", "0.1000"),
        (np.float32(0.1), "", "0.10000000149011612"),
        (np.int64(7), ">4", "   7"),
        (np.bool_(True), "", "True"),
    ],
)
def test_format_of_a_scalar(value, spec, text):
    assert scalar_format(np.asarray(value), spec) == text
