"""GraphRanker: any graph, any centrality, the same contract."""

import pickle

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from featrank import ECFS, GraphRanker, methods
from featrank.exceptions import DataError, UsageError
from featrank.graph import Accessibility, Centrality, Degree, Eigenvector, LargestOfTwo, RankOne


@pytest.fixture
def X(data):
    return data[0]


@pytest.fixture
def weights():
    rng = np.random.default_rng(3)
    weights = rng.random((12, 12))
    return (weights + weights.T) / 2


def leading_eigenvector(weights):
    _, vectors = np.linalg.eigh(weights)
    return np.abs(vectors[:, -1])


@pytest.mark.parametrize(
    "container", [np.asarray, np.ndarray.tolist, csr_array, csr_matrix, coo_array]
)
def test_edges_written_out(X, weights, container):
    ranker = GraphRanker(edges=container(weights)).fit(X)
    np.testing.assert_allclose(ranker.scores_, leading_eigenvector(weights), atol=1e-10)
    np.testing.assert_allclose(ranker.graph_.to_dense(), weights)
    assert ranker.n_iter_ > 1


def test_edges_by_a_function_of_two_columns(X):
    ranker = GraphRanker(edges=lambda a, b: max(a.std(), b.std())).fit(X)
    spread = X.std(axis=0)
    np.testing.assert_allclose(ranker.graph_.to_dense(), np.maximum.outer(spread, spread))
    assert np.array_equal(ranker.ranking_, GraphRanker(edges=LargestOfTwo(spread)).fit(X).ranking_)


def test_a_function_that_is_not_symmetric_keeps_its_direction(X):
    ranker = GraphRanker(edges=lambda a, b: a.mean() + 2 * b.std(), centrality="degree").fit(X)
    wanted = 12 * X.mean(axis=0) + 2 * X.std(axis=0).sum()
    np.testing.assert_allclose(ranker.scores_, wanted)


def test_edges_as_a_sum_of_terms_give_ec_fs(data):
    ecfs = ECFS(alpha=0.3, kernel="product").fit(*data)
    relevance = RankOne(ecfs.fisher_, ecfs.information_)
    graph = 0.3 * relevance + 0.7 * LargestOfTwo(ecfs.spread_)
    ranker = GraphRanker(edges=graph).fit(data[0])
    np.testing.assert_allclose(ranker.scores_, ecfs.scores_, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "instance"),
    [("eigenvector", Eigenvector()), ("degree", Degree()), ("accessibility", Accessibility())],
)
def test_centrality_by_name_and_as_an_object(X, weights, name, instance):
    by_name = GraphRanker(edges=weights, centrality=name).fit(X)
    by_object = GraphRanker(edges=weights, centrality=instance).fit(X)
    assert np.array_equal(by_name.scores_, by_object.scores_)
    assert np.array_equal(by_name.scores_, instance(by_name.graph_).scores)


def test_centralities_differ_as_they_should(X, weights):
    degree = GraphRanker(edges=weights, centrality="degree").fit(X).scores_
    np.testing.assert_allclose(degree, weights.sum(axis=1))
    paths = GraphRanker(edges=weights, centrality=Accessibility(2)).fit(X).scores_
    wanted = weights @ weights @ np.ones(12)
    np.testing.assert_allclose(paths, wanted / np.linalg.norm(wanted))


@pytest.mark.parametrize("wrap", [list, np.asarray, Centrality])
def test_centrality_by_a_function(X, weights, wrap):
    ranker = GraphRanker(edges=weights, centrality=lambda graph: wrap(graph.to_dense()[0]))
    assert np.array_equal(ranker.fit(X).scores_, weights[0])


@pytest.mark.parametrize(
    ("edges", "text"),
    [
        (np.ones((5, 5)), "5 nodes but X has 12 features"),
        (RankOne(np.ones(3)), "3 nodes but X has 12 features"),
        (np.ones((12, 11)), "square"),
        (csr_array(np.ones((11, 12))), "square"),
        (np.ones(12), "square"),
        (np.full((12, 12), np.nan), "NaN"),
        (csr_array(np.full((12, 12), np.inf)), "NaN or infinity"),
    ],
)
def test_graphs_that_do_not_fit(X, edges, text):
    with pytest.raises((DataError, UsageError), match=text):
        GraphRanker(edges=edges).fit(X)


def test_a_function_that_gives_nan(X):
    with pytest.raises(DataError, match="NaN"):
        GraphRanker(edges=lambda a, b: np.nan).fit(X)


@pytest.mark.parametrize("edges", [None, "cosine", 3])
def test_no_graph(X, edges):
    with pytest.raises(ValueError, match="'edges' parameter of GraphRanker"):
        GraphRanker(edges=edges).fit(X)


def test_unknown_centrality(X, weights):
    with pytest.raises(UsageError, match=r"Unknown centrality 'eigen'.*'eigenvector'"):
        GraphRanker(edges=weights, centrality="eigen").fit(X)


@pytest.mark.parametrize(
    "scores", [[1.0, 2.0], np.ones((12, 1)), [np.nan] * 12], ids=["length", "shape", "nan"]
)
def test_centralities_that_are_not_one_score_a_feature(X, weights, scores):
    with pytest.raises((DataError, UsageError), match=r"one .*score"):
        GraphRanker(edges=weights, centrality=lambda graph: scores).fit(X)


def test_names_and_selection(frame, weights):
    ranker = GraphRanker(3, edges=weights).fit(frame[0])
    best = np.sort(np.argsort(-leading_eigenvector(weights))[:3])
    assert ranker.get_feature_names_out().tolist() == [f"gene {j}" for j in best]
    assert ranker.transform(frame[0]).shape == (60, 3)


def test_clone_and_pickle(X, weights):
    ranker = GraphRanker(3, edges=weights, centrality=Accessibility(4)).fit(X)
    copy = clone(ranker).fit(X)
    loaded = pickle.loads(pickle.dumps(ranker))
    assert np.array_equal(copy.scores_, ranker.scores_)
    assert np.array_equal(loaded.scores_, ranker.scores_)


@pytest.mark.parametrize(
    "edges", [csr_array(np.eye(12)), RankOne(np.arange(12.0)), np.minimum.outer]
)
def test_clone_keeps_the_kind_of_edges(edges):
    assert type(clone(GraphRanker(edges=edges)).edges) is type(edges)


def test_in_a_pipeline(data):
    ranker = GraphRanker(1, edges=lambda a, b: a.std() * b.std())
    assert make_pipeline(ranker, LogisticRegression()).fit(*data).score(*data) > 0.95


def test_the_user_s_graph_is_untouched(X, weights):
    before = weights.copy()
    GraphRanker(edges=weights).fit(X)
    assert np.array_equal(weights, before)


def test_it_is_not_a_method_by_name():
    """It cannot run without edges, so the registry and the command line leave it out."""
    assert GraphRanker not in methods().values()
