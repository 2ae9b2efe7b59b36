"""Binned methods do not see the units of a feature: its bins are those of exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import mutual_info_score

from featrank import ECFS, JMI, MRMR, MutualInformation, methods

# Units as people have them: decimals, thirds, inches, degrees, powers of ten, and offsets.
FACTORS = [1, 0.1, 0.01, 0.001, 10, 1000, 1 / 3, 2.54, 0.3048, 1.8, 7, 1e-30, 1e30]
OFFSETS = [0, 1000, -273.15, 0.1, 1 / 3, 32]
DTYPES = [np.float32, np.float64]

grids = st.lists(st.integers(-40, 200), min_size=2, max_size=60)


def exact_codes(grid, n_bins):
    """The bins of integers in rational arithmetic: [a, b), the last one closed."""
    low, high = min(grid), max(grid)
    if low == high:
        return [0] * len(grid)
    return [min(n_bins - 1, int(Fraction(n_bins * (x - low), high - low))) for x in grid]


def exact_quantile_codes(grid, n_bins):
    """Bins between the quantiles in rational arithmetic, or one bin a value if they are few."""
    values, ordered = sorted(set(grid)), sorted(grid)
    if len(values) <= n_bins:
        return [values.index(x) for x in grid]
    edges = {exact_quantile(ordered, Fraction(k, n_bins)) for k in range(1, n_bins)}
    inner = edges - {values[0], values[-1]}
    return [sum(edge <= x for edge in inner) for x in grid]


def exact_quantile(ordered, share):
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def information(column, y, **options):
    return MutualInformation(**options).fit(column[:, None], y).scores_[0]


def labels_of(n_samples):
    return np.random.default_rng(n_samples).permutation(np.arange(n_samples) % 2)


@settings(max_examples=150, deadline=None)
@given(
    grid=grids,
    n_bins=st.integers(2, 30),
    factor=st.sampled_from(FACTORS),
    offset=st.sampled_from(OFFSETS),
    dtype=st.sampled_from(DTYPES),
)
def test_width_bins_are_those_of_exact_arithmetic(grid, n_bins, factor, offset, dtype):
    y = labels_of(len(grid))
    column = np.array(grid, dtype) * dtype(factor) + dtype(offset)
    # A value that is on no edge is at least this far from one, which the type must be able to tell.
    assume(factor / n_bins > 16 * np.finfo(dtype).eps * np.abs(column).max())
    expected = mutual_info_score(exact_codes(grid, n_bins), y)
    assert information(column, y, bins=n_bins) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(grid=grids, n_bins=st.integers(2, 30), weights=st.integers(0, 2**32))
def test_quantile_bins_are_those_of_exact_arithmetic(grid, n_bins, weights):
    y = labels_of(len(grid))
    column = np.array(grid) * 0.1 + 1000
    options = {"bins": n_bins, "binning": "quantile"}
    expected = mutual_info_score(exact_quantile_codes(grid, n_bins), y)
    assert information(column, y, **options) == pytest.approx(expected, abs=1e-12)
    times = np.random.default_rng(weights).integers(1, 4, len(grid))
    repeated = exact_quantile_codes(np.repeat(grid, times).tolist(), n_bins)
    ranker = MutualInformation(**options).fit(column[:, None], y, sample_weight=times)
    expected = mutual_info_score(repeated, np.repeat(y, times))
    assert ranker.scores_[0] == pytest.approx(expected, abs=1e-12)


def test_decimals_on_the_edges():
    y = np.arange(11) % 3 == 0
    whole = information(np.arange(11.0), y, bins=10)
    for dtype in DTYPES:
        assert information((np.arange(11) / 10).astype(dtype), y, bins=10) == whole


def test_an_offset_does_not_move_quantiles():
    x, y = np.arange(181) + 0.5, labels_of(181)
    wanted = information(x, y, bins=18, binning="quantile")
    for moved in (x + 1000, x * 0.1, np.exp(x / 9), -1 / x):
        assert information(moved, y, bins=18, binning="quantile") == wanted


@pytest.mark.parametrize("total", [3, 4])
def test_weights_may_be_parts_of_rows(total):
    """Rows of weight 1/3 are worth a third of a row, whatever their sums are rounded to."""
    rng = np.random.default_rng(total)
    x, y = rng.integers(0, 60, 90) * 0.1, labels_of(90)
    ranker = MutualInformation(bins=total, binning="quantile")
    wanted = ranker.fit(x[:, None], y).scores_
    thirds, many = np.full(270, 1 / 3), np.repeat(np.arange(90), 3)
    got = ranker.fit(x[many, None], y[many], sample_weight=thirds).scores_
    np.testing.assert_allclose(got, wanted, rtol=1e-9)


def test_few_values_have_a_bin_each_among_quantiles():
    """Two values tell two classes apart, however many samples have the larger one."""
    x = np.repeat([0.1, 0.7], [3, 17])
    assert information(x, x > 0.5, bins=2, binning="quantile") == pytest.approx(
        mutual_info_score(x > 0.5, x > 0.5)
    )


# Every method whose scores come from bins alone; those with an alpha look at values too.
ON_BINS = [
    cls
    for cls in methods().values()
    if "binning" in cls().get_params() and "alpha" not in cls().get_params()
]
BINNED = [*(cls() for cls in ON_BINS), MRMR(criterion="miq")]
QUANTILE = [
    *(cls(binning="quantile") for cls in ON_BINS),
    MRMR(criterion="miq", binning="quantile"),
]


def test_the_methods_on_bins_are_found():
    assert {MutualInformation, JMI, MRMR} <= set(ON_BINS)


@pytest.fixture(scope="module")
def readings():
    """Features that were read off scales of 1/10, many of them on an edge, and the grid itself."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    grid = rng.integers(0, 13, (120, 20)) + 4 * y[:, None] * (rng.random((120, 20)) < 0.4)
    grid[0], grid[1] = 0, 24
    return grid, y


