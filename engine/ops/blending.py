"""Operations of three tensors: interpolation, and a product or quotient added to a tensor."""

import numpy as np

from engine.op import Grad, Op
from engine.ops.arithmetic import DIV, MUL_SCALAR, SUB
from engine.ops.kinds import check_kind, cpp_name, only
from engine.ops.samples import pairs, positive_pairs


def _lerp(self, end, weight):
    # from whichever end is nearer, so that the weights 0 and 1 give the ends exactly
    if end.dtype != self.dtype:
        raise RuntimeError(f"expected dtype {cpp_name(self)} for `end` but got dtype {cpp_name(end)}")
    if getattr(weight, "dtype", self.dtype) != self.dtype:
        raise RuntimeError(f"expected dtype {cpp_name(self)} for `weight` but got dtype {cpp_name(weight)}")
    check_kind("lerp_kernel_tensor" if hasattr(weight, "dtype") else "lerp_kernel_scalar", self, "fcV")
    step = end - self
    if isinstance(weight, (int, float)):
        return self + weight * step if abs(weight) < 0.5 else end - step * (1 - weight)
    return np.where(np.abs(weight) < 0.5, self + weight * step, end - step * (1 - weight))


def _addcmul(self, tensor1, tensor2, value=1):
    product = tensor1 * tensor2
    if value == 1:
        return self + product
    if self.dtype.kind in "iu":  # the factor becomes one of theirs
        return (self + int(value) * product).astype(self.dtype, copy=False)
    return self + value * product


def _addcdiv(self, tensor1, tensor2, value=1):
    if tensor1.dtype.kind in "iub" and tensor2.dtype.kind in "iub":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a "
            "true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as "
            "(input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as "
            "(input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter "
            "implementation: (input + value * tensor1 / tensor2), for all dtypes."
        )
    return self + value * (tensor1 / tensor2)


def _three(rng, make=pairs):
    return [
        {"self": rng.normal(size=(2, 3)), "tensor1": s["self"], "tensor2": s["other"], "value": v}
        for s in make(rng)
        for v in (1, 0.5)
    ]


LERP = Op(
    "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
    _lerp,
    "LerpBackward0",
    {
        "self": Grad(lambda grad, weight: MUL_SCALAR(grad, 1 - weight), r"[[grad]] \cdot (1 - [[weight]])"),
        "end": Grad(lambda grad, weight: MUL_SCALAR(grad, weight), r"[[grad]] \cdot [[weight]]"),
    },
    r"[[self]] + [[weight]] \cdot ([[end]] - [[self]])",
    pointwise=True,
    inplace=True,
    samples=lambda rng: [{"self": s["self"], "end": s["other"], "weight": w} for s in pairs(rng) for w in (0.25, 0.75)],
)
LERP_TENSOR = Op(
    "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
    _lerp,
    "LerpBackward1",
    {
        "self": Grad(lambda grad, weight: grad * SUB(1, weight), r"[[grad]] \cdot (1 - [[weight]])"),
        "end": Grad(lambda grad, weight: grad * weight, r"[[grad]] \cdot [[weight]]"),
        "weight": Grad(lambda grad, self, end: grad * (end - self), r"[[grad]] \cdot ([[end]] - [[self]])"),
    },
    r"[[self]] + [[weight]] \cdot ([[end]] - [[self]])",
    pointwise=True,
    inplace=True,
    samples=lambda rng: [{"self": s["self"], "end": s["other"], "weight": rng.uniform(size=3)} for s in pairs(rng)],
)
ADDCMUL = Op(
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    only("fciu", "addcmul_cpu_out", _addcmul),
    "AddcmulBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "tensor1": Grad(
            lambda grad, tensor2, value: grad * MUL_SCALAR(tensor2, value),
            r"[[value]] \cdot [[grad]] \cdot [[tensor2]]",
        ),
        "tensor2": Grad(
            lambda grad, tensor1, value: grad * MUL_SCALAR(tensor1, value),
            r"[[grad]] \cdot [[value]] \cdot [[tensor1]]",
        ),
    },
    r"[[self]] + [[value]] \cdot [[tensor1]] \cdot [[tensor2]]",
    promote="common",
    inplace=True,
    samples=_three,
)
ADDCDIV = Op(
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    _addcdiv,
    "AddcdivBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "tensor1": Grad(
            lambda grad, tensor2, value: grad * DIV(value, tensor2), r"[[grad]] \frac{[[value]]}{[[tensor2]]}"
        ),
        "tensor2": Grad(
            lambda grad, tensor1, tensor2, value: -grad * (MUL_SCALAR(tensor1, value) / (tensor2 * tensor2)),
            r"-[[grad]] \frac{[[value]] \cdot [[tensor1]]}{[[tensor2]]^2}",
        ),
    },
    r"[[self]] + [[value]] \frac{[[tensor1]]}{[[tensor2]]}",
    promote="common",
    inplace=True,
    samples=lambda rng: _three(rng, positive_pairs),
)
