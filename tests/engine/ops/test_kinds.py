"""Kernels refuse the kinds of numbers that ATen refuses, and keep the dtype of those they take."""

from pathlib import Path

import numpy as np
import pytest

import engine.ops
from engine.ops.activation import HARDTANH, LEAKY_RELU, RELU
from engine.ops.activation_smooth import GELU
from engine.ops.arithmetic import ADD, NEG, SUB
from engine.ops.bounds import CLAMP
from engine.ops.comparison import EQ, LT
from engine.ops.division import DIV_MODE, FLOOR_DIVIDE
from engine.ops.kinds import held
from engine.ops.logical import BITWISE_AND, SHIFT_LEFT
from engine.ops.rounding import FLOOR, ROUND

INTEGERS, BOOLS, COMPLEX = np.array([1, -2]), np.array([True, False]), np.array([1j, 2.0])


@pytest.mark.parametrize(
    ("op", "args", "error", "message"),
    [
        (GELU, (INTEGERS,), NotImplementedError, "\"GeluKernelImpl\" not implemented for 'Long'"),
        (LEAKY_RELU, (BOOLS,), NotImplementedError, "\"leaky_relu_cpu\" not implemented for 'Bool'"),
        (RELU, (BOOLS,), RuntimeError, "Boolean inputs not supported for relu"),
        (RELU, (COMPLEX,), NotImplementedError, "clamp is not supported for complex types"),
        (CLAMP, (COMPLEX, 0, 1), NotImplementedError, "clamp is not supported for complex types"),
        (NEG, (BOOLS,), RuntimeError, "on a bool tensor is not supported"),
        (SUB, (BOOLS, BOOLS), RuntimeError, "with two bool tensors is not supported"),
        (ADD, (INTEGERS, INTEGERS, 0.5), RuntimeError, "alpha must not be a floating point number"),
        (LT, (COMPLEX, COMPLEX), NotImplementedError, "\"lt_cpu\" not implemented for 'ComplexDouble'"),
        (FLOOR, (COMPLEX,), NotImplementedError, "floor is not supported for complex inputs"),
        (ROUND, (BOOLS,), NotImplementedError, "\"round_vml_cpu\" not implemented for 'Bool'"),
        (BITWISE_AND, (np.ones(2), 1), NotImplementedError, "\"bitwise_and_cpu\" not implemented for 'Double'"),
        (SHIFT_LEFT, (np.ones(2), 1), NotImplementedError, "\"lshift_cpu\" not implemented for 'Double'"),
        (FLOOR_DIVIDE, (INTEGERS, 0), RuntimeError, "ZeroDivisionError"),
        (DIV_MODE, (INTEGERS, 2, "up"), RuntimeError, "but found 'up'"),
    ],
)
def test_refused(op, args, error, message):
    with pytest.raises(error) as caught:
        op(*args)
    assert message in str(caught.value)


def test_taken():
    assert RELU(INTEGERS).tolist() == [1, 0]
    assert HARDTANH(INTEGERS, -1.0, 1.0).dtype == np.int64
    assert FLOOR(INTEGERS).dtype == np.int64
    assert EQ(COMPLEX, COMPLEX).all()
    assert DIV_MODE(INTEGERS, 2, None).dtype == np.float32
    assert DIV_MODE(np.array([-5]), 2, "trunc").tolist() == [-2]
    assert DIV_MODE(np.array([-5]), 2, "floor").tolist() == [-3]


def test_a_number_must_fit_the_dtype_that_holds_it():
    assert held(3.7, np.dtype(np.int64)) == 3
    for value in (300, float("inf"), float("nan")):
        with pytest.raises(RuntimeError, match="int8_t without overflow"):
            held(value, np.dtype(np.int8))


def test_one_place_words_what_a_kernel_is_not_implemented_for():
    sources = Path(engine.ops.__file__).parent.glob("*.py")
    assert [p.name for p in sources if "not implemented for '" in p.read_text(encoding="utf-8")] == ["kinds.py"]
