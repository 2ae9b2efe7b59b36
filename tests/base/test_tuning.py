"""Any method that declares a tunable parameter chooses it by cross-validation in fit."""

from numbers import Real
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import featrank
from featrank import MutualInformation
from featrank.base.ranker import Ranker
from featrank.base.registry import methods
from featrank.base.tuning import Tunable
from featrank.evaluation import NFeaturesCV, Protocol, compare
from featrank.exceptions import DataError, FeatrankWarning
from featrank.solvers.evaluate_orders import COSTS

TUNABLE = {name: cls for name, cls in methods().items() if cls.tunable is not None}


def data(n_samples=60, n_features=24, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    X = rng.gamma(2.0, rng.uniform(0.5, 3, n_features), (n_samples, n_features))
    X[:, :6] += 0.9 * y[:, None]
    return X, y


def folds_of(X, y):
    seed = np.random.RandomState(0).randint(2**31)
    return list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))


def auc_by_hand(ranker, X, y, k, folds):
    """Return the AUC of SVMs on the top k features in each fold, by C."""
    table = np.empty((len(COSTS), len(folds)))
    for fold, (train, rest) in enumerate(folds):
        top = clone(ranker).fit(X[train], y[train]).order_[:k]
        scaler = StandardScaler().fit(X[train][:, top])
        fitting, held_out = (scaler.transform(X[rows][:, top]) for rows in (train, rest))
        for row, C in enumerate(COSTS):
            model = SVC(kernel="linear", C=C, tol=1e-6).fit(fitting, y[train])
            table[row, fold] = roc_auc_score(y[rest], model.decision_function(held_out))
    return table[table.mean(axis=1).argmax()]


def test_methods_with_a_parameter_worth_tuning_declare_it():
    assert TUNABLE.keys() >= {"ec-fs", "relieff", "inf-fs", "udfs", "fsasl", "l0"}


@pytest.mark.parametrize("name", TUNABLE)
def test_cv_fits_with_the_value_that_it_chose(name):
    X, y = data()
    tunable = TUNABLE[name].tunable
    tuned = TUNABLE[name](**{tunable.name: "cv"}).fit(X, y)
    value = getattr(tuned, f"{tunable.name}_")
    fixed = TUNABLE[name](**{tunable.name: value}).fit(X, y)
    np.testing.assert_array_equal(tuned.scores_, fixed.scores_)
    assert tuned.cv_scores_.shape[1] == 5
    assert f"(5 folds). featrank used {tunable.name} = {value:g}" in tuned.notes()[0]
    assert not hasattr(fixed, "cv_scores_")


@pytest.mark.parametrize("name", TUNABLE)
def test_the_fallback_is_the_default_or_what_the_method_documents(name):
    tunable = TUNABLE[name].tunable
    default = TUNABLE[name]().get_params()[tunable.name]
    assert default in ("cv", tunable.fallback)
    X, y = data()
    y[:] = np.arange(len(y)) < 1
    with pytest.warns(FeatrankWarning, match=f"{tunable.name} cannot be chosen"):
        ranker = TUNABLE[name](**{tunable.name: "cv"}).fit(X, y)
    assert getattr(ranker, f"{tunable.name}_") == tunable.fallback


@pytest.mark.parametrize("name", ["relieff", "inf-fs"])
def test_scores_and_choice_are_those_of_the_rule_written_out(name, monkeypatch):
    monkeypatch.setattr("featrank.base.tuning.COUNTS", (6,))
    X, y = data()
    cls = TUNABLE[name]
    tunable = cls.tunable
    tuned = cls(**{tunable.name: "cv"}).fit(X, y)
    scores = np.array(
        [auc_by_hand(cls(**{tunable.name: v}), X, y, 6, folds_of(X, y)) for v in tunable.values]
    )
    np.testing.assert_allclose(tuned.cv_scores_, scores, atol=0.07)
    assert (np.abs(tuned.cv_scores_ - scores) < 1e-12).mean() > 0.8
    behind = tuned.cv_scores_[tuned.cv_scores_.mean(axis=1).argmax()] - tuned.cv_scores_
    error = np.maximum(behind.std(axis=1, ddof=1) / np.sqrt(5), 0.01)
    last = np.flatnonzero(behind.mean(axis=1) <= error)[-1]
    assert getattr(tuned, f"{tunable.name}_") == tunable.values[last]


def test_a_parameter_that_matters_is_found():
    """Features differ in a power; only the largest keeps the informative ones on top."""

    class Power(Ranker):
        name = "power"
        tunable = Tunable("power", (3.0, 2.0, -1.0, 1.0), fallback=1.0)
        _parameter_constraints: ClassVar = {**Ranker._parameter_constraints, "power": [Real]}

        def __init__(self, n_features_to_select=None, *, power=1.0):
            self.n_features_to_select = n_features_to_select
            self.power = power

        def _score(self, X, y):
            distance = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))
            return distance * np.sign(self.power_ - 2.5)

    X, y = data()
    X[:, :6] += 3 * y[:, None]
    assert Power(power="cv").fit(X, y).power_ == 3.0


def test_labels_are_needed_to_tune_an_unsupervised_method():
    X, _ = data()
    with pytest.raises(DataError, match="requires y"):
        featrank.InfFS(alpha="cv").fit(X)
    featrank.InfFS().fit(X)


def test_other_words_than_cv_are_rejected():
    X, y = data()
    with pytest.raises(ValueError, match="n_neighbors"):
        featrank.ReliefF(n_neighbors="auto").fit(X, y)


def test_compare_and_the_number_of_features_tune_along():
    X, y = data()
    ranker = featrank.ReliefF(n_neighbors="cv")
    protocol = Protocol(n_repeats=2, n_features=(3,), C=(1.0,))
    rows = compare(X, y, [ranker], protocol).frame.filter(method="relieff")
    assert all('"n_neighbors": ' in params for params in rows["params"])
    assert NFeaturesCV(ranker, SVC(kernel="linear"), cv=3).fit(X, y).ranker_.n_neighbors_ in (
        ranker.tunable.values
    )


def test_the_cost_counts_the_fits_of_tuning():
    fixed, tuned = (featrank.InfFS(alpha=alpha).cost(100, 4000) for alpha in (0.5, "cv"))
    assert tuned.seconds > 10 * fixed.seconds
    assert tuned.memory == fixed.memory


class TunedBins(MutualInformation):
    """Mutual information whose bins are tuned: they change the summaries, not how they combine."""

    name = "tuned-bins"
    tunable = Tunable("bins", (2, 3, 12), fallback=3)

    def _bins(self, n_samples):
        return self.bins_, self.binning


def test_a_single_pass_method_may_tune_what_its_summaries_hold():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 30))
    X[:, 0] = np.where(y, 1.0, -1.0) * rng.choice([0.5, 2.5], 120) + rng.normal(size=120) / 5
    tuned = TunedBins(bins="cv").fit(X, y)
    assert tuned.bins_ in (2, 3, 12)
    assert tuned.cv_scores_.shape[0] == 3
    expected = MutualInformation(bins=tuned.bins_).fit(X, y)
    np.testing.assert_array_equal(tuned.scores_, expected.scores_)
    orders = TunedBins().rank_candidates(X, y, [{"bins": 2}, {"bins": 12}])
    for bins, order in zip((2, 12), orders, strict=True):
        np.testing.assert_array_equal(order, MutualInformation(bins=bins).fit(X, y).order_)
