from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank.kernels import Groups
from featrank.summaries import Bins, Histogram, Moments

N_CLASSES = 3
FIELDS = ("count", "mean", "m2", "minimum", "maximum", "absolute_sum", "whole")

values = st.floats(-1e6, 1e6, allow_subnormal=False) | st.integers(-5, 5).map(float)


@st.composite
def blocks_of_rows(draw, parts):
    """A matrix, its class codes, and where it is cut into so many blocks of rows."""
    n_rows = draw(st.integers(1, 30))
    X = draw(arrays(np.float64, (n_rows, draw(st.integers(1, 10))), elements=values))
    codes = draw(arrays(np.int64, n_rows, elements=st.integers(0, N_CLASSES - 1)))
    cut = sorted(draw(st.lists(st.integers(0, n_rows), min_size=parts - 1, max_size=parts - 1)))
    return X, codes, [slice(a, b) for a, b in zip([0, *cut], [*cut, n_rows], strict=True)]


def moments_of(X, codes):
    return Moments.of(X, Groups.of(codes, N_CLASSES))


def assert_same(got, expected, X):
    """Counts and extremes exactly; sums to the rounding that values of this size allow."""
    for name in ("count", "minimum", "maximum", "whole"):
        np.testing.assert_array_equal(getattr(got, name), getattr(expected, name))
    size = np.abs(X).max()
    np.testing.assert_allclose(got.mean, expected.mean, rtol=1e-12, atol=1e-15 * size)
    np.testing.assert_allclose(got.m2, expected.m2, rtol=1e-12, atol=1e-13 * size**2)
    np.testing.assert_allclose(got.absolute_sum, expected.absolute_sum, rtol=1e-12)


@settings(max_examples=50, deadline=None)
@given(blocks_of_rows(parts=4))
def test_merged_moments_are_those_of_the_whole(case):
    X, codes, blocks = case
    merged = reduce(Moments.merge, [moments_of(X[rows], codes[rows]) for rows in blocks])
    assert_same(merged, moments_of(X, codes), X)


@settings(max_examples=50, deadline=None)
@given(blocks_of_rows(parts=3))
def test_merging_moments_is_associative(case):
    X, codes, blocks = case
    a, b, c = (moments_of(X[rows], codes[rows]) for rows in blocks)
    assert_same(a.merge(b).merge(c), a.merge(b.merge(c)), X)


@settings(max_examples=50, deadline=None)
@given(blocks_of_rows(parts=1))
def test_merging_with_nothing_changes_no_bit(case):
    X, codes, _ = case
    whole, nothing = moments_of(X, codes), moments_of(X[:0], codes[:0])
    for merged in (whole.merge(nothing), nothing.merge(whole)):
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(merged, name), getattr(whole, name))


@settings(max_examples=50, deadline=None)
@given(blocks_of_rows(parts=4), st.integers(1, 20))
def test_merged_histograms_are_those_of_the_whole(case, n_bins):
    X, codes, blocks = case
    bins = Bins.of(moments_of(X, codes), X.dtype, n_bins)

    def count(rows):
        return Histogram.of(X[rows], Groups.of(codes[rows], N_CLASSES), bins)

    merged = reduce(Histogram.merge, [count(rows) for rows in blocks])
    np.testing.assert_array_equal(merged.counts, count(slice(None)).counts)


@settings(max_examples=50, deadline=None)
@given(blocks_of_rows(parts=1), st.integers(1, 9))
def test_columns_put_together_are_those_of_the_whole_to_the_bit(case, cut):
    X, codes, _ = case
    parts = [moments_of(part, codes) for part in (X[:, :cut], X[:, cut:])]
    joined, whole = Moments.concatenate(parts), moments_of(X, codes)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))


def test_blocks_far_apart_and_unequal():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(1e6, 1, (3, 4)), rng.normal(-1e6, 1, (1000, 4))])
    codes = np.zeros(1003, int)
    merged = moments_of(X[:3], codes[:3]).merge(moments_of(X[3:], codes[3:]))
    assert_same(merged, moments_of(X, codes), X)


def test_variance_after_merging_survives_a_large_mean():
    X = np.random.default_rng(0).normal(1e6, 1, (3000, 5))
    codes = np.zeros(3000, int)
    parts = [moments_of(X[a : a + 100], codes[a : a + 100]) for a in range(0, 3000, 100)]
    merged = reduce(Moments.merge, parts)
    exact = X.astype(np.longdouble).var(axis=0, ddof=1)
    np.testing.assert_allclose(merged.overall_variance(), exact.astype(float), rtol=1e-10)


def test_merged_constants_have_no_spread_at_all():
    X, codes = np.full((30, 2), 0.1), np.zeros(30, int)
    merged = moments_of(X[:7], codes[:7]).merge(moments_of(X[7:], codes[7:]))
    assert not merged.m2.any()
    assert np.all(merged.mean[0] == 0.1)


@pytest.mark.parametrize("first", [True, False])
def test_merging_does_not_hide_what_is_not_a_number(first):
    bad, good = np.array([[1.0], [np.nan], [1.0]]), np.ones((3, 1))
    codes = np.zeros(3, int)
    parts = [moments_of(block, codes) for block in ((bad, good) if first else (good, bad))]
    assert np.isnan(parts[0].merge(parts[1]).m2[0, 0])