@pytest.mark.parametrize("ranker", BINNED, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_binned_method_ranks_alike_in_any_units(readings, ranker, dtype):
    grid, y = readings
    wanted = ranker.set_params(bins=12).fit(grid.astype(float), y).scores_
    for factor, offset in [(0.1, 0), (0.1, 100), (1 / 3, -20), (2.54, 0.1)]:
        moved = grid.astype(dtype) * dtype(factor) + dtype(offset)
        np.testing.assert_array_equal(ranker.fit(moved, y).scores_, wanted)


@pytest.mark.parametrize("ranker", QUANTILE, ids=str)
@pytest.mark.parametrize("bins", [7, 16, 30])
def test_every_method_on_quantiles_is_blind_to_monotone_maps(readings, ranker, bins):
    grid, y = readings
    ranker.set_params(bins=bins)
    wanted = ranker.fit(grid.astype(float), y).scores_
    for moved in (grid * 0.1, np.exp(grid), grid**3 - 1000, np.sqrt(grid + 1e6), grid * 1e-300):
        np.testing.assert_array_equal(ranker.fit(moved, y).scores_, wanted)


def test_long_and_sparse_columns_have_the_same_bins(readings, monkeypatch):
    grid, y = readings
    X = (grid * 0.1).astype(np.float32)
    wanted = MutualInformation(bins=12).fit(grid.astype(float), y).scores_
    monkeypatch.setattr("featrank.summaries.columns.TALL", 10)
    for data in (X, sparse.csr_array(X), X.astype(">f4")):
        np.testing.assert_array_equal(MutualInformation(bins=12).fit(data, y).scores_, wanted)
    np.testing.assert_array_equal(
        JMI(bins=12).fit(X, y).scores_, JMI(bins=12).fit(grid.astype(float), y).scores_
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_information_of_ec_fs_has_no_units(readings, dtype):
    grid, y = readings
    wanted = ECFS(bins=12).fit(grid.astype(float), y).information_
    got = ECFS(bins=12).fit(grid.astype(dtype) * dtype(0.1), y).information_
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_integers_are_exact(dtype):
    """A million is far from an edge at a million and one, in single precision too."""
    x = np.repeat([0, 999_999, 1_000_001, 2_000_000], 5).astype(dtype)
    y = np.arange(20) >= 10
    assert information(x, y, bins=2) == pytest.approx(np.log(2))
    x = np.repeat([0, 999_999, 1_000_000, 2_000_000], 5).astype(dtype)
    assert information(x, y, bins=2) == pytest.approx(np.log(2))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("offset", [1.0, -1e5, 3e7])
def test_values_a_few_roundings_apart_stay_apart(dtype, offset):
    """Where a bin is hardly wider than a rounding, the smallest and largest are still two bins."""
    unit = np.spacing(dtype(abs(offset)))
    x = dtype(offset) + unit * np.repeat(np.arange(4), 5).astype(dtype)
    y = np.repeat(np.arange(4), 5)
    assert information(x, y, bins=10) == pytest.approx(np.log(4))
