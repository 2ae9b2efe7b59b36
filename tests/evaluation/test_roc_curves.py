"""ROC curves of comparisons beside scikit-learn's, trial by trial."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_curve
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from featrank.evaluation import Protocol, compare, read_comparison
from featrank.evaluation.data import Data
from featrank.exceptions import DataError

QUICK = Protocol(n_repeats=4, n_features=(3, 8), C=(0.1, 1.0), inner_cv=3)


def made(classes=2):
    rng = np.random.default_rng(classes)
    y = np.arange(60) % classes
    X = rng.normal(size=(60, 20))
    X[:, :4] += np.eye(4)[y] * 1.2
    return X, y


def plain_curve(X, y, columns, train, test, model):
    """Train on columns of some rows; return scikit-learn's corners on a grid, by class."""
    mean, deviation = X[train][:, columns].mean(axis=0), X[train][:, columns].std(axis=0)
    Z = (X[:, columns] - mean) / deviation
    model.fit(Z[train], y[train])
    decisions = np.atleast_2d(model.decision_function(Z[test]).T)
    classes = np.unique(y)[1:] if len(decisions) == 1 else np.unique(y)
    grid = np.linspace(0, 1, 51).round(12)
    curves = []
    for label, row in zip(classes, decisions, strict=True):
        fpr, tpr, _ = roc_curve(y[test] == label, row.round(6))
        curves.append(np.interp(grid, fpr.round(12), tpr))
    return np.mean(curves, axis=0)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    ("classifier", "reference"),
    [(None, SVC(kernel="linear", tol=1e-10)), (LogisticRegression(), LogisticRegression())],
)
def test_roc_curves_are_scikit_learns(classes, classifier, reference):
    X, y = made(classes)
    scorer = None if classifier is None else "accuracy"
    protocol = Protocol(
        n_repeats=3, n_features=(4,), C=(1.0,), inner_cv=3, estimator=classifier, scoring=scorer
    )
    done = compare(X, y, ["fisher"], protocol)
    if classes > 2 and classifier is None:
        reference = OneVsRestClassifier(reference)
    curves = []
    for trial in range(3):
        train, test = protocol.split(Data.of(X, y, None, ""), trial)
        columns = np.sort(done.rankings["fisher"][trial][:4])
        curves.append(plain_curve(X, y, columns, train, test, reference))
    rows = done.roc().filter(method="fisher", k=4)
    assert rows["fpr"].to_list() == [step / 50 for step in range(51)]
    assert set(rows["trials"]) == {3}
    np.testing.assert_allclose(rows["tpr"], np.mean(curves, axis=0), atol=1e-9)
    np.testing.assert_allclose(rows["sd"], np.std(curves, axis=0, ddof=1), atol=1e-9)
    assert set(done.roc()["method"]) == {"fisher", "random"}


class Silent(KNeighborsClassifier):
    """A classifier that says which class, and no more."""

    predict_proba = property()


def test_without_decisions_there_are_no_curves(tmp_path):
    X, y = made()
    silent = replace(QUICK, n_repeats=2, estimator=Silent(3), scoring="accuracy")
    done = compare(X, y, ["fisher"], silent, out_dir=tmp_path)
    assert not (tmp_path / "roc.parquet").exists()
    for comparison in (done, read_comparison(tmp_path)):
        [lack] = comparison.missing_parts()
        assert "neither decision_function nor predict_proba" in lack
        with pytest.raises(DataError, match="ROC curves are missing"):
            comparison.roc()
    ridge = replace(QUICK, n_repeats=2, estimator=RidgeClassifier(), scoring="accuracy")
    assert len(compare(X, y, ["fisher"], ridge).roc()) == 2 * 2 * 51


def test_decisions_of_another_shape_are_none():
    """Four classes, one against one, are six columns."""
    X, y = made(classes=4)
    pairs = SVC(kernel="linear", decision_function_shape="ovo")
    protocol = replace(QUICK, n_repeats=1, estimator=pairs, scoring="accuracy")
    done = compare(X, y, ["fisher"], protocol)
    assert set(done.frame["status"]) == {"ok"}
    assert not done.has_roc
