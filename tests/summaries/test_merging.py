"""Sums do not depend on how rows are cut, on the order of blocks, or on the tree of merges."""

import math
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from featrank.exceptions import DataError, UsageError
from featrank.kernels import Groups
from featrank.summaries import ClassSummary, FeatureRanges
from featrank.summaries.moments import Moments

FIELDS = ("count", "mean", "m2", "minimum", "maximum", "absolute_sum", "whole")

values = (
    st.floats(-1e6, 1e6, allow_subnormal=False)
    | st.integers(-5, 5).map(float)
    | st.sampled_from([0.1, 1e-30, -1e-30, 1e30, 1e145, -1e145, 5e-324, np.nan])
)


@st.composite
def cut_tables(draw):
    """A matrix, labels, weights or None, and blocks of its rows in some order."""
    n_rows = draw(st.integers(2, 40))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    elements = st.floats(width=32, allow_infinity=False) if dtype == np.float32 else values
    X = draw(arrays(dtype, (n_rows, draw(st.integers(1, 20))), elements=elements))
    y = draw(arrays(np.int64, n_rows, elements=st.integers(0, 2)))
    weights = None
    if draw(st.booleans()):
        weights = draw(arrays(np.float64, n_rows, elements=st.floats(0, 1e9)))
    rows = np.array(draw(st.permutations(range(n_rows))))
    cuts = sorted(draw(st.lists(st.integers(0, n_rows), max_size=6)))
    return X, y, weights, np.split(rows, cuts)


def some(weights, rows):
    return None if weights is None else weights[rows]


def summary_of(X, y, weights, blocks, merged):
    ranges = merged(
        FeatureRanges.merge,
        [FeatureRanges.of(X[b], y[b], sample_weight=some(weights, b)) for b in blocks],
    )
    parts = [ClassSummary.of(X[b], y[b], ranges, sample_weight=some(weights, b)) for b in blocks]
    return merged(ClassSummary.merge, parts)


def one_after_the_other(merge, parts):
    return reduce(merge, parts)


def in_a_tree(merge, parts):
    while len(parts) > 1:
        parts = [reduce(merge, parts[k : k + 2]) for k in range(0, len(parts), 2)]
    return parts[0]


@settings(max_examples=150, deadline=None)
@given(cut_tables())
def test_any_cut_order_and_tree_gives_the_same_bits(case):
    X, y, weights, blocks = case
    whole = summary_of(X, y, weights, [np.arange(len(X))], reduce)
    for merged in (one_after_the_other, in_a_tree):
        assert summary_of(X, y, weights, blocks, merged).to_bytes() == whole.to_bytes()
    travelled = summary_of(
        X, y, weights, blocks, lambda merge, parts: reduce(merge, map(sent, reversed(parts)))
    )
    assert travelled.to_bytes() == whole.to_bytes()


def sent(part):
    return type(part).from_bytes(part.to_bytes())


@settings(max_examples=60, deadline=None)
@given(cut_tables())
def test_summaries_become_the_moments_of_the_rows(case):
    X, y, weights, blocks = case
    X = np.where(np.isnan(X), X.dtype.type(0), X)
    codes = np.unique(y, return_inverse=True)[1]
    whole = Moments.of(X, Groups.of(codes, codes.max() + 1, weights))
    if not whole.count.all():
        return
    digest = summary_of(X, y, weights, blocks, reduce).digest()
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(digest.moments, name), getattr(whole, name))


@settings(max_examples=60, deadline=None)
@given(cut_tables())
def test_sparse_blocks_give_the_bits_of_dense_ones(case):
    X, y, weights, blocks = case
    X = np.where(np.abs(X) > 3, X.dtype.type(0), X)
    dense = summary_of(X, y, weights, blocks, reduce)
    for kind in (sparse.csr_array, sparse.csc_matrix):
        found = summary_of(kind(X), y, weights, blocks, reduce)
        assert found.to_bytes() == dense.to_bytes()


def exact(values):
    """Mean and sum of squared deviations in exact arithmetic."""
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values)


