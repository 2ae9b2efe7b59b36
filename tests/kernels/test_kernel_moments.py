from types import SimpleNamespace

import numpy as np
import pytest

from featrank import kernels
from featrank.kernels import Groups, _featrank

from . import twins

WIDTHS = [1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000]
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "every other row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "reversed": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
}


def moments_of(block, groups):
    """Ranges and moments of a kernel, by name."""
    ranges, moments = kernels.moments(block, groups)
    return SimpleNamespace(**ranges._asdict(), **moments._asdict())


def agree(block, codes, n_classes):
    got = moments_of(block, Groups.of(codes, n_classes))
    mean, m2, minimum, maximum, absolute_sum, whole = twins.moments(block, codes, n_classes)
    np.testing.assert_allclose(got.mean, mean, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(got.m2, m2, rtol=1e-12)
    np.testing.assert_array_equal(got.minimum, minimum)
    np.testing.assert_array_equal(got.maximum, maximum)
    np.testing.assert_allclose(got.absolute_sum, absolute_sum, rtol=1e-13)
    np.testing.assert_array_equal(got.whole, whole)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n_columns", WIDTHS)
def test_moments_at_any_width_and_layout(dtype, layout, n_columns):
    rng = np.random.default_rng(n_columns)
    X = rng.normal(3, 2, (37, n_columns)).astype(dtype)
    X[:, ::3] = rng.integers(-4, 9, X[:, ::3].shape)
    agree(LAYOUTS[layout](X), rng.integers(0, 3, 37), 3)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n_rows", [1, 2, 3, 7, 8, 9, 64, 300])
def test_moments_of_any_number_of_rows_and_classes(n_rows, n_classes):
    rng = np.random.default_rng(n_rows)
    agree(rng.normal(size=(n_rows, 21)), rng.integers(0, n_classes, n_rows), n_classes)


def test_tall_blocks_span_several_tiles():
    rng = np.random.default_rng(0)
    agree(rng.normal(size=(5000, 130)), rng.integers(0, 2, 5000), 2)


def test_a_class_without_rows():
    got = moments_of(np.ones((3, 9)), Groups.of(np.array([0, 2, 2]), 4))
    for empty in (1, 3):
        assert not got.mean[empty].any()
        assert not got.m2[empty].any()
        assert np.all(got.minimum[empty] == np.inf)
        assert np.all(got.maximum[empty] == -np.inf)


def test_no_rows_and_no_columns():
    nothing = Groups.of(np.empty(0, int), 2)
    assert not moments_of(np.empty((0, 5)), nothing).absolute_sum.any()
    assert moments_of(np.empty((3, 0)), Groups.of(np.zeros(3, int), 1)).mean.shape == (1, 0)


@pytest.mark.parametrize("n_rows", [10, 1000, 100_000])
@pytest.mark.parametrize("mean", [1e6, -1e6])
def test_variance_survives_a_large_mean(n_rows, mean):
    X = np.random.default_rng(n_rows).normal(mean, 1.0, (n_rows, 9))
    got = moments_of(X, Groups.of(np.zeros(n_rows, int), 1)).m2[0]
    exact = [exact_m2(column) for column in X.T]
    np.testing.assert_allclose(got, exact, rtol=1e-10)


def exact_m2(column):
    """Σx² - (Σx)²/n in integers: each value is a whole number of 2⁻⁴⁰ at this magnitude."""
    units = [int(value * 2**40) for value in column]
    assert all(unit == value * 2**40 for unit, value in zip(units, column, strict=True))
    n = len(units)
    return float((n * sum(u * u for u in units) - sum(units) ** 2) / (n * 2**80))


def test_variance_of_single_precision_survives_a_large_mean():
    X = np.random.default_rng(0).normal(1e4, 1.0, (500, 20)).astype(np.float32)
    agree(X, np.zeros(500, int), 1)


@pytest.mark.parametrize("value", [0.1, -1 / 3, 1e6 + 0.3, 7.0, 1e-200, 1e200])
@pytest.mark.parametrize("n_rows", [1, 3, 10, 299])
def test_a_constant_has_no_spread_at_all(value, n_rows):
    got = moments_of(np.full((n_rows, 9), value), Groups.of(np.zeros(n_rows, int), 1))
    assert not got.m2.any()
    assert np.all(got.mean == value)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_spread_is_never_negative(dtype):
    base = np.array([0.1, 1 / 3, 1234.567, 7.7e8, 1e15], dtype=dtype)
    X = np.tile(base, (20_000, 1))
    X[::997] = np.nextafter(base, dtype(np.inf))
    assert np.all(moments_of(X, Groups.of(np.zeros(len(X), int), 1)).m2 > 0)


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (0.0, True),
        (-0.0, True),
        (-7.0, True),
        (2.0**50 + 1, True),
        (-(2.0**50) - 1, True),
        (2.0**50 + 0.5, False),
        (-0.5, False),
        (1e-200, False),
        (-5e-324, False),
        (1 - 2.0**-53, False),
        (np.nan, True),  # a missing value
        (np.inf, False),
    ],
)
@pytest.mark.parametrize("row", [0, 17, 39])
def test_whole_numbers_are_reported_from_fractions(value, whole, row):
    X = np.zeros((40, 9))
    X[row, 4] = value
    flags = moments_of(X, Groups.of(np.zeros(40, int), 1)).whole
    assert flags[4] == whole
    assert np.delete(flags, 4).all()


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinity_shows_in_the_spread(bad):
    X = np.ones((20, 9))
    X[11, 3] = bad
    m2 = moments_of(X, Groups.of(np.arange(20) % 2, 2)).m2
    assert not np.isfinite(m2[1, 3])
    assert np.isfinite(np.delete(m2, 3, axis=1)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_missing_values_are_passed_over(dtype, weighted):
    rng = np.random.default_rng(3)
    X = rng.normal(7, 2, (60, 21)).astype(dtype)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 4] = np.nan
    codes, weights = np.arange(60) % 2, rng.integers(1, 4, 60).astype(float)
    got = moments_of(X, Groups.of(codes, 2, weights if weighted else None))
    for c, j in np.ndindex(2, 21):
        rows = np.flatnonzero((codes == c) & ~np.isnan(X[:, j]))
        rows = np.repeat(rows, weights[rows].astype(int)) if weighted else rows
        values = X[rows, j].astype(float)
        assert got.present[c, j] == len(values)
        if len(values):
            assert got.mean[c, j] == pytest.approx(values.mean(), rel=1e-14)
            assert got.m2[c, j] == pytest.approx(values.var() * len(values), rel=1e-12)


