import numpy as np
import pytest

from featrank.kernels.lasso import ENDED, LEFT, LassoSearch

from . import twins_lasso

FLOOR = 1e-8


def problem(n_samples, n_features, seed=0):
    """Features that leave now and then: correlated ones, of which few explain the target."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 5)) @ rng.normal(size=(5, n_features))
    X += 0.7 * rng.normal(size=X.shape)
    y = X[:, :3] @ [2.0, -1.0, 1.0] + rng.normal(size=n_samples)
    return X / np.linalg.norm(X, axis=0), y / np.linalg.norm(y)


def made(X, y, most=None, positive=False, ends_full=False):
    given = y @ X, most or min(X.shape)
    floor = FLOOR * np.abs(given[0]).max(initial=0.0)
    return LassoSearch(*given, floor, positive=positive, ends_full=ends_full)


def stepped(path, X):
    """Yield the weights and what was said at each step of a path."""
    while True:
        said = path.step(lambda feature: X[:, feature] @ X)
        yield said, path.penalty, *path.solution()
        if said == ENDED:
            return


def expected(X, y, most=None, positive=False, ends_full=False):
    floor = FLOOR * np.abs(y @ X).max()
    most = most or min(X.shape)
    for penalty, used, weights in twins_lasso.changes(
        y @ X, X.T @ X, most, floor, positive, ends_full
    ):
        order = np.argsort(used)
        yield penalty, np.array(used, int)[order], weights[order]


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("shape", [(40, 9), (30, 60), (200, 90), (7, 600)])
@pytest.mark.parametrize("seed", [0, 1])
def test_every_step_is_that_of_the_twin(shape, positive, seed):
    X, y = problem(*shape, seed)
    found = list(stepped(made(X, y, positive=positive), X))
    wanted = list(expected(X, y, positive=positive))
    assert len(found) == len(wanted) > 3
    for (_, penalty, used, weights), (at, features, values) in zip(found, wanted, strict=True):
        assert penalty == pytest.approx(at, rel=1e-9, abs=1e-12)
        np.testing.assert_array_equal(used, features)
        np.testing.assert_allclose(weights, values, atol=1e-8)


def test_features_leave():
    X, y = problem(200, 90)
    said = [what for what, *_ in stepped(made(X, y), X)]
    assert said.count(LEFT) > 3
    assert said[-1] == ENDED


@pytest.mark.parametrize("most", [1, 5, 20])
@pytest.mark.parametrize("shape", [(30, 60), (60, 20), (25, 700)])
def test_following_is_stepping_to_the_end(shape, most):
    X, y = problem(*shape)
    path = made(X, y, most, ends_full=True)
    penalties, weights = path.follow(X)
    wanted = list(expected(X, y, most, ends_full=True))
    assert weights.shape == (len(penalties), shape[1])
    np.testing.assert_allclose(penalties, [at for at, *_ in wanted], rtol=1e-9)
    for row, (_, used, values) in zip(weights, wanted, strict=True):
        np.testing.assert_allclose(row[used], values, atol=1e-8)
        assert not np.delete(row, used).any()
    used, values = path.solution()
    np.testing.assert_array_equal(values, weights[-1, used])
    order, entries = path.first_entries
    assert len(order) == len(set(order)) == path.n_entered
    assert np.all(np.diff(entries) <= 1e-12)


def test_more_features_than_there_was_room_for():
    X, y = problem(400, 150)
    path = made(X, y, ends_full=True)
    for _ in stepped(path, X):
        pass
    used, weights = path.solution()
    assert len(used) == 150
    np.testing.assert_allclose(weights, np.linalg.lstsq(X, y)[0], atol=1e-6)


def test_an_inverse_that_drifts_is_made_anew():
    """Features that hardly differ: what is found still solves the equations."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 1)) + 5e-5 * rng.normal(size=(80, 40))
    X /= np.linalg.norm(X, axis=0)
    y = rng.normal(size=80)
    path = made(X, y)
    for _ in stepped(path, X):
        used, weights = path.solution()
        products = (y - X[:, used] @ weights) @ X[:, used]
        np.testing.assert_allclose(np.abs(products), path.penalty, atol=1e-8)


def test_duplicates_do_not_enter():
    X, y = problem(30, 6)
    path = made(np.hstack([X, X, -X]), y)
    for _ in stepped(path, np.hstack([X, X, -X])):
        pass
    assert sorted(path.solution()[0]) == list(range(6))


def test_nothing_to_follow():
    for target in (np.zeros(3), np.empty(0)):
        path = LassoSearch(target, 2, 0.0, positive=False, ends_full=True)
        assert path.step(np.zeros) == ENDED
        assert path.n_entered == len(path.solution()[0]) == 0


def test_wrong_arguments_are_rejected():
    X, y = problem(20, 8)
    path = made(X, y)._path
    with pytest.raises(ValueError, match="featrank kernel: no feature enters"):
        path.enter(np.ones(8))
    with pytest.raises(ValueError, match="featrank kernel: a column a feature"):
        path.follow(X[:, :7].copy())
    assert path.advance() >= 0
    with pytest.raises(ValueError, match="featrank kernel: a product a feature"):
        path.enter(np.ones(7))
    for call in (path.advance, lambda: path.follow(X)):
        with pytest.raises(ValueError, match="featrank kernel: the products of the feature"):
            call()
