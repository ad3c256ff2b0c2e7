"""Fourier transforms against numpy's and against the numeric gradient."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch

torch = install_as_torch()
NORMS = (None, "ortho", "forward")
REAL_INPUT = {"fft": {}, "rfft": {}, "ihfft": {}, "fft2": {}, "rfft2": {}, "fftn": {}, "rfftn": {}, "hfft": {"n": 5}}
COMPLEX_INPUT = {"ifft": {}, "irfft": {"n": 5}, "irfft2": {}, "ifftn": {}, "hfft": {}, "irfftn": {"s": (3, 5)}}


def as_real(x: Any) -> Any:
    return torch.view_as_real(x) if x.is_complex() else x


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", [*REAL_INPUT, *COMPLEX_INPUT])
def test_values_are_numpys(name: str, norm: str | None) -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=(3, 4)) + (1j * rng.normal(size=(3, 4)) if name in COMPLEX_INPUT else 0)
    given = COMPLEX_INPUT.get(name, REAL_INPUT.get(name, {}))
    wanted = getattr(np.fft, name)(a, **given, norm=norm)
    got = getattr(torch.fft, name)(torch.from_numpy(a), **given, norm=norm)
    np.testing.assert_allclose(got.numpy(), wanted, atol=1e-12)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("name", "given"), REAL_INPUT.items())
def test_gradients_of_real_inputs(name: str, given: dict[str, Any], norm: str | None) -> None:
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: as_real(getattr(torch.fft, name)(x, **given, norm=norm)), x)
    assert torch.autograd.gradgradcheck(lambda x: as_real(getattr(torch.fft, name)(x, **given, norm=norm)), x)


@pytest.mark.parametrize(("name", "given"), COMPLEX_INPUT.items())
def test_gradients_of_complex_inputs(name: str, given: dict[str, Any]) -> None:
    def through(x: Any) -> Any:
        return as_real(getattr(torch.fft, name)(torch.view_as_complex(x), **given))

    assert torch.autograd.gradcheck(through, torch.randn(3, 4, 2, dtype=torch.float64, requires_grad=True))


@pytest.mark.parametrize("n", [3, 4, 7])
def test_a_signal_is_cut_or_filled_up(n: int) -> None:
    a = np.arange(1.0, 6.0)
    np.testing.assert_allclose(torch.fft.fft(torch.from_numpy(a), n).numpy(), np.fft.fft(a, n), atol=1e-12)


@pytest.mark.parametrize("shift", [(torch.fft.fftshift, np.fft.fftshift), (torch.fft.ifftshift, np.fft.ifftshift)])
def test_shifts(shift: tuple[Callable[..., Any], Callable[..., Any]]) -> None:
    a = np.arange(15).reshape(3, 5)
    assert shift[0](torch.from_numpy(a)).tolist() == shift[1](a).tolist()
    assert shift[0](torch.from_numpy(a), 1).tolist() == shift[1](a, 1).tolist()
