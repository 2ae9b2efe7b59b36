import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine, make_classification
from sklearn.linear_model import LogisticRegression, lars_path

from featrank import LassoPath
from featrank._utils.progress import progress_to
from featrank.rankers.lasso import random_half


def unit(X):
    X = X - X.mean(axis=0)
    return X / np.linalg.norm(X, axis=0)


def entry_of(X, y):
    """Return the λ at which each feature first has a weight, by scikit-learn's path."""
    alphas, _, weights = lars_path(X, y, method="lasso", max_iter=10**5)
    used = weights != 0
    first = used.argmax(axis=1)
    return np.where(used.any(axis=1), len(X) * alphas[first - 1], 0.0)


def classes(n_samples, n_features, n_classes=2):
    return make_classification(
        n_samples, n_features, n_informative=6, n_classes=n_classes, random_state=0
    )


@pytest.mark.parametrize("shape", [(80, 15), (40, 120)])
def test_regression_targets_by_scikit_learns_path(shape):
    X, codes = classes(*shape)
    y = X[:, 0] - X[:, 3] + codes + 5
    X *= np.geomspace(1e-3, 1e3, shape[1])
    ranker = LassoPath(task="regression").fit(X, y)
    wanted = entry_of(unit(X), unit(y))
    np.testing.assert_allclose(ranker.entry_, wanted, atol=1e-9)
    entered = wanted > 0
    np.testing.assert_array_equal(ranker.scores_[entered], ranker.entry_[entered])
    relevance = np.abs(np.corrcoef(X, y, rowvar=False)[-1, :-1])
    np.testing.assert_allclose(ranker.scores_[~entered], relevance[~entered] - 1, atol=1e-12)


def test_an_example_everyone_knows():
    X, y = load_diabetes(return_X_y=True)
    ranker = LassoPath(task="regression").fit(X, y)
    # Efron et al. 2004: 3, 9, 4, 7, …, 1
    assert ranker.order_.tolist() == [2, 8, 3, 6, 1, 9, 4, 7, 5, 0]
    np.testing.assert_allclose(ranker.scores_, entry_of(unit(X), unit(y)), rtol=1e-9)


@pytest.mark.parametrize("shape", [(80, 15), (40, 120)])
def test_two_classes_by_the_path_of_their_codes(shape):
    X, y = classes(*shape)
    ranker = LassoPath().fit(X, y)
    wanted = entry_of(unit(X), unit(np.where(y, 1.0, -1.0)))
    np.testing.assert_allclose(ranker.entry_, wanted, atol=1e-9)


def test_several_classes_by_the_largest_entry():
    X, y = load_wine(return_X_y=True)
    ranker = LassoPath().fit(X, y)
    each = [entry_of(unit(X), unit(np.where(y == c, 1.0, 0.0))) for c in range(3)]
    np.testing.assert_allclose(ranker.entry_, np.max(each, axis=0), atol=1e-9)


def test_without_standardisation_scales_count():
    X, y = classes(80, 15)
    X *= np.geomspace(1, 100, 15)
    ranker = LassoPath(standardize=False).fit(X, y)
    centred = X - X.mean(axis=0)
    wanted = entry_of(centred, unit(np.where(y, 1.0, -1.0)))
    longest = np.linalg.norm(centred, axis=0).max()
    np.testing.assert_allclose(ranker.entry_, wanted / longest, atol=1e-9)
    assert ranker.order_.tolist() != LassoPath().fit(X, y).order_.tolist()


def test_the_first_is_also_the_first_of_logistic_regression():
    """Its path differs later; at weights of 0 the two have the same gradient."""
    X, y = classes(60, 200)
    X = unit(X)
    largest = np.abs(X.T @ (y - y.mean())).max()
    model = LogisticRegression(
        l1_ratio=1, C=1.02 / largest, solver="saga", tol=1e-8, max_iter=10**4
    )
    weights = model.fit(X, y).coef_[0]
    assert np.flatnonzero(weights).tolist() == [LassoPath().fit(X, y).order_[0]]


def test_a_small_number_of_features_ends_the_path_early():
    X, y = classes(40, 120)
    whole = LassoPath().fit(X, y)
    part = LassoPath(n_features_to_select=7).fit(X, y)
    np.testing.assert_array_equal(part.order_[:7], whole.order_[:7])
    assert np.count_nonzero(part.entry_) == 7
    assert (part.scores_[part.order_[7:]] <= 0).all()


