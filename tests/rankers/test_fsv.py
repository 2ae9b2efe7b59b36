import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.preprocessing import scale

from featrank import FSV
from featrank._utils.progress import progress_to
from featrank.exceptions import FeatrankError
from featrank.rankers import fsv


def program(X, y, costs, lam):
    """The published linear program, written out: variables w, gamma, errors of A and B, v."""
    A, B = X[y == 1], X[y == 0]
    (m, n), k = A.shape, len(B)
    objective = np.concatenate(
        [np.zeros(n + 1), np.full(m, (1 - lam) / m), np.full(k, (1 - lam) / k), costs]
    )
    eye, none = np.eye, np.zeros
    rows = np.block(
        [
            [-A, np.ones((m, 1)), -eye(m), none((m, k)), none((m, n))],
            [B, -np.ones((k, 1)), none((k, m)), -eye(k), none((k, n))],
            [eye(n), none((n, 1)), none((n, m + k)), -eye(n)],
            [-eye(n), none((n, 1)), none((n, m + k)), -eye(n)],
        ]
    )
    right = np.concatenate([-np.ones(m + k), np.zeros(2 * n)])
    bounds = [(None, None)] * (n + 1) + [(0, None)] * (m + k + n)
    result = linprog(objective, A_ub=rows, b_ub=right, bounds=bounds, method="highs")
    return result.fun, result.x[:n], -result.x[n]


def errors(X, y, w, b, lam):
    violation = np.maximum(0, 1 - np.where(y == 1, 1, -1) * (X @ w + b))
    return (1 - lam) * (violation[y == 1].mean() + violation[y == 0].mean())


def successive_programs(X, y, lam, alpha):
    w, values = np.zeros(X.shape[1]), []
    while True:
        _, w, b = program(X, y, lam * alpha * np.exp(-alpha * np.abs(w)), lam)
        value = errors(X, y, w, b, lam) + lam * np.sum(1 - np.exp(-alpha * np.abs(w)))
        if values and value > values[-1] - 1e-9:
            return np.array(values)
        values.append(value)


def table(n_samples, n_features, seed=0, **options):
    options = {"n_informative": 5, "n_redundant": 0, "shuffle": False, **options}
    return make_classification(n_samples, n_features, random_state=seed, **options)


@pytest.mark.parametrize(
    ("n_samples", "n_features", "lam", "alpha"),
    [
        (80, 12, 0.05, 5.0),
        (80, 12, 0.2, 2.0),
        (40, 150, 0.05, 5.0),
        (40, 150, 0.01, 20.0),
        (300, 8, 0.02, 1.0),
    ],
)
def test_path_is_that_of_the_published_programs(n_samples, n_features, lam, alpha):
    X, y = table(n_samples, n_features)
    ranker = FSV(lam=lam, alpha=alpha).fit(X, y)
    wanted = successive_programs(X, y, lam, alpha)
    np.testing.assert_allclose(ranker.objective_[0], wanted, rtol=1e-7)
    assert ranker.n_iter_ == len(wanted)


@pytest.mark.parametrize(("n_samples", "n_features"), [(60, 10), (40, 200)])
def test_no_further_program_improves_the_solution(n_samples, n_features):
    X, y = table(n_samples, n_features, seed=1)
    ranker = FSV().fit(X, y)
    w, b = ranker.coef_[0], ranker.intercept_[0]
    costs = 0.05 * 5 * np.exp(-5 * np.abs(w))
    here = errors(X, y, w, b, 0.05) + costs @ np.abs(w)
    assert program(X, y, costs, 0.05)[0] > here - 1e-8
    assert np.count_nonzero(w) < n_samples, "not a vertex"
    assert np.all(np.diff(ranker.objective_[0]) < 0), "the value must fall"


def test_one_program_is_an_l1_machine():
    X, y = table(50, 30)
    ranker = FSV(max_iter=1).fit(X, y)
    _, w, b = program(X, y, np.full(30, 0.25), 0.05)
    np.testing.assert_allclose(ranker.coef_[0], w, atol=1e-8)
    np.testing.assert_allclose(ranker.intercept_[0], b, atol=1e-8)


def planted(noise, n_samples=80, n_features=400):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(n_samples) % 2)
    X = rng.normal(size=(n_samples, n_features))
    chosen = [5, 123, 399]
    X[:, chosen] = np.where(y, 1.0, -1.0)[:, None] + noise * rng.normal(size=(n_samples, 3))
    return X, y, set(chosen)


def test_separable_classes_need_one_planted_feature():
    X, y, chosen = planted(noise=0.1)
    ranker = FSV().fit(X, y)
    assert 1 <= np.count_nonzero(ranker.coef_) <= 3
    assert set(np.flatnonzero(ranker.coef_[0])) <= chosen
    assert set(ranker.order_[:3]) == chosen


def test_planted_features_win_over_noise():
    X, y, chosen = planted(noise=0.8)
    assert set(FSV().fit(X, y).order_[:3]) == chosen


