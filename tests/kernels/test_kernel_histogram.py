import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import kernels
from featrank.kernels import BinArrays, Groups

from . import twins


def agree(block, codes, n_classes, n_bins):
    """Both kernels that count over equal widths agree with their twin; returns the counts."""
    groups = Groups.of(codes, n_classes)
    ranges, _, counts = kernels.summarise(block, groups, n_bins)
    low, high = ranges.minimum.min(axis=0), ranges.maximum.max(axis=0)
    bins = kernels.choose_bins(low, high, ranges.whole, block.dtype, n_bins)
    wanted = twins.choose_bins(low, high, ranges.whole, block.dtype, n_bins)
    for got, expected in zip(bins, wanted, strict=True):
        np.testing.assert_array_equal(got, expected)
    expected = twins.histogram(block, codes, n_classes, bins, n_bins)
    np.testing.assert_array_equal(counts, expected)
    np.testing.assert_array_equal(kernels.histogram(block, groups, bins, n_bins), expected)
    return counts


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_columns", [1, 7, 8, 9, 15, 16, 17, 64, 300])
@pytest.mark.parametrize("order", ["C", "F"])
def test_counts_at_any_width_and_layout(dtype, n_columns, order):
    rng = np.random.default_rng(n_columns)
    X = rng.normal(-3, 2, (91, n_columns)).astype(dtype, order=order)
    X[:, ::4] = rng.integers(0, 6, X[:, ::4].shape)
    X[:, 1::4] = 0.3
    agree(X, rng.integers(0, 3, 91), 3, 10)


@pytest.mark.parametrize("n_bins", [1, 2, 3, 7, 10, 20, 128, 1000])
def test_values_exactly_on_the_edges(n_bins):
    rng = np.random.default_rng(n_bins)
    low, width = rng.normal(0, 100, 30), np.exp(rng.normal(0, 5, 30))
    on_edges = low + np.arange(n_bins + 1)[:, None] * (width / n_bins)
    X = np.vstack([on_edges, np.nextafter(on_edges, -np.inf)[1:], np.nextafter(on_edges, 1e9)[:-1]])
    agree(X, np.arange(len(X)) % 2, 2, n_bins)


def test_bins_are_closed_below_and_the_last_one_above():
    X = np.array([[0.0], [0.5], [1.0], [1.5], [2.0]])
    counts = agree(X, np.zeros(5, int), 1, 4)
    assert counts[0, 0].tolist() == [1, 1, 1, 2]


def test_one_bin_an_integer_while_the_range_allows():
    X = np.array([[-3, -3], [-1, -1], [2, 7], [2, 2], [0, 0]], dtype=float)
    counts = agree(X, np.array([0, 0, 1, 1, 1]), 2, 10)
    assert counts[0].tolist() == [[1, 0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 2, 0, 0, 0, 0]]
    whole = np.ones(2, np.uint8)
    *_, number = kernels.choose_bins(X.min(axis=0), X.max(axis=0), whole, X.dtype, 10)
    assert number.tolist() == [6, 10]


def test_integers_with_a_wide_range():
    rng = np.random.default_rng(0)
    agree(rng.integers(-1000, 5000, (300, 40)).astype(float), rng.integers(0, 2, 300), 2, 20)


def test_constants_fill_one_bin():
    X = np.tile([0.1, 5.0, -1e300, 0.0], (12, 1))
    counts = agree(X, np.arange(12) % 3, 3, 10)
    assert np.all(counts[:, :, 0] == 4)


@pytest.mark.parametrize("offset", [1e6, -1e15, 2.0**51, 1e17])
@pytest.mark.parametrize("steps", [2, 12, 50, 1000])
def test_values_that_differ_by_a_few_roundings_only(offset, steps):
    rng = np.random.default_rng(steps)
    X = offset + np.spacing(abs(offset)) * rng.integers(0, steps, (100, 9))
    agree(X, rng.integers(0, 2, 100), 2, 20)


@pytest.mark.parametrize("offset", [1e6, -1e9, 1e12])
def test_huge_offsets(offset):
    rng = np.random.default_rng(0)
    X = np.hstack([rng.normal(offset, 1, (100, 9)), offset + rng.integers(0, 30, (100, 9)) / 3])
    agree(X, rng.integers(0, 2, 100), 2, 20)


@pytest.mark.parametrize("scale", [1e-300, 1e-308, 1e-320])
def test_tiny_ranges(scale):
    rng = np.random.default_rng(0)
    agree(rng.random((100, 9)) * scale, rng.integers(0, 2, 100), 2, 10)


