"""Ranking under many settings of the parameters: by clones, or from fewer passes."""

from typing import ClassVar

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from featrank import ECFS, MRMR, FisherScore, GraphRanker, LaplacianScore
from featrank.base.ranker import Ranker, best_first
from featrank.data.matrix import Matrix
from featrank.evaluation import NFeaturesCV, Protocol, compare, compare_labels
from featrank.exceptions import DataError, MethodError


def by_clones(ranker, X, y, candidates):
    return [clone(ranker).set_params(**chosen).fit(X, y).order_ for chosen in candidates]


class Powers(Ranker):
    """Ranks by the correlation with the class, raised to a power; all powers from one pass."""

    name = "powers"
    passes: ClassVar[list] = []

    def __init__(self, n_features_to_select=None, *, power=1):
        self.n_features_to_select = n_features_to_select
        self.power = power

    _parameter_constraints: ClassVar[dict] = {
        **Ranker._parameter_constraints,
        "power": [int],
    }

    def _score(self, X, y):
        return self._distance(X, y) ** self.power

    def _distance(self, X, y):
        return np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))

    def _rank_candidates(self, X, y, candidates):
        self.passes.append(len(candidates))
        distance = self._distance(X, np.unique(y, return_inverse=True)[1])
        return [best_first(distance ** chosen["power"]) for chosen in candidates]


@pytest.fixture
def passes():
    Powers.passes.clear()
    return Powers.passes


@pytest.fixture
def counted(monkeypatch):
    """Count how often EC-FS reads the data."""
    reads = []
    original = Matrix.vectors

    def counting(self, method, fold=None):
        reads.append(fold)
        return original(self, method, fold)

    monkeypatch.setattr(Matrix, "vectors", counting)
    return reads