def test_swapped_classes_give_the_same_ranking():
    X, y = table(60, 100)
    one, other = FSV().fit(X, y), FSV().fit(X, 1 - y)
    np.testing.assert_array_equal(one.ranking_, other.ranking_)
    np.testing.assert_allclose(one.scores_, other.scores_, atol=1e-9)
    np.testing.assert_allclose(one.coef_, -other.coef_, atol=1e-9)


def test_bands():
    X, y = table(60, 200)
    X[:, 17] = 3.5
    ranker = FSV().fit(X, y)
    first = FSV(max_iter=1).fit(X, y).coef_[0]
    final = np.abs(ranker.coef_[0])
    dropped = (final == 0) & (first != 0)
    never = (final == 0) & (first == 0)
    assert dropped.any()
    np.testing.assert_array_equal(ranker.scores_[final > 0], final[final > 0])
    for band, strength, low, high in (
        (dropped, np.abs(first), -1, 0),
        (never, np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)), -2, -1),
    ):
        assert np.all((ranker.scores_[band] >= low) & (ranker.scores_[band] <= high))
        order = np.flatnonzero(band)[np.argsort(-strength[band], kind="stable")]
        assert np.all(np.diff(ranker.ranking_[order]) > 0), "not by strength within the band"
    assert ranker.order_[-1] == 17, "a constant must be last"


def test_noise_without_signal_gives_no_plane():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 10)), np.arange(400) % 2
    ranker = FSV(lam=0.2).fit(X, y)
    assert not ranker.coef_.any()
    distance = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    np.testing.assert_array_equal(ranker.order_, np.argsort(-distance))


@pytest.mark.parametrize("sign", [1, -1])
def test_only_the_first_of_equal_features_has_a_weight(sign):
    X, y = table(60, 20)
    best = FSV().fit(X, y).order_[0]
    X = np.column_stack([sign * X[:, best], X])
    ranker = FSV().fit(X, y)
    assert ranker.coef_[0, 0] != 0
    assert ranker.coef_[0, best + 1] == 0


def test_classes_against_the_rest():
    X, y = load_wine(return_X_y=True)
    X = scale(X)
    ranker = FSV().fit(X, y)
    parts = [FSV().fit(X, y == c) for c in range(3)]
    coef = np.vstack([part.coef_ for part in parts])
    np.testing.assert_allclose(ranker.coef_, coef, atol=1e-9)
    np.testing.assert_allclose(ranker.intercept_, [part.intercept_[0] for part in parts])
    weight = np.abs(coef).sum(axis=0)
    np.testing.assert_allclose(ranker.scores_[weight > 0], weight[weight > 0], atol=1e-9)


def test_plane_separates():
    X, y = load_breast_cancer(return_X_y=True)
    X = 100 + scale(X)
    ranker = FSV().fit(X, y)
    predicted = X @ ranker.coef_[0] + ranker.intercept_[0] > 0
    assert np.mean(predicted == y) > 0.95


def test_progress_reaches_the_end():
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        FSV(max_iter=30).fit(*load_wine(return_X_y=True))
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {90}
    assert done[-1] == 90


def test_a_program_that_fails_is_reported(monkeypatch):
    class Failed:
        x, message = None, "out of luck"

    monkeypatch.setattr("featrank.rankers.fsv.hinge_vertex", lambda *_: None)
    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: Failed)
    with pytest.raises(FeatrankError, match="out of luck"):
        FSV().fit(*table(60, 20))


def test_first_of_equals_knows_zeros():
    assert fsv.first_of_equals(np.zeros((2, 3))).tolist() == [True, False, False]


def test_a_program_that_the_presolve_gives_up_is_solved_without_it(monkeypatch):
    import scipy.optimize

    monkeypatch.setattr("featrank.rankers.fsv.hinge_vertex", lambda *_: None)
    X, y = load_breast_cancer(return_X_y=True)
    expected = FSV().fit(X[:60], y[:60]).scores_
    plain, given_up = scipy.optimize.linprog, []

    def unwilling(*args, options, **program):
        result = plain(*args, options=options, **program)
        if options["presolve"]:
            given_up.append(result)
            result.x, result.message = None, "The problem is unbounded."
        return result

    monkeypatch.setattr(scipy.optimize, "linprog", unwilling)
    np.testing.assert_allclose(FSV().fit(X[:60], y[:60]).scores_, expected, atol=1e-6)
    assert given_up


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", [(200, 12), (40, 120)])
def test_interior_point_and_highs_find_the_same_plane(monkeypatch, shape, seed):
    X, y = table(*shape, seed=seed)
    ours = FSV().fit(X, y)
    monkeypatch.setattr("featrank.rankers.fsv.hinge_vertex", lambda *_: None)
    theirs = FSV().fit(X, y)
    scale = np.abs(theirs.coef_).max()
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-7 * scale)
    np.testing.assert_array_equal(ours.order_, theirs.order_)
