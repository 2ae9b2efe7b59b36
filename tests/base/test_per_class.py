"""``per_class=True``: a ranking for each class against the rest, as separate fits give it."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import roc_auc_score

import featrank
from featrank.base.summary import SummaryRanker
from featrank.exceptions import DataError, UsageError
from featrank.summaries.blocks import DenseBlock
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.columns import RowClasses
from featrank.summaries.one_vs_rest import one_against_rest

SUMMARY = [name for name, cls in featrank.methods().items() if issubclass(cls, SummaryRanker)]


def made(n_classes=4, n_samples=96, n_features=60, seed=0):
    """Return features of which the first eight belong to one class each, up or down."""
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b", "c", "d", "e"])[np.arange(n_samples) % n_classes]
    X = rng.gamma(3, 1, (n_samples, n_features))
    for j in range(8):
        X[y == "abcde"[j % n_classes], j] += 3 if j < 4 else -3
    return X, y


@pytest.mark.parametrize("method", [*SUMMARY, "mrmr", "relieff"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_as_separate_fits(method, n_classes):
    X, y = made(n_classes)
    rankings = featrank.rank(X, y, method, per_class=True, top=5)
    assert list(rankings) == list("abcd"[:n_classes])
    for label, ranking in rankings.items():
        # What is tuned is tuned by folds of all classes.
        tuned = {"alpha": ranking.ranker.alpha_} if method == "ec-fs" else {}
        alone = featrank.methods()[method](5, **tuned).fit(X, y == label)
        assert np.array_equal(ranking.order, alone.order_)
        np.testing.assert_allclose(ranking.scores, alone.scores_, rtol=1e-10, atol=1e-10)
        assert ranking.ranker.support_.sum() == 5
        assert ranking.ranker.classes_.tolist() == [False, True]


@pytest.mark.parametrize(
    "options", [{"alpha": 0.3}, {"binning": "quantile"}, {"kernel": "toolbox"}]
)
def test_options_of_ec_fs(options):
    X, y = made(5)
    for label, ranking in featrank.rank(X, y, per_class=True, **options).items():
        alone = featrank.ECFS(**{"alpha": ranking.ranker.alpha_, **options}).fit(X, y == label)
        np.testing.assert_allclose(ranking.scores, alone.scores_, rtol=1e-10, atol=1e-10)


def test_two_classes_choose_the_alpha_of_separate_fits():
    X, y = made(2)
    for label, ranking in featrank.rank(X, y, per_class=True).items():
        alone = featrank.ECFS().fit(X, y == label)
        assert ranking.ranker.alpha_ == alone.alpha_
        np.testing.assert_allclose(ranking.ranker.cv_scores_, alone.cv_scores_, atol=1e-12)


def test_a_small_class_does_not_take_the_folds_of_others():
    X, y = made(3)
    y[:3] = "e"
    X[:3, 9] += 9
    for label, ranking in featrank.rank(X, y, per_class=True, top=5).items():
        assert ranking.ranker.cv_scores_.shape[1] == (3 if label == "e" else 5)


@pytest.mark.parametrize("n_samples", [96, 5000])
def test_sparse_and_tall_data(n_samples):
    X, y = made(3, n_samples, 12)
    X[X < 2] = 0
    for label, ranking in featrank.rank(sparse.csr_matrix(X), y, "mi", per_class=True).items():
        alone = featrank.MutualInformation().fit(X, y == label)
        np.testing.assert_allclose(ranking.scores, alone.scores_, atol=1e-12)


def test_x_is_summarised_once_for_all_classes(monkeypatch):
    calls = []
    original = ColumnStats.of.__func__
    monkeypatch.setattr(
        ColumnStats, "of", classmethod(lambda cls, *args: calls.append(1) or original(cls, *args))
    )
    X, y = made(5)
    featrank.rank(X, y, "fisher", per_class=True)
    assert len(calls) == 1
    featrank.rank(X, y, alpha=0.5, per_class=True)
    assert len(calls) == 2
    featrank.rank(X, y, per_class=True)
    assert len(calls) == 2 + 5 + 1  # five folds, and all rows


def test_summaries_of_two_classes_are_those_of_the_rows():
    X, y = made(5)
    X[:, 0] = y == "b"  # a constant within each class, and in the rest of one
    codes = np.unique(y, return_inverse=True)[1]
    whole = ColumnStats.of(DenseBlock(X), RowClasses(codes, 5).groups(), 10, "width")
    for code, got in enumerate(one_against_rest(whole)):
        rows = RowClasses((codes == code).astype(int), 2)
        expected = ColumnStats.of(DenseBlock(X), rows.groups(), 10, "width")
        assert np.array_equal(got.histogram.counts, expected.histogram.counts)
        for name in ("count", "mean", "m2", "minimum", "maximum", "absolute_sum", "whole"):
            ours, theirs = getattr(got.moments, name), getattr(expected.moments, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
        exact = expected.moments.m2 == 0
        assert np.array_equal(got.moments.m2 == 0, exact)


def test_direction_is_that_of_the_planted_change():
    X, y = made(4)
    rankings = featrank.rank(X, y, "fisher", per_class=True)
    for number, ranking in enumerate(rankings.values()):
        assert set(ranking.order[:2]) == {number, number + 4}
        assert ranking.direction(np.array([number, number + 4])) == ["higher", "lower"]


def test_frame_with_details():
    X, y = made(3)
    table = pd.DataFrame(X, columns=[f"gene {j}" for j in range(60)])
    rankings = featrank.rank(table, y, "fisher", per_class=True)
    plain = rankings.to_frame(4)
    assert list(plain.columns) == ["class", "rank", "feature", "score", "direction"]
    assert list(plain["class"]) == ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    assert list(plain["feature"][4:8]) == rankings["b"].top(4)
    assert len(rankings.to_frame()) == 180
    for row in rankings.to_frame(4, details=True).to_dict("records"):
        own, values = y == row["class"], table[row["feature"]].to_numpy()
        assert row["auc"] == pytest.approx(roc_auc_score(own, values), abs=1e-12)
        assert row["mean_class"] == pytest.approx(values[own].mean())
        assert row["mean_rest"] == pytest.approx(values[~own].mean())
        assert (row["effect"] > 0) == (row["auc"] > 0.5) == (row["direction"] == "higher")


def test_text_names_the_class():
    rankings = featrank.rank(*made(3), "fisher", per_class=True)
    assert "b against the rest" in repr(rankings)
    assert rankings._repr_html_().count("<table>") == 3


def test_what_has_no_classes_is_refused():
    X, y = made()
    with pytest.raises(UsageError, match="is unsupervised"):
        featrank.rank(X, y, "laplacian", per_class=True)
    with pytest.raises(DataError, match=r"needs y|y to be passed"):
        featrank.rank(X, None, "relieff", per_class=True)
    with pytest.raises(DataError, match="y to be passed"):
        featrank.rank(X, None, "fisher", per_class=True)
    with pytest.raises(UsageError, match="for all classes"):
        featrank.rank(X, y, "fisher").direction(np.array([0]))
