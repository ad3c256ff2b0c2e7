"""Dual tensors: the tangent of every operator, and what PyTorch's forward_ad says and refuses."""

from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.dispatch import run
from engine.op import Op
from engine.records import ops_by_name
from engine.signature import REQUIRED
from engine.tensor import TensorBase

torch: Any = install_as_torch()
fwAD = torch.autograd.forward_ad
STEP = 1e-6
REFUSED = {  # PyTorch has no forward rule for these either
    "_cdist_forward", "_embedding_bag", "_scaled_dot_product_flash_attention_for_cpu", "_weight_norm_interface",
    "conv_tbc", "grid_sampler_2d", "grid_sampler_2d_backward", "grid_sampler_3d", "grid_sampler_3d_backward", "igamma",
    "igammac", "index_reduce", "mkldnn_rnn_layer", "multi_margin_loss", "multilabel_margin_loss_forward", "pdist",
    "soft_margin_loss_backward", "special_zeta",
}  # fmt: skip


def smooth_ops() -> list[Op]:
    """Operators with samples that are functions of their tensors alone."""
    return [
        op
        for op in ops_by_name().values()
        if op.grads and op.samples and not op.writes and not op.signature.base.endswith("_")
    ]


def arguments(op: Op, sample: dict[str, Any]) -> list[Any]:
    values = []
    for p in op.signature.params:
        v = sample.get(p.name, p.default)
        assert v is not REQUIRED
        if isinstance(v, list) and p.type.startswith("Tensor"):
            v = [torch.tensor(np.array(x)) if isinstance(x, np.ndarray) else x for x in v]
        elif isinstance(v, np.ndarray | np.generic) and p.type.startswith("Tensor"):
            v = torch.tensor(np.array(v))
        values.append(v)
    return values


def moved(v: Any, direction: Any, step: float) -> Any:
    if isinstance(v, list):
        return [moved(x, d, step) for x, d in zip(v, direction, strict=True)]
    return v if direction is None else v + step * direction


def dual(v: Any, direction: Any) -> Any:
    if isinstance(v, list):
        return [dual(x, d) for x, d in zip(v, direction, strict=True)]
    return v if direction is None else fwAD.make_dual(v, direction)


def listed(out: Any) -> list[Any]:
    return list(out) if isinstance(out, tuple) else [out]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", smooth_ops(), ids=lambda op: op.name)
def test_a_tangent_is_the_derivative_along_a_direction(op: Op) -> None:
    rng = np.random.default_rng(1)
    refused = op.signature.base in REFUSED
    for sample in op.samples(np.random.default_rng(0))[:2]:  # type: ignore[misc]
        values = arguments(op, sample)
        names = {n.strip() for key in op.grads for n in key.split(",")}

        def direction(v: Any, p: Any, names: set[str] = names) -> Any:
            if isinstance(v, list):
                return [direction(x, p) for x in v]
            if p.name not in names or not isinstance(v, TensorBase) or v.dtype is not torch.float64:
                return None
            return torch.tensor(rng.normal(size=tuple(v.shape)))

        along = [direction(v, p) for v, p in zip(values, op.signature.params, strict=True)]
        ahead = listed(run(op, [moved(v, d, STEP) for v, d in zip(values, along, strict=True)]))
        behind = listed(run(op, [moved(v, d, -STEP) for v, d in zip(values, along, strict=True)]))
        if refused:
            with fwAD.dual_level(), pytest.raises(NotImplementedError, match="Trying to use forward AD with"):
                run(op, [dual(v, d) for v, d in zip(values, along, strict=True)])
            continue
        with fwAD.dual_level():
            found = [
                None if t is None else fwAD.unpack_dual(t).tangent
                for t in listed(run(op, [dual(v, d) for v, d in zip(values, along, strict=True)]))
            ]
        for i, (tangent, a, b) in enumerate(zip(found, ahead, behind, strict=True)):
            if tangent is not None and i not in op.nondiff:
                slope = (a.numpy() - b.numpy()) / (2 * STEP)
                np.testing.assert_allclose(tangent.numpy(), slope, rtol=1e-4, atol=1e-5)