def test_duplicates_never_enter():
    X, y = classes(60, 10)
    X = np.column_stack([X, X[:, 3], -2 * X[:, 3] + 1, np.full(60, 0.1)])
    ranker = LassoPath().fit(X, y)
    assert (ranker.entry_[10:] == 0).all()
    assert (ranker.entry_[:10] > 0).all()
    np.testing.assert_allclose(ranker.scores_[10:12], ranker.relevance_[3] - 1)
    assert ranker.scores_[12] == -1


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_shares_of_halves_counted_plainly(task):
    X, y = classes(50, 30, n_classes=3)
    settings = {"task": task, "n_subsamples": 12, "path_length": 4, "random_state": 5}
    ranker = LassoPath(**settings).fit(X, y)
    random = np.random.RandomState(5)
    counts, sums = np.zeros((2, 30))
    for _ in range(12):
        rows = random_half(y if task == "classification" else np.zeros(50, int), random)
        codes = [y] if task == "regression" else [y == c for c in range(3)]
        each = [entry_of(unit(X[rows]), unit(code[rows].astype(float))) for code in codes]
        entry = np.max(each, axis=0)
        first = np.argsort(-entry)[:4]
        counts[first] += 1
        sums[first] += entry[first]
    np.testing.assert_allclose(ranker.frequencies_, counts / 12)
    chosen = counts > 0
    assert set(ranker.order_[: chosen.sum()]) == set(np.flatnonzero(chosen))
    assert (np.diff(counts[ranker.order_]) <= 0).all()
    assert (ranker.entry_[chosen] >= sums[chosen] / 12 - 1e-9).all()
    np.testing.assert_allclose(ranker.scores_[~chosen], ranker.relevance_[~chosen] - 1)
    added = ranker.scores_[chosen] - ranker.frequencies_[chosen]
    np.testing.assert_allclose(added, ranker.entry_[chosen] / (2 * 12), rtol=1e-9)
    assert (added < 1 / 12 / 2).all()


def test_halves_have_half_of_each_class():
    strata = np.repeat([0, 1, 2], [20, 9, 1])
    random = np.random.RandomState(0)
    halves = [random_half(strata, random) for _ in range(40)]
    counts = np.array([np.bincount(strata[half], minlength=3) for half in halves])
    assert (counts.sum(axis=1) == 15).all()
    assert (counts[:, 0] == 10).all()
    assert set(counts[:, 1]) == {4, 5}
    assert set(counts[:, 2]) == {0, 1}, "a class of one is never or always left out"
    assert len({tuple(half) for half in halves}) == 40


def test_threads_change_nothing_and_seeds_do():
    X, y = classes(40, 60)
    settings = {"n_subsamples": 9, "path_length": 5}
    one = LassoPath(**settings, n_jobs=1).fit(X, y)
    for n_jobs in (2, 4):
        np.testing.assert_array_equal(
            LassoPath(**settings, n_jobs=n_jobs).fit(X, y).scores_, one.scores_
        )
    other = LassoPath(**settings, random_state=1).fit(X, y)
    assert not np.array_equal(other.frequencies_, one.frequencies_)


def test_stable_features_are_found_among_noise():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 300))
    y = X[:, [5, 50, 299]].sum(axis=1) + 0.5 * rng.normal(size=80)
    ranker = LassoPath(task="regression", n_subsamples=50).fit(X, y)
    assert set(ranker.order_[:3]) == {5, 50, 299}
    assert (ranker.frequencies_[[5, 50, 299]] > 0.9).all()
    assert np.sort(ranker.frequencies_)[-4] < 0.9


@pytest.mark.parametrize("settings", [{}, {"n_subsamples": 4}])
def test_progress_reaches_the_end(settings):
    X, y = classes(40, 60, n_classes=3)
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        LassoPath(**settings).fit(X, y)
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {totals[0]}
    assert done[-1] == totals[-1]


def test_what_is_said_of_memory_follows_the_path():
    whole, few, halves = (
        LassoPath(k, n_subsamples=b, n_jobs=1).cost(1000, 1000).memory
        for k, b in [(None, None), (10, None), (None, 5)]
    )
    assert whole == 8 * 1000 * 2000
    assert few == 8 * 1000 * 1010
    assert halves == 8 * 1000 * 1000
