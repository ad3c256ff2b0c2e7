"""Numbers that describe a tensor: statistics, histograms, six digits, and which views share them."""

import numpy as np
import pytest

from engine import printing
from engine.trace.digits import rounded
from engine.trace.snapshots import Snapshots
from engine.trace.statistics import Statistics, histogram, same_elements

pytestmark = pytest.mark.filterwarnings("error")
RNG = np.random.default_rng(0)


def test_six_digits_as_the_format_gives_them() -> None:
    exponents = RNG.integers(-30, 30, 3000)
    numbers = [*(RNG.normal(size=3000) * 10.0**exponents).tolist(), 0.0, -0.0, 1.0, 999999.5, 1e300, 5e-324, 1e22]
    assert rounded(numbers) == [float(f"{x:.6g}") for x in numbers]
    assert rounded([float("inf"), float("-inf")]) == [float("inf"), float("-inf")]
    assert np.isnan(rounded([float("nan")])[0])
    assert rounded([]) == []


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64", "uint8", "bool", "complex64"])
def test_statistics_are_those_of_the_finite_elements(dtype: str) -> None:
    a = (RNG.normal(size=(7, 90)) * 3).astype(dtype)
    a[1] = 0
    if a.dtype.kind == "f":
        a[0, :5] = [np.nan, np.inf, -np.inf, 0, 0]
    real = (np.abs(a) if dtype == "complex64" else a).astype(np.float64)
    finite = real[np.isfinite(real)]
    stats = Statistics(a)
    want = (finite.min(), finite.max(), finite.mean(), finite.std(), np.linalg.norm(finite))
    assert stats.numbers == pytest.approx(want, rel=1e-4, abs=1e-5)
    assert (stats.nan, stats.inf) == (np.isnan(real).sum(), np.isinf(real).sum())
    assert stats.zeros == (real == 0).sum()
    found = histogram(a)
    assert found is not None
    low, high, counts = found
    assert (low, sum(counts), len(counts)) == (pytest.approx(finite.min()), finite.size, 24)
    assert high == pytest.approx(finite.max())
    assert counts == pytest.approx(np.histogram(finite, 24)[0], abs=2)


def test_a_spread_much_smaller_than_the_mean_keeps_its_digits() -> None:
    a = (1000 + RNG.normal(size=5000) * 0.01).astype(np.float32)
    assert Statistics(a).numbers[3] == pytest.approx(a.astype(np.float64).std(), rel=1e-3)


def test_squares_too_large_for_the_dtype_are_no_infinities() -> None:
    stats = Statistics(np.full(300, 1e30, np.float32))
    assert (stats.nan, stats.inf) == (0, 0)
    assert stats.numbers[4] == pytest.approx(1e30 * 300**0.5)


def test_what_is_not_there_has_no_statistics() -> None:
    stats = Statistics(np.full(100, np.nan, np.float32))
    assert (stats.numbers, stats.nan) == ((), 100)
    found = histogram(np.full(100, np.nan))
    assert found is not None
    assert sum(found[2]) == 0


def test_views_of_the_same_elements_are_known_as_such() -> None:
    a = RNG.normal(size=(4, 6, 8)).astype(np.float32)
    key = same_elements(a, a)
    for view in (a.reshape(24, 8), a.transpose(2, 0, 1), a.reshape(-1)[None], a.swapaxes(0, 2).swapaxes(0, 1)):
        assert same_elements(view, a) == key
    part = a[:, :, :4]
    assert same_elements(part.reshape(4, 6, 2, 2).transpose(0, 2, 1, 3), a) == same_elements(part, a)
    other = (a[:2], a[:, :, 4:], part, a[::2], np.broadcast_to(a[:1], a.shape), a.view(np.int32), a[:, ::-1])
    assert len({key, *(same_elements(view, a) for view in other)}) == 1 + len(other)


def test_a_large_array_is_described_once_and_anew_after_a_write() -> None:
    snapshots = Snapshots(16, with_statistics=True)
    a = np.zeros((5, 8), np.float32)
    first, turned = snapshots.take(a), snapshots.take(a.T)
    assert snapshots.take(a) is snapshots.take(a[:]) is first
    assert first.summary.stats is turned.summary.stats
    assert (first.a, turned.summary.shape) == (None, (8, 5))
    snapshots.before_write(a[1])
    a[1] = 3
    second = snapshots.take(a)
    assert (first.summary.stats.numbers[1], second.summary.stats.numbers[1]) == (0.0, 3.0)


def test_memory_of_an_array_that_is_gone_is_not_taken_for_it() -> None:
    snapshots = Snapshots(16, with_statistics=True)
    for value in range(50):  # numpy gives the same memory out again
        assert snapshots.take(np.full(64, value, np.float32)).summary.stats.numbers[0] == value


@pytest.mark.parametrize("sci_mode", [None, True, False])
@pytest.mark.parametrize("precision", [0, 2, 4, 8])
def test_one_number_is_written_as_in_a_row_of_one(sci_mode: bool | None, precision: int) -> None:
    odd = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 1e8, 1.0001e8, 1e-4, 9.99e-5, 2.5, 99999999.5]
    with printing.printoptions(precision=precision, sci_mode=sci_mode):
        for value in [*odd, *(RNG.normal(size=300) * 10.0 ** RNG.integers(-9, 12, 300)).tolist()]:
            for dtype in (np.float32, np.float64):
                number, row = np.array(value, dtype), np.array([value], dtype)
                assert printing.tensor_text(number) == printing.tensor_text(row).replace("[", "").replace("]", "")
