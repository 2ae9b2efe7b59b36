"""Counts and missing values in trials: everything is learnt from the training rows."""

import json
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.impute import KNNImputer, SimpleImputer

from featrank import CountTransform, FisherScore
from featrank.base.ranker import Ranker
from featrank.evaluation import Protocol, compare, compare_labels
from featrank.exceptions import DataError, UsageError

QUICK = Protocol(n_repeats=2, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3)
EVERYTHING = replace(QUICK, imputer="knn", transform="cpm,rank", max_missing=0.3)


def counts(n=40, width=30, seed=0):
    """Return counts with gaps, of which the first five tell the classes apart, and the classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.poisson(rng.gamma(2, 10, (n, width))).astype(float) + 1
    X[:, :5] *= 1 + 2 * y[:, None]
    X[rng.random(X.shape) < 0.05] = np.nan
    X[rng.random(n) < 0.6, 9] = np.nan  # known of few
    return X, y


class Seen(Ranker):
    """Keeps what each fit got, and ranks by the sum of the column."""

    name = "seen"
    fits: ClassVar[list] = []

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        self.fits.append(X.copy())
        return X.sum(axis=0)


class Judged(ClassifierMixin, BaseEstimator):
    """Keeps the rows that it was trained on and those that it was asked about."""

    rows: ClassVar[list] = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.train = X
        return self

    def decision_function(self, X):
        self.rows.append((self.train, X))
        return X[:, 0]


def fits_of(X, y, protocol):
    Seen.fits.clear()
    compare(X, y, [Seen()], protocol)
    return list(Seen.fits)


def poisoned(X, y, protocol):
    """Return X with other values, and other gaps, in the test rows of the first trial."""
    rng = np.random.default_rng(1)
    _, test = protocol.split(_Rows(X, y), 0)
    other = X.copy()
    other[test] = rng.poisson(1e6, (len(test), X.shape[1]))
    other[test[::2], ::3] = np.nan
    return other


class _Rows:
    groups = None

    def __init__(self, X, y):
        self.X, self.y = X, y


@pytest.mark.parametrize("impute", ["mean", "median", "knn"])
@pytest.mark.parametrize("transform", ["none", "log1p", "cpm,log1p", "clr", "rank", "cpm,rank"])
@pytest.mark.parametrize("max_missing", [1.0, 0.3])
def test_nothing_of_the_test_rows_reaches_the_ranking(impute, transform, max_missing):
    X, y = counts()
    one = replace(QUICK, n_repeats=1, imputer=impute, transform=transform, max_missing=max_missing)
    before, after = fits_of(X, y, one), fits_of(poisoned(X, y, one), y, one)
    assert len(before) == len(after) == 5  # three folds, the trial, and all rows
    for kept, again in zip(before[:4], after[:4], strict=True):
        np.testing.assert_array_equal(kept, again)
    assert not np.array_equal(before[4], after[4])


@pytest.mark.parametrize("impute", ["mean", "knn"])
def test_training_and_test_rows_are_treated_as_by_scikit_learn(impute):
    X, y = counts()
    protocol = replace(
        QUICK, n_repeats=1, n_features=(30,), imputer=impute, transform="cpm,rank", scale=None,
        estimator=Judged(),
    )  # fmt: skip
    train, test = protocol.split(_Rows(X, y), 0)
    imputer = KNNImputer() if impute == "knn" else SimpleImputer()
    chain = CountTransform("cpm,rank")
    expected = chain.fit_transform(imputer.fit_transform(X[train]))
    rest = chain.transform(imputer.transform(X[test]))
    Judged.rows.clear()
    trial, whole = fits_of(X, y, protocol)
    np.testing.assert_array_equal(trial, expected)
    np.testing.assert_array_equal(whole, chain.fit_transform(imputer.fit_transform(X)))
    order = [*np.argsort(-expected.sum(axis=0), kind="stable")]
    judged_train, judged_rest = Judged.rows[0]
    np.testing.assert_array_equal(judged_train, expected[:, order])
    np.testing.assert_array_equal(judged_rest, rest[:, order])


@pytest.mark.parametrize("transform", ["none", "cpm", "clr", "rank"])
def test_features_with_too_many_gaps_are_as_if_they_were_not_there(transform):
    X, y = counts()
    protocol = replace(QUICK, imputer="knn", transform=transform, max_missing=0.3)
    with_it, without = fits_of(X, y, protocol), fits_of(np.delete(X, 9, axis=1), y, protocol)
    for one, other in zip(with_it, without, strict=True):
        assert not one[:, 9].any()
        np.testing.assert_array_equal(np.delete(one, 9, axis=1), other)
    table = compare(X, y, ["fisher"], protocol).features()
    assert table["rank"][9] == 30


def test_the_share_of_gaps_is_that_of_the_training_rows():
    X, y = counts()
    train, test = QUICK.split(_Rows(X, y), 0)
    X[:, 9] = X[:, 8] = 1 + np.arange(40)
    X[test, 9] = np.nan  # a third of all rows, and none of the training rows
    X[train[:10], 8] = np.nan  # a quarter of all rows, and more of the training rows
    found = fits_of(X, y, replace(QUICK, n_repeats=1, C=(1.0,), max_missing=0.3))
    assert found[0][:, 9].any()
    assert not found[0][:, 8].any()
    assert found[1][:, 8].any()
    assert not found[1][:, 9].any()


def test_a_feature_may_lack_just_as_much_as_is_allowed():
    X, y = counts()
    X[:, 9] = np.where(np.arange(40) < 10, np.nan, 1.0 + np.arange(40))
    assert fits_of(X, y, replace(QUICK, max_missing=0.25))[-1][:, 9].any()
    assert not fits_of(X, y, replace(QUICK, max_missing=0.24))[-1][:, 9].any()


def test_scores_of_all_rows_are_those_of_treated_values():
    X, y = counts()
    protocol = replace(QUICK, imputer="knn", transform="cpm,log1p")
    table = compare(X, y, ["fisher"], protocol).features()
    treated = CountTransform("cpm,log1p").fit_transform(KNNImputer().fit_transform(X))
    expected = FisherScore().fit(treated, y).scores_
    np.testing.assert_allclose(table["score"].to_numpy(), expected, rtol=1e-12)


def test_correlations_are_of_transformed_values():
    X, y = counts()
    X = np.nan_to_num(X, nan=1.0)
    found = compare(X, y, ["fisher"], replace(QUICK, transform="rank")).correlations()
    row = next(found.iter_rows(named=True))
    ranks = CountTransform("rank").fit_transform(X)
    pair = [int(row[name][1:]) for name in ("feature", "other")]
    assert row["r"] == pytest.approx(np.corrcoef(ranks[:, pair].T)[0, 1])


def test_labels_are_treated_the_same_way():
    X, y = counts()
    Seen.fits.clear()
    compare_labels(X, np.column_stack([y, np.arange(40) % 4 > 1]), [Seen()], EVERYTHING)
    assert Seen.fits
    assert all(not fit[:, 9].any() and fit.min() == 0 and fit.max() <= 1 for fit in Seen.fits)


def test_the_manifest_tells_what_was_set_and_nothing_else(tmp_path):
    X, y = counts()
    plain = compare(X, y, ["fisher"], QUICK).manifest["protocol"]
    # As of versions that knew neither transforms nor a largest share of gaps.
    assert list(plain) == [
        "n_features", "C", "test_size", "inner_cv", "imputer", "scale", "estimator", "scoring",
        "cv", "random_state", "leaky", "n_random",
    ]  # fmt: skip
    spaced = replace(EVERYTHING, transform=" cpm , rank")
    compare(X, y, ["fisher"], spaced, out_dir=tmp_path / "set")
    told = json.loads((tmp_path / "set" / "manifest.json").read_text())["protocol"]
    assert (told["imputer"], told["transform"], told["max_missing"]) == ("knn", "cpm,rank", 0.3)


def test_a_folder_is_gone_on_with_only_by_the_same_treatment(tmp_path):
    X, y = counts()
    plain, treated = tmp_path / "plain", tmp_path / "treated"
    compare(X, y, ["fisher"], QUICK, out_dir=plain)
    more = replace(QUICK, n_repeats=3)
    again = compare(X, y, ["fisher"], more, out_dir=plain, resume=True)
    fresh = compare(X, y, ["fisher"], more)
    columns = [name for name in fresh.frame.columns if name != "ranking_seconds"]
    assert again.frame.select(columns).equals(fresh.frame.select(columns))
    with pytest.raises(UsageError, match=r"different protocol \(transform\)"):
        compare(X, y, ["fisher"], replace(QUICK, transform="cpm"), out_dir=plain, resume=True)
    compare(X, y, ["fisher"], replace(QUICK, max_missing=0.5), out_dir=treated)
    with pytest.raises(UsageError, match=r"different protocol \(max_missing\)"):
        compare(X, y, ["fisher"], QUICK, out_dir=treated, resume=True)


def test_values_that_are_no_counts_are_refused_by_name_before_the_first_trial():
    X, y = counts()
    X[3, 7] = -1
    names = [f"gene {j}" for j in range(30)]
    Seen.fits.clear()
    with pytest.raises(DataError, match=r"1 are not, in 1 of 30 columns: 'gene 7' \(1\)"):
        compare(X, y, [Seen()], replace(QUICK, transform="cpm"), feature_names=names)
    assert not Seen.fits


def test_refusals():
    X, y = counts()
    for wrong, sentence in (
        ({"imputer": "kn"}, "Unknown imputation 'kn'. Did you mean 'knn'"),
        ({"transform": "cpm,logp1"}, "Unknown transform 'logp1'. Did you mean 'log1p'"),
        ({"max_missing": 1.5}, "max_missing must lie between 0 and 1"),
    ):
        with pytest.raises(UsageError, match=sentence):
            Protocol(**wrong)
    X[::3] = np.nan
    with pytest.raises(
        DataError, match=r"Every feature lacks more than 0 % .* Use `max_missing=0\.9`\."
    ):
        compare(X, y, ["fisher"], replace(QUICK, max_missing=0.0))
