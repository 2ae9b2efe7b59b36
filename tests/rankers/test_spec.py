"""SPEC against the paper's matrices, written out, and scikit-feature on the same graph."""

import numpy as np
import pytest
from sklearn.neighbors import kneighbors_graph

from featrank import SPEC, LaplacianScore
from featrank._utils.progress import progress_to
from featrank.neighbours import spectral

CRITERIA = ("phi1", "phi2", "phi3")


def similarities(X, width, k=None):
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    S = np.exp(-squared / (2 * width**2))
    if k is None:
        return S
    near = kneighbors_graph(X, k).toarray() > 0
    return np.where(near | near.T | np.eye(len(X), dtype=bool), S, 0.0)


def published(X, S, criterion, K):
    """φ of Zhao and Liu from the whole spectrum of the normalised Laplacian."""
    d = S.sum(axis=1)
    L = np.diag(d) - S
    values, vectors = np.linalg.eigh(L / np.sqrt(np.outer(d, d)))
    phi = []
    for f in X.T:
        scaled = np.sqrt(d) * f
        alpha = vectors.T @ (scaled / np.linalg.norm(scaled))
        if criterion == "phi1":
            phi.append(np.sum(alpha**2 * values))
        elif criterion == "phi2":
            phi.append(np.sum((alpha**2 * values)[1:]) / np.sum(alpha[1:] ** 2))
        else:
            phi.append(np.sum(((2 - values) * alpha**2)[1:K]))
    return np.array(phi)


def clustered(shape, gap=5.0):
    X = np.random.default_rng(0).normal(size=shape) + 0.5
    X[:, 0] += gap * (np.arange(shape[0]) % 3)
    return X


@pytest.mark.parametrize("shape", [(40, 6), (9, 300), (6, 2)])
@pytest.mark.parametrize("k", [None, 3])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_published_formula(shape, k, criterion):
    X = clustered(shape, gap=1.0)  # so that near samples are one connected graph
    width = np.sqrt(shape[1])
    ranker = SPEC(criterion=criterion, width=width, n_neighbors=k, n_eigenvectors=2).fit(X)
    wanted = published(X, similarities(X, width, k), criterion, K=3)
    np.testing.assert_allclose(ranker.phi_, wanted, rtol=1e-9, atol=1e-12)
    scores = wanted if criterion == "phi3" else 1 - wanted
    np.testing.assert_allclose(ranker.scores_, scores, atol=1e-11)


@pytest.mark.parametrize(("criterion", "style"), [("phi1", -1), ("phi2", 0), ("phi3", 4)])
def test_scikit_feature_computes_the_same_values(criterion, style):
    """Values agree, but it takes large ones for good, which small φ₁ and φ₂ are."""
    peer = pytest.importorskip("skfeature.function.similarity_based.SPEC")
    X = clustered((50, 20))
    S = similarities(X, 4.0)
    ranker = SPEC(criterion=criterion, width=4.0, n_eigenvectors=3).fit(X)
    np.testing.assert_allclose(ranker.phi_, peer.spec(X, W=S, style=style, mode="raw"), rtol=1e-9)
    theirs = peer.spec(X, W=S, style=style, mode="index")
    assert np.array_equal(theirs if criterion == "phi3" else theirs[::-1], ranker.order_)


