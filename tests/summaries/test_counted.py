"""Genotypes are summarised by counts of their codes, to the bits of their numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import FisherScore
from featrank.kernels import Groups
from featrank.summaries import ClassSummary, FeatureRanges
from featrank.summaries.blocks import block_of
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.counted import CountedBlock
from featrank.values.genotypes import Genotypes

MISSING = 0b01010101


@st.composite
def genotypes(draw):
    """Genotypes of any bytes, labels, and weights or None."""
    n_samples, n_variants = draw(st.integers(1, 30)), draw(st.integers(1, 9))
    shape = n_variants, (n_samples + 3) // 4
    packed = draw(arrays(np.uint8, shape, elements=st.integers(0, 255) | st.just(MISSING)))
    y = draw(arrays(np.int64, n_samples, elements=st.integers(0, 2)))
    weights = None
    if draw(st.booleans()):
        weights = draw(arrays(np.float64, n_samples, elements=st.floats(0, 1e6)))
    return Genotypes(packed, n_samples), y, weights


@settings(max_examples=150, deadline=None)
@given(genotypes(), st.sampled_from(["auto", 2, None]))
def test_summaries_have_the_bits_of_the_numbers(case, bins):
    packed, y, weights = case
    blobs = []
    for X in (packed, packed.toarray()):
        ranges = FeatureRanges.of(X, y, sample_weight=weights)
        summary = ClassSummary.of(X, y, ranges, bins=bins, sample_weight=weights)
        blobs.append((ranges.to_bytes(), summary.to_bytes()))
    assert blobs[0] == blobs[1]


@settings(max_examples=100, deadline=None)
@given(genotypes(), st.sampled_from(["width", "quantile"]), st.sampled_from([2, 10]))
def test_digests_have_the_bits_of_the_numbers(case, binning, n_bins):
    packed, y, weights = case
    codes = np.where(y == 2, -1, y)
    groups = Groups.of(codes, 2, weights)
    if not len(groups.order):
        return
    got, expected = (
        ColumnStats.of(block_of(X), groups, n_bins, binning) for X in (packed, packed.toarray())
    )
    for name in ("count", "mean", "m2", "minimum", "maximum", "absolute_sum", "whole"):
        one, other = getattr(got.moments, name), getattr(expected.moments, name)
        assert one.tobytes() == other.tobytes()
    np.testing.assert_array_equal(got.histogram.counts, expected.histogram.counts)


@pytest.fixture
def packed():
    rng = np.random.default_rng(0)
    return Genotypes(rng.integers(0, 256, (50, 26), dtype=np.uint8), 103)


def test_merged_rows_have_the_bits_of_one_block(packed):
    y, X = np.arange(103) % 3, packed.toarray()
    ranges = FeatureRanges.of(packed, y)
    rest = Genotypes(packed.packed[:, 10:], 63)
    parts = [ClassSummary.of(X[:40], y[:40], ranges), ClassSummary.of(rest, y[40:], ranges)]
    assert parts[0].merge(parts[1]).to_bytes() == ClassSummary.of(packed, y, ranges).to_bytes()


def test_scores_are_those_of_the_numbers(packed):
    y = np.arange(103) % 2
    X = np.where(np.isnan(packed.toarray()), np.float32(1), packed.toarray())
    codes = np.where(X.T == 1, 2, np.where(X.T == 2, 0, 3))
    filled = np.pad(codes, ((0, 0), (0, 1))).reshape(50, -1, 4) @ [1, 4, 16, 64]
    complete = Genotypes(filled.astype(np.uint8), 103)
    summary = ClassSummary.of(complete, y, FeatureRanges.of(complete, y))
    np.testing.assert_array_equal(
        FisherScore().fit_summary(summary).scores_, FisherScore().fit(X, y).scores_
    )


def test_rows_are_counted_once_for_the_same_groups(packed):
    counted = []

    class Watched(Genotypes):
        def counts(self, classes, n_classes):
            counted.append(classes)
            return super().counts(classes, n_classes)

    block = CountedBlock.of(Watched(packed.packed, packed.n_samples))
    codes = np.arange(103) % 2
    ranges = FeatureRanges.of_block(block, codes, np.array([0, 1]))
    ClassSummary.of_block(block, codes, ranges, 10)
    assert len(counted) == 1
    ClassSummary.of_block(
        block, 1 - codes, FeatureRanges.of_block(block, 1 - codes, np.array([0, 1])), 10
    )
    assert len(counted) == 2


def test_weighted_rows_are_written_out_some_columns_at_a_time(packed, monkeypatch):
    y, weights = np.arange(103) % 2, np.linspace(0, 3, 103)
    expected = FeatureRanges.of(packed.toarray(), y, sample_weight=weights)
    whole = ClassSummary.of(packed.toarray(), y, expected, sample_weight=weights)
    monkeypatch.setattr("featrank.summaries.counted.WRITTEN_BYTES", 4 * 103 * 7)
    got = ClassSummary.of(packed, y, expected, sample_weight=weights)
    assert got.to_bytes() == whole.to_bytes()


def test_no_variants():
    empty = Genotypes(np.empty((0, 2), np.uint8), 5)
    for weights in (None, np.ones(5)):
        ranges = FeatureRanges.of(empty, np.arange(5) % 2, sample_weight=weights)
        summary = ClassSummary.of(empty, np.arange(5) % 2, ranges, sample_weight=weights)
        assert summary.counts.shape == (0, 2, 10)
