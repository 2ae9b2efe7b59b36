"""The values that results show are the published criteria, computed here from their definitions."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import lars_path
from sklearn.metrics import mutual_info_score
from sklearn.svm import SVC

import featrank
from featrank import Boruta
from featrank.base.registry import methods

VALUES = 4


def discrete(seed=0, n_samples=120, n_features=10):
    """Return whole numbers below 4, so that bins of equal width hold one number each."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    X = rng.integers(0, VALUES, (n_samples, n_features))
    X[:2] = [[0], [VALUES - 1]]
    for j in range(5):
        follows = rng.random(n_samples) < 0.15 * (j + 1)
        X[follows, j] = (y * rng.integers(1, 3, n_samples) + rng.integers(0, 2, n_samples))[follows]
    X[:, 6] = np.where(rng.random(n_samples) < 0.8, X[:, 4], X[:, 6])
    return X.astype(float), y


def joint(*columns):
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def conditional_information(f, y, s):
    """Return I(f; y | s) as a weighted mean over the values of s."""
    return sum(np.mean(s == v) * mutual_info_score(f[s == v], y[s == v]) for v in np.unique(s))


def uncertainty(a, b):
    return 2 * mutual_info_score(a, b) / (mutual_info_score(a, a) + mutual_info_score(b, b))


def merit(X, y, subset):
    with_class = np.mean([uncertainty(X[:, j], y) for j in subset])
    pairs = [uncertainty(X[:, i], X[:, j]) for i, j in combinations(subset, 2)]
    k = len(subset)
    return k * with_class / np.sqrt(k + k * (k - 1) * (np.mean(pairs) if pairs else 0.0))


def redundancy(X, f, S):
    return np.array([mutual_info_score(X[:, f], X[:, s]) for s in S])


def relevance(X, y, f):
    return mutual_info_score(X[:, f], y)


# The criterion of a feature f once the features S are selected, as it is published.
CRITERIA = {
    "mrmr": lambda X, y, f, S: relevance(X, y, f) - (redundancy(X, f, S).mean() if S else 0),
    "mifs": lambda X, y, f, S: relevance(X, y, f) - redundancy(X, f, S).sum(),
    "jmi": lambda X, y, f, S: (
        sum(mutual_info_score(joint(X[:, f], X[:, s]), y) for s in S) or relevance(X, y, f)
    ),
    "cmim": lambda X, y, f, S: min(
        [relevance(X, y, f), *(conditional_information(X[:, f], y, X[:, s]) for s in S)]
    ),
    "cfs": lambda X, y, f, S: merit(X, y, [*S, f]),
    "fcbf": lambda X, y, f, S: uncertainty(X[:, f], y),
}


def shown(X, y, method, top=None, **params):
    """Return the best features and the values that a table shows next to them."""
    ranking = featrank.rank(X, y, method, top=top, **params)
    columns = ranking.columns(top)
    assert "score" not in columns
    return [int(name[1:]) for name in columns["feature"]], np.array(columns["criterion"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", CRITERIA)
def test_criterion_at_each_selection(method, seed):
    X, y = discrete(seed)
    params = {"bins": VALUES} | ({"binning": "width"} if method in ("cfs", "fcbf") else {})
    order, values = shown(X, y, method, 6, **params)
    selected = [f for f, value in zip(order, values, strict=True) if not np.isnan(value)]
    assert len(selected) >= 2
    expected = [CRITERIA[method](X, y, f, selected[:k]) for k, f in enumerate(selected)]
    np.testing.assert_allclose(values[: len(selected)], expected, atol=1e-11)
    if method in ("mrmr", "mifs", "jmi", "cmim"):  # it is the largest of all candidates
        for k in range(len(selected)):
            others = set(range(X.shape[1])) - set(selected[:k])
            largest = max(CRITERIA[method](X, y, f, selected[:k]) for f in others)
            assert expected[k] == pytest.approx(largest, abs=1e-11)


def standardised(X):
    return (X - X.mean(axis=0)) / np.linalg.norm(X - X.mean(axis=0), axis=0)


def entry_penalties(X, y, positive=False):
    """Return the penalty at which each feature enters scikit-learn's path, NaN if it does not."""
    alphas, _, coefs = lars_path(X, y, method="lasso", positive=positive)
    entered = coefs != 0
    first = np.argmax(entered, axis=1) - 1
    return np.where(entered.any(axis=1), alphas[first] * len(y), np.nan)


def test_lasso_shows_the_penalty_at_entry():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 8)), rng.normal(size=50)
    y += X[:, 2] - X[:, 5]
    order, values = shown(X, y, "lasso", task="regression")
    expected = entry_penalties(standardised(X), standardised(y[:, None])[:, 0])
    np.testing.assert_allclose(values, expected[order], atol=1e-10)
    assert np.all(np.diff(values) <= 0)


