import numpy as np
import pytest

from featrank import kernels
from featrank.kernels import Groups, contingency, sparse_pairs
from featrank.kernels.contingency import Gathered
from featrank.kernels.sparse_pairs import (
    ChosenArrays,
    SparseCodeArrays,
    SparseValues,
    StoredCodes,
    StoredColumns,
)

from . import twins_sparse


def entries(n_rows, shares, seed=0):
    """Where each column has entries: begin, then rows in order."""
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(rng.random(n_rows) < share) for share in shares]
    begin = np.concatenate([[0], np.cumsum([len(own) for own in rows])])
    return begin, np.concatenate(rows).astype(np.uint32)


def no_codes(n_entries, n_columns):
    code, zero = np.full(n_entries, 255, np.uint8), np.full(n_columns, 255, np.uint8)
    return StoredCodes(code, zero, np.full(n_columns, -1))


def values_of(n_entries, dtype):
    """Values of both signs, many of them equal, and zeros that are stored."""
    rng = np.random.default_rng(n_entries)
    values = np.where(rng.random(n_entries) < 0.5, rng.integers(-3, 9, n_entries), 0.1)
    values = values * np.exp(rng.normal(0, 3, n_entries) * (rng.random(n_entries) < 0.3))
    return values.astype(dtype)


def dense_bin_codes(X, bins):
    """The codes of a dense matrix, which other tests compare with their own twin."""
    groups = Groups.of(np.zeros(len(X), int), 1)
    codes = np.empty(X.shape[::-1], np.uint8)
    if isinstance(bins, int):
        contingency.quantile_codes(X, groups, bins, codes)
    else:
        contingency.bin_codes(X, groups, bins, codes)
    return codes


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", ["width", "quantile"])
@pytest.mark.parametrize("n_bins", [2, 20, 256])
def test_codes_are_those_of_the_dense_columns(dtype, kind, n_bins):
    begin, row = entries(200, [0, 0.005, 0.1, 0.3, 0.9, 1, 1])
    values = values_of(len(row), dtype)
    values[begin[-2] :] = 3.5  # a constant without zeros
    X = twins_sparse.dense_columns(values, begin, 200, row)
    codes, columns = no_codes(len(row), 7), StoredColumns(values, begin, 200)
    if kind == "quantile":
        bins = n_bins
        number = sparse_pairs.stored_quantile_codes(columns, n_bins, codes)
    else:
        whole = np.all(np.rint(X) == X, axis=0).astype(np.uint8)
        low, high = X.min(axis=0).astype(float), X.max(axis=0).astype(float)
        bins = kernels.choose_bins(low, high, whole, np.dtype(dtype), n_bins)
        number = bins.number
        sparse_pairs.stored_bin_codes(columns, bins, codes)
    wanted = dense_bin_codes(X, bins)
    parts = np.split(codes.code, begin[1:-1])
    kept = [np.sum(part != zero) for part, zero in zip(parts, codes.zero, strict=True)]
    np.testing.assert_array_equal(codes.kept, kept)
    np.testing.assert_array_equal(number, np.maximum(wanted.max(axis=1) + 1, number))
    got = twins_sparse.dense_codes(begin, row, codes.code, codes.zero, 200)
    np.testing.assert_array_equal(got, wanted)
    few_row, few_code = np.empty(sum(kept), np.uint32), np.empty(sum(kept), np.uint8)
    sparse_pairs.keep_codes(begin, row, *codes, few_row, few_code)
    few_begin = np.concatenate([[0], np.cumsum(kept)])
    got = twins_sparse.dense_codes(few_begin, few_row, few_code, codes.zero, 200)
    np.testing.assert_array_equal(got, wanted)


def random_codes(n_rows, n_bins, shares=(0, 0.01, 0.2, 0.7, 1, 1)):
    """No entry has the bin of 0; with a single bin there are none."""
    rng = np.random.default_rng(n_rows + n_bins)
    begin, row = entries(n_rows, shares if n_bins > 1 else [0] * len(shares), seed=n_rows)
    code = (rng.random(len(row)) ** 2 * n_bins).astype(int)
    zero = rng.integers(0, n_bins, len(shares)).astype(np.uint8)
    code = np.where(code == np.repeat(zero, np.diff(begin)), (code + 1) % n_bins, code)
    n_log_n = np.concatenate([[0], rng.integers(-(10**12), 10**12, n_rows)])
    return SparseCodeArrays(begin, row, code.astype(np.uint8), zero, n_bins, n_log_n)