def test_values_whose_weights_round_to_nothing_are_an_empty_class():
    X, weights = np.arange(4.0)[:, None], np.array([1e-200, 1e-200, 1.0, 1.0])
    got = moments_of(X, Groups.of(np.array([0, 0, 1, 1]), 2, weights))
    assert got.present[:, 0].tolist() == [0, 2]
    assert got.mean[:, 0].tolist() == [0, 2.5]
    assert got.m2[:, 0].tolist() == [0, 0.5]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_columns_get_equal_bits_wherever_they_stand(dtype):
    rng = np.random.default_rng(1)
    column = rng.normal(5, 1, (101, 1)).astype(dtype)
    codes = rng.integers(0, 3, 101)
    alone = moments_of(column, Groups.of(codes, 3))
    for layout in (np.ascontiguousarray, np.asfortranarray):
        many = moments_of(layout(np.repeat(column, 45, axis=1)), Groups.of(codes, 3))
        for name, one in vars(alone).items():
            assert np.all(getattr(many, name) == one)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_both_instruction_sets_give_the_same_bits(dtype):
    rng = np.random.default_rng(2)
    X = np.exp(rng.normal(0, 8, (211, 77))).astype(dtype)
    groups = Groups.of(rng.integers(0, 4, 211), 4)
    results = []
    for wide in (False, True):
        _featrank.use_wide_vectors(wide)
        ranges, moments, counts = kernels.summarise(X, groups, 13)
        results.append([table.tobytes() for table in (*ranges, *moments, counts)])
    assert results[0] == results[1]


def test_the_instruction_set_has_a_name():
    _featrank.use_wide_vectors(False)
    assert kernels.instruction_set() == "baseline"


@pytest.mark.parametrize(
    ("order", "offsets"),
    [
        ([0, 1], [0, 3]),
        ([0, 1, 3], [0, 3]),
        ([0, 1, -1], [0, 3]),
        ([0, 1, 2], [0, 2]),
        ([0, 1, 2], [1, 3]),
        ([0, 1, 2], [0, 2, 1, 3]),
    ],
)
def test_groups_that_do_not_fit_the_rows_are_rejected(order, offsets):
    groups = Groups(np.array(order, np.int64), np.array(offsets, np.int64))
    with pytest.raises(ValueError, match="featrank kernel"):
        moments_of(np.ones((3, 2)), groups)


def test_arrays_are_never_converted():
    """A copy would be of another precision, and what is written to it would be lost."""
    X, groups = np.zeros((4, 3)), Groups.of(np.array([0, 1, 0, 1]), 2)
    extremes, out = kernels.RangeArrays.empty(2, 3), kernels.MomentArrays.empty(2, 3)
    _featrank.moments(X, groups[:3], 1.0, extremes, out)
    strided, single = np.empty((2, 6))[:, ::2], np.empty((2, 3), np.float32)
    for wrong in (strided, single):
        with pytest.raises(TypeError):
            _featrank.moments(X, groups[:3], 1.0, extremes._replace(minimum=wrong), out)
