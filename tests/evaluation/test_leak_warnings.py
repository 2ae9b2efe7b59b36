"""Leaks are caught and sound pipelines pass; warnings say what is wrong and the way out."""

from typing import ClassVar

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.feature_selection import SelectKBest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from featrank import ECFS
from featrank.evaluation import (
    count_varying,
    leak_check,
    row_numbers,
    warn_duplicate_rows,
    warn_small_classes,
    warn_unsupported,
)
from featrank.exceptions import DataError, FeatrankWarning, UsageError


def wide(n=45, width=120, classes=2, signal=0.0, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.normal(size=(n, width))
    X[:, 0] += signal * y
    return X, y


def searching():
    """Return EC-FS that chooses alpha inside its training rows, from three values: soon done."""
    return ECFS(10, alphas=(0, 0.5, 1))


class Remembering(ClassifierMixin, BaseEstimator):
    """Keeps the labels of every row that any copy of it was fitted to."""

    memory: ClassVar[dict] = {}

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.memory.update({row.tobytes(): label for row, label in zip(X, y, strict=True)})
        return self

    def decision_function(self, X):
        return np.array([self.memory.get(row.tobytes(), 0) for row in X], dtype=float)


class Answering(TransformerMixin, BaseEstimator):
    """Appends the true labels, which it was given for all rows."""

    def __init__(self, answers):
        self.answers = answers

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return np.array([[self.answers[row.tobytes()]] for row in X])


class Told(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X[:, 0]


class Predicting(ClassifierMixin, BaseEstimator):
    """Predicts classes and gives no scores."""

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


@pytest.mark.parametrize(("classes", "signal"), [(2, 5), (3, 0)])
def test_sound_pipelines_pass(classes, signal):
    X, y = wide(classes=classes, signal=signal)
    for ranker in (searching(), SelectKBest(k=10)):
        found = leak_check(make_pipeline(StandardScaler(), ranker, GaussianNB()), X, y)
        assert not found.leaks
        assert found.chance == pytest.approx(0.5, abs=0.03)
        assert found.scores.mean() == pytest.approx(0.5, abs=0.06)
        assert len(found.scores) == len(found.true_scores) == 20
        assert "no leak" in repr(found)


def test_unequal_classes_pass():
    X, y = wide(n=60)
    y = (np.arange(60) < 12).astype(int)
    X[y == 1] *= 3  # the rare class lies farther out
    assert not leak_check(make_pipeline(SelectKBest(k=5), LogisticRegression()), X, y).leaks


def test_a_sound_pipeline_is_rarely_accused():
    accused = 0
    for seed in range(20):
        X, y = wide(n=30, width=8, seed=seed)
        found = leak_check(GaussianNB(), X, y, n_permutations=10, cv=3, random_state=seed)
        accused += found.leaks
    assert accused <= 1


def test_memory_of_test_rows_is_caught():
    Remembering.memory.clear()
    X, y = wide()
    found = leak_check(Remembering(), X, y)
    assert found.leaks
    assert found.p_value < 1e-6
    assert found.scores.mean() > 0.7


def test_selection_before_the_split_is_caught():
    X, y = wide()

    def peeking(X, y):
        chosen = searching().fit_transform(X, y)
        return cross_val_score(GaussianNB(), chosen, y, scoring="roc_auc").mean()

    def honest(X, y):
        pipeline = make_pipeline(searching(), GaussianNB())
        return cross_val_score(pipeline, X, y, scoring="roc_auc").mean()

    found = leak_check(peeking, X, y, chance=0.5)
    assert found.leaks
    assert found.scores.mean() > 0.65
    assert repr(found).startswith("<LeakCheck leak: 20 shuffles score 0.")
    assert not leak_check(honest, X, y, chance=0.5).leaks


def test_known_answers_are_caught():
    X, y = wide()
    answers = {row.tobytes(): label for row, label in zip(X, y, strict=True)}
    found = leak_check(make_pipeline(Answering(answers), Told()), X, y)
    assert found.leaks
    assert found.remembers
    assert found.true_scores.mean() == 1
    assert found.p_value > 0.01
    assert "against the true ones" in repr(found)


def test_a_model_fitted_in_advance_is_caught():
    X, y = wide(signal=2)
    fitted = FrozenEstimator(make_pipeline(SelectKBest(k=10), GaussianNB()).fit(X, y))
    assert leak_check(fitted, X, y).leaks


def test_any_scorer_has_its_chance_measured():
    X, y = wide(n=60)
    y = (np.arange(60) < 15).astype(int)
    found = leak_check(GaussianNB(), X, y, scoring="accuracy", cv=StratifiedKFold(3))
    assert not found.leaks
    assert 0.5 < found.chance < 0.8


def test_groups_and_seeds():
    X, y = wide()
    groups = np.arange(45) // 3
    first, again, other = (
        leak_check(GaussianNB(), X, y, cv=GroupKFold(3), groups=groups, random_state=seed)
        for seed in (0, 0, 1)
    )
    assert first.scores.tolist() == again.scores.tolist() != other.scores.tolist()


def test_folds_of_one_class():
    X, y = wide(n=24)
    groups = np.arange(24) // 2  # test folds of two rows, some of one class
    found = leak_check(GaussianNB(), X, y, cv=GroupKFold(12), groups=groups)
    assert np.isfinite([*found.scores, found.chance, found.p_value]).all()
    with pytest.raises(DataError, match="belong to one class"):
        leak_check(GaussianNB(), X, y, cv=LeaveOneOut())


def test_scores_of_predictions_need_a_scorer():
    X, y = wide()
    with pytest.raises(UsageError, match="balanced_accuracy"):
        leak_check(Predicting(), X, y)
    assert not leak_check(Predicting(), X, y, scoring="balanced_accuracy").leaks


def test_inputs_stay_as_they_are():
    X, y = wide()
    X.flags.writeable = y.flags.writeable = False
    leak_check(GaussianNB(), X, y, n_permutations=7)


def test_rejected_arguments():
    X, y = wide()
    with pytest.raises(UsageError, match=r"Use `chance=0\.5`"):
        leak_check(lambda X, y: 0.5, X, y)
    with pytest.raises(UsageError, match="estimator with fit"):
        leak_check("svm", X, y)
    with pytest.raises(UsageError, match="at least 7"):
        leak_check(GaussianNB(), X, y, n_permutations=3)
    with pytest.raises(DataError, match="two classes"):
        leak_check(GaussianNB(), X, np.zeros(45))
    with pytest.raises(UsageError, match="level"):
        leak_check(GaussianNB(), X, y, level=0)


def test_small_classes():
    warn_small_classes(["a"] * 5 + ["b"] * 5, 5)
    with pytest.warns(FeatrankWarning, match=r"5 samples \(1 of 2\): b \(3\).*`cv=3`"):
        warn_small_classes(["a"] * 5 + ["b"] * 3, 5)
    with pytest.warns(FeatrankWarning, match=r"c \(1\)\. .*Merge or drop small classes"):
        warn_small_classes(["a"] * 5 + ["c"], 5)
    X, y = wide(n=12, width=3)[0], np.arange(12) < 4
    with pytest.warns(FeatrankWarning, match="fewer than 5 samples"):
        leak_check(GaussianNB(), X, y, scoring="accuracy")


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_features_without_support(kind):
    X = kind(np.array([[0.0, 1, 2, 0, 4], [0.0, 1, 3, 0, np.nan], [0.0, 1, 2, 5, 4]]))
    assert count_varying(X) == 2
    warn_unsupported(2, X)
    with pytest.warns(
        FeatrankWarning, match=r"`n_features=3` .* 2 features that vary in the 3 training"
    ):
        warn_unsupported(3, X)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_duplicate_rows(kind):
    X = np.array([[0.0, 1], [2, 3], [-0.0, 1], [0, 2], [2, 3]])
    rows = row_numbers(kind(X))
    assert rows.tolist() == [0, 1, 0, 2, 1]
    warn_duplicate_rows(rows, [0, 2], [1, 3, 4])
    with pytest.warns(
        FeatrankWarning,
        match=r"Duplicates of training rows among the test rows \(2 of 3\).*groups=",
    ):
        warn_duplicate_rows(rows, [0, 1], [2, 3, 4])