def chosen_of(arrays, n_chosen, n_classes, dtype):
    """Chosen features of which some bins are rare, with the class."""
    rng = np.random.default_rng(n_classes)
    n_rows, n_bins = len(arrays.n_log_n) - 1, arrays.n_bins
    codes = (rng.random((n_chosen, n_rows)) ** 3 * n_bins).astype(int)
    state = rng.integers(0, n_classes, n_rows) * n_bins + codes
    size = np.array([np.bincount(own, minlength=n_classes * n_bins) for own in state])
    whole = size.reshape(n_chosen, n_classes, n_bins).sum(axis=1)
    sums = (arrays.n_log_n[counts].sum(axis=1) for counts in (whole, size))
    sizes = (counts.astype(np.uint32) for counts in (size, whole))
    return ChosenArrays(state.astype(dtype), *sizes, *sums)


@pytest.mark.parametrize("n_rows", [1, 16, 300, 2001])
@pytest.mark.parametrize("n_bins", [1, 2, 20, 256])
@pytest.mark.parametrize(
    ("n_classes", "dtype"), [(1, np.uint8), (1, np.uint32), (3, np.uint16), (3, np.uint32)]
)
def test_sums_over_stored_entries(n_rows, n_bins, n_classes, dtype):
    arrays = random_codes(n_rows, n_bins)
    chosen = chosen_of(arrays, 1, n_classes, dtype)
    candidates = np.array([5, 0, 1, 2, 3, 3, 4])
    sums = sparse_pairs.sparse_sums(arrays, chosen, candidates)
    expected = twins_sparse.sparse_sums(arrays, chosen.state[0].astype(int), n_bins, candidates)
    np.testing.assert_array_equal(sums, expected)


def test_best_of_the_smallest():
    """Step by step; candidates that cannot be the best are given up."""
    counts = np.arange(401)
    n_log_n = np.rint(1e9 * counts * np.log(np.maximum(counts, 1))).astype(int)
    arrays = random_codes(400, 5, np.linspace(0, 1, 30))._replace(n_log_n=n_log_n)
    chosen = chosen_of(arrays, 6, 3, np.uint8)
    relevance, candidates = np.random.default_rng(0).uniform(0.04, 0.09, 30), np.arange(4, 30)
    terms, gathered = [relevance], Gathered.of(relevance)
    for k in range(6):
        pair, triple = twins_sparse.sparse_sums(arrays, chosen.state[k].astype(int), 5, range(30))
        gain = np.subtract(triple, pair) - (chosen.triple - chosen.pair)[k]
        terms.append(gain * 1e-9 / 400)
        expected = np.min(terms, axis=0)[candidates]
        first = ChosenArrays(*(part[: k + 1] for part in chosen))
        place, value = sparse_pairs.sparse_best_smallest(
            *arrays, *first, 1e-9 / 400, relevance, candidates, *gathered
        )
        assert (place, value) == (np.argmax(expected), pytest.approx(expected.max(), rel=1e-12))
    assert len(np.unique(gathered.n_known[candidates])) > 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [1, 7, 100])
def test_quotients_of_correlations(dtype, n_rows):
    begin, row = entries(n_rows, np.linspace(0, 1, 20))
    values = np.random.default_rng(n_rows).normal(5, 2, len(row)).astype(dtype)
    X = twins_sparse.dense_columns(values, begin, n_rows, row)
    mean, scale = X.mean(axis=0, dtype=float), np.linspace(0, 0.3, 20)
    chosen = ((X[:, [3, 9, 19]] - mean[[3, 9, 19]]) * scale[[3, 9, 19]]).T.astype(dtype, order="C")
    stored = SparseValues(begin, row, values, mean, scale)
    statistic, everyone = np.random.default_rng(0).uniform(1, 9, 20), np.arange(20)
    gathered = Gathered.of(np.zeros(20))
    for k in range(1, 4):
        place, value = sparse_pairs.sparse_best_quotient(
            *stored,
            chosen[:k],
            chosen[:k].sum(axis=1, dtype=float),
            0.001,
            statistic,
            everyone,
            *gathered,
        )
        sizes = np.maximum(np.abs(twins_sparse.correlations(X, mean, scale, chosen[:k])), 0.001)
        expected = statistic / sizes.mean(axis=1)
        assert value == pytest.approx(expected.max(), rel=1e-9)
        assert expected[place] == pytest.approx(expected.max(), rel=1e-9)


@pytest.mark.parametrize("n_rows", [0, 1, 17, 600])
@pytest.mark.parametrize(("n_bins", "n_first"), [(1, 1), (20, 20), (20, 1), (256, 256)])
def test_tables_of_counts(n_rows, n_bins, n_first):
    rng = np.random.default_rng(n_rows)
    codes = rng.integers(0, n_bins, (4, n_rows)).astype(np.uint8)
    first = rng.integers(0, n_first, n_rows).astype(np.uint8)
    classes = np.sort(rng.integers(0, 3, n_rows))
    offsets = Groups.of(classes, 3).offsets
    tables = contingency.class_tables(codes, n_bins, offsets, first, n_first)
    expected = twins_sparse.class_tables(codes, n_bins, classes, 3, first, n_first)
    np.testing.assert_array_equal(tables, expected)


