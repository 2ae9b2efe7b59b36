"""ReliefF against plain loops over the published formula, and against scikit-rebate."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.feature_selection import f_classif

from featrank import ReliefF
from featrank._utils.progress import progress_to


def difference(X, y, i, h, j):
    """Expected difference of feature j: over known values of the class where one is unknown."""
    pairs = [abs(a - b) for a in values(X, y, i, j) for b in values(X, y, h, j)]
    return sum(pairs) / len(pairs)


def values(X, y, i, j):
    if not np.isnan(X[i, j]):
        return [X[i, j]]
    own = [value for value in X[y == y[i], j] if not np.isnan(value)]
    return own or [value for value in X[:, j] if not np.isnan(value)]


def brute_force(X, y, k, sought=None):
    n_samples, n_features = X.shape
    sought = range(n_samples) if sought is None else sought
    prior = {c: np.mean(y == c) for c in np.unique(y)}
    span = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    scores = np.zeros(n_features)
    for i in sought:
        gaps = {
            h: np.array([difference(X, y, i, h, j) for j in range(n_features)]) / span
            for h in range(n_samples)
            if h != i
        }
        for c, share in prior.items():
            others = [h for h in gaps if y[h] == c]
            nearest = sorted(others, key=lambda h: (gaps[h].sum(), h))[:k]
            if not nearest:
                continue
            mean = np.mean([gaps[h] for h in nearest], axis=0)
            scores += -mean if c == y[i] else share / (1 - prior[y[i]]) * mean
    return scores / len(sought)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize(("k", "shape"), [(1, (30, 7)), (4, (30, 7)), (20, (25, 3)), (2, (8, 130))])
def test_brute_force(n_classes, k, shape):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=shape) * rng.uniform(0.1, 100, shape[1])
    y = np.arange(shape[0]) % n_classes
    scores = ReliefF(n_neighbors=k).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, k), rtol=0, atol=1e-12)


@pytest.mark.parametrize("missing", [0, 0.1])
@pytest.mark.parametrize(
    ("m", "shape"), [(1, (30, 7)), (13, (30, 7)), (29, (30, 7)), (2, (12, 200)), (8, (12, 200))]
)
def test_brute_force_over_the_samples_that_are_drawn(m, shape, missing):
    """Neighbours are sought among all samples, and shares of classes are those of all."""
    rng = np.random.default_rng(m)
    X, y = rng.normal(size=shape), np.arange(shape[0]) % 3
    X[rng.random(shape) < missing] = np.nan
    X[5] = X[8]
    ranker = ReliefF(n_neighbors=3, n_samples=m, random_state=m).fit(X, y)
    assert len(set(ranker.drawn_)) == len(ranker.drawn_) == m
    expected = brute_force(X, y, 3, ranker.drawn_)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(700, 12), (20, 400)])
def test_as_many_samples_as_there_are_give_the_bits_of_all(shape):
    X, y = np.random.default_rng(0).normal(size=shape), np.arange(shape[0]) % 2
    every = ReliefF().fit(X, y)
    for m in (shape[0], shape[0] + 1):
        drawn = ReliefF(n_samples=m, random_state=3).fit(X, y)
        assert np.array_equal(drawn.scores_, every.scores_)
        assert np.array_equal(drawn.drawn_, np.arange(shape[0]))


def test_the_seed_draws_each_row_alike():
    X, y = np.random.default_rng(0).normal(size=(10, 2)), np.arange(10) % 2
    draws = [ReliefF(n_samples=3, random_state=s).fit(X, y).drawn_ for s in range(400)]
    times = np.bincount(np.concatenate(draws), minlength=10)
    assert np.abs(times - 120).max() < 5 * np.sqrt(120 * 0.7)
    again = ReliefF(n_samples=3, random_state=7).fit(X, y).drawn_
    assert np.array_equal(again, draws[7])


def test_a_few_of_many_samples_find_what_stands_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 30)), np.arange(2000) % 2
    X[:, [4, 20]] += y[:, None]
    assert set(ReliefF(n_samples=100).fit(X, y).order_[:2]) == {4, 20}


@pytest.mark.parametrize("k", [1, 3, 30])
@pytest.mark.parametrize("near", [0.0, 1e-9, 1e-6])
def test_wide_data_with_samples_that_are_nearly_as_near_as_others(k, near):
    """Single precision cannot tell them apart; copies go by row."""
    rng = np.random.default_rng(k)
    centres = rng.integers(0, 5, size=(3, 230)).astype(float)
    X = centres[rng.integers(0, 3, 14)] + near * rng.normal(size=(14, 230))
    X[0], X[1] = 0, 8  # the ranges are powers of two, and distances of whole numbers exact
    y = np.arange(14) % 2
    scores = ReliefF(n_neighbors=k).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, k), rtol=0, atol=1e-12)


def test_classes_of_different_sizes():
    """A class of one has no hits; one with fewer than k samples gives those that it has."""
    X = np.random.default_rng(0).normal(size=(24, 5))
    y = np.repeat([0, 1, 2, 3], [1, 2, 6, 15])
    scores = ReliefF(n_neighbors=4).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, 4), rtol=0, atol=1e-12)


def test_ties_go_to_the_lower_row():
    """Values in steps of a power of two: equal distances are equal bits, and there are many."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (40, 4)).astype(float)
    X[:2] = [[0], [4]]
    y = rng.integers(0, 3, 40)
    scores = ReliefF(n_neighbors=3).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, 3), rtol=0, atol=1e-12)