def test_values_print_with_their_tangents() -> None:
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    with fwAD.dual_level():
        d = fwAD.make_dual(x, v)
        assert repr(d) == "tensor([1., 2.], tangent=tensor([1.0000, 0.5000]))"
        assert repr(fwAD.unpack_dual(d * d)) == "UnpackedDualTensor(primal=tensor([1., 4.]), tangent=tensor([2., 2.]))"
        assert (d.requires_grad, d.grad_fn, d.is_leaf, d.data_ptr() == x.data_ptr()) == (False, None, True, True)
        assert fwAD.unpack_dual(d.detach()).tangent is None
        assert fwAD.unpack_dual(d > 1).tangent is None
        w = torch.tensor([2.0, 3.0], requires_grad=True)
        total = (w * d).sum()
        assert repr(total) == "tensor(8., grad_fn=<SumBackward0>, tangent=3.5)"
        fwAD.unpack_dual(total).tangent.backward()
        assert w.grad.tolist() == [1.0, 0.5]
    assert repr(d) == "tensor([1., 2.])"


def test_steps_in_place_move_the_tangent_of_the_memory() -> None:
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    with fwAD.dual_level():
        d = fwAD.make_dual(x, v)
        assert fwAD.unpack_dual(d.clone().mul_(3)).tangent.tolist() == [3.0, 1.5]
        assert v.tolist() == [1.0, 0.5]
        a = torch.zeros(3)
        early = a[:2]
        a[1:] = d
        assert fwAD.unpack_dual(a).tangent.tolist() == [0.0, 1.0, 0.5]
        assert fwAD.unpack_dual(early).tangent.tolist() == [0.0, 1.0]
        d.view(2, 1).mul_(2.0)
        assert (d.tolist(), fwAD.unpack_dual(d).tangent.tolist()) == ([2.0, 4.0], [2.0, 1.0])


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_forward(x)
        return x * x

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * tangent


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2


def test_a_custom_function_says_its_own_tangent() -> None:
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    with fwAD.dual_level():
        d = fwAD.make_dual(x, v)
        assert fwAD.unpack_dual(Square.apply(d)).tangent.tolist() == [2.0, 2.0]
        with pytest.raises(NotImplementedError, match="You must implement the jvp function"):
            Double.apply(d)


def test_what_is_refused() -> None:
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    with pytest.raises(RuntimeError, match="but no level exists, make sure to enter_dual_level"):
        fwAD.make_dual(x, v)
    with pytest.raises(RuntimeError, match="Dual level must be a positive number"):
        fwAD.exit_dual_level()
    with fwAD.dual_level():
        with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported at the moment"):
            fwAD.enter_dual_level()
        with pytest.raises(RuntimeError, match=r"Tensor is of size \[2\] while .* is of size \[3\]"):
            fwAD.make_dual(x, torch.ones(3))
        with pytest.raises(ValueError, match=r"Expected primal to be floating point or complex, but got: torch.int64"):
            fwAD.make_dual(torch.tensor([1, 2]), v)
        with pytest.raises(RuntimeError, match="already has a forward gradient at the same level 0"):
            fwAD.make_dual(fwAD.make_dual(x, v), v)
        with pytest.raises(TypeError, match=r"argument 'dual' \(position 1\) must be Tensor, not int"):
            fwAD.unpack_dual(1)
    assert fwAD.unpack_dual(x).tangent is None


def test_func_says_which_structures_do_not_agree() -> None:
    x = torch.tensor([1.0, 2.0])
    with pytest.raises(RuntimeError) as raised:
        torch.func.jvp(torch.sin, (x,), (x, x))
    assert str(raised.value).endswith(
        "Got primals with structure TreeSpec(tuple, None, [*]) and tangents with structure TreeSpec(tuple, None, [*,\n"
        "  *])"
    )
    with pytest.raises(RuntimeError, match=r"cotangents: \(\*, \*\), primal output: \*"):
        torch.func.vjp(torch.sin, x)[1]((x, x))
