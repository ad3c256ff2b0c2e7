"""Second names of operators: `torch.multiply`, `Tensor.absolute`, `torch.special.expit` and their in-place forms."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from engine.composite import Composite
from engine.dispatch import run, run_inplace
from engine.op import Op
from engine.ops import (
    arithmetic,
    bounds,
    comparison,
    division,
    error_function,
    exponentials,
    rounding,
    special,
    trigonometry,
)


def _given(call: Callable[..., Any], op: Op) -> Callable[..., Any]:
    return lambda *values: call(op, list(values))


def _renamed(op: Op, base: str, call: Callable[..., Any], where: tuple[str, ...]) -> Composite:
    made = Composite(f"{base}() -> Tensor", _given(call, op), where, op.numbers)
    made.signature = replace(op.signature, base=base)
    made.name = made.signature.name
    return made


def _alias(name: str, *ops: Op) -> list[Composite]:
    """Another name of all overloads, with the in-place forms where the operators have them."""
    made = [_renamed(op, name, run, op.where) for op in ops]
    made += [_renamed(op, name + "_", run_inplace, ("function", "method")) for op in ops if op.inplace]
    return made


def _of_numbers(name: str, *ops: Op) -> list[Composite]:
    """The overloads of `name` whose second operand is a number, which PyTorch lists by themselves."""
    made = []
    for op in ops:
        params = tuple(
            replace(p, type="Scalar") if p.name == "other" else replace(p, keyword_only=p.name == "rounding_mode")
            for p in op.signature.params
        )
        overload = "Scalar_mode" if op.signature.overload.endswith("mode") else "Scalar"
        for base, call in ((name, run), (name + "_", run_inplace)):
            twin = _renamed(op, base, call, op.where if base == name else ("function", "method"))
            twin.signature = replace(op.signature, base=base, overload=overload, params=params)
            twin.name = twin.signature.name
            made.append(twin)
    return made


_special = partial(_renamed, call=run, where=("special",))


def _compared(name: str, base: str) -> list[Composite]:
    """Another name of a comparison, whose in-place forms are operators of their own."""
    ops = [getattr(comparison, base + tail) for tail in ("_SCALAR", "")]
    inplace = [getattr(comparison, base + tail) for tail in ("_SCALAR_", "_")]
    return [
        *(_renamed(op, name, run, op.where) for op in ops),
        *(_renamed(op, name + "_", run_inplace, op.where) for op in inplace),
    ]


ALIASES = (
    *_alias("subtract", arithmetic.SUB),
    *_of_numbers("subtract", arithmetic.SUB),
    *_alias("multiply", arithmetic.MUL),
    *_of_numbers("multiply", arithmetic.MUL),
    *_alias("divide", arithmetic.DIV, division.DIV_MODE),
    *_of_numbers("divide", arithmetic.DIV, division.DIV_MODE),
    *_alias("true_divide", arithmetic.DIV),
    *_of_numbers("true_divide", arithmetic.DIV),
    *_of_numbers("div", division.DIV_MODE),
    *_of_numbers("floor_divide", division.FLOOR_DIVIDE),
    *_alias("negative", arithmetic.NEG),
    *_alias("absolute", rounding.ABS),
    *_alias("fix", rounding.TRUNC),
    *_alias("clip", bounds.CLAMP, bounds.CLAMP_TENSOR),
    *_alias("arcsin", trigonometry.ASIN),
    *_alias("arccos", trigonometry.ACOS),
    *_alias("arctan", trigonometry.ATAN),
    *_alias("arctan2", trigonometry.ATAN2),
    *_alias("arcsinh", trigonometry.ASINH),
    *_alias("arccosh", trigonometry.ACOSH),
    *_alias("arctanh", trigonometry.ATANH),
    *_compared("not_equal", "NE"),
    *_compared("less", "LT"),
    *_compared("less_equal", "LE"),
    *_compared("greater", "GT"),
    *_compared("greater_equal", "GE"),
)
SPECIAL = (
    _special(exponentials.SIGMOID, "special_expit"),
    _special(exponentials.LOGIT, "special_logit"),
    _special(exponentials.EXP2, "special_exp2"),
    _special(exponentials.EXPM1, "special_expm1"),
    _special(exponentials.LOG1P, "special_log1p"),
    _special(exponentials.XLOGY, "special_xlogy"),
    _special(exponentials.XLOGY_OF_SCALAR, "special_xlogy"),
    _special(exponentials.XLOGY_BY_SCALAR, "special_xlogy"),
    _special(error_function.ERF, "special_erf"),
    _special(error_function.ERFC, "special_erfc"),
    _special(error_function.ERFINV, "special_erfinv"),
    _special(trigonometry.SINC, "special_sinc"),
    _special(special.LGAMMA, "special_gammaln"),
    _special(special.DIGAMMA, "special_digamma"),
    _special(special.DIGAMMA, "special_psi"),
    _special(special.POLYGAMMA, "special_polygamma"),
    _special(special.MVLGAMMA, "special_multigammaln"),
    _special(special.IGAMMA, "special_gammainc"),
    _special(special.IGAMMAC, "special_gammaincc"),
    _special(special.I0, "special_i0"),
)
