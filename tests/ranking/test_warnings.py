"""Doubtful answers say so, and sound ones do not."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import featrank
from featrank.datasets import make_counts, make_microarray
from featrank.exceptions import FeatrankWarning
from featrank.ranking.warnings import batch_is_class, chance_error, likely_leak


@pytest.mark.filterwarnings("ignore:.*(copy|copies) of the target")
def test_equal_scores_at_the_cut():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 6))
    X[:, 2:5] = y[:, None]  # three features that separate the classes exactly
    with pytest.warns(FeatrankWarning, match=r"Features 1 to 3 have equal scores.* `top=3`\."):
        featrank.rank(X, y, "fisher", top=2)
    for top in (None, 3, 4):
        assert featrank.rank(X, y, "fisher", top=top).top(3) == ["x2", "x3", "x4"]


def rare(n_samples=100, seen=1):
    """Return noise in which the first features are non-zero in a handful of samples of a class."""
    rng = np.random.default_rng(0)
    y = np.arange(n_samples) % 2
    X = rng.normal(5, 1, (n_samples, 30))
    X[:, :5] = 0
    X[2 * np.arange(seen), :5] = rng.uniform(1, 2, (seen, 5))
    return X, y


def test_features_that_few_samples_decide():
    X, y = rare()
    with pytest.warns(FeatrankWarning, match=r"5 of the best 10 features are zero in all but 3 "):
        featrank.rank(X, y, alpha=0.0)


@pytest.mark.filterwarnings("ignore:.*(copy|copies) of the target")
def test_a_feature_of_many_samples_or_of_a_small_class_is_not_rare():
    X, y = rare(seen=12)
    featrank.rank(X, y, alpha=0.0)
    y = np.arange(100) < 4
    X = np.random.default_rng(0).normal(5, 1, (100, 30))
    X[:, 0] = np.where(y, 3, 0)  # the mark of a class of four
    assert featrank.rank(X, y, "fisher", top=1).top(1) == ["x0"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", [(60, 50), (150, 200)])
def test_an_auc_that_is_chance(shape, seed):
    X, y = np.random.default_rng(seed).normal(5, 1, shape), np.arange(shape[0]) % 2
    message = rf"AUC 0\.\d\d ± 0\.\d\d \(chance: 0\.50 ± 0\.\d\d for {shape[0]} samples\)"
    with pytest.warns(FeatrankWarning, match=message):
        featrank.rank(X, y)


def test_the_error_of_chance_is_that_of_shuffled_labels():
    rng = np.random.default_rng(0)
    ranks = np.arange(1, 71)
    for y in (np.arange(70) < 20, np.arange(70) % 2 == 1):
        # The area under the curve is the sum of the ranks of one class, but for shift and scale.
        sums = [ranks[rng.permutation(y)].sum() for _ in range(1500)]
        counts = np.bincount(y)
        assert chance_error(counts) == pytest.approx(np.std(sums) / np.prod(counts), rel=0.06)


def test_fits_are_silent():
    """Pipelines and trials fit a ranker many times."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(5, 1, (60, 50)), np.arange(60) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        featrank.ECFS(5).fit(X, y)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_sound_answers_are_not_doubted(load):
    data = load()
    with warnings.catch_warnings():
        warnings.simplefilter("error", FeatrankWarning)
        featrank.rank(data.data, data.target, top=3)


@pytest.mark.parametrize(
    ("make", "transform"), [(make_microarray, "log2"), (make_counts, "cpm,log1p")]
)
@pytest.mark.parametrize("method", ["ec-fs", "fisher", "mi"])
def test_planted_features_are_not_doubted(make, transform, method):
    data = make(n_features=1000, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FeatrankWarning)
        featrank.rank(data.X, data.y, method, top=20, transform=transform)


def test_classes_are_named_once_a_kind():
    rng = np.random.default_rng(0)
    X, y = rng.normal(5, 1, (90, 40)), np.array(["a", "b", "c"])[np.arange(90) % 3]
    with pytest.warns(FeatrankWarning) as told:
        featrank.rank(X, y, per_class=True)
    (sentence,) = {str(warning.message) for warning in told}
    assert sentence.startswith("Class 'a' (and 2 more): This ranking is no better than chance")


@pytest.mark.parametrize(
    ("codes", "groups", "told"),
    [
        ([0, 0, 1, 1], ["a", "a", "b", "b"], "The 2 groups predict the class of 100 %"),
        ([0, 0, 1, 1], ["a", "b", "a", "b"], None),  # each class in each batch
        (np.arange(60) % 3, np.arange(60) % 6, "The 6 groups predict the class of 100 %"),
        (np.arange(60) // 30, np.arange(60) // 3, None),  # 20 patients
        (np.arange(60) // 30, np.arange(60) // 6, "The 10 groups predict"),
        (np.arange(40) < 2, np.arange(40) < 2, None),  # a class holds 95 % by itself
        (np.arange(40) < 3, np.arange(40) < 3, "The 2 groups predict"),
        (np.arange(40) < 20, np.arange(40) < 22, "The 2 groups predict the class of 95 %"),
        (np.arange(40) < 20, np.arange(40) < 23, None),
    ],
)
def test_batches_that_tell_the_class(codes, groups, told):
    sentence = batch_is_class(np.asarray(codes, dtype=int), groups)
    assert (sentence is None) == (told is None)
    if told:
        assert sentence.startswith(told)
        assert "separated from batch effects" in sentence


@pytest.mark.parametrize(
    ("is_pandas", "advice"),
    [(True, "`X.drop(columns=['stage'])`"), (False, "`drop=['stage']` for files")],
)
def test_the_advice_on_leaks_fits_the_data(is_pandas, advice):
    codes = np.repeat([0, 1], 10)
    copy = 1.0 - codes[:, np.newaxis]
    found = likely_leak(copy, ["stage"], codes, None, 500, is_pandas)
    assert found.endswith(f"Rank without it ({advice}).")
