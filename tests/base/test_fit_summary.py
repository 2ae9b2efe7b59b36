"""Rankers fitted to summaries: the same bits as fits to the rows."""

from functools import reduce

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from featrank import ECFS, FisherScore, InfFSSupervised, MutualInformation
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.summaries import ClassSummary, FeatureRanges

RANKERS = [
    ECFS(alpha=0.3),
    ECFS(alpha=0.7, kernel="toolbox", bins=7),
    FisherScore(),
    FisherScore(class_weighted=True),
    MutualInformation(),
    MutualInformation(normalized=True, bins=33),
    InfFSSupervised(),
]


@pytest.fixture(params=[np.float64, np.float32, np.int16])
def data(request):
    rng = np.random.default_rng(0)
    y = np.array(["case", "control", "other"])[rng.integers(0, 3, 300)]
    X = rng.normal(0, 40, (300, 30)) + 30 * (y == "case")[:, None] * (np.arange(30) < 3)
    return X.astype(request.param), y


def summarised(X, y, bins, cuts=(3, 50, 51, 222)):
    blocks = [(X[rows], y[rows]) for rows in np.split(np.arange(len(y)), cuts)]
    ranges = reduce(FeatureRanges.merge, [FeatureRanges.of(*block) for block in blocks])
    return reduce(
        ClassSummary.merge, [ClassSummary.of(*block, ranges, bins=bins) for block in blocks]
    )


@pytest.mark.parametrize("ranker", RANKERS, ids=str)
def test_a_summary_gives_the_bits_of_the_rows(data, ranker):
    X, y = data
    rows = ranker.fit(X, y)
    scores, classes = rows.scores_.copy(), rows.classes_
    found = ranker.fit_summary(summarised(X, y, getattr(ranker, "bins", None)))
    np.testing.assert_array_equal(found.scores_, scores)
    np.testing.assert_array_equal(found.classes_, classes)


@pytest.mark.parametrize("ranker", RANKERS, ids=str)
def test_rows_that_come_bit_by_bit_give_the_bits_of_all(data, ranker):
    X, y = data
    ranges = FeatureRanges.of(X, y)
    rng = np.random.default_rng(1)
    for k, rows in enumerate(np.array_split(rng.permutation(len(y)), 7)):
        ranker.partial_fit(X[rows], y[rows], ranges=ranges if k == 0 else None)
    scores = ranker.scores_.copy()
    np.testing.assert_array_equal(scores, ranker.fit(X, y).scores_)


def test_names_and_selection_come_along(data):
    X, y = data
    ranker = FisherScore(n_features_to_select=2)
    names = [f"gene {j}" for j in range(30)]
    ranker.fit_summary(summarised(X, y, None), feature_names=names)
    expected = FisherScore(n_features_to_select=2).fit(pd.DataFrame(X, columns=names), y)
    assert ranker.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    with pytest.raises(UsageError, match="feature_names has 3 names for 30 features"):
        ranker.fit_summary(summarised(X, y, None), feature_names=["a", "b", "c"])


def test_frames_keep_their_names_in_partial_fit(data):
    X, y = data
    frame = pd.DataFrame(X).add_prefix("gene ")
    ranker = FisherScore().partial_fit(frame, y)
    assert ranker.feature_names_in_[:2].tolist() == ["gene 0", "gene 1"]


def test_given_ranges_need_one_pass():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (100, 6)) * 9.0, np.arange(100) % 2
    ranges = FeatureRanges.given([0, 1], np.zeros(6), np.full(6, 9.0))
    stream = ((X[k : k + 10], y[k : k + 10]) for k in range(0, 100, 10))
    ranker = MutualInformation(bins=10)
    for block in stream:
        ranker.partial_fit(*block, ranges=None if hasattr(ranker, "summary_") else ranges)
    np.testing.assert_array_equal(ranker.scores_, MutualInformation(bins=10).fit(X, y).scores_)


def test_values_beyond_the_first_ranges_are_refused(data):
    X, y = data
    ranker = FisherScore().partial_fit(X[:100], y[:100])
    with pytest.raises(DataError, match="outside their ranges"):
        ranker.partial_fit(X[100:] * 100, y[100:])


def test_a_summary_that_lacks_rows_is_refused(data):
    X, y = data
    ranges = FeatureRanges.of(X, y)
    with pytest.raises(DataError, match=r"has 20 rows, but its ranges have 300"):
        FisherScore().fit_summary(ClassSummary.of(X[:20], y[:20], ranges))


def test_other_bins_are_refused_with_the_way_out(data):
    summary = summarised(*data, 10)
    with pytest.raises(UsageError, match="wants 20 bins, and the summary has 10"):
        MutualInformation().fit_summary(summary)
    with pytest.raises(UsageError, match="equal content need whole columns"):
        MutualInformation(bins=10, binning="quantile").fit_summary(summary)


def test_alpha_is_not_chosen_without_rows(data):
    with pytest.warns(FeatrankWarning, match="alpha cannot be chosen"):
        ranker = ECFS().fit_summary(summarised(*data, "auto"))
    assert ranker.alpha_ == 1


