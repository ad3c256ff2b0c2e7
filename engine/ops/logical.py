"""Logic on truth values and on the bits of integers. Nothing here has a derivative."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.kinds import torch_name


def _bits(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel of integers and bools, refusing anything else as PyTorch does."""

    def checked(*operands: Any) -> Any:
        for x in operands:
            if np.asarray(x).dtype.kind not in "iub":
                raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{torch_name(x)}'")
        return kernel(*operands)

    return checked


def _two_bits(name: str, kernel: Callable[..., Any], scalar: str = "Scalar") -> tuple[Op, Op, Op]:
    """The overloads of a bitwise operation: two tensors, tensor and number, number and tensor."""
    checked = _bits({"bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift"}.get(name, name), kernel)
    return (
        Op(f"{name}.Tensor(Tensor self, Tensor other) -> Tensor", checked, promote="common", inplace=True),
        Op(f"{name}.{scalar}(Tensor self, Scalar other) -> Tensor", checked, promote="common", inplace=True),
        Op(
            f"{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
            checked,
            promote="common",
            where=("function",),
        ),
    )


LOGICAL_AND = Op("logical_and(Tensor self, Tensor other) -> Tensor", np.logical_and, inplace=True)
LOGICAL_OR = Op("logical_or(Tensor self, Tensor other) -> Tensor", np.logical_or, inplace=True)
LOGICAL_XOR = Op("logical_xor(Tensor self, Tensor other) -> Tensor", np.logical_xor, inplace=True)
LOGICAL_NOT = Op("logical_not(Tensor self) -> Tensor", np.logical_not, inplace=True)

BITWISE_NOT = Op("bitwise_not(Tensor self) -> Tensor", _bits("bitwise_not", np.invert), inplace=True)
BITWISE_AND, BITWISE_AND_SCALAR, BITWISE_AND_OF_SCALAR = _two_bits("bitwise_and", np.bitwise_and)
BITWISE_OR, BITWISE_OR_SCALAR, BITWISE_OR_OF_SCALAR = _two_bits("bitwise_or", np.bitwise_or)
BITWISE_XOR, BITWISE_XOR_SCALAR, BITWISE_XOR_OF_SCALAR = _two_bits("bitwise_xor", np.bitwise_xor)
SHIFT_LEFT, SHIFT_LEFT_SCALAR, SHIFT_LEFT_OF_SCALAR = _two_bits("bitwise_left_shift", np.left_shift, "Tensor_Scalar")
SHIFT_RIGHT, SHIFT_RIGHT_SCALAR, SHIFT_RIGHT_OF_SCALAR = _two_bits(
    "bitwise_right_shift", np.right_shift, "Tensor_Scalar"
)
GCD = Op("gcd(Tensor self, Tensor other) -> Tensor", _bits("gcd", np.gcd), promote="common", inplace=True)
LCM = Op("lcm(Tensor self, Tensor other) -> Tensor", _bits("lcm", np.lcm), promote="common", inplace=True)
