"""Element types against PyTorch's recorded promotion tables, texts and messages."""

import copy
import json
import pickle
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine import dtypes
from engine.dtypes import TORCH_NAMES, finfo, iinfo

FACTS = json.loads((Path(__file__).parent.parent / "oracle" / "dtypes.json").read_text())
NUMBERS = {"py_bool": True, "py_int": 2, "py_float": 2.5, "py_complex": 2j}
SINGLETONS = sorted(set(TORCH_NAMES.values()), key=lambda d: d.name)


@pytest.fixture(autouse=True)
def default_dtype():
    yield
    dtypes.set_default_dtype(dtypes.float32)


def cells(table):
    """(row name, column name, recorded cell) of one recorded table."""
    columns = FACTS[table]["columns"].split()
    for row, recorded in FACTS[table]["rows"].items():
        yield from ((row, column, cell) for column, cell in zip(columns, recorded.split(), strict=True))


def attempt(function, *args):
    try:
        result = function(*args)
    except RuntimeError:
        return "error"
    return result.name if isinstance(result, dtypes.dtype) else str(result)


@pytest.mark.parametrize("table", ["promote_types", "can_cast"])
def test_pairs_of_dtypes(table):
    function = getattr(dtypes, table)
    wrong = [
        (a, b, got, cell)
        for a, b, cell in cells(table)
        if (got := attempt(function, TORCH_NAMES[a], TORCH_NAMES[b])) != cell
    ]
    assert not wrong


def operand(name):
    """``float320`` is a zero-dimensional float32 tensor, ``float321`` one with a dimension."""
    return NUMBERS[name] if name in NUMBERS else SimpleNamespace(dtype=TORCH_NAMES[name[:-1]], ndim=int(name[-1]))


def test_result_type_of_tensors_and_numbers():
    wrong = [
        (a, b, got, cell)
        for a, b, cell in cells("result_type")
        if (got := attempt(dtypes.result_type, operand(a), operand(b))) != cell
    ]
    assert not wrong


def test_result_type_follows_the_default_dtype():
    integers = SimpleNamespace(dtype=dtypes.int32, ndim=1)
    dtypes.set_default_dtype(dtypes.float64)
    assert dtypes.result_type(integers, 2.5) is dtypes.float64
    assert dtypes.result_type(integers, 2.5j) is dtypes.complex128
    assert dtypes.result_type(SimpleNamespace(dtype=dtypes.float32, ndim=1), 2.5j) is dtypes.complex64
    assert repr(finfo()) == repr(finfo(dtypes.float64))


def test_one_object_per_dtype():
    assert TORCH_NAMES["float"] is dtypes.float32
    assert TORCH_NAMES["long"] is dtypes.int64 is dtypes.long
    assert TORCH_NAMES["bool"] is dtypes.bool_
    assert len(SINGLETONS) == len({repr(d) for d in SINGLETONS}) == 16
    for d in SINGLETONS:
        assert pickle.loads(pickle.dumps(d)) is d
        assert copy.deepcopy(d) is d
    with pytest.raises(TypeError, match=r"^cannot create 'torch.dtype' instances$"):
        dtypes.dtype()


def test_attributes():
    assert (repr(dtypes.float32), str(type(dtypes.float32))) == ("torch.float32", "<class 'torch.dtype'>")
    assert [d.name for d in SINGLETONS if not d.is_signed] == ["bool", "uint16", "uint32", "uint64", "uint8"]
    assert [d.name for d in SINGLETONS if d.is_floating_point] == ["bfloat16", "float16", "float32", "float64"]
    assert [d.name for d in SINGLETONS if d.is_complex] == ["complex128", "complex32", "complex64"]
    assert [dtypes.complex32.itemsize, dtypes.bfloat16.itemsize, dtypes.complex128.itemsize] == [4, 2, 16]
    assert dtypes.complex64.to_real() is dtypes.float32
    assert dtypes.bfloat16.to_complex() is dtypes.complex64
    assert dtypes.int8.to_real() is dtypes.int8
    with pytest.raises(RuntimeError, match=r"^Unknown Complex ScalarType for Char$"):
        dtypes.int8.to_complex()
    with pytest.raises(AttributeError, match="no attribute 'size'"):
        dtypes.float32.size  # noqa: B018


def test_numpy_round_trip():
    stored = [d for d in SINGLETONS if d not in (dtypes.bfloat16, dtypes.complex32)]
    for d in stored:
        assert d.numpy.itemsize == d.itemsize
        assert dtypes.from_numpy(d.numpy) is d
        assert dtypes.from_numpy(d.numpy.newbyteorder(">")) is d
    with pytest.raises(TypeError, match=r"^can't convert np.ndarray of type numpy.str_\. The only supported types are"):
        dtypes.from_numpy(np.array(["a"]).dtype)


def test_types_numpy_cannot_store_say_so():
    with pytest.raises(RuntimeError, match=r"^torch.complex32 tensors are not supported"):
        dtypes.complex32.numpy  # noqa: B018
    if find_spec("ml_dtypes"):
        assert dtypes.bfloat16.numpy.name == "bfloat16"
    else:
        with pytest.raises(RuntimeError, match=r"^torch.bfloat16 tensors need the optional ml_dtypes package"):
            dtypes.bfloat16.numpy  # noqa: B018


def test_limits_print_as_torch_prints_them():
    assert repr(finfo(dtypes.float32)) == (
        "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)"
    )
    assert repr(finfo(dtypes.bfloat16)) == (
        "finfo(resolution=0.01, min=-3.38953e+38, max=3.38953e+38, eps=0.0078125, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=bfloat16)"
    )
    assert repr(finfo(dtypes.float16)) == (
        "finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, "
        "smallest_normal=6.10352e-05, tiny=6.10352e-05, dtype=float16)"
    )
    assert finfo(dtypes.complex64) == finfo(dtypes.float32)
    assert finfo(dtypes.float64).eps == 2.220446049250313e-16
    assert repr(iinfo(dtypes.uint32)) == "iinfo(min=0, max=4.29497e+09, dtype=uint32)"
    assert (iinfo(dtypes.int64).max, iinfo(dtypes.int64).min) == (2**63 - 1, -(2**63))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: finfo(dtypes.int32), TypeError,
         "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"),
        (lambda: iinfo(dtypes.float32), TypeError,
         "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"),
        (lambda: iinfo(dtypes.bool_), TypeError, "torch.bool is not supported by torch.iinfo"),
        (lambda: finfo(3), TypeError, "finfo(): argument 'type' (position 1) must be torch.dtype, not int"),
        (lambda: dtypes.promote_types(1, 2), TypeError,
         "promote_types(): argument 'type1' (position 1) must be torch.dtype, not int"),
        (lambda: dtypes.promote_types(dtypes.uint64, dtypes.uint32), RuntimeError,
         "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt64 and UInt32"),
        (lambda: dtypes.can_cast(1, 2), TypeError,
         "can_cast(): argument 'from_' (position 1) must be torch.dtype, not int"),
        (lambda: dtypes.set_default_dtype(dtypes.int32), TypeError,
         "only floating-point types are supported as the default type"),
        (lambda: dtypes.set_default_dtype(3), TypeError,
         "invalid dtype object: only floating-point types are supported as the default type"),
    ],
)  # fmt: skip
def test_messages(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