def test_lasso_shows_nothing_for_features_that_never_enter():
    X, y = np.random.default_rng(0).normal(size=(12, 40)), np.arange(12) % 2
    ranking = featrank.rank(X, y, "lasso", top=5)
    values = ranking.columns()["criterion"]
    assert np.isnan(values).tolist() == [False] * 5 + [True] * 35


def test_hsic_lasso_shows_the_penalty_at_entry():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 7))
    y = (X[:, 1] ** 2 + X[:, 4] > 1).astype(int)
    centring = np.eye(30) - 1 / 30
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    kernels = [np.exp(-((a[:, None] - a[None]) ** 2) / 2) for a in z.T]
    target = (y[:, None] == y) / np.bincount(y)[y]
    vectors = [(centring @ K @ centring).ravel() for K in (*kernels, target)]
    *features, outcome = [v / np.linalg.norm(v) for v in vectors]
    expected = entry_penalties(np.column_stack(features), outcome, positive=True)
    order, values = shown(X, y, "hsic-lasso", 3)
    np.testing.assert_allclose(values, expected[order], atol=1e-6)


def test_svm_rfe_shows_the_squared_weight_at_elimination():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), np.arange(40) % 2
    X[:, 3] += y
    left, expected = list(range(6)), {}
    while left:
        weights = SVC(kernel="linear", C=1, tol=1e-8).fit(X[:, left], y).coef_[0] ** 2
        expected[left[np.argmin(weights)]] = weights.min()
        del left[np.argmin(weights)]
    order, values = shown(X, y, "svm-rfe")
    assert order == list(expected)[::-1]
    np.testing.assert_allclose(values, [expected[f] for f in order], rtol=1e-3)


def test_l0_shows_the_scale_of_features_that_have_not_vanished():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 8)), np.arange(60) % 2
    X[:, [2, 5]] += y[:, None]
    z, scale = (X - X.mean(axis=0)) / X.std(axis=0), np.ones(8)
    for _ in range(60):
        scale = scale * np.abs(SVC(kernel="linear", C=0.1, tol=1e-9).fit(z * scale, y).coef_[0])
        scale = np.where(scale > 1e-3 * scale.max(), scale / scale.max(), 0)
    order, values = shown(X, y, "l0")
    np.testing.assert_allclose(np.nan_to_num(values), scale[order], atol=1e-4)
    assert np.isnan(values[scale[order] == 0]).all()


class RecordedBoruta(Boruta):
    """Boruta with scikit-learn's forests, whose importances it records."""

    def _importances(self, codes, target, trees, random):
        forest = RandomForestClassifier(trees, max_features="sqrt", random_state=random)
        self.recorded_.append(forest.fit(codes.T, self.labels_).feature_importances_)
        return self.recorded_[-1]


def test_boruta_shows_the_importance_share_and_the_decision():
    X, y = discrete()
    X = X[:, :6] + 1e-3 * np.random.default_rng(0).random((len(X), 6))
    ranker = RecordedBoruta(max_iter=30, n_estimators=20)
    ranker.recorded_, ranker.labels_ = [], y
    ranker.fit(X, y)
    kept, shares = list(range(6)), [[] for _ in range(6)]
    for number, importance in enumerate(ranker.recorded_, 1):
        best_shadow = importance[len(kept) :].max()
        for f, own in zip(kept, importance, strict=False):
            shares[f].append(own / (own + best_shadow))
        out = (ranker.decision_ == "rejected") & (ranker.rounds_ == number)
        kept = [f for f in kept if not out[f]]
    values = ranker.shown_values()
    np.testing.assert_allclose(values.values, [np.mean(own) for own in shares], atol=1e-12)
    assert values.columns(ranker.order_)["decision"] == ranker.decision_[ranker.order_].tolist()
    assert len(set(ranker.decision_)) > 1


@pytest.mark.parametrize("method", sorted(methods()))
def test_shown_values_are_comparable_only_if_they_order_the_features_they_have(method):
    """Bars of a criterion never rise along the features that the method selects."""
    cls = methods()[method]
    X, y = discrete(3)
    X = X + 0.01 * np.random.default_rng(0).normal(size=X.shape)
    ranker = cls(4) if cls.default_top else cls()
    ranker.fit(X, y if cls.supervised else None)
    found = ranker.shown_values()
    assert found.values.shape == (X.shape[1],)
    if found.column == "score":
        np.testing.assert_array_equal(found.values, ranker.scores_)
        return
    values = found.values[ranker.order_]
    if found.comparable and not cls.selects:
        known = values[~np.isnan(values)]
        assert np.all(np.diff(known) <= 1e-12)
        assert not np.isnan(values[: len(known)]).any()
