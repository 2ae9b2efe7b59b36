"""Several classes: the score of a trial is scikit-learn's macro AUC of one against the rest."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC

from featrank import FisherScore
from featrank.evaluation import Protocol, average_precision_scorer, compare
from featrank.evaluation.estimators import evaluation_model
from featrank.exceptions import FeatrankWarning
from featrank.solvers.linear_svm import part_of
from featrank.solvers.preprocessing import Treatment

SPLITTER = StratifiedShuffleSplit(3, test_size=1 / 3, random_state=0)


def three_classes(n_samples=90):
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], n_samples // 3)
    X = rng.normal(size=(n_samples, 15))
    X[:, :3] += 0.8 * np.repeat(np.eye(3), n_samples // 3, axis=0)
    return X, y


def splits(X, y):
    """Give each split with the first 4 features by Fisher score, scaled by the training rows."""
    for train, test in SPLITTER.split(X, y):
        columns = FisherScore(4).fit(X[train], y[train]).order_[:4]
        Z = (X[:, columns] - X[train][:, columns].mean(axis=0)) / X[train][:, columns].std(axis=0)
        yield Z[train], y[train], Z[test], y[test]


def test_trials_give_scikit_learns_macro_auc():
    X, y = three_classes()
    protocol = Protocol(n_repeats=3, n_features=(4,), estimator=GaussianNB(), cv=SPLITTER)
    expected = [
        roc_auc_score(
            y_test,
            GaussianNB().fit(train, y_train).predict_proba(test),
            multi_class="ovr",
            average="macro",
        )
        for train, y_train, test, y_test in splits(X, y)
    ]
    assert compare(X, y, ["fisher"], protocol).scores("fisher", 4) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n_samples", "svm"),
    [(90, SVC(kernel="linear", C=0.1)), (1800, LinearSVC(C=0.1, dual=False))],
)
def test_svms_are_one_for_each_class(n_samples, svm):
    """Small and large sets have solvers of their own."""
    X, y = three_classes(n_samples)
    protocol = Protocol(n_repeats=3, n_features=(4,), C=(0.1,), cv=SPLITTER)
    expected = []
    for train, y_train, test, y_test in splits(X, y):
        decisions = OneVsRestClassifier(svm).fit(train, y_train).decision_function(test)
        indicator = y_test[:, None] == ["a", "b", "c"]
        expected.append(roc_auc_score(indicator, decisions, average="macro"))
    assert compare(X, y, ["fisher"], protocol).scores("fisher", 4) == pytest.approx(
        expected, abs=2e-3
    )


@pytest.mark.parametrize("n_train", [60, 2000])
def test_a_class_that_the_scored_rows_lack_does_not_count(n_train):
    X, y = three_classes()
    codes = np.unique(y, return_inverse=True)[1]
    train, rest = np.arange(0, 90, 2), np.arange(1, 60, 2)
    part = part_of(X, codes, train, rest, Treatment())
    for scorer in (None, average_precision_scorer):
        judge = evaluation_model(Protocol(C=(0.1,), n_features=(4,), scoring=scorer), n_train, 0)
        score = judge.scores(part, np.arange(4), judge.settings)[0]
        each = []
        for label in (0, 1):
            two = part_of(X, (codes == label).astype(int), train, rest, Treatment())
            each.append(judge.scores(two, np.arange(4), judge.settings)[0])
        assert score == pytest.approx(np.mean(each))


def test_many_classes_are_no_quantity():
    """25 classes of four rows: as codes there are more numbers than a third of the rows."""
    rng = np.random.default_rng(0)
    code = np.arange(100) % 25
    X = rng.normal(size=(100, 12))
    X[:, 0] += code
    y = np.array([f"type {number}" for number in code])
    with pytest.warns(FeatrankWarning, match="fewer than 5 samples") as caught:
        done = compare(X, y, ["fisher", "ec-fs"], Protocol(n_repeats=1, n_features=(2,), C=(1.0,)))
    assert set(done.frame["status"]) == {"ok"}
    assert not any("different numbers" in str(warning.message) for warning in caught)
