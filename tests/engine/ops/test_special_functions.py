"""The special functions against Python's own, against closed forms, and against each other."""

import math

import numpy as np
import pytest

from engine.ops import error_kernels as errors
from engine.ops import gamma_kernels as gammas

EULER = 0.57721566490153286061
TOLERANCE = {np.float64: 2e-14, np.float32: 3e-6}


def close(got, wanted, dtype=np.float64):
    assert got.dtype == dtype
    np.testing.assert_allclose(got, wanted, rtol=TOLERANCE[dtype], atol=0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions_of_many_elements_agree_with_math(name, dtype):
    x = np.linspace(-5, 5, 4 * errors.FEW).astype(dtype)
    close(getattr(errors, name)(x), [getattr(math, name)(float(v)) for v in x], dtype)


def test_error_function_of_a_large_array_in_single_precision():
    x = np.concatenate([np.linspace(-6, 6, 5000), [0, np.inf, -np.inf]]).astype(np.float32)
    out = errors.erf(x)
    np.testing.assert_allclose(out, [math.erf(float(v)) for v in x], rtol=5e-7)
    assert np.abs(out).max() == 1
    assert np.isnan(errors.erf(np.full(5000, np.nan, np.float32))).all()


def test_few_and_many_elements_take_different_paths_to_the_same_value():
    x = np.linspace(-3, 3, 2 * errors.FEW)
    close(errors.erf(x)[:10], errors.erf(x[:10]))


@pytest.mark.parametrize("f", [errors.erf, errors.erfc, errors.erfcx, errors.erfinv])
def test_shapes_survive(f):
    for shape in ((), (0, 2), (2, 1, 3)):
        assert f(np.full(shape, 0.25)).shape == shape


def test_error_function_at_its_limits():
    far = np.array([np.inf, -np.inf] * errors.FEW)
    assert set(errors.erf(far)) == {1.0, -1.0}
    assert set(errors.erfc(far)) == {0.0, 2.0}
    assert np.isnan(errors.erf(np.full(2 * errors.FEW, np.nan))).all()


def test_scaled_complement_is_what_its_name_says():
    x = np.linspace(-2, 5, 300)
    close(errors.erfcx(x), np.exp(x * x) * errors.erfc(x))
    close(errors.erfcx(np.array([1e8])), np.array([1e-8 / math.sqrt(math.pi)]))


def test_inverse_error_function():
    x = np.linspace(-0.9999, 0.9999, 1001)
    np.testing.assert_allclose(errors.erf(errors.erfinv(x)), x, rtol=1e-14, atol=1e-300)
    tiny = np.array([1e-12])
    close(errors.erfinv(tiny), tiny * math.sqrt(math.pi) / 2)
    with np.errstate(all="ignore"):
        ends = errors.erfinv(np.array([1.0, -1.0, 1.5, np.nan]))
    assert ends[0] == np.inf
    assert ends[1] == -np.inf
    assert np.isnan(ends[2:]).all()


def test_digamma_at_known_points():
    x = np.array([1.0, 0.5, 2.0, 0.25, -0.5])
    wanted = [
        -EULER,
        -EULER - 2 * math.log(2),
        1 - EULER,
        -EULER - math.pi / 2 - 3 * math.log(2),
        2 - EULER - 2 * math.log(2),
    ]
    close(gammas.digamma(x), wanted)


def test_digamma_at_its_poles():
    with np.errstate(all="ignore"):
        out = gammas.digamma(np.array([0.0, -0.0, -1.0, -2.0]))
    assert out[0] == -np.inf
    assert out[1] == np.inf
    assert np.isnan(out[2:]).all()


def test_digamma_is_the_slope_of_lgamma():
    x = np.linspace(0.3, 20, 50)
    h = 1e-6
    slope = (gammas.lgamma(x + h) - gammas.lgamma(x - h)) / (2 * h)
    np.testing.assert_allclose(gammas.digamma(x), slope, rtol=1e-7, atol=1e-8)


def test_zeta_and_polygamma_at_known_points():
    close(gammas.zeta(2.0, np.array([1.0, 0.5])), [math.pi**2 / 6, math.pi**2 / 2])
    close(gammas.zeta(4.0, np.array([1.0])), [math.pi**4 / 90])
    close(gammas.polygamma(1, np.array([1.0, 2.0])), [math.pi**2 / 6, math.pi**2 / 6 - 1])
    close(gammas.polygamma(3, np.array([1.0])), [math.pi**4 / 15])
    with pytest.raises(RuntimeError, match="negative n"):
        gammas.polygamma(-1, np.ones(1))


@pytest.mark.parametrize(("f", "order"), [(gammas.i0, 0), (gammas.i1, 1)])
def test_bessel_functions_agree_with_their_integral(f, order):
    x = np.array([-35.0, -3.0, 0.0, 0.5, 8.0, 29.9, 30.1, 60.0])
    angles = (np.arange(4000) + 0.5) * (math.pi / 4000)  # the midpoint rule is exact for such integrands
    integral = np.mean(np.exp(x[:, None] * np.cos(angles)) * np.cos(order * angles), axis=1)
    np.testing.assert_allclose(f(x), integral, rtol=1e-13, atol=1e-15)


def test_incomplete_gamma_functions():
    x = np.linspace(0.05, 20, 40)
    close(gammas.igamma(np.ones(40), x), -np.expm1(-x))
    close(gammas.igammac(np.full(40, 0.5), x), errors.erfc(np.sqrt(x)))
    close(gammas.igamma(np.full(40, 7.5), x) + gammas.igammac(np.full(40, 7.5), x), np.ones(40))


def test_bernoulli_numbers():
    assert gammas.bernoulli(4) == pytest.approx((1 / 6, -1 / 30, 1 / 42, -1 / 30))
