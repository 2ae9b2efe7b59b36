import numpy as np
import pytest
from sklearn.datasets import load_wine, make_classification
from sklearn.svm import SVC

from featrank import ZeroNorm
from featrank._utils.progress import progress_to


def plain(X, y, C, max_iter=100):
    """Return the scales after each machine, by scikit-learn's machines in a loop."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    scale, path = np.ones(X.shape[1]), []
    for _ in range(max_iter):
        machine = SVC(kernel="linear", C=C, tol=1e-10, shrinking=False).fit(X * scale, y)
        new = scale * np.sqrt((machine.coef_**2).sum(axis=0))
        new = np.where(new > 1e-3 * new.max(), new / new.max(), 0.0)
        path.append(new)
        if len(path) > 1 and np.abs(new - scale).max() <= 1e-4:  # what libsvm can tell
            break
        scale = new
    return np.array(path)


def table(n_samples, n_features, n_classes=2, seed=0):
    return make_classification(
        n_samples, n_features, n_informative=5, n_classes=n_classes, random_state=seed
    )


TABLES = {
    "few features": table(80, 12),
    "many features": table(40, 150),
    "three classes": table(70, 30, 3),
    "wine": load_wine(return_X_y=True),
}


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("kind", TABLES)
def test_scales_are_those_of_scikit_learns_machines(kind, C):
    X, y = TABLES[kind]
    path = plain(X, y, C)
    ranker = ZeroNorm(C=C, tol=1e-4).fit(X, y)
    np.testing.assert_array_equal(ranker.n_left_, (path > 0).sum(axis=1))
    np.testing.assert_allclose(ranker.scale_, path[-1], atol=1e-5)
    assert ranker.n_iter_ == len(path)
    outlasted = (path > 0).sum(axis=0)
    np.testing.assert_array_equal(np.minimum(ranker.scores_.astype(int), len(path)), outlasted)


def test_within_a_machine_features_rank_by_weight():
    X, y = TABLES["many features"]
    machine = SVC(kernel="linear", C=0.1, tol=1e-10)
    weights = np.abs(machine.fit((X - X.mean(axis=0)) / X.std(axis=0), y).coef_[0])
    ranker = ZeroNorm(max_iter=1).fit(X, y)
    np.testing.assert_array_equal(ranker.order_, np.argsort(-weights))
    gone = weights <= 1e-3 * weights.max()
    wanted = np.where(gone, 1000, 1) * weights / weights.max() + ~gone
    np.testing.assert_allclose(ranker.scores_, wanted, atol=1e-5)


def test_a_hard_margin_needs_no_normalisation():
    """With a large C the published update, z times w as it is, gives the same scales."""
    X, y = TABLES["many features"]
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    scale = np.ones(X.shape[1])
    for _ in range(6):
        machine = SVC(kernel="linear", C=1e8, tol=1e-10).fit(standardised * scale, y)
        scale = scale * np.abs(machine.coef_[0])
    ranker = ZeroNorm(C=1e4, max_iter=6).fit(X, y)
    wanted = np.where(scale > 1e-3 * scale.max(), scale / scale.max(), 0.0)
    np.testing.assert_allclose(ranker.scale_, wanted, atol=1e-4)


def test_few_features_are_left_and_the_stand_in_falls():
    X, y = TABLES["many features"]
    ranker = ZeroNorm().fit(X, y)
    assert 1 <= np.count_nonzero(ranker.scale_) == ranker.n_left_[-1] < 10
    assert (np.diff(ranker.n_left_) <= 0).all()
    assert (np.diff(ranker.objective_) <= 1e-9).all()
    assert len(ranker.objective_) == ranker.n_iter_ < 100
    assert ranker.scale_.max() == 1
    assert set(ranker.order_[: ranker.n_left_[-1]]) == set(np.flatnonzero(ranker.scale_))


def test_a_larger_cost_leaves_more_features():
    X, y = TABLES["few features"]
    left = [np.count_nonzero(ZeroNorm(C=C).fit(X, y).scale_) for C in (0.001, 0.1, 100.0)]
    assert left[0] == 1
    assert left == sorted(left)
    assert left[2] > 1


def test_scales_of_features_count_only_without_standardisation():
    X, y = TABLES["few features"]
    wide = X * np.geomspace(0.01, 100, X.shape[1])
    same = ZeroNorm().fit(wide, y).scores_
    np.testing.assert_allclose(same, ZeroNorm().fit(X, y).scores_, rtol=1e-6)
    raw = ZeroNorm(standardize=False)
    assert not np.array_equal(raw.fit(wide, y).order_, raw.fit(X, y).order_)


def test_planted_features_last():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2000))
    y = (X[:, [3, 700, 1999]].sum(axis=1) > 0).astype(int)
    assert set(ZeroNorm().fit(X, y).order_[:3]) == {3, 700, 1999}


def test_duplicates_share_their_score_and_constants_come_last():
    X, y = TABLES["few features"]
    best = ZeroNorm().fit(X, y).order_[0]
    X = np.column_stack([X, X[:, best], np.full(len(X), 0.1)])
    ranker = ZeroNorm().fit(X, y)
    assert ranker.scores_[-2] == ranker.scores_[best]
    assert ranker.scores_[-1] == 0
    assert ranker.ranking_[-1] == X.shape[1]


def test_nothing_to_weigh():
    ranker = ZeroNorm().fit(np.ones((6, 3)), np.arange(6) % 2)
    np.testing.assert_array_equal(ranker.scores_, 0)
    assert ranker.n_iter_ == 1


def test_progress_reaches_the_end_and_can_stop_the_fit():
    X, y = TABLES["many features"]
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        ZeroNorm().fit(X, y)
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {100}
    assert done[-1] == 100

    def stop(done, total):
        raise KeyboardInterrupt

    with progress_to(stop), pytest.raises(KeyboardInterrupt):
        ZeroNorm().fit(X, y)