def test_one_class_is_refused():
    X = np.ones((4, 2))
    with pytest.raises(DataError, match="a single class"):
        FisherScore().fit_summary(summarised(X, np.array(["a"] * 4), None, cuts=(2,)))


@pytest.fixture
def gaps(data):
    X, y = data
    X = X.astype(np.float64)
    X[np.random.default_rng(3).random(X.shape) < 0.1] = np.nan
    X[:, 7] = np.nan
    return X, y


@pytest.mark.parametrize("ranker", [FisherScore(), MutualInformation(bins=20)], ids=str)
def test_missing_values_are_skipped_feature_by_feature(gaps, ranker):
    X, y = gaps
    found = ranker.fit_summary(summarised(X, y, 20), missing="skip").scores_
    assert found[7] == 0
    for j in set(range(30)) - {7}:
        there = ~np.isnan(X[:, j])
        alone = ranker.fit(X[there, j : j + 1], y[there]).scores_
        assert found[j] == alone[0]


@pytest.mark.parametrize("ranker", RANKERS, ids=str)
def test_means_in_the_place_of_missing_values(gaps, ranker):
    X, y = gaps
    X[:, 7] = 3  # a mean of no values there is not
    bins = getattr(ranker, "bins", None)
    found = ranker.fit_summary(summarised(X, y, bins), missing="mean").scores_
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    np.testing.assert_allclose(found, ranker.fit(filled, y).scores_, rtol=1e-9, atol=1e-14)


def test_missing_values_are_refused_by_default(gaps):
    with pytest.raises(DataError, match=r"missing values in 30 features, first column 0"):
        FisherScore().fit_summary(summarised(*gaps, None))


def test_sparse_rows_bit_by_bit(data):
    X, y = data
    X = np.where(X > 0, X, 0)
    rows = np.arange(300) % 3
    ranker, ranges = MutualInformation(), FeatureRanges.of(sparse.csr_array(X), y)
    for k in range(3):
        given = {"ranges": ranges} if k == 0 else {}
        ranker.partial_fit(sparse.csr_array(X[rows == k]), y[rows == k], **given)
    np.testing.assert_array_equal(ranker.scores_, MutualInformation().fit(X, y).scores_)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_class_without_values_takes_no_part(n_classes):
    rng = np.random.default_rng(5)
    y = np.arange(120) % n_classes
    X = rng.normal(size=(120, 4))
    X[:, 1] += 3 * (y == 0)
    X[:, 0] += 1000
    X[y == 1, 0] = np.nan
    found = FisherScore().fit_summary(summarised(X, y, None), missing="skip").scores_
    assert np.argmax(found) == 1
    kept = y != 1
    if n_classes == 3:
        a, b = (X[y == c, 0] for c in (0, 2))
        middle = X[kept, 0].mean()
        between = (a.mean() - middle) ** 2 + (b.mean() - middle) ** 2
        assert found[0] == pytest.approx(between / (a.var(ddof=1) + b.var(ddof=1)), rel=1e-9)
    else:
        assert found[0] == 0


def test_a_class_that_has_not_come_is_not_there(data):
    X, y = data
    y = np.where(y == "other", "case", y)
    low, high = X.min(axis=0).astype(float), X.max(axis=0).astype(float)
    given = FeatureRanges.given(["case", "control", "never"], low, high, dtype=X.dtype)
    found = FisherScore().fit_summary(ClassSummary.of(X, y, given, bins=None))
    assert found.classes_.tolist() == ["case", "control"]
    plain = FisherScore().fit_summary(
        ClassSummary.of(
            X, y, FeatureRanges.given(["case", "control"], low, high, dtype=X.dtype), bins=None
        )
    )
    np.testing.assert_array_equal(found.scores_, plain.scores_)


def test_a_class_without_weight_is_as_in_a_fit(data):
    X, y = data
    weights = (y != "other").astype(float)
    ranges = FeatureRanges.of(X, y, sample_weight=weights)
    found = FisherScore().fit_summary(
        ClassSummary.of(X, y, ranges, bins=None, sample_weight=weights)
    )
    expected = FisherScore().fit(X, y, sample_weight=weights)
    assert found.classes_.tolist() == expected.classes_.tolist()
    np.testing.assert_array_equal(found.scores_, expected.scores_)


def test_fit_forgets_what_partial_fit_was_given(data):
    X, y = data
    ranker = FisherScore().partial_fit(X[:100], y[:100])
    ranker.fit(X[:, :5], y)
    assert ranker.partial_fit(X, y).summary_.rows.sum() == 300


def test_summaries_over_other_bins_are_not_merged():
    X, y = np.arange(10.0)[:, None], np.arange(10) % 2
    parts = [
        ClassSummary.of(X, y, FeatureRanges.given([0, 1], [0], [9], whole=w)) for w in (True, False)
    ]
    with pytest.raises(UsageError, match="different ranges"):
        parts[0].merge(parts[1])
