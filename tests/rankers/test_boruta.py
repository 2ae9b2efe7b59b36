"""Boruta against the Python package of that name, and against its own promises."""

import warnings

import numpy as np
import pytest
from scipy.stats import binom, false_discovery_control
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from featrank import Boruta
from featrank._utils.progress import progress_to


def table(n_samples=80, n_features=9, informative=3, seed=0):
    """Return features of which the first few tell the class.

    Of the others both classes have the same values, so that they do not even do so by chance.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    half = rng.normal(size=(n_samples // 2, n_features))
    X = np.empty((n_samples, n_features))
    for label in (0, 1):
        X[y == label] = rng.permuted(half, axis=0)
    X[:, :informative] += rng.normal(size=(n_samples, informative)) + 1.5 * y[:, None]
    return X, y


class WithTheirForest(Boruta):
    """The rounds and tests of Boruta, with scikit-learn's forests."""

    def _importances(self, codes, target, trees, random):
        forest = RandomForestRegressor if self._regresses else RandomForestClassifier
        forest = forest(trees, max_features="sqrt", random_state=random)
        return forest.fit(codes.T, self.y).feature_importances_

    def fit(self, X, y):
        self.y = y
        return super().fit(X, y)


def theirs(X, y, forest=RandomForestClassifier, **parameters):
    """Return the confirmed features of boruta_py, and the rounds that each one took part in."""
    boruta = pytest.importorskip("boruta")
    selector = boruta.BorutaPy(forest(max_features="sqrt"), random_state=0, **parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of medians of nothing
        selector.fit(X, y)
    rounds = np.sum(~np.isnan(selector.importance_history_[1:]), axis=0)
    return selector.support_, rounds


@pytest.mark.parametrize(("two_step", "percentile"), [(False, 100), (True, 100), (False, 80)])
def test_boruta_py_makes_the_same_decisions_of_the_same_forests(two_step, percentile):
    """Shadows, seeds of the trees, hits, tests and rejections are the same, round by round."""
    X, y = table(60, 8)
    common = {"n_estimators": 5, "two_step": two_step}
    confirmed, rounds = theirs(X, y, max_iter=21, perc=percentile, **common)
    ours = WithTheirForest(max_iter=20, percentile=percentile, **common).fit(X, y)
    assert np.array_equal(ours.decision_ == "confirmed", confirmed)
    assert np.array_equal(ours.rounds_, rounds)
    assert 0 < confirmed.sum() < 8


def test_boruta_py_makes_the_same_decisions_for_regression_targets():
    X, _ = table(60, 3, 0)  # so few features that they have several shadows each
    y = X[:, 1] + 0.3 * np.random.default_rng(1).normal(size=60)
    confirmed, rounds = theirs(
        X, y, RandomForestRegressor, n_estimators="auto", max_iter=13, two_step=False
    )
    ours = WithTheirForest(task="regression", max_iter=12).fit(X, y)
    assert np.array_equal(ours.decision_ == "confirmed", confirmed)
    assert np.array_equal(ours.rounds_, rounds)


def test_own_forests_confirm_what_theirs_do():
    for seed in range(3):
        X, y = table(100, 8, seed=seed)
        confirmed, _ = theirs(X, y, n_estimators=10, max_iter=16, two_step=False)
        ours = Boruta(random_state=seed).fit(X, y)
        assert np.flatnonzero(confirmed).tolist() == [0, 1, 2]
        assert np.array_equal(ours.decision_ == "confirmed", confirmed)


def test_tests_are_those_of_the_binomial_distribution():
    hits = np.arange(15)
    better, worse = binom.sf(hits - 1, 14, 0.5), binom.cdf(hits, 14, 0.5)
    plain = Boruta(alpha=0.1)._decided(hits, 14, 30)
    assert np.array_equal(plain, [better <= 0.1 / 30, worse <= 0.1 / 30])
    twice = Boruta(alpha=0.1, two_step=True)._decided(hits, 14, 30)
    for found, chances in zip(twice, (better, worse), strict=True):
        assert np.array_equal(
            found, (false_discovery_control(chances) <= 0.1) & (chances <= 0.1 / 14)
        )


def test_nothing_is_decided_before_it_can_be():
    """2⁻ʳ ≤ α/n for r ≥ 9 and twenty features at 0.05."""
    X, y = table(60, 20)
    X[:, 0] += 3 * y
    early = Boruta(max_iter=8).fit(X, y)
    assert (early.decision_ == "tentative").all()
    assert (early.rounds_ == 8).all()
    decided = Boruta(max_iter=9).fit(X, y)
    assert set(decided.decision_) == {"confirmed", "tentative", "rejected"}
    assert (decided.hits_[decided.decision_ == "confirmed"] == 9).all()
    assert (decided.hits_[decided.decision_ == "rejected"] == 0).all()


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_decisions_come_before_importances_and_importances_before_nothing(task):
    X, y = table(100, 30)
    ranker = Boruta(task=task, max_iter=20).fit(X, y)
    level = {"confirmed": 2, "tentative": 1, "rejected": 0}
    levels = np.array([level[decision] for decision in ranker.decision_])
    assert (np.diff(levels[ranker.order_]) <= 0).all()
    assert (np.floor(ranker.scores_) == levels).all()
    kept = levels > 0
    np.testing.assert_allclose((ranker.scores_ - levels)[kept], ranker.importance_[kept])
    gone = ranker.order_[levels[ranker.order_] == 0]
    assert (np.diff(ranker.rounds_[gone]) <= 0).all()
    same = np.diff(ranker.rounds_[gone]) == 0
    assert (np.diff(ranker.importance_[gone])[same] <= 0).all()
    assert ranker.n_iter_ == ranker.rounds_.max()
    assert set(ranker.order_[:3]) == {0, 1, 2}


def test_several_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 10))
    y = np.where(X[:, 4] > 0.5, 2, X[:, 2] + X[:, 7] > 0)
    confirmed = np.flatnonzero(Boruta(max_iter=50).fit(X, y).decision_ == "confirmed")
    assert confirmed.tolist() == [2, 4, 7]