@pytest.mark.parametrize("share", [0.02, 0.2, 0.6])
def test_missing_values(share):
    rng = np.random.default_rng(0)
    X = rng.normal(loc=50, size=(26, 6))
    y = np.arange(26) % 3
    X[rng.random(X.shape) < share] = np.nan
    scores = ReliefF(n_neighbors=3).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, 3), rtol=0, atol=1e-12)


def test_missing_values_of_wide_data():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(8, 130))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.arange(8) % 2
    scores = ReliefF(n_neighbors=2).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, 2), rtol=0, atol=1e-12)


def test_class_without_known_values():
    X = np.random.default_rng(0).normal(size=(20, 4))
    y = np.arange(20) % 2
    X[y == 1, 2] = np.nan
    scores = ReliefF(n_neighbors=3).fit(X, y).scores_
    np.testing.assert_allclose(scores, brute_force(X, y, 3), rtol=0, atol=1e-12)


def published_binary_difference(X, y, i, h, j):
    """Kononenko's difference of two values, of which some are unknown, by probabilities."""

    def probability(value, c):
        known = X[(y == c) & ~np.isnan(X[:, j]), j]
        return np.mean(known == value)

    a, b = X[i, j], X[h, j]
    if np.isnan(a) and np.isnan(b):
        return 1 - sum(probability(v, y[i]) * probability(v, y[h]) for v in (0, 1))
    if np.isnan(a):
        return 1 - probability(b, y[i])
    return 1 - probability(a, y[h]) if np.isnan(b) else float(a != b)


def test_missing_values_of_binary_features_are_the_published_ones():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30, 5)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    y = np.arange(30) % 2
    for _ in range(200):
        i, h, j = rng.integers(30), rng.integers(30), rng.integers(5)
        ours = difference(X, y, i, h, j)
        assert ours == pytest.approx(published_binary_difference(X, y, i, h, j), abs=1e-14)


def reference(X, y, k):
    """The formula for known values with NumPy, for more samples."""
    Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    distance = np.abs(Z[:, None] - Z[None]).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    prior = np.bincount(y) / len(y)
    scores = np.zeros(X.shape[1])
    for i, own in enumerate(y):
        for c, share in enumerate(prior):
            rows = np.flatnonzero(y == c)
            nearest = rows[np.argsort(distance[i, rows], kind="stable")[:k]]
            mean = np.abs(Z[nearest] - Z[i]).mean(axis=0)
            scores += -mean if c == own else share / (1 - prior[own]) * mean
    return scores / len(y)


@pytest.mark.parametrize("kind", ["normal", "heavy tails", "outliers", "clusters", "spread"])
def test_the_sketch_loses_no_neighbour(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    if kind == "heavy tails":
        X = rng.standard_cauchy(size=X.shape)
    elif kind == "outliers":
        X[rng.integers(0, 300, 20), np.arange(20)] *= 1e6
    elif kind == "clusters":
        X = X * 1e-3 + rng.integers(0, 4, (300, 1))
    elif kind == "spread":
        X = np.exp(3 * X)
    y = rng.integers(0, 3, 300)
    scores = ReliefF().fit(X, y).scores_
    np.testing.assert_allclose(scores, reference(X, y, 10), rtol=0, atol=1e-12)


def test_finds_features_that_matter_only_together():
    rng = np.random.default_rng(0)
    X = rng.random((300, 12))
    y = (X[:, 3] > 0.5) ^ (X[:, 8] > 0.5)
    assert set(ReliefF().fit(X, y).order_[:2]) == {3, 8}
    alone, _ = f_classif(X, y)
    assert not set(np.argsort(-alone)[:2]) & {3, 8}  # which single features do not show


def test_scikit_rebate_ranks_alike():
    skrebate = pytest.importorskip("skrebate")
    X, y = make_classification(90, 30, n_informative=5, random_state=0)
    ours = ReliefF(n_neighbors=7).fit(X, y)
    theirs = skrebate.ReliefF(n_features_to_select=30, n_neighbors=7).fit(X, y)
    np.testing.assert_allclose(ours.scores_, theirs.feature_importances_, atol=1e-9)
    assert np.array_equal(ours.order_, theirs.top_features_)


@pytest.mark.parametrize("m", [None, 60])
@pytest.mark.parametrize("shape", [(500, 30), (40, 900)])
def test_workers_change_nothing(shape, m):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=shape), np.arange(shape[0]) % 3
    X[rng.random(shape) < 0.01] = np.nan
    first = ReliefF(n_samples=m, n_jobs=1).fit(X, y).scores_
    for n_jobs in (2, -1):
        assert np.array_equal(ReliefF(n_samples=m, n_jobs=n_jobs).fit(X, y).scores_, first)


def test_constant_and_empty_features_come_last():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), np.arange(40) % 2
    X[:, 1], X[:, 4] = 3.0, np.nan
    X[::2, 0], X[1::2, 0] = np.nan, 7.0
    scores = ReliefF().fit(X, y).scores_
    assert np.array_equal(np.flatnonzero(scores == -1), [0, 1, 4])
    assert (np.delete(scores, [0, 1, 4]) > -1).all()


@pytest.mark.parametrize("factor", [1e140, 1e-300, 1e-320])
def test_extreme_units(factor):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 2
    X[:, 1] *= factor
    scores = ReliefF().fit(X, y).scores_
    assert np.isfinite(scores).all()
    if factor == 1e-320:
        assert scores[1] == -1  # below the normal numbers: as good as constant


@pytest.mark.parametrize("shape", [(5000, 2), (20, 400)])
def test_progress_is_reported(shape):
    seen = []
    X = np.random.default_rng(0).normal(size=shape)
    with progress_to(lambda done, total: seen.append((done, total))):
        ReliefF().fit(X, np.arange(shape[0]) % 2)
    assert seen
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
