import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import kernels
from featrank.kernels import Groups, contingency
from featrank.kernels.contingency import CodeArrays, Lagging

from . import twins_contingency


def counted(codes, groups, n_bins):
    """Histograms of codes whose rows are grouped by class."""
    spans = list(zip(groups.offsets[:-1], groups.offsets[1:], strict=True))
    return np.array([[np.bincount(row[a:b], minlength=n_bins) for a, b in spans] for row in codes])


def codes_agree(X, y, n_bins):
    """Codes are the bins in which the histograms count, bit by bit, in the order of groups."""
    groups = Groups.of(y, y.max() + 1)
    moments, counts = kernels.summarise(X, groups, n_bins)
    low, high = moments.minimum.min(axis=0), moments.maximum.max(axis=0)
    bins = kernels.choose_bins(low, high, moments.whole, n_bins)
    codes = np.full(X.shape[::-1], 255, np.uint8)
    contingency.bin_codes(X, groups, bins, codes)
    for column, row, start, step, number in zip(X.T, codes, *bins, strict=True):
        inner = start + np.arange(1, number) * step
        np.testing.assert_array_equal(row, np.searchsorted(inner, column[groups.order], "right"))
    np.testing.assert_array_equal(counted(codes, groups, n_bins), counts)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_columns", [1, 8, 17, 70])
@pytest.mark.parametrize("order", ["C", "F"])
def test_codes_at_any_width_and_layout(dtype, n_columns, order):
    rng = np.random.default_rng(n_columns)
    X = rng.normal(-3, 2, (91, n_columns)).astype(dtype, order=order)
    X[:, ::4] = rng.integers(0, 6, X[:, ::4].shape)
    X[:, 1::4] = 0.3
    codes_agree(X, rng.integers(0, 3, 91), 10)


@pytest.mark.parametrize("n_bins", [2, 7, 256])
def test_values_on_the_edges_are_coded_as_they_are_counted(n_bins):
    rng = np.random.default_rng(n_bins)
    low, width = rng.normal(0, 100, 30), np.exp(rng.normal(0, 5, 30))
    on_edges = low + np.arange(n_bins + 1)[:, None] * (width / n_bins)
    X = np.vstack([on_edges, np.nextafter(on_edges, -np.inf)[1:], np.nextafter(on_edges, 1e9)[:-1]])
    codes_agree(X, np.arange(len(X)) % 2, n_bins)


@settings(max_examples=40, deadline=None)
@given(
    column=arrays(
        np.float64,
        st.integers(2, 40),
        elements=st.floats(-1e9, 1e9) | st.integers(-30, 30).map(float),
    ),
    n_bins=st.integers(2, 40),
)
def test_codes_of_any_column(column, n_bins):
    codes_agree(column[:, None], np.arange(len(column)) % 2, n_bins)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_bins", [2, 10, 33])
def test_quantile_codes(dtype, n_bins):
    rng = np.random.default_rng(0)
    X = np.exp(rng.normal(0, 3, (120, 7))).astype(dtype)
    X[:, 0], X[:, 1] = 0.7, rng.integers(0, 5, 120)
    X[:, 2] = np.maximum(X[:, 2], 1)
    groups = Groups.of(rng.integers(0, 3, 120), 3)
    whole = kernels.moments(X, groups).whole
    codes = np.empty((7, 120), np.uint8)
    number = contingency.quantile_codes(X, groups, whole, n_bins, codes)
    counts = kernels.quantile_histogram(X, groups, whole, n_bins)
    np.testing.assert_array_equal(counted(codes, groups, n_bins), counts)
    np.testing.assert_array_equal(number, codes.max(axis=1) + 1)


def random_codes(n_rows, n_bins, n_classes=3, n_features=6):
    rng = np.random.default_rng(n_rows + n_bins)
    codes = (rng.random((n_features, n_rows)) ** 2 * n_bins).astype(np.uint8)
    codes[1], codes[2] = n_bins - 1, codes[0]
    classes = np.sort(rng.integers(0, n_classes, n_rows))
    n_log_n = np.concatenate([[0], rng.integers(-(10**12), 10**12, n_rows)])
    return CodeArrays(codes, n_bins, n_log_n), classes, Groups.of(classes, n_classes).offsets


@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 33, 511, 512, 513, 2001])
@pytest.mark.parametrize("n_bins", [1, 2, 20, 256])
def test_sums_over_tables(n_rows, n_bins):
    all_codes, classes, offsets = random_codes(n_rows, n_bins)
    candidates = np.array([5, 0, 1, 2, 3, 3])
    for chosen in (0, 1, 3):
        pair = contingency.pair_sums(all_codes, chosen, candidates)
        expected = twins_contingency.pair_sums(*all_codes, chosen, candidates)
        np.testing.assert_array_equal(pair, expected)
        sums = contingency.class_sums(all_codes, offsets, chosen, candidates)
        expected = twins_contingency.class_sums(*all_codes, classes, chosen, candidates)
        np.testing.assert_array_equal(sums, expected)


