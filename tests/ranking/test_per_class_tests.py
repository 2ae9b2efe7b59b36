"""Fold changes and p-values beside the rankings for each class."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats

import featrank
from featrank.exceptions import UsageError
from featrank.statistics import cached_tests

TESTED = ["log2_fold_change", "value_scale", "mean_difference", "p_value", "p_adjusted"]


@pytest.fixture
def data():
    """Return 30 genes of three classes as logarithms; each class has two of its own."""
    rng = np.random.default_rng(0)
    y = np.array(["a", "b", "c"])[np.arange(60) % 3]
    X = rng.normal(7, 1, (60, 30))
    for j in range(6):
        X[y == "abc"[j % 3], j] += 1 if j < 3 else -1
    return pd.DataFrame(X, columns=[f"gene {j}" for j in range(30)]), y


@pytest.fixture
def rankings(data):
    return featrank.rank(*data, "fisher", per_class=True)


@pytest.mark.parametrize("test", ["welch", "wilcoxon"])
@pytest.mark.parametrize("details", [False, True])
def test_columns_stand_after_the_rankings_own(data, rankings, test, details):
    X, y = data
    plain = rankings.to_frame(4, details=details)
    frame = rankings.to_frame(4, details=details, test=test)
    assert list(frame.columns) == [*plain.columns, *TESTED]
    pd.testing.assert_frame_equal(frame[plain.columns], plain)
    for label in "abc":
        own, rest = X[y == label], X[y != label]
        if test == "welch":
            p = stats.ttest_ind(own, rest, equal_var=False).pvalue
        else:
            p = stats.mannwhitneyu(own, rest, method="asymptotic").pvalue
        # Over all features, not over the four that are shown.
        adjusted = stats.false_discovery_control(p)
        for row in frame[frame["class"] == label].to_dict("records"):
            j = X.columns.get_loc(row["feature"])
            assert row["p_value"] == pytest.approx(p[j], rel=1e-9)
            assert row["p_adjusted"] == pytest.approx(adjusted[j], rel=1e-9)
            change = own.iloc[:, j].mean() - rest.iloc[:, j].mean()
            assert row["log2_fold_change"] == pytest.approx(change)
            assert (change > 0) == (row["direction"] == "higher")


def test_one_class_has_what_all_have(rankings):
    whole = rankings.to_frame(5, test="welch")
    alone = rankings["b"].to_frame(5, test="welch")
    part = whole[whole["class"] == "b"].reset_index(drop=True).drop(columns="class")
    pd.testing.assert_frame_equal(alone, part)


def test_data_is_looked_at_once_for_all_calls_and_not_unasked(rankings, monkeypatch):
    calls = []
    original = cached_tests.class_tests
    monkeypatch.setattr(
        cached_tests,
        "class_tests",
        lambda *args, **more: calls.append(1) or original(*args, **more),
    )
    rankings.to_frame(details=True)
    assert calls == []
    rankings.to_frame(3, test="welch")
    rankings.to_frame(9, test="welch", details=True)
    rankings["a"].to_frame(test="welch")
    featrank.ranking.ClassRankings({"c": rankings["c"]}).to_frame(test="welch")
    assert len(calls) == 1
    rankings.to_frame(3, test="wilcoxon")
    rankings.to_frame(3, test="wilcoxon", values="linear")
    assert len(calls) == 3


def test_what_values_are(data):
    X, y = data
    rankings = featrank.rank(2**X, y, "fisher", per_class=True)
    assert rankings["a"].value_scales("welch", "auto").usual == "linear"
    frame = rankings.to_frame(1, test="welch")
    given = rankings.to_frame(1, test="welch", values="linear")
    pd.testing.assert_frame_equal(frame, given)
    other = rankings.to_frame(1, test="welch", values="log2")
    assert not np.allclose(frame["log2_fold_change"], other["log2_fold_change"])
    assert np.array_equal(frame["p_value"], other["p_value"])


def test_missing_values_take_no_part(data):
    X, y = data
    gaps = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    rankings = featrank.rank(gaps, y, "relieff", per_class=True)
    for row in rankings["a"].to_frame(test="welch").to_dict("records"):
        values = gaps[row["feature"]]
        wanted = stats.ttest_ind(
            values[y == "a"], values[y != "a"], equal_var=False, nan_policy="omit"
        )
        assert row["p_value"] == pytest.approx(wanted.pvalue, rel=1e-9)


def test_sparse_data(data):
    X, y = data
    full = np.where(X < 7, 0, X)
    for test in ("welch", "wilcoxon"):
        dense, stored = (
            featrank.rank(form(full), y, "fisher", per_class=True).to_frame(
                test=test, values="log2"
            )
            for form in (np.array, sparse.csr_matrix)
        )
        assert dense["value_scale"].to_list() == stored["value_scale"].to_list()
        for name in set(TESTED) - {"value_scale"}:
            np.testing.assert_allclose(dense[name], stored[name], rtol=1e-9, atol=1e-12)


def test_markers_are_the_best_that_are_higher(data, rankings):
    frame = rankings.to_frame()
    for label, names in rankings.markers(3).items():
        own = frame[(frame["class"] == label) & (frame["direction"] == "higher")]
        assert names == list(own["feature"][:3])
    assert len(rankings["a"].markers()) == (frame["direction"][:30] == "higher").sum()


def test_what_is_of_all_classes_has_no_test(data, rankings):
    with pytest.raises(UsageError, match="per_class=True"):
        featrank.rank(*data, "fisher").to_frame(test="welch")
    with pytest.raises(UsageError, match="Did you mean 'welch'"):
        rankings.to_frame(test="welsh")
