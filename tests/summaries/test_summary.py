import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from featrank.kernels import Groups
from featrank.summaries.blocks import DenseBlock
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.columns import RowClasses, summarise_columns
from featrank.summaries.histogram import Bins, Histogram, auto_bins
from featrank.summaries.moments import Moments
from featrank.summaries.relevance import mutual_information


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 150)
    X = rng.normal(size=(150, 700))
    X[:, ::5] = rng.integers(0, 6, X[:, ::5].shape)
    return X, codes, Groups.of(codes, 3)


@pytest.mark.parametrize(
    ("n_samples", "n_bins"),
    [(2, 10), (109, 10), (110, 11), (199, 19), (200, 20), (201, 20), (10**6, 20)],
)
def test_auto_bins(n_samples, n_bins):
    assert auto_bins(n_samples) == n_bins


def test_edges_bound_the_data(case):
    X, _, groups = case
    moments = Moments.of(X, groups)
    bins = Bins.of(moments.low, moments.high, moments.whole, X.dtype, 12)
    assert bins.edges(0).tolist() == [0, 1, 2, 3, 4, 5, 6]
    edges = bins.edges(1)
    room = 8 * np.finfo(float).eps * np.abs(X[:, 1]).max()
    assert X[:, 1].min() - edges[0] == pytest.approx(room, rel=0.1)
    assert edges[-1] == pytest.approx(X[:, 1].max(), rel=1e-14)
    np.testing.assert_allclose(np.diff(edges), np.ptp(X[:, 1]) / 12, rtol=1e-12)


def test_one_read_gives_what_separate_steps_give(case):
    X, _, groups = case
    summary = ColumnStats.of(DenseBlock(X), groups, 10, "width")
    moments = Moments.of(X, groups)
    histogram = Histogram.of(
        X, groups, Bins.of(moments.low, moments.high, moments.whole, X.dtype, 10)
    )
    np.testing.assert_array_equal(summary.histogram.counts, histogram.counts)
    for name in ("count", "mean", "m2", "minimum", "maximum", "absolute_sum", "whole"):
        np.testing.assert_array_equal(getattr(summary.moments, name), getattr(moments, name))


def test_without_bins_there_is_no_histogram(case):
    X, _, groups = case
    assert ColumnStats.of(DenseBlock(X), groups, None, "width").histogram is None


@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_blocks_and_threads_change_no_bit(case, binning, n_jobs, monkeypatch):
    X, codes, groups = case
    expected = pieces(slice(None), ColumnStats.of(DenseBlock(X), groups, 10, binning))
    monkeypatch.setattr("featrank.summaries.columns.BLOCK_BYTES", 1)
    parts = summarise_columns(
        X, RowClasses(codes, 3), pieces, n_bins=10, binning=binning, n_jobs=n_jobs
    )
    assert len(parts) > 1
    for got, whole in zip(zip(*parts, strict=True), expected, strict=True):
        np.testing.assert_array_equal(np.concatenate(got), whole)


def pieces(_, summary):
    """The numbers of a summary, one row a feature."""
    moments = summary.moments
    return moments.mean.T, moments.m2.T, moments.absolute_sum, summary.histogram.counts


@pytest.mark.parametrize(
    "convert",
    [
        sparse.csc_matrix,
        sparse.csc_array,
        lambda X: X.astype(">f8"),
        lambda X: X.astype(np.longdouble),
        np.asfortranarray,
    ],
)
def test_containers_of_the_same_numbers(case, convert):
    X, codes, _ = case
    (expected,) = summarise_columns(X[:, :60], RowClasses(codes, 3), pieces, n_bins=10)
    (got,) = summarise_columns(convert(X[:, :60]), RowClasses(codes, 3), pieces, n_bins=10)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float16, np.float32])
def test_small_numbers_of_any_type(case, dtype):
    X, codes, _ = case
    small = (np.abs(X[:, :30]) * 3).astype(dtype)
    (expected,) = summarise_columns(
        small.astype(np.float64), RowClasses(codes, 3), pieces, n_bins=10
    )
    (got,) = summarise_columns(small, RowClasses(codes, 3), pieces, n_bins=10)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_information_is_that_of_scikit_learn(case):
    X, codes, groups = case
    summary = ColumnStats.of(DenseBlock(X[:, :20]), groups, 10, "width")
    bins = Bins.of(summary.moments.low, summary.moments.high, summary.moments.whole, X.dtype, 10)
    plain, shared = mutual_information(summary), mutual_information(summary, normalized=True)
    for j in range(20):
        binned = np.searchsorted(bins.edges(j)[1:-1], X[:, j], side="right")
        assert plain[j] == pytest.approx(mutual_info_score(codes, binned), abs=1e-13)
        uncertainty = normalized_mutual_info_score(codes, binned, average_method="arithmetic")
        assert shared[j] == pytest.approx(uncertainty, abs=1e-13)
        by_bin = np.bincount(binned)
        assert summary.histogram.information()[1][j] == pytest.approx(entropy(by_bin), abs=1e-13)


def test_the_class_itself_shares_all_of_its_information():
    codes = np.arange(30) % 3
    X = np.column_stack([codes, np.ones(30)]).astype(float)
    summary = ColumnStats.of(DenseBlock(X), Groups.of(codes, 3), 10, "width")
    assert mutual_information(summary, normalized=True) == pytest.approx([1, 0])
    assert mutual_information(summary) == pytest.approx([np.log(3), 0])


BEYOND_WHOLE_STEPS = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
import numpy as np
from featrank.kernels import Groups
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.blocks import DenseBlock
X = 1e17 + 16 * (np.arange(40.0)[:, None] % 2)
groups = Groups.of(np.zeros(40, int), 1)
counts = ColumnStats.of(DenseBlock(X), groups, 20, "quantile").histogram.counts
assert sorted(counts[counts > 0].tolist()) == [20, 20], counts
"""


def test_quantile_bins_where_adding_one_changes_nothing():
    """In a process of its own with little memory, as a loop over integers would never end."""
    done = subprocess.run(
        [sys.executable, "-c", BEYOND_WHOLE_STEPS], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def tall(monkeypatch):
    """Make every column a long one, whose rows are read in small blocks."""
    monkeypatch.setattr("featrank.summaries.columns.TALL", 10)
    monkeypatch.setattr("featrank.summaries.columns.PIECE_ROWS", (7, 7))


def test_long_columns_are_merged_from_blocks_of_rows(case, tall):
    X, codes, groups = case
    expected = ColumnStats.of(DenseBlock(X), groups, 10, "width")
    (got,) = summarise_columns(
        X, RowClasses(codes, 3), lambda _, digest: digest, n_bins=10, n_jobs=2
    )
    np.testing.assert_array_equal(got.histogram.counts, expected.histogram.counts)
    for name in ("count", "mean", "m2", "minimum", "maximum", "absolute_sum", "whole"):
        np.testing.assert_array_equal(getattr(got.moments, name), getattr(expected.moments, name))


def test_long_columns_give_the_same_bits_for_any_number_of_threads(case, tall):
    X, codes, _ = case
    one, two = (
        summarise_columns(X, RowClasses(codes, 3), pieces, n_bins=10, n_jobs=n_jobs)[0]
        for n_jobs in (1, 2)
    )
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)