@pytest.mark.parametrize("n_rows", [1, 16, 300])
def test_sums_over_joint_states(n_rows):
    all_codes, classes, offsets = random_codes(n_rows, 20)
    states = np.random.default_rng(0).integers(0, 50, n_rows).astype(np.uint32)
    candidates = np.array([4, 0, 1])
    sums = contingency.state_sums(all_codes, offsets, states, 50, candidates)
    expected = twins_contingency.state_sums(*all_codes, classes, states, candidates)
    np.testing.assert_array_equal(sums, expected)


def lagging(chosen, candidates, n_known, gathered):
    known = np.array(n_known, np.int64)
    return Lagging(np.array(chosen), np.array(candidates), known, np.array(gathered, float))


def test_smallest_relevance():
    all_codes, classes, offsets = random_codes(400, 5)
    given_sums = np.arange(6) * 10**12
    expected = []
    for j in (3, 4, 5):
        terms = []
        for s in (0, 2):
            (pair,), (triple,) = twins_contingency.class_sums(*all_codes, classes, s, [j])
            terms.append(max(0.0, (triple - pair - given_sums[s]) * 1e-12))
        expected.append(terms)
    floor = -np.inf
    part = lagging([0, 2], [3, 4, 5], [0, 1, 0], [1e9, 1e9, 0.25])
    contingency.smallest_relevance(all_codes, offsets, given_sums, 1e-12, floor, part)
    assert part.n_known.tolist() == [2, 2, 2]
    wanted = [min(expected[0]), expected[1][1], min(0.25, *expected[2])]
    np.testing.assert_allclose(part.gathered, wanted, rtol=1e-15)


def test_smallest_relevance_gives_up_below_the_floor():
    all_codes, _, offsets = random_codes(400, 5)
    part = lagging([0, 2], [3, 4], [0, 1], [0.5, 1.0])
    contingency.smallest_relevance(all_codes, offsets, np.zeros(6, np.int64), 1e-12, 0.75, part)
    assert (part.n_known[0], part.gathered[0]) == (0, 0.5)
    assert part.n_known[1] == 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 100])
@pytest.mark.parametrize("order", ["C", "F"])
def test_standardised_features_and_their_correlations(dtype, n_rows, order):
    X = np.random.default_rng(n_rows).normal(5, 2, (n_rows, 70)).astype(dtype, order=order)
    mean, scale = X.mean(axis=0, dtype=float), np.linspace(0, 0.3, 70)
    values = np.empty((70, n_rows), dtype)
    contingency.standardise(X, mean, scale, values)
    np.testing.assert_array_equal(values, twins_contingency.standardise(X, mean, scale))
    part = lagging([3, 50, 9], [1, 69, 50, 0], [0, 2, 3, 1], [0.0, 0.5, 0.25, 1.0])
    expected = twins_contingency.correlation_sums(values, 0.001, *part)
    contingency.correlation_sums(values, 0.001, part)
    assert part.n_known.tolist() == [3, 3, 3, 3]
    np.testing.assert_allclose(part.gathered, expected, rtol=1e-12)


def test_equal_features_give_equal_bits():
    values = np.random.default_rng(0).normal(size=(9, 1003))
    values[7] = values[2]
    part = lagging([0, 4], [2, 7], [0, 0], [0.0, 0.0])
    contingency.correlation_sums(values, 0.0, part)
    assert part.gathered[0] == part.gathered[1]


def test_wrong_arguments_are_refused():
    all_codes, _, offsets = random_codes(20, 5)
    one = np.array([1])
    few_bins = all_codes._replace(n_bins=4)
    short = all_codes._replace(n_log_n=all_codes.n_log_n[1:])
    wrong = [
        lambda: contingency.pair_sums(few_bins, 0, one),
        lambda: contingency.pair_sums(short, 0, one),
        lambda: contingency.pair_sums(all_codes, 6, one),
        lambda: contingency.pair_sums(all_codes, 0, np.array([-1])),
        lambda: contingency.class_sums(all_codes, offsets[:-1], 0, one),
        lambda: contingency.state_sums(all_codes, offsets, np.full(20, 3, np.uint32), 3, one),
        lambda: contingency.correlation_sums(np.ones((2, 3)), 0.0, lagging([2], [0], [0], [0])),
        lambda: contingency.correlation_sums(np.ones((2, 3)), 0.0, lagging([0], [1], [-1], [0])),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            call()


def test_more_bins_than_a_byte_can_tell_are_refused():
    X, groups = np.ones((4, 1)), Groups.of(np.zeros(4, int), 1)
    bins = kernels.BinArrays(np.zeros(1), np.ones(1), np.array([257], np.int32))
    with pytest.raises(ValueError, match="byte"):
        contingency.bin_codes(X, groups, bins, np.empty((1, 4), np.uint8))
    with pytest.raises(ValueError, match="byte"):
        contingency.quantile_codes(X, groups, np.ones(1, np.uint8), 257, np.empty((1, 4), np.uint8))
