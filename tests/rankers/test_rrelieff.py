"""ReliefF for quantities against plain loops over the published pseudo-code of RReliefF."""

from math import exp

import numpy as np
import pytest

from featrank import ReliefF


def differences(X):
    """Table (i, h, j) of |x - z| over the range, expected over the known values where unknown."""
    table = np.empty((len(X), len(X), X.shape[1]))
    for j, column in enumerate(X.T):
        known = column[~np.isnan(column)]
        span = max(known) - min(known)
        values = [known if np.isnan(value) else np.array([value]) for value in column]
        for i, own in enumerate(values):
            for h, others in enumerate(values):
                table[i, h, j] = np.abs(own[:, None] - others).mean() / span
    return table


def brute_force(X, y, k, sigma=20.0, sought=None):
    """Figure 3 of Robnik-Šikonja and Kononenko (2003), over all samples in place of drawn ones."""
    n_samples, n_features = X.shape
    sought = range(n_samples) if sought is None else sought
    gaps, y_span = differences(X), max(y) - min(y)
    n_dc, n_da, n_dcda = 0.0, np.zeros(n_features), np.zeros(n_features)
    for i in sought:
        others = [h for h in range(n_samples) if h != i]
        nearest = sorted(others, key=lambda h: (gaps[i, h].sum(), h))[:k]
        influence = [exp(-((rank / sigma) ** 2)) for rank, _ in enumerate(nearest, 1)]
        for h, d1 in zip(nearest, influence, strict=True):
            d, gap = d1 / sum(influence), abs(y[i] - y[h]) / y_span
            n_dc += gap * d
            n_da += gaps[i, h] * d
            n_dcda += gap * gaps[i, h] * d
    return n_dcda / n_dc - (n_da - n_dcda) / (len(sought) - n_dc)


def scores_of(X, y, **given):
    return ReliefF(task="regression", **given).fit(X, y).scores_


# Shapes of long, of wide and of very wide data, whose neighbours are sought in different ways.
SHAPES = [(40, 7), (25, 3), (9, 200)]


@pytest.mark.parametrize("k", [1, 4, 10, 60])
@pytest.mark.parametrize("sigma", [1.5, 20.0, np.inf])
@pytest.mark.parametrize("shape", SHAPES)
def test_brute_force(shape, k, sigma):
    rng = np.random.default_rng(k)
    X = rng.normal(size=shape) * rng.uniform(0.1, 100, shape[1])
    y = 5 * rng.normal(size=shape[0]) - 100
    expected = brute_force(X, y, k, sigma)
    got = scores_of(X, y, n_neighbors=k, sigma=sigma)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("near", [0.0, 1e-9, 1e-6])
def test_wide_data_whose_neighbours_are_nearly_as_near_as_each_other(near):
    """Single precision cannot tell their order, which decides the weights; copies go by row."""
    rng = np.random.default_rng(3)
    centres = rng.integers(0, 5, size=(3, 230)).astype(float)
    X = centres[rng.integers(0, 3, 14)] + near * rng.normal(size=(14, 230))
    X[0], X[1] = 0, 8  # the ranges are powers of two, and distances of whole numbers exact
    y = rng.normal(size=14)
    for k in (3, 6, 30):
        got = scores_of(X, y, n_neighbors=k, sigma=2.0)
        np.testing.assert_allclose(got, brute_force(X, y, k, 2.0), rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("share", [0.05, 0.3])
def test_missing_values_differ_as_the_known_values_of_all_samples(shape, share):
    rng = np.random.default_rng(0)
    X, y = rng.normal(loc=50, size=shape), rng.normal(size=shape[0])
    X[rng.random(shape) < share] = np.nan
    X[:2] = [[0], [1]]
    got = scores_of(X, y, n_neighbors=4)
    np.testing.assert_allclose(got, brute_force(X, y, 4), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("m", "shape"), [(1, (30, 7)), (13, (30, 7)), (8, (12, 200))])
def test_samples_that_are_drawn(m, shape):
    rng = np.random.default_rng(m)
    X, y = rng.normal(size=shape), rng.normal(size=shape[0])
    ranker = ReliefF(task="regression", n_neighbors=3, n_samples=m).fit(X, y)
    expected = brute_force(X, y, 3, sought=ranker.drawn_)
    np.testing.assert_allclose(ranker.scores_, expected, rtol=0, atol=1e-12)


def test_finds_features_that_matter_only_together():
    rng = np.random.default_rng(0)
    X = rng.random((300, 12))
    y = (X[:, 3] - 0.5) * (X[:, 8] - 0.5)
    assert set(ReliefF(task="regression").fit(X, y).order_[:2]) == {3, 8}
    alone = np.abs([np.corrcoef(column, y)[0, 1] for column in X.T])
    assert set(np.argsort(-alone)[:2]) != {3, 8}  # which single features do not show


def test_the_unit_of_the_target_changes_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 6)), rng.normal(size=50)
    scores = scores_of(X, y)
    for other in (-y, y * 1e-300, y * 2.0**1020, y / 1e-3 + 7):
        np.testing.assert_allclose(scores_of(X, other), scores, rtol=1e-9)


