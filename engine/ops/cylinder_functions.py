"""Bessel functions of the second and third kind, and their relatives, for which PyTorch defines no derivative."""

from collections.abc import Callable
from typing import Any

from engine.op import Op
from engine.ops import bessel_kernels, gamma_kernels
from engine.ops.kinds import wide_only


def _special(name: str, kernel: Callable[[Any], Any], latex: str, argument: str = "self") -> Op:
    return Op(
        f"special_{name}(Tensor {argument}) -> Tensor",
        wide_only(f"{name}_cpu", kernel, "f"),
        latex=latex.replace("x", f"[[{argument}]]"),
        promote="float",
        pointwise=True,
        where=("special",),
        example=f"torch.special.{name}(torch.tensor([0.5, 1.0, 5.0]))",
    )


def _finite(kernel: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The kernel, but nan at infinity, as PyTorch has it here."""
    return lambda x: kernel(x) * (1 + 0 * x)


BESSEL_Y0 = _special("bessel_y0", bessel_kernels.second_kind(0), "Y_0(x)")
BESSEL_Y1 = _special("bessel_y1", bessel_kernels.second_kind(1), "Y_1(x)")
MODIFIED_I0 = _special("modified_bessel_i0", _finite(gamma_kernels.i0), "I_0(x)")
MODIFIED_I1 = _special("modified_bessel_i1", _finite(gamma_kernels.i1), "I_1(x)")
MODIFIED_K0 = _special("modified_bessel_k0", bessel_kernels.modified_k(0, scaled=False), "K_0(x)")
MODIFIED_K1 = _special("modified_bessel_k1", bessel_kernels.modified_k(1, scaled=False), "K_1(x)")
SCALED_K0 = _special("scaled_modified_bessel_k0", bessel_kernels.modified_k(0, scaled=True), "e^{x} K_0(x)", "x")
SCALED_K1 = _special("scaled_modified_bessel_k1", bessel_kernels.modified_k(1, scaled=True), "e^{x} K_1(x)", "x")
SPHERICAL_J0 = _special("spherical_bessel_j0", bessel_kernels.spherical_j0, r"\frac{\sin x}{x}", "x")
AIRY = _special("airy_ai", bessel_kernels.airy, r"\operatorname{Ai}(x)", "x")
