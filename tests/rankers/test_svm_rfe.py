import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.feature_selection import RFE
from sklearn.preprocessing import scale
from sklearn.svm import SVC

from featrank import SVMRFE
from featrank._utils.progress import progress_to


def rfe(X, y, n_features_to_select=1, step=1, C=1.0):
    machine = SVC(kernel="linear", C=C, tol=1e-8)
    return RFE(machine, n_features_to_select=n_features_to_select, step=step).fit(X, y)


def table(n_samples, n_features, n_classes=2, seed=0):
    return make_classification(
        n_samples, n_features, n_informative=7, n_classes=n_classes, random_state=seed
    )


@pytest.mark.parametrize(
    ("n_samples", "n_features", "n_classes", "C"),
    [
        (80, 20, 2, 1.0),
        (80, 20, 2, 0.03),
        (200, 20, 2, 1.0),
        (40, 120, 2, 1.0),
        (90, 25, 3, 1.0),
        (40, 80, 4, 1.0),
        (20, 60, 2, 1e3),
    ],
)
def test_order_is_that_of_scikit_learn(n_samples, n_features, n_classes, C):
    X, y = table(n_samples, n_features, n_classes)
    np.testing.assert_array_equal(SVMRFE(C=C).fit(X, y).ranking_, rfe(X, y, C=C).ranking_)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_order_on_real_data(load):
    X, y = load(return_X_y=True)
    X = scale(X)
    np.testing.assert_array_equal(SVMRFE().fit(X, y).ranking_, rfe(X, y).ranking_)


@pytest.mark.parametrize(
    ("n_samples", "step"), [(30, 2), (30, 0.1), (30, 0.001), (100, 7), (100, 0.5)]
)
def test_rounds_are_those_of_scikit_learn(n_samples, step):
    X, y = table(n_samples, 40)
    ranker = SVMRFE(n_features_to_select=5, step=step).fit(X, y)
    other = rfe(X, y, n_features_to_select=5, step=step)
    np.testing.assert_array_equal(ranker.support_, other.support_)
    assert np.all(np.diff(other.ranking_[ranker.order_]) >= 0), "rounds mix"
    for round in np.unique(other.ranking_):
        together = ranker.order_[other.ranking_[ranker.order_] == round]
        assert np.all(np.diff(ranker.criterion_[together]) <= 0), "not by weight within a round"


@pytest.mark.parametrize("n_samples", [30, 150])
def test_survivors_rank_by_weight(n_samples):
    X, y = table(n_samples, 40)
    ranker = SVMRFE(n_features_to_select=6).fit(X, y)
    survivors = np.flatnonzero(ranker.support_)
    weight = SVC(kernel="linear", tol=1e-8).fit(X[:, survivors], y).coef_[0] ** 2
    np.testing.assert_allclose(ranker.criterion_[survivors], weight, rtol=1e-3)
    np.testing.assert_array_equal(ranker.order_[:6], survivors[np.argsort(-weight)])


def test_none_goes_on_to_the_last_feature():
    X, y = table(30, 40)
    whole = SVMRFE().fit(X, y)
    np.testing.assert_array_equal(whole.scores_[whole.order_], np.arange(40, 0, -1))
    assert whole.support_.all()
    for count in (1, 9):
        part = SVMRFE(n_features_to_select=count).fit(X, y)
        np.testing.assert_array_equal(part.order_[count:], whole.order_[count:])
        assert set(part.order_[:count]) == set(whole.order_[:count])


@pytest.mark.parametrize("n_samples", [50, 400])
def test_long_eliminations_do_not_drift(n_samples):
    """What is left after hundreds of updates has the weights of a fit from scratch."""
    X, y = table(n_samples, 350, seed=3)
    X *= np.geomspace(1, 300, 350)  # products shrink by orders as features leave
    ranker = SVMRFE(n_features_to_select=20, tol=1e-8).fit(X, y)
    survivors = np.flatnonzero(ranker.support_)
    again = SVMRFE(n_features_to_select=20, tol=1e-8).fit(X[:, survivors], y)
    np.testing.assert_allclose(ranker.criterion_[survivors], again.criterion_, rtol=1e-6)


def test_tolerance_bounds_the_error_of_the_weights():
    X, y = table(200, 30)
    exact = SVMRFE(n_features_to_select=30, tol=1e-10).fit(X, y).criterion_
    for tol in (1e-6, 1e-3):
        near = SVMRFE(n_features_to_select=30, tol=tol).fit(X, y).criterion_
        assert np.abs(near - exact).max() < 100 * tol


def test_planted_features_win_over_many():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 1500))
    X[:, [3, 700, 1499]] += 3 * y[:, None]
    assert SVMRFE().fit(X, y).ranking_[[3, 700, 1499]].max() < 10


def test_progress_reaches_the_end_and_can_stop_the_fit():
    X, y = table(60, 300)
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        SVMRFE().fit(X, y)
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {300}
    assert done[-1] == 300

    def stop(done, total):
        raise KeyboardInterrupt

    with progress_to(stop), pytest.raises(KeyboardInterrupt):
        SVMRFE().fit(X, y)
