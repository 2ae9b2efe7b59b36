import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

from featrank.evaluation import Protocol
from featrank.evaluation.estimators import SklearnModel, evaluation_model
from featrank.solvers.linear_svm import HingeSVM, NewtonSVM, part_of
from featrank.solvers.preprocessing import Treatment
from featrank.solvers.scoring import auc, auc_scorer

C = (0.001, 0.1, 1.0, 100.0, 1000.0)


def rows(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % n_classes
    X = rng.normal(3, 2, size=(60, 20))
    X[:, :3] += y[:, None]
    return X, y, np.arange(40), np.arange(40, 60)


def plain_svm(X, y, train, rest, value):
    """Return the AUC of scikit-learn's SVC on standardised columns."""
    scaler = StandardScaler().fit(X[train])
    model = SVC(kernel="linear", C=value).fit(scaler.transform(X[train]), y[train])
    return roc_auc_score(y[rest], model.decision_function(scaler.transform(X[rest])))


@pytest.mark.parametrize("seed", range(5))
def test_hinge_svm_is_the_plain_svm(seed):
    X, y, train, rest = rows(2, seed)
    judge = HingeSVM(C)
    part = part_of(X, y, train, rest, Treatment())
    columns = np.array([5, 0, 9, 1])
    scores = judge.scores(part, columns, judge.settings)
    plain = [plain_svm(X[:, columns], y, train, rest, value) for value in C]
    assert scores == pytest.approx(plain, abs=0.011)  # one pair of 100 may be a near tie


def test_several_classes_one_against_the_rest():
    X, y, train, rest = rows(3)
    X[:, :3] += 3 * np.eye(3)[y]
    judge = HingeSVM((1.0,))
    part = part_of(X, y, train, rest, Treatment())
    columns = np.arange(6)
    each = [
        plain_svm(X[:, columns], (y == label).astype(int), train, rest, 1.0) for label in range(3)
    ]
    assert judge.scores(part, columns, judge.settings)[0] == pytest.approx(np.mean(each), abs=0.01)


@pytest.mark.parametrize("n_columns", [2, 60])
def test_an_svm_that_tells_nothing_apart_has_the_score_of_guessing(n_columns):
    """Rows that stand once in each class: the best weights are 0, and what is left is rounding."""
    half = np.random.default_rng(0).normal(size=(15, n_columns))
    X, y = np.vstack([half, half, half[::-1] + 1]), np.repeat([0, 1, 0], 15)
    y[30::2] = 1
    part = part_of(X, y, np.arange(30), np.arange(30, 45), Treatment())
    judge = HingeSVM(C)
    assert judge.scores(part, np.arange(n_columns), judge.settings).tolist() == [0.5] * len(C)


def test_auc_with_ties_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    decisions = rng.integers(0, 4, size=(5, 30)).astype(float)
    y = np.arange(30) % 2
    expected = [roc_auc_score(y, row) for row in decisions]
    assert auc(decisions, y == 1) == pytest.approx(expected, abs=1e-12)
    assert np.isnan(auc(decisions, np.ones(30, dtype=bool))).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scorer_takes_any_classifier(n_classes):
    X, y, train, rest = rows(n_classes)
    model = LogisticRegression(max_iter=1000).fit(X[train], y[train])
    if n_classes == 2:
        expected = roc_auc_score(y[rest], model.predict_proba(X[rest])[:, 1])
    else:
        decisions = model.decision_function(X[rest])
        expected = np.mean([roc_auc_score(y[rest] == c, decisions[:, c]) for c in range(3)])
    assert auc_scorer(model, X[rest], y[rest]) == pytest.approx(expected, abs=1e-12)


def test_classifier_without_c_has_one_setting():
    from sklearn.naive_bayes import GaussianNB

    assert SklearnModel(GaussianNB(), C, None, 0).settings == ({},)
    assert len(SklearnModel(LogisticRegression(), C, "accuracy", 0).settings) == len(C)


def test_many_rows_are_solved_without_a_gram_matrix():
    X, y, train, rest = rows(2)
    part = part_of(X, y, train, rest, Treatment())
    protocol = Protocol(C=(0.01, 1.0), n_features=(5,))
    few, many = (evaluation_model(protocol, n_train, 0) for n_train in (1000, 1001))
    assert (type(few), type(many)) == (HingeSVM, NewtonSVM)
    ours, theirs = (judge.scores(part, np.arange(5), judge.settings) for judge in (few, many))
    assert ours == pytest.approx(theirs, abs=0.1)  # another loss, the same signal
    wide, scored = Protocol(n_features=(5, 1001)), Protocol(n_features=(5,), scoring="accuracy")
    for other in (wide, scored):
        assert isinstance(evaluation_model(other, 1001, 0).classifier, LinearSVC)
    assert isinstance(evaluation_model(scored, 1000, 0).classifier, SVC)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_newton_svm_is_that_of_liblinear(n_classes):
    X, y, train, rest = rows(n_classes)
    part = part_of(X, y, train, rest, Treatment())
    ours = NewtonSVM(C)
    plain = SklearnModel(LinearSVC(dual=False, tol=1e-9, max_iter=10**5), C, None, 0)
    columns = np.array([5, 0, 9, 1])
    expected = plain.scores(part, columns, plain.settings)
    assert ours.scores(part, columns, ours.settings) == pytest.approx(expected, abs=0.011)


@pytest.mark.parametrize("kind", [HingeSVM, NewtonSVM])
def test_order_of_the_features_does_not_matter(kind):
    X, y, train, rest = rows(2)
    part = part_of(X, y, train, rest, Treatment())
    judge = kind(C)
    one, other = (judge.scores(part, np.array(c), judge.settings) for c in ([5, 0, 9], [9, 5, 0]))
    np.testing.assert_array_equal(one, other)


def test_filling_and_scaling_come_from_training_rows():
    X, y, train, rest = rows(2)
    X[2, 4] = X[50, 4] = np.nan
    X[:, 7] = 1e8  # a constant
    part = part_of(X, y, train, rest, Treatment(impute="median", scale="minmax"))
    assert part.rest[10, 4] == np.nanmedian(X[train, 4])
    filled = np.where(np.isnan(X), np.nanmedian(X[train], axis=0), X)
    scaler = MinMaxScaler().fit(filled[train])
    for got, expected in zip(part.scaled(np.arange(20)), (train, rest), strict=True):
        np.testing.assert_allclose(got, scaler.transform(filled[expected]), atol=1e-12)
