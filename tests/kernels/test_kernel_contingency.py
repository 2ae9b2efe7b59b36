import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import kernels
from featrank.kernels import Groups, contingency
from featrank.kernels.contingency import CodeArrays, Gathered

from . import twins_contingency


def counted(codes, groups, n_bins):
    """Histograms of codes whose rows are grouped by class."""
    spans = list(zip(groups.offsets[:-1], groups.offsets[1:], strict=True))
    return np.array([[np.bincount(row[a:b], minlength=n_bins) for a, b in spans] for row in codes])


def codes_agree(X, y, n_bins):
    """Codes are the bins in which the histograms count, bit by bit, in the order of groups."""
    groups = Groups.of(y, y.max() + 1)
    ranges, _, counts = kernels.summarise(X, groups, n_bins)
    low, high = ranges.minimum.min(axis=0), ranges.maximum.max(axis=0)
    bins = kernels.choose_bins(low, high, ranges.whole, X.dtype, n_bins)
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
    codes = np.empty((7, 120), np.uint8)
    number = contingency.quantile_codes(X, groups, n_bins, codes)
    counts = kernels.quantile_histogram(X, groups, n_bins)
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


@pytest.mark.parametrize("n_rows", [1, 16, 20, 300])
@pytest.mark.parametrize("n_states", [1, 5, 50])
def test_sums_over_joint_states(n_rows, n_states):
    all_codes, classes, offsets = random_codes(n_rows, 20)
    states = np.random.default_rng(0).integers(0, n_states, n_rows).astype(np.uint32)
    candidates = np.array([4, 0, 1])
    sums = contingency.state_sums(all_codes, offsets, states, n_states, candidates)
    expected = twins_contingency.state_sums(*all_codes, classes, states, candidates)
    np.testing.assert_array_equal(sums, expected)


def best_by_steps(best_of, expected_of, relevance, start, rtol):
    """Choose one after the other; at each step the best is as the twin's values say."""
    candidates = np.arange(len(relevance))
    chosen, gathered = candidates[:0], Gathered.of(start)
    for _ in range(len(relevance) - 1):
        place = np.argmax(relevance[candidates])
        if len(chosen):
            place, value = best_of(chosen, candidates, gathered)
            expected = expected_of(chosen)[candidates]
            ties = np.flatnonzero(np.round(expected, 9) == np.round(expected.max(), 9))
            assert place == ties[np.argmax(relevance[candidates[ties]])]
            np.testing.assert_allclose(value, expected.max(), rtol=rtol)
        chosen = np.append(chosen, candidates[place])
        candidates = np.delete(candidates, place)


def test_best_of_the_smallest():
    all_codes, classes, offsets = random_codes(400, 5, n_features=30)
    given_sums = np.random.default_rng(0).integers(-6 * 10**13, -4 * 10**13, 30)
    relevance = np.linspace(40, 60, 30)

    def best_of(chosen, candidates, gathered):
        given = *all_codes, offsets, given_sums, 1e-12
        return contingency.best_smallest(*given, relevance, chosen, candidates, *gathered)

    def expected_of(chosen):
        terms = twins_contingency.smallest(*all_codes, classes, given_sums, 1e-12, chosen)
        return np.minimum(relevance, terms)

    best_by_steps(best_of, expected_of, relevance, relevance, 1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 100])
@pytest.mark.parametrize("order", ["C", "F"])
def test_standardised_features_and_their_correlations(dtype, n_rows, order):
    X = np.random.default_rng(n_rows).normal(5, 2, (n_rows, 70)).astype(dtype, order=order)
    mean, scale = X.mean(axis=0, dtype=float), np.linspace(0, 0.3, 70)
    values = np.empty((70, n_rows), dtype)
    contingency.standardise(X, mean, scale, values)
    np.testing.assert_array_equal(values, twins_contingency.standardise(X, mean, scale))
    statistic = np.random.default_rng(0).uniform(1, 9, 70)

    def best_of(chosen, candidates, gathered):
        return contingency.best_quotient(values, 0.001, statistic, chosen, candidates, *gathered)

    def expected_of(chosen):
        return twins_contingency.quotients(values, 0.001, statistic, chosen)

    best_by_steps(best_of, expected_of, statistic, np.zeros(70), 1e-12)


