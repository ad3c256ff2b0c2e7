"""Logic on truth values and on the bits of integers. Nothing here has a derivative."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops.kinds import check_kind


def _bits(name: str, kernel: Callable[..., Any], kinds: str = "iub") -> Callable[..., Any]:
    """A kernel of arrays of integers and, unless told, bools, and of such numbers, refusing anything else as PyTorch
    does."""

    def checked(*operands: Any) -> Any:
        for x in operands:
            check_kind(f"{name}_cpu", x, kinds if hasattr(x, "dtype") else "iub")
        return kernel(*operands)

    return checked


def _two_bits(name: str, kernel: Callable[..., Any], sign: str, scalar: str = "Scalar") -> tuple[Op, Op, Op]:
    """The overloads of a bitwise operation: two tensors, tensor and number, number and tensor."""
    shift = {"bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift"}.get(name)
    checked = _bits(shift, kernel, "iu") if shift else _bits(name, kernel)
    latex = f"[[self]] {sign} [[other]]"
    call = f"torch.{name}({{}}, {{}})"
    six, two = "torch.tensor([6, 3])", "torch.tensor([2, 1])"
    return (
        Op(
            f"{name}.Tensor(Tensor self, Tensor other) -> Tensor", checked, latex=latex, promote="common",
            inplace=True, example=call.format(six, two),
        ),
        Op(
            f"{name}.{scalar}(Tensor self, Scalar other) -> Tensor", checked, latex=latex, promote="common",
            inplace=True, example=call.format(six, 2),
        ),
        Op(
            f"{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
            checked,
            latex=latex,
            promote="common",
            where=("function",),
            example=call.format(6, two),
        ),
    )  # fmt: skip


LOGICAL_AND = Op(
    "logical_and(Tensor self, Tensor other) -> Tensor",
    np.logical_and,
    pointwise=True,
    inplace=True,
    latex=r"[[self]] \wedge [[other]]",
    example="torch.logical_and(torch.tensor([True, True]), torch.tensor([True, False]))",
)
LOGICAL_OR = Op(
    "logical_or(Tensor self, Tensor other) -> Tensor",
    np.logical_or,
    pointwise=True,
    inplace=True,
    latex=r"[[self]] \vee [[other]]",
    example="torch.logical_or(torch.tensor([True, False]), torch.tensor([False, False]))",
)
LOGICAL_XOR = Op(
    "logical_xor(Tensor self, Tensor other) -> Tensor",
    np.logical_xor,
    pointwise=True,
    inplace=True,
    latex=r"[[self]] \oplus [[other]]",
    example="torch.logical_xor(torch.tensor([True, False]), torch.tensor([True, True]))",
)
LOGICAL_NOT = Op(
    "logical_not(Tensor self) -> Tensor",
    np.logical_not,
    inplace=True,
    latex=r"\neg [[self]]",
    example="torch.logical_not(torch.tensor([True, False]))",
    pointwise=True,
)

BITWISE_NOT = Op(
    "bitwise_not(Tensor self) -> Tensor",
    _bits("bitwise_not", np.invert),
    inplace=True,
    latex=r"\sim [[self]]",
    example="torch.bitwise_not(torch.tensor([0, 5]))",
)
BITWISE_AND, BITWISE_AND_SCALAR, BITWISE_AND_OF_SCALAR = _two_bits("bitwise_and", np.bitwise_and, r"\mathbin{\&}")
BITWISE_OR, BITWISE_OR_SCALAR, BITWISE_OR_OF_SCALAR = _two_bits("bitwise_or", np.bitwise_or, r"\mathbin{|}")
BITWISE_XOR, BITWISE_XOR_SCALAR, BITWISE_XOR_OF_SCALAR = _two_bits("bitwise_xor", np.bitwise_xor, r"\oplus")
SHIFT_LEFT, SHIFT_LEFT_SCALAR, SHIFT_LEFT_OF_SCALAR = _two_bits(
    "bitwise_left_shift", np.left_shift, r"\ll", "Tensor_Scalar"
)
SHIFT_RIGHT, SHIFT_RIGHT_SCALAR, SHIFT_RIGHT_OF_SCALAR = _two_bits(
    "bitwise_right_shift", np.right_shift, r"\gg", "Tensor_Scalar"
)
GCD = Op(
    "gcd(Tensor self, Tensor other) -> Tensor",
    _bits("gcd", np.gcd, "iu"),
    promote="common",
    inplace=True,
    latex=r"\gcd([[self]], [[other]])",
    example="torch.gcd(torch.tensor([12, 9]), torch.tensor([8, 6]))",
)
LCM = Op(
    "lcm(Tensor self, Tensor other) -> Tensor",
    _bits("lcm", np.lcm, "iu"),
    promote="common",
    inplace=True,
    latex=r"\operatorname{lcm}([[self]], [[other]])",
    example="torch.lcm(torch.tensor([12, 9]), torch.tensor([8, 6]))",
)
