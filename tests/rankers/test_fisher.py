import numpy as np
import pytest
from sklearn.feature_selection import f_classif

from featrank import FisherScore


@pytest.fixture
def data():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 90)
    X = rng.normal(rng.uniform(-5, 5, 40), rng.uniform(0.1, 3, 40), (90, 40))
    return X + 0.3 * y[:, None], y


def by_hand(X, y):
    classes = np.unique(y)
    scores = []
    for column in X.T:
        groups = [column[y == c] for c in classes]
        within = sum(group.var(ddof=1) for group in groups)
        if len(classes) == 2:
            between = (groups[0].mean() - groups[1].mean()) ** 2
        else:
            between = sum((group.mean() - column.mean()) ** 2 for group in groups)
        scores.append(between / within)
    return scores


def test_equals_the_formula_for_several_classes(data):
    X, y = data
    np.testing.assert_allclose(FisherScore().fit(X, y).scores_, by_hand(X, y), rtol=1e-10)


def test_equals_the_formula_for_two_classes(data):
    X, y = data
    two = y < 2
    fitted = FisherScore().fit(X[two], y[two])
    np.testing.assert_allclose(fitted.scores_, by_hand(X[two], y[two]), rtol=1e-10)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_weighted_is_the_f_statistic(data, n_classes):
    X, y = data
    rows = y < n_classes
    X, y = X[rows], y[rows]
    fitted = FisherScore(class_weighted=True).fit(X, y)
    freedom = (len(y) - n_classes) / (n_classes - 1)
    np.testing.assert_allclose(fitted.scores_ * freedom, f_classif(X, y)[0], rtol=1e-9)


def test_constants_score_nothing_and_exact_separators_infinity():
    y = np.array([0, 0, 0, 1, 1, 1])
    X = np.column_stack([np.full(6, 0.1), y + 0.1, [1.0, 2, 3, 3, 2, 1]])
    np.testing.assert_array_equal(FisherScore().fit(X, y).scores_, [0, np.inf, 0])
