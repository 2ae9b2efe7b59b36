import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from featrank import DominantSet
from featrank._utils.progress import progress_to
from featrank.data.matrix import Matrix
from featrank.exceptions import DataError
from featrank.graph.dominant_sets import dominant_sets, replicate
from featrank.rankers.dominant_set import shared_information

from .plain_information import binned, joint, redundancies, relevances
from .selection import selected_criterion


def random_weights(n_vertices, seed):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.random((n_vertices, n_vertices)), 1)
    return weights + weights.T


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("max_iter", [0, 10, 1000])
def test_shares_are_a_fixed_point_that_no_vertex_leaves_or_joins(seed, max_iter):
    weights = random_weights(60, seed)
    found = replicate(weights, tol=1e-8, max_iter=max_iter)
    x = found.shares
    payoff = weights @ x
    coherence = x @ payoff
    assert x.sum() == pytest.approx(1)
    assert found.coherence == pytest.approx(coherence)
    np.testing.assert_allclose(x * payoff / coherence, x, atol=1e-7)
    assert payoff.max() <= coherence * (1 + 1e-7)
    np.testing.assert_allclose(payoff[found.members], coherence, rtol=1e-6)
    assert 2 <= found.members.sum() < 60


def test_replicator_steps_alone_reach_the_fixed_point_where_given_time():
    weights = random_weights(12, 3)
    x = np.full(12, 1 / 12)
    for _ in range(20_000):
        x = x * (weights @ x) / (x @ weights @ x)
    found = replicate(weights, tol=1e-10, max_iter=100)
    np.testing.assert_allclose(found.shares, x, atol=1e-7)


def test_the_largest_clique_of_equal_weights():
    """Motzkin and Straus: a clique of k vertices has the coherence 1 - 1/k."""
    weights = np.zeros((9, 9))
    weights[:5, :5] = 1
    weights[6:, 6:] = 1
    np.fill_diagonal(weights, 0)
    found = replicate(weights)
    np.testing.assert_allclose(found.shares[:5], 0.2, atol=1e-5)
    assert found.coherence == pytest.approx(0.8, abs=1e-6)
    sets = [members.tolist() for members, _ in dominant_sets(weights)]
    assert sets == [[0, 1, 2, 3, 4], [6, 7, 8], [5]]


def planted(seed=0):
    """Three groups of noisy copies, and one constant; the second group tells the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(300) % 2
    sources = rng.normal(size=(300, 3))
    sources[:, 1] += 1.5 * y
    groups = rng.permutation(np.repeat([0, 1, 2], [7, 5, 6]))
    X = sources[:, groups] + 0.15 * rng.normal(size=(300, 18))
    return np.column_stack([X, np.ones(300)]), y, groups


@pytest.mark.parametrize("seed", range(3))
def test_planted_groups_are_found(seed):
    X, y, groups = planted(seed)
    ranker = DominantSet(bins=6).fit(X, y)
    assert normalized_mutual_info_score(ranker.labels_[:-1], groups) == pytest.approx(1)
    assert sorted(set(ranker.labels_)) == [-1, 0, 1, 2]
    first = groups[ranker.order_[:3]]
    assert first[0] == 1
    assert sorted(first) == [0, 1, 2]
    assert ranker.order_[-1] == 18


def test_weights_are_the_normalised_information_of_pairs():
    X, y, _ = planted()
    ranker = DominantSet(bins=6).fit(X, y)
    weights = shared_information(Matrix(X, y).pair_tables(ranker))
    codes = binned(X[:, :-1], 6)
    own = np.array([entropy(np.bincount(c)) for c in codes.T])
    expected = 2 * redundancies(codes) / np.add.outer(own, own)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(weights[:-1, :-1], expected, atol=1e-12)
    np.testing.assert_array_equal(weights, weights.T)
    assert np.all(weights[-1] == 0)


def plain_order(codes, y, members, relevance):
    """Greedy choice by the information of all chosen features with the class."""
    order, gains, reached = [], [], 0.0
    left = list(members)
    while left:
        values = [mutual_info_score(joint(*codes[:, [*order, f]].T), y) for f in left]
        best = max(values)
        tied = [f for f, v in zip(left, values, strict=True) if v > best - 1e-12]
        chosen = max(tied, key=lambda f: (relevance[f], -f))
        if best < reached + 1e-12:
            chosen = max(left, key=lambda f: (relevance[f], -f))
        order.append(chosen)
        gains.append(best - reached)
        reached = best
        left.remove(chosen)
    return order, gains


def test_ranking_goes_by_rounds_and_interaction_information():
    rng = np.random.default_rng(0)
    X, y, _ = planted()
    X = X[:, :-1] + 0.5 * rng.normal(size=(300, 18))
    ranker = DominantSet(bins=4).fit(X, y)
    codes = binned(X, 4)
    relevance = relevances(codes, y)
    rows = []
    for label in range(ranker.labels_.max() + 1):
        order, gains = plain_order(codes, y, np.flatnonzero(ranker.labels_ == label), relevance)
        rows += [(k, -gain, f) for k, (f, gain) in enumerate(zip(order, gains, strict=True))]
    assert ranker.order_.tolist() == [f for *_, f in sorted(rows)]
    np.testing.assert_allclose(
        selected_criterion(ranker), [-g for _, g, _ in sorted(rows)], atol=1e-11
    )
    assert ranker.order_[0] == np.argmax(relevance)


def test_the_chosen_come_first_and_the_rest_by_relevance():
    X, y, _ = planted()
    few, full = DominantSet(4).fit(X, y), DominantSet(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(few.order_[:4], full.order_[:4])
    rest = few.relevance_[few.order_[4:]]
    np.testing.assert_array_equal(rest, np.sort(rest)[::-1])
    assert np.all(np.diff(full.scores_[full.order_]) < 0)


def test_threads_change_nothing(monkeypatch):
    """Products in several parts, from one thread or more."""
    monkeypatch.setattr("featrank.graph.dominant_sets.BAND_WEIGHTS", 1)
    weights = random_weights(60, 0)
    one, other = replicate(weights, n_jobs=1), replicate(weights, n_jobs=3)
    np.testing.assert_array_equal(one.shares, other.shares)
    assert one.coherence == other.coherence


def test_unrelated_features_are_sets_of_their_own():
    X = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T.astype(float)
    X = np.repeat(X, 4, axis=0)
    y = (X.sum(axis=1) > 1).astype(int)
    assert sorted(DominantSet().fit(X, y).labels_) == [0, 1, 2]


def test_progress_covers_the_weights_and_the_sets():
    X, y, _ = planted()
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        DominantSet().fit(X[:, :-1], y)
    assert seen[0] == (18, 36)
    assert seen[-1] == (36, 36)
    assert seen == sorted(seen)


def test_more_features_than_memory_are_rejected(monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: 10)
    X, y, _ = planted()
    with pytest.raises(DataError, match=r"19 features need .* GB, but this computer has .* GB"):
        DominantSet().fit(X, y)


def test_exchanges_come_to_an_end(monkeypatch):
    """Also where rounding hides the equilibrium, here because none is close enough."""
    monkeypatch.setattr("featrank.graph.dominant_sets.MOST_MOVES", 25)
    assert replicate(random_weights(30, 0), tol=1e-300, max_iter=5).n_iter == 30