TINY_BESIDE_LARGE = {
    "tiny ones first": [1.0] * 5000 + [1e17],
    "large ones first": [1e17, -1e17] + [1.0] * 5000,
    "a spread of sizes": [10.0 ** (k % 40 - 20) for k in range(4000)],
    "far from zero": [1e9 + k % 7 for k in range(5000)],
    "an outlier": [math.sin(k) for k in range(5000)] + [1e6],
}


@pytest.mark.parametrize("name", TINY_BESIDE_LARGE)
def test_tiny_values_beside_large_ones_lose_no_more_than_in_doubles(name):
    column = TINY_BESIDE_LARGE[name]
    X = np.array(column)[:, None]
    y = np.arange(len(X)) % 2
    moments = summary_of(X, y, None, [np.arange(len(X))], reduce).digest().moments
    for c in range(2):
        values = X[y == c, 0]
        mean, m2 = exact(values.tolist())
        # What adding up n doubles one after the other may lose.
        bound = len(values) * 2.0**-53
        assert abs(moments.mean[c, 0] - mean) <= bound * np.abs(values).sum() / len(values)
        about = np.abs(values - mean).max() ** 2 * len(values)
        assert abs(moments.m2[c, 0] - m2) <= bound * about
    total = math.fsum(abs(v) for v in column)
    assert abs(moments.absolute_sum[0] - total) <= len(column) * 2.0**-53 * total


def test_a_class_far_below_another_keeps_its_spread():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 0.1, 500), np.full(500, 1e9)])[:, None]
    y = np.repeat([0, 1], 500)
    moments = summary_of(X, y, None, np.split(np.arange(1000), 7 * np.arange(1, 90)), reduce)
    variance = moments.digest().moments.class_variance()[:, 0]
    assert variance[0] == pytest.approx(X[:500].var(ddof=1), rel=1e-13)
    assert variance[1] == 0


def test_a_row_of_weight_three_is_three_rows_to_the_bit():
    rng = np.random.default_rng(1)
    X, y, weights = rng.normal(size=(50, 4)), np.arange(50) % 2, rng.integers(1, 4, 50)
    repeated = np.repeat(np.arange(50), weights)
    weighted = summary_of(X, y, weights.astype(float), [np.arange(50)], reduce).digest().moments
    plain = summary_of(X[repeated], y[repeated], None, [np.arange(len(repeated))], reduce)
    for name in FIELDS:
        np.testing.assert_array_equal(
            getattr(weighted, name), getattr(plain.digest().moments, name)
        )


def test_classes_that_one_block_lacks():
    X, y = np.arange(8.0)[:, None], np.array(list("aabbccdd"))
    blocks = [np.array([6, 7]), np.array([0, 1, 2]), np.array([3, 4, 5])]
    summary = summary_of(X, y, None, blocks, reduce)
    assert summary.ranges.classes.tolist() == ["a", "b", "c", "d"]
    assert summary.digest().moments.mean[:, 0].tolist() == [0.5, 2.5, 4.5, 6.5]


@pytest.fixture
def blocks():
    rng = np.random.default_rng(2)
    return [(rng.normal(size=(10, 3)), np.arange(10) % 2) for _ in range(3)]


def test_values_beyond_the_ranges_are_rejected(blocks):
    with pytest.raises(DataError, match=r"outside their ranges \(features 0"):
        ClassSummary.of(np.array([[99.0, 0, 0]]), [1], FeatureRanges.of(*blocks[0]))


def test_labels_that_the_ranges_do_not_know_are_rejected(blocks):
    with pytest.raises(DataError, match="label 7 is not one of the 2 classes"):
        ClassSummary.of(blocks[0][0], [7] * 10, FeatureRanges.of(*blocks[0]))


def test_summaries_of_different_ranges_are_not_merged(blocks):
    parts = [ClassSummary.of(*block, FeatureRanges.of(*block)) for block in blocks[:2]]
    with pytest.raises(UsageError, match="different ranges"):
        parts[0].merge(parts[1])