def test_increasing_maps_change_no_bit():
    X, y = table()
    X = np.round(X, 1)
    wanted = Boruta().fit(X, y).scores_
    for same in (1e140 * X, X + 2.0**20, np.exp(X), X**3):
        assert np.array_equal(Boruta().fit(same, y).scores_, wanted)


def test_features_of_the_same_order_are_one_and_constants_none():
    X, y = table()
    more = np.column_stack([np.ones(80), X[:, 4], X, X[:, 0], np.exp(X[:, 5]), np.zeros(80)])
    order = [4, 0, 1, 2, 3, 5, 6, 7, 8]  # columns of the first time that they come
    alone = Boruta().fit(X[:, order], y)
    ranker = Boruta().fit(more, y)
    place = np.array([order.index(j) for j in (4, *range(9), 0, 5)])
    assert np.array_equal(ranker.scores_[1:-1], alone.scores_[place])
    assert np.array_equal(ranker.decision_[1:-1], alone.decision_[place])
    assert ranker.scores_[0] == ranker.scores_[-1] == ranker.rounds_[0] == 0
    assert ranker.decision_[0] == "rejected"
    assert set(np.flatnonzero(alone.decision_ == "confirmed")) == {1, 2, 3}


def test_only_constants():
    ranker = Boruta().fit(np.ones((10, 3)), np.arange(10) % 2)
    assert (ranker.scores_ == 0).all()
    assert (ranker.decision_ == "rejected").all()
    assert ranker.n_iter_ == 0


def test_seeds_and_threads():
    X, y = table(60, 20)
    first = Boruta(random_state=1, n_jobs=1).fit(X, y).scores_
    assert np.array_equal(Boruta(random_state=1, n_jobs=2).fit(X, y).scores_, first)
    assert not np.array_equal(Boruta(random_state=2).fit(X, y).scores_, first)


def test_two_steps_and_a_lower_percentile_decide_on_more():
    X, y = table(60, 40)
    X[:, 3:] += np.random.default_rng(0).normal(size=(60, 37))  # chance, which may be confirmed

    def count(decision, **parameters):
        return np.sum(Boruta(**parameters).fit(X, y).decision_ == decision)

    assert count("tentative", max_iter=9, two_step=True) < count("tentative", max_iter=9)
    assert count("confirmed", percentile=60) > count("confirmed")


def test_trees_grow_in_number_with_the_features_that_are_left():
    assert [Boruta()._trees(m) for m in (1, 20, 5000)] == [14, 63, 1000]
    assert Boruta(max_depth=5)._trees(20) == 126
    assert Boruta(n_estimators=7)._trees(5000) == 7


def test_progress_is_reported_and_remarks_count():
    X, y = table()
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        ranker = Boruta(max_iter=60).fit(X, y)
    assert seen[: ranker.n_iter_] == [(k + 1, 60) for k in range(ranker.n_iter_)]
    assert seen[-1] == (60, 60)
    counts = [int(np.sum(ranker.decision_ == name)) for name in ("confirmed", "rejected")]
    assert f"keeps {counts[0]} of" in ranker.notes()[0]
    rejected = f"In {ranker.n_iter_} rounds, 0 stayed tentative and {counts[1]} were rejected."
    assert ranker.notes()[1] == rejected
    parts = ranker.score_components()
    assert np.array_equal(parts["hits"], ranker.hits_ / ranker.rounds_)