@pytest.mark.parametrize(
    ("ranker", "candidates"),
    [
        (MRMR(5), [{"criterion": name} for name in ("mid", "miq", "fcq")]),
        (FisherScore(), [{}, {"n_features_to_select": 3}]),
        (LaplacianScore(), [{"n_neighbors": 2}, {"n_neighbors": 9}, {}]),
        (GraphRanker(edges=lambda a, b: abs(a @ b)), [{"centrality": "degree"}, {}]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Ranker) else "",
)
def test_by_default_each_candidate_is_a_fit(data, ranker, candidates):
    found = ranker.rank_candidates(*data, candidates)
    np.testing.assert_array_equal(found, by_clones(ranker, *data, candidates))
    assert not hasattr(ranker, "order_")


MIXED = [
    {"alpha": 0.9, "kernel": "symmetric"},
    {"alpha": 0.1},
    {"alpha": 0.4, "kernel": "symmetric"},
    {"kernel": "toolbox", "normalize": None},
    {},
    {"alpha": "cv", "alphas": np.array([0.2, 0.9])},
    {"alpha": "cv", "random_state": 3},
    {"bins": 3, "alpha": 1},
    {"alpha": 0.1, "tol": 1e-3},
    {"alpha": 0.2, "alphas": np.array([0.5])},
]


@pytest.mark.parametrize("container", [np.asarray, csr_array])
def test_ecfs_makes_a_pass_for_those_that_differ_in_alpha_alone(data, counted, container):
    X, y = container(data[0]), data[1]
    ranker = ECFS(alpha=0.7)
    expected = by_clones(ranker, X, y, MIXED)
    counted.clear()
    np.testing.assert_array_equal(ranker.rank_candidates(X, y, MIXED), expected)
    counted.clear()
    ranker.rank_candidates(X, y, [{"alpha": step / 10} for step in range(11)])
    assert len(counted) == 1


def test_a_subclass_that_computes_something_else_is_asked(data):
    class Backwards(ECFS):
        def _combine(self, vectors):
            return -super()._combine(vectors)

    class Renamed(ECFS):
        name = "renamed"

    alphas = [{"alpha": 0.2}, {"alpha": 0.9}]
    ours = ECFS().rank_candidates(*data, alphas)
    np.testing.assert_array_equal(
        Backwards().rank_candidates(*data, alphas), by_clones(Backwards(), *data, alphas)
    )
    assert Backwards().rank_candidates(*data, alphas)[0, -1] == ours[0, 0]
    np.testing.assert_array_equal(Renamed().rank_candidates(*data, alphas), ours)


def test_a_subclass_with_parameters_alone_keeps_the_pass(data, counted):
    class Renamed(ECFS):
        name = "renamed"

    Renamed().rank_candidates(*data, [{"alpha": 0.2}, {"alpha": 0.9}])
    assert len(counted) == 1


def test_frames_and_no_candidates(frame, counted):
    alphas = [{"alpha": 0.2}, {"alpha": 0.9}]
    found = ECFS().rank_candidates(*frame, alphas)
    np.testing.assert_array_equal(found, by_clones(ECFS(), *frame, alphas))
    for ranker in (ECFS(), FisherScore()):
        assert ranker.rank_candidates(*frame, []).shape == (0, 12)


@pytest.mark.parametrize("ranker", [ECFS(), MRMR()])
def test_wrong_candidates_and_data_are_refused_as_by_fit(data, ranker):
    X, y = data
    spoilt = X.copy()
    spoilt[0, 0] = np.nan
    with pytest.raises(ValueError, match="Invalid parameter 'beta'"):
        ranker.rank_candidates(X, y, [{"beta": 1}])
    with pytest.raises(ValueError, match="'bins' parameter"):
        ranker.rank_candidates(X, y, [{"bins": "auto"}, {"bins": 0}])
    with pytest.raises(DataError, match="more than the 12 features"):
        ranker.rank_candidates(X, y, [{"n_features_to_select": 13}])
    with pytest.raises(DataError, match=r"column 0 \(1\)"):
        ranker.rank_candidates(spoilt, y, [{}])


def test_compare_uses_what_a_method_offers(data, passes):
    grid = {"power": (1, 2, 3)}
    protocol = Protocol(
        n_repeats=2, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3, param_grids={"powers": grid}
    )
    done = compare(*data, [Powers()], protocol)
    assert set(done.frame["status"]) == {"ok"}
    assert passes == [3] * 6  # trials × folds


def test_compare_labels_uses_what_a_method_offers(data, passes):
    X, y = data
    grid = {"power": (1, 2, 3)}
    protocol = Protocol(
        n_repeats=1, n_features=(2,), C=(0.1, 1.0), inner_cv=3, param_grids={"powers": grid}
    )
    Y = np.column_stack([y, np.arange(60) % 3 == 0])
    done = compare_labels(X, Y, [Powers()], protocol)
    assert set(done.frame["status"]) == {"ok"}
    assert passes == [3] * 6  # labels × folds


def test_feature_count_uses_what_a_method_offers(data, passes):
    grid = {"power": (1, 2)}
    NFeaturesCV(Powers(), GaussianNB(), ks=[1, 3], cv=4, param_grid=grid).fit(*data)
    assert passes == [2] * 4


@pytest.mark.parametrize(
    "spoil",
    [
        lambda orders: orders + 1,  # ranks in the place of indices
        lambda orders: orders[:1],
        lambda orders: orders[:, :3],
        lambda orders: orders[0],
        lambda orders: np.zeros_like(orders),
        lambda orders: orders.astype(str),
    ],
)
def test_what_is_no_order_is_refused(data, spoil):
    class Wrong(Powers):
        def _rank_candidates(self, X, y, candidates):
            return spoil(np.stack(super()._rank_candidates(X, y, candidates)))

    with pytest.raises(MethodError, match=r"_rank_candidates of Wrong must return .*\(2, 12\)"):
        Wrong().rank_candidates(*data, [{"power": 1}, {"power": 2}])