def test_blocks_of_different_columns_are_not_merged(blocks):
    X, y = blocks[0]
    with pytest.raises(DataError, match="3 and 2 features"):
        FeatureRanges.of(X, y).merge(FeatureRanges.of(X[:, :2], y))


@pytest.mark.parametrize("kind", [FeatureRanges, ClassSummary])
@pytest.mark.parametrize("place", [0, 3, 9, 20, -1])
def test_damaged_bytes_are_rejected(blocks, kind, place):
    ranges = FeatureRanges.of(*blocks[0])
    blob = bytearray(
        (ranges if kind is FeatureRanges else ClassSummary.of(*blocks[0], ranges)).to_bytes()
    )
    blob[place] ^= 1
    with pytest.raises(DataError, match="bytes"):
        kind.from_bytes(bytes(blob))


def test_bytes_that_are_cut_short_or_of_another_kind_are_rejected(blocks):
    blob = FeatureRanges.of(*blocks[0]).to_bytes()
    for bad in (b"", blob[:5], blob[:40], blob[:-1], b"nonsense" * 40):
        with pytest.raises(DataError, match="bytes"):
            FeatureRanges.from_bytes(bad)
    with pytest.raises(DataError, match="hold FeatureRanges, not ClassSummary"):
        ClassSummary.from_bytes(blob)


@pytest.mark.parametrize("labels", [["a", "b"], [0, 1], [True, False], [1, "1"], [0.0, 2.0]])
def test_labels_of_every_kind_travel(labels):
    y = np.empty(6, object)
    y[:] = labels * 3
    ranges = FeatureRanges.of(np.arange(6.0)[:, None], y.tolist())
    again = FeatureRanges.from_bytes(ranges.to_bytes())
    assert again.classes.tolist() == ranges.classes.tolist()
    assert [type(label) for label in again.classes] == [type(label) for label in ranges.classes]


@pytest.mark.parametrize(
    "labels",
    [
        [b"a", b"\xff"],
        [Decimal("1.0"), "a"],
        np.array([b"a", b"\xff"], dtype=object),
        [True, False],
    ],
    ids=str,
)
def test_labels_of_all_kinds_travel_as_bytes(labels):
    X, y = np.array([[1.0], [2.0], [3.0], [5.0]]), [*labels, *labels]
    summary = ClassSummary.of(X, y, FeatureRanges.of(X, y))
    found = ClassSummary.from_bytes(summary.to_bytes())
    assert found.ranges.classes.tolist() == summary.ranges.classes.tolist()
    assert found.ranges.classes.dtype == summary.ranges.classes.dtype
    assert summary.merge(found).rows.sum() == 8


def test_labels_that_cannot_travel_are_named():
    X, y = np.array([[1.0], [2.0]]), [Fraction(1), "a"]
    summary = ClassSummary.of(X, y, FeatureRanges.of(X, y))
    with pytest.raises(UsageError, match=r"type 'Fraction' cannot be sent as bytes"):
        summary.to_bytes()


@pytest.mark.parametrize("sparse_too", [False, True])
def test_integers_that_are_stated_and_are_none(sparse_too):
    X, y = np.array([[1.0, 2.0], [3.0, 2.5], [4.0, 0.0]]), [0, 1, 0]
    ranges = FeatureRanges.given([0, 1], [0, 0], [5, 5], whole=[True, True])
    block = sparse.csr_array(X) if sparse_too else X
    with pytest.raises(
        DataError, match=r"1 features are declared as integers .*first feature 1.*whole="
    ):
        ClassSummary.of(block, y, ranges)
    told = FeatureRanges.given([0, 1], [0, 0], [5, 5], whole=[True, False])
    assert ClassSummary.of(block, y, told).rows.tolist() == [2, 1]


@pytest.mark.parametrize("bins", [-3, 0, 2.5, "many", 10**12])
def test_numbers_of_bins_that_are_none(bins):
    X, y = np.array([[1.0], [2.0]]), [0, 1]
    with pytest.raises(UsageError, match=r"is not valid. Use an integer from 1"):
        ClassSummary.of(X, y, FeatureRanges.of(X, y), bins=bins)