def test_wrong_tables_are_rejected():
    codes, offsets, first = np.full((2, 4), 3, np.uint8), np.array([0, 4]), np.ones(4, np.uint8)
    for call in (
        lambda: contingency.class_tables(codes, 3, offsets, first, 2),
        lambda: contingency.class_tables(codes, 4, offsets, first, 1),
        lambda: contingency.class_tables(codes, 4, offsets, first, 5),
        lambda: contingency.class_tables(codes, 4, offsets - 1, first, 2),
        lambda: contingency.class_tables(codes, 4, offsets, first[1:], 2),
    ):
        with pytest.raises(ValueError, match="featrank kernel"):
            call()


def test_wrong_sparse_codes_are_rejected():
    arrays = random_codes(20, 5)
    chosen, one = chosen_of(arrays, 1, 2, np.uint8), np.array([4])
    relevance, known = np.ones(6), Gathered.of(np.ones(6))
    wrong = [
        (arrays._replace(n_bins=4), chosen, one),
        (arrays._replace(zero=arrays.zero[1:]), chosen, one),
        (arrays._replace(zero=np.full(6, 5, np.uint8)), chosen, one),
        (arrays._replace(row=arrays.row + np.uint32(1)), chosen, one),
        (arrays._replace(row=arrays.row[1:]), chosen, one),
        (arrays._replace(begin=arrays.begin[::-1].copy()), chosen, one),
        (arrays._replace(begin=arrays.begin + 1), chosen, one),
        (arrays._replace(n_log_n=arrays.n_log_n[1:]), chosen, one),
        (arrays, chosen._replace(state=chosen.state + np.uint8(5)), one),
        (arrays, chosen._replace(size=chosen.size[:, 1:].copy()), one),
        (arrays, chosen._replace(size=chosen.size + np.uint32(20)), one),
        (arrays, chosen._replace(pair=chosen.pair[1:]), one),
        (arrays, chosen, np.array([6])),
        (arrays, chosen, np.array([-1])),
    ]
    for codes, states, candidates in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            sparse_pairs.sparse_sums(codes, states, candidates)
        with pytest.raises(ValueError, match="featrank kernel"):
            sparse_pairs.sparse_best_smallest(*codes, *states, 1.0, relevance, candidates, *known)


def test_entries_that_share_a_row_stay_inside_of_the_tables():
    """They are refused before; here nothing is promised but that memory is left alone."""
    arrays = random_codes(20, 5)
    same_row = arrays._replace(row=np.zeros_like(arrays.row))
    for n_classes in (1, 2):
        chosen = chosen_of(arrays, 1, n_classes, np.uint8)
        assert sparse_pairs.sparse_sums(same_row, chosen, np.arange(6))[0].shape == (6,)


def test_wrong_entries_are_rejected():
    begin, row = entries(10, [0.5, 1])
    values, codes = np.ones(len(row)), no_codes(len(row), 2)
    bins = kernels.BinArrays(np.zeros(2), np.ones(2), np.full(2, 3, np.int32))
    many = bins._replace(number=np.full(2, 257, np.int32))
    known = Gathered.of(np.zeros(2))
    stored = SparseValues(begin, row, values, np.ones(2), np.ones(2))
    quotient = (np.ones((1, 10)), np.ones(1), 0.1, np.ones(2), np.array([1]), *known)
    few = np.empty(1, np.uint32), np.empty(1, np.uint8)
    for call in (
        lambda: sparse_pairs.stored_bin_codes(StoredColumns(values, begin, 9), bins, codes),
        lambda: sparse_pairs.stored_bin_codes(StoredColumns(values, begin, 10), many, codes),
        lambda: sparse_pairs.stored_bin_codes(StoredColumns(values[1:], begin, 10), bins, codes),
        lambda: sparse_pairs.stored_quantile_codes(StoredColumns(values, begin, 10), 257, codes),
        lambda: sparse_pairs.stored_quantile_codes(
            StoredColumns(values * np.nan, begin, 10), 3, codes
        ),
        lambda: sparse_pairs.keep_codes(begin, row, *codes, *few),
        lambda: sparse_pairs.keep_codes(begin, row, *codes._replace(kept=np.zeros(2, int)), *few),
        lambda: sparse_pairs.sparse_best_quotient(
            *stored._replace(row=row + np.uint32(1)), *quotient
        ),
        lambda: sparse_pairs.sparse_best_quotient(*stored._replace(mean=np.ones(1)), *quotient),
    ):
        with pytest.raises(ValueError, match="featrank kernel"):
            call()
