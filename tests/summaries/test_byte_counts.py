"""Counts of bytes give, after one pass, the bits of summaries that need two."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import ECFS, MutualInformation
from featrank.exceptions import DataError, UsageError
from featrank.kernels import Groups
from featrank.summaries import ByteCounts, ClassSummary, FeatureRanges
from featrank.summaries.blocks import DenseBlock
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.columns import RowClasses, summarise_columns

DTYPES = [np.uint8, np.int8, np.bool_]


@st.composite
def cut_bytes(draw):
    """A matrix of one-byte values, codes of three classes or none, and blocks of its rows."""
    n_rows, n_columns = draw(st.integers(1, 60)), draw(st.integers(1, 20))
    X = draw(arrays(draw(st.sampled_from(DTYPES)), (n_rows, n_columns)))
    codes = draw(arrays(np.int8, n_rows, elements=st.integers(-1, 2)))
    rows = np.array(draw(st.permutations(range(n_rows))))
    cuts = sorted(draw(st.lists(st.integers(0, n_rows), max_size=5)))
    return X, codes, np.split(rows, cuts)


@settings(max_examples=100, deadline=None)
@given(cut_bytes(), st.sampled_from([None, 2, 10, 300]))
def test_one_pass_gives_the_bits_of_two(case, n_bins):
    X, codes, blocks = case
    classes, dense = np.array(["a", "b", "c"]), DenseBlock(X.astype(float))
    ranges = FeatureRanges.of_block(dense, codes, classes)
    expected = ClassSummary.of_block(dense, codes, ranges, n_bins).to_bytes()
    parts = [ByteCounts.of(X[rows], codes[rows], classes) for rows in blocks]
    assert reduce(ByteCounts.merge, parts).summary(n_bins).to_bytes() == expected
    sent = [ByteCounts.from_bytes(part.to_bytes()) for part in reversed(parts)]
    assert reduce(ByteCounts.merge, sent).summary(n_bins).to_bytes() == expected


def test_classes_that_one_block_lacks():
    X = np.arange(12, dtype=np.uint8).reshape(6, 2)
    y = np.array(list("aabbcc"))
    parts = [
        ByteCounts.of(X[rows], *np.unique(y[rows], return_inverse=True)[::-1])
        for rows in ([4, 5], [0, 2], [1, 3])
    ]
    merged = reduce(ByteCounts.merge, parts)
    assert (
        merged.summary(5).to_bytes()
        == ClassSummary.of(X, y, FeatureRanges.of(X, y), bins=5).to_bytes()
    )


def test_more_rows_than_32_bits_count():
    """Counts that are merged with themselves again and again, beyond what an int32 holds."""
    X = np.array([[3, 0], [200, 0], [3, 1]], np.uint8)
    counts = ByteCounts.of(X, np.array([0, 1, 0]), np.array([0, 1]))
    for _ in range(31):
        counts = counts.merge(counts)
    assert counts.rows.tolist() == [2**32, 2**31]
    summary = ByteCounts.from_bytes(counts.to_bytes()).summary(10)
    assert summary.counts[:, :, 0].tolist() == [[2**32, 0], [2**31, 2**31]]
    digest = counts.digest(10, "quantile")
    assert digest.moments.mean.tolist() == [[3, 0.5], [200, 0]]
    assert digest.histogram.counts[0, :, :2].tolist() == [[2**32, 0], [0, 2**31]]
    assert MutualInformation(bins=10).fit_summary(summary).scores_[0] > 0.6


def test_numbers_of_other_types_are_rejected():
    with pytest.raises(UsageError, match="uint8, int8 or bool"):
        ByteCounts.of(np.zeros((2, 1), np.uint16), np.zeros(2, int), np.array([0]))


def test_blocks_of_other_columns_or_types_are_not_merged():
    one, other, signed = (
        ByteCounts.of(np.zeros((2, n), dtype), np.zeros(2, int), np.array([0]))
        for n, dtype in ((3, np.uint8), (2, np.uint8), (3, np.int8))
    )
    for wrong in (other, signed):
        with pytest.raises(DataError, match="Cannot merge"):
            one.merge(wrong)


def test_damaged_bytes_are_rejected():
    blob = ByteCounts.of(np.ones((2, 3), bool), np.zeros(2, int), np.array([0])).to_bytes()
    with pytest.raises(DataError, match="damaged"):
        ByteCounts.from_bytes(blob[:-1])
    with pytest.raises(DataError, match="hold ByteCounts, not ClassSummary"):
        ClassSummary.from_bytes(blob)


@pytest.fixture(params=[(3000, 40), (1100, 700)], ids=["tall", "wide"])
def case(request, monkeypatch):
    monkeypatch.setattr("featrank.summaries.columns.BYTE_ROWS", 800)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, request.param, dtype=np.uint8)
    X[:, ::3] %= 7
    return X, rng.integers(-1, 2, len(X))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_arrays_in_memory_are_counted_to_the_same_bits(case, dtype, binning, n_jobs):
    X, codes = case
    X = X.astype(dtype)
    found = summarise_columns(
        X, RowClasses(codes, 2), describe, n_bins=10, binning=binning, n_jobs=n_jobs
    )
    expected = ColumnStats.of(DenseBlock(X.astype(float)), Groups.of(codes, 2), 10, binning)
    for got, whole in zip(zip(*found, strict=True), describe(None, expected), strict=True):
        np.testing.assert_array_equal(np.concatenate(got), whole)


def describe(_, digest):
    """The numbers of a digest, one row a feature."""
    moments = digest.moments
    tables = moments.mean, moments.m2, moments.minimum, moments.maximum
    return *(table.T for table in tables), moments.absolute_sum, digest.histogram.counts


def test_rankings_are_those_of_floats(case):
    X, codes = case
    y = np.abs(codes)
    for ranker in (ECFS(alpha=0.5), MutualInformation(binning="quantile")):
        expected = ranker.fit(X.astype(float), y).scores_
        np.testing.assert_array_equal(ranker.fit(X, y).scores_, expected)
        weights = np.ones(len(X))
        np.testing.assert_allclose(ranker.fit(X, y, sample_weight=weights).scores_, expected)