def test_candidates_that_cannot_be_the_best_are_given_up():
    values, chosen = np.ones((6, 8)), np.array([0, 1, 2])
    values /= np.sqrt(8)
    gathered = Gathered.of(np.zeros(6))
    statistic = np.array([9.0, 9.0, 9.0, 2.0, 1e-9, 1.0])
    found = contingency.best_quotient(
        values, 0.001, statistic, chosen, np.array([4, 5, 3]), *gathered
    )
    assert found == (2, pytest.approx(2))
    assert gathered.n_known[3:].tolist() == [3, 0, 2]


def best_of_all(values, statistic, candidates, chosen=(0,)):
    arrays = np.array(values), 0.001, np.array(statistic), np.array(chosen), np.array(candidates)
    return contingency.best_quotient(*arrays, *Gathered.of(np.zeros(len(values))))


def test_equal_values_go_to_the_more_relevant_then_to_the_first():
    values = np.random.default_rng(0).normal(size=(6, 1003))
    values[3] = values[4] = values[5] = values[1]
    assert best_of_all(values, [1.0, 2.0, 2.0, 2.0, 2.0, 2.0], [5, 3, 4, 1])[0] == 0
    assert best_of_all(np.eye(4), [9.0, 1.0, 3.0, 3.0], [1, 2, 3]) == (1, 3.0 / 0.001)
    assert best_of_all(np.eye(4), [9.0, np.inf, 3.0, np.inf], [3, 1, 2]) == (0, np.inf)


def test_wrong_arguments_are_rejected():
    all_codes, _, offsets = random_codes(20, 5)
    one = np.array([1])
    few_bins = all_codes._replace(n_bins=4)
    short = all_codes._replace(n_log_n=all_codes.n_log_n[1:])
    values, behind = np.ones((2, 3)), Gathered(np.array([0, -1]), np.zeros(2))
    given = *few_bins, offsets, np.zeros(6, np.int64), 1.0
    none_known = Gathered.of(np.ones(6))
    wrong = [
        lambda: contingency.pair_sums(few_bins, 0, one),
        lambda: contingency.pair_sums(short, 0, one),
        lambda: contingency.pair_sums(all_codes, 6, one),
        lambda: contingency.pair_sums(all_codes, 0, np.array([-1])),
        lambda: contingency.class_sums(all_codes, offsets[:-1], 0, one),
        lambda: contingency.state_sums(all_codes, offsets, np.full(20, 3, np.uint32), 3, one),
        lambda: best_of_all(np.ones((2, 3)), np.ones(2), [1], chosen=[2]),
        lambda: best_of_all(np.ones((2, 3)), np.ones(2), [2]),
        lambda: best_of_all(np.ones((2, 3)), np.ones(3), [1]),
        lambda: contingency.best_quotient(values, 0.0, np.ones(2), one - 1, one, *behind),
        lambda: contingency.best_smallest(*given, np.ones(6), one, one, *none_known),
        lambda: contingency.best_smallest(*given, np.ones(6), one + 3, one, *none_known),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            call()


def test_more_bins_than_a_byte_can_tell_are_rejected():
    X, groups = np.ones((4, 1)), Groups.of(np.zeros(4, int), 1)
    bins = kernels.BinArrays(np.zeros(1), np.ones(1), np.array([257], np.int32))
    with pytest.raises(ValueError, match="byte"):
        contingency.bin_codes(X, groups, bins, np.empty((1, 4), np.uint8))
    with pytest.raises(ValueError, match="byte"):
        contingency.quantile_codes(X, groups, 257, np.empty((1, 4), np.uint8))