def test_a_target_that_neighbours_share_or_never_share():
    """A quotient of nothing counts as 0: what is left is how alike or different neighbours are."""
    X = np.array([[0, 0], [1, 0.5], [10, 1], [11, 0.5]])
    mean = np.array([1 / 11, 0.5])
    np.testing.assert_allclose(scores_of(X, [0, 0, 1, 1], n_neighbors=1), -mean)
    np.testing.assert_allclose(scores_of(X, [0, 1, 0, 1], n_neighbors=1), mean)


@pytest.mark.parametrize("sigma", [1e-200, 0.01])
def test_a_small_sigma_leaves_the_nearest(sigma):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 5)), rng.normal(size=30)
    nearest = scores_of(X, y, n_neighbors=1)
    np.testing.assert_allclose(scores_of(X, y, sigma=sigma), nearest, rtol=1e-12)


def test_sigma_is_for_regression_targets_alone():
    X, y = np.random.default_rng(0).normal(size=(30, 5)), np.arange(30) % 2
    first, second = (ReliefF(sigma=sigma).fit(X, y).scores_ for sigma in (1.0, 20.0))
    assert np.array_equal(first, second)
    with pytest.raises(ValueError, match="sigma"):
        ReliefF(sigma=0).fit(X, y)


@pytest.mark.parametrize("shape", [(500, 30), (40, 900)])
def test_workers_change_nothing(shape):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=shape), rng.normal(size=shape[0])
    X[rng.random(shape) < 0.01] = np.nan
    first = scores_of(X, y, n_jobs=1)
    for n_jobs in (2, -1):
        assert np.array_equal(scores_of(X, y, n_jobs=n_jobs), first)


def test_constant_and_empty_features_come_last():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), rng.normal(size=40)
    X[:, 1], X[:, 4] = 3.0, np.nan
    scores = scores_of(X, y)
    assert np.array_equal(np.flatnonzero(scores == -1), [1, 4])


def test_scikit_rebate_computes_something_else():
    """Its hits are nearest samples whose targets are within a standard deviation, others misses."""
    skrebate = pytest.importorskip("skrebate")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 5)), rng.permutation(60) / 7
    theirs = skrebate.ReliefF(n_features_to_select=5, n_neighbors=5).fit(X, y).feature_importances_
    Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    expected = np.zeros(5)
    for i in range(60):
        gaps = np.abs(Z - Z[i])
        near = [h for h in np.argsort(gaps.sum(axis=1)) if h != i]
        like = np.abs(y - y[i]) < y.std(ddof=1)
        for sign, kind in ((-1, True), (1, False)):
            expected += sign * gaps[[h for h in near if like[h] == kind][:5]].mean(axis=0) / 60
    np.testing.assert_allclose(theirs, expected, atol=1e-9)
    assert np.abs(scores_of(X, y, n_neighbors=5) - theirs).max() > 0.01


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_units_change_little_where_many_samples_are_equally_near(task):
    """Sums of thirds are rounded, so that in tenths other samples may be nearer; not in halves."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, size=(80, 30)).astype(float)
    y = X[:, 0] + X[:, 1] + rng.normal(size=80)
    y = y if task == "regression" else y > y.mean()
    scores = ReliefF(task=task).fit(X, y).scores_
    assert np.array_equal(ReliefF(task=task).fit(X / 8, y).scores_, scores)
    assert np.abs(ReliefF(task=task).fit(X / 10, y).scores_ - scores).max() < 0.02