@pytest.mark.parametrize(
    ("dtype", "scale"),
    [(np.float32, s) for s in (1e-42, 1e-30, 1, 1e30)]
    + [(np.float64, s) for s in (1e-320, 1e-300, 1, 1e290)],
)
@pytest.mark.parametrize("offset", [0, 1, -3, 1e5, "largest"])
def test_room_at_the_edges_leaves_them_in_order(dtype, scale, offset):
    """The smallest value stays in the first bin, whatever the size of a rounding."""
    if offset == "largest":  # to which an eighth can just be added
        offset = 1 / np.finfo(dtype).eps / 8
    rng = np.random.default_rng(0)
    X = ((offset + rng.integers(0, 64, (90, 9)) / 8) * scale).astype(dtype)
    assert np.all(np.ptp(X, axis=0) > 0)
    counts = agree(X, np.arange(90) % 2, 2, 10)
    ranges, _ = kernels.moments(X, Groups.of(np.zeros(90, int), 1))
    low, step, _ = kernels.choose_bins(*ranges.minimum, *ranges.maximum, ranges.whole, X.dtype, 10)
    assert np.all(low <= X.min(axis=0))
    assert np.all(low + step >= X.min(axis=0))
    assert np.all(counts[:, :, 0].sum(axis=1) >= (X.min(axis=0) == X).sum(axis=0))


@settings(max_examples=150, deadline=None)
@given(
    column=arrays(
        np.float64,
        st.integers(1, 40),
        elements=st.floats(-1e9, 1e9) | st.integers(-30, 30).map(float),
    ),
    n_bins=st.integers(1, 40),
)
def test_counts_of_any_column(column, n_bins):
    agree(column[:, None], np.arange(len(column)) % 2, 2, n_bins)


def test_a_range_that_cannot_be_cut_is_one_bin():
    counts = agree(np.array([[0.0], [5e-324]]), np.array([0, 1]), 2, 16)
    assert counts[0, :, 0].tolist() == [1, 1]


def test_numpy_counts_continuous_data_alike():
    X = np.random.default_rng(3).gamma(2, 5, (400, 25))
    _, _, counts = kernels.summarise(X, Groups.of(np.zeros(400, int), 1), 17)
    for column, got in zip(X.T, counts[:, 0], strict=True):
        np.testing.assert_array_equal(got, np.histogram(column, bins=17)[0])


def test_values_outside_of_given_bins_go_to_the_first_and_last():
    bins = BinArrays(np.zeros(1), np.ones(1), np.array([3], np.int32))
    X = np.array([[-5.0], [0.5], [1.5], [99.0], [np.inf], [-np.inf]])
    counts = kernels.histogram(X, Groups.of(np.zeros(6, int), 1), bins, 3)
    assert counts[0, 0].tolist() == [3, 1, 2]


def test_infinity_is_counted_somewhere():
    X = np.random.default_rng(0).normal(size=(30, 9))
    X[4, 2] = np.inf
    _, _, counts = kernels.summarise(X, Groups.of(np.arange(30) % 2, 2), 10)
    assert np.all(counts.sum(axis=(1, 2)) == 30)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_bins", [10, 40])
@pytest.mark.parametrize("weights", [None, np.arange(30.0)])
def test_missing_values_are_counted_nowhere(dtype, n_bins, weights):
    X = np.random.default_rng(0).normal(size=(30, 17)).astype(dtype)
    X[4, 2] = X[5:9, 16] = np.nan
    groups = Groups.of(np.arange(30) % 2, 2, weights)
    ranges, _, counts = kernels.summarise(X, groups, n_bins)
    np.testing.assert_array_equal(counts.sum(axis=2), ranges.present.T)
    low, high = ranges.minimum.min(axis=0), ranges.maximum.max(axis=0)
    bins = kernels.choose_bins(low, high, ranges.whole, X.dtype, n_bins)
    np.testing.assert_array_equal(kernels.histogram(X, groups, bins, n_bins), counts)
    quantiles = kernels.quantile_histogram(X, groups, n_bins)
    np.testing.assert_array_equal(quantiles.sum(axis=2), ranges.present.T)


@pytest.mark.parametrize("count", [0, 4])
def test_more_bins_than_there_is_room_for_are_rejected(count):
    bins = BinArrays(np.zeros(1), np.ones(1), np.array([count], np.int32))
    with pytest.raises(ValueError, match="bins within counts"):
        kernels.histogram(np.ones((2, 1)), Groups.of(np.zeros(2, int), 1), bins, 3)


def quantiles_agree(X, codes, n_bins):
    n_classes = codes.max() + 1
    groups = Groups.of(codes, n_classes)
    counts = kernels.quantile_histogram(X, groups, n_bins)
    expected = twins.quantile_histogram(X, codes, n_classes, n_bins)
    np.testing.assert_array_equal(counts, expected)
    return counts


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_bins", [1, 2, 10, 33])
@pytest.mark.parametrize("n_rows", [1, 2, 60, 201])
def test_quantile_bins(dtype, n_bins, n_rows):
    rng = np.random.default_rng(n_rows)
    X = np.exp(rng.normal(0, 3, (n_rows, 9))).astype(dtype)
    X[:, 0] = 0.7
    X[:, 1] = rng.integers(0, 5, n_rows)
    X[:, 2] = rng.integers(-50, 50, n_rows)
    X[:, 3] = np.maximum(X[:, 3], 1)
    quantiles_agree(X, rng.integers(0, 3, n_rows), n_bins)


def test_quantile_bins_hold_equally_many():
    X = np.random.default_rng(0).gamma(1, 1, (200, 3))
    counts = quantiles_agree(X, np.zeros(200, int), 10)
    assert np.all(counts == 20)