def test_default_width_is_half_the_root_mean_squared_distance():
    X = clustered((30, 4))
    i, h = np.triu_indices(30, 1)
    mean = np.mean(((X[i] - X[h]) ** 2).sum(axis=1))
    assert SPEC().fit(X).width_ == pytest.approx(np.sqrt(mean) / 2, rel=1e-12)
    assert SPEC(n_neighbors=4).fit(X).width_ == pytest.approx(np.sqrt(mean) / 2, rel=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_units_of_the_data_change_nothing(criterion):
    X = clustered((40, 5))
    ranker = SPEC(criterion=criterion).fit(X)
    for factor in (2.0, 2.0**-700, 2.0**470):
        scaled = SPEC(criterion=criterion).fit(X * factor)
        np.testing.assert_array_equal(scaled.scores_, ranker.scores_)
    np.testing.assert_allclose(SPEC(criterion=criterion).fit(3 * X).scores_, ranker.scores_)


def test_phi2_is_one_minus_the_laplacian_score_but_for_each_sample_itself():
    """With every pair at weight 1, D grows by one from T - 1 to T."""
    X = clustered((20, 5))
    ranker = SPEC(width=1e12).fit(X)
    laplacian = LaplacianScore(n_neighbors=19, weights="binary").fit(X)
    np.testing.assert_allclose(ranker.phi_, laplacian.laplacian_ * 19 / 20, rtol=1e-10)


@pytest.mark.parametrize("k", [None, 6])
def test_products_find_the_same_vectors(monkeypatch, k):
    X = clustered((150, 12))
    wanted = SPEC(criterion="phi3", n_neighbors=k).fit(X)
    monkeypatch.setattr(spectral, "DENSE_UP_TO", 10)
    got = SPEC(criterion="phi3", n_neighbors=k).fit(X)
    np.testing.assert_allclose(got.eigenvalues_, wanted.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(got.scores_, wanted.scores_, atol=1e-7)


def test_a_whole_table_where_products_do_not_converge(monkeypatch):
    X = clustered((150, 12))
    wanted = SPEC(criterion="phi3").fit(X)
    for name, value in (("DENSE_UP_TO", 10), ("RESTARTS", 1), ("BASIS", 12)):
        monkeypatch.setattr(spectral, name, value)
    found = SPEC(criterion="phi3").fit(X)
    np.testing.assert_allclose(found.scores_, wanted.scores_, atol=1e-7)


def test_separate_clusters_are_eigenvectors_of_eigenvalue_zero():
    """Their indicators come after the one that says nothing, which is left out."""
    X = np.repeat([[0.0, 5], [100, 5], [200, 6]], 5, axis=0)
    ranker = SPEC(criterion="phi3", width=1.0, n_eigenvectors=2).fit(X - X.mean(axis=0))
    np.testing.assert_allclose(ranker.eigenvalues_, [0, 0], atol=1e-12)
    np.testing.assert_allclose(ranker.phi_, [2, 2], rtol=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_clusters_rank_before_noise_and_constants_last(criterion):
    X = clustered((80, 6))
    X -= X.mean(axis=0)
    X[:, 4] = 7.0
    ranker = SPEC(criterion=criterion).fit(X)
    assert ranker.order_[0] == 0
    assert ranker.order_[-1] == 4
    assert ranker.scores_[4] == -1


def test_graphs_in_parts_do_not_depend_on_the_order_of_samples():
    rng = np.random.default_rng(0)
    X = np.repeat(100 * rng.normal(size=(9, 8)), 8, axis=0) + rng.normal(size=(72, 8))
    order = rng.permutation(72)
    given = {"criterion": "phi3", "n_neighbors": 5}
    wanted = SPEC(**given).fit(X).scores_
    np.testing.assert_allclose(SPEC(**given).fit(X[order]).scores_, wanted, rtol=1e-9)


def test_constants_beside_tiny_units_change_nothing():
    X = np.random.default_rng(0).normal(size=(30, 4))
    wanted = SPEC().fit(X).scores_
    with_constant = np.column_stack([2.0**-700 * X, np.ones(30)])
    assert np.array_equal(SPEC().fit(with_constant).scores_[:4], wanted)


def test_a_large_mean_costs_no_digits():
    X = np.round(clustered((40, 5)) * 2**20) / 2**20
    shifted = SPEC().fit(X + 2.0**30).scores_
    np.testing.assert_allclose(shifted, SPEC().fit(X).scores_, atol=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("width", [1e-300, 1e-2, 1e300])
def test_any_width_gives_numbers(criterion, width):
    X = clustered((30, 4))
    scores = SPEC(criterion=criterion, width=width).fit(X).scores_
    assert np.isfinite(scores).all()
    assert (np.abs(scores) <= 2).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_duplicates_of_a_feature_tie_in_any_block_and_workers_change_nothing(criterion):
    X = clustered((20, 6000))
    X[:, [777, 2047, 5999]] = X[:, :1]
    first = SPEC(criterion=criterion, n_jobs=1).fit(X).scores_
    assert len(set(first[[0, 777, 2047, 5999]])) == 1
    np.testing.assert_array_equal(SPEC(criterion=criterion, n_jobs=2).fit(X).scores_, first)


def test_chunks_of_pairs_change_nothing_but_rounding(monkeypatch):
    X = clustered((60, 7))
    wanted = SPEC().fit(X).scores_
    for pairs in (1, 100, 1000):
        monkeypatch.setattr("featrank.neighbours.complete_graph.PAIRS", pairs)
        np.testing.assert_allclose(SPEC().fit(X).scores_, wanted, atol=1e-13)


def test_progress_is_reported():
    seen = []
    X = np.random.default_rng(0).normal(size=(1200, 2))
    with progress_to(lambda done, total: seen.append((done, total))):
        SPEC().fit(X)
    assert len(seen) > 1
    assert seen[-1][0] == seen[-1][1] == len(seen)


def test_memory_grows_with_the_square_of_the_samples_for_all_their_eigenvectors_only():
    whole = SPEC(criterion="phi3").cost(100_000, 10).memory
    assert whole > 8 * 100_000**2
    for ranker in (SPEC(), SPEC(criterion="phi3", n_neighbors=5)):
        assert ranker._memory(100_000, 10) < 200e6
