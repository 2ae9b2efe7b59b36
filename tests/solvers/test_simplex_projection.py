import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import pdist, squareform

from featrank.solvers.simplex_projection import (
    graph_laplacian,
    neighbour_shares,
    neighbour_weight,
    onto_simplex,
    squared_distances,
)


def by_quadratic_program(costs, weight):
    """Shares of one sample, as a general solver finds them."""
    found = minimize(
        lambda p: costs @ p + weight * p @ p,
        np.full(len(costs), 1 / len(costs)),
        jac=lambda p: costs + 2 * weight * p,
        bounds=[(0, None)] * len(costs),
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.x


@pytest.mark.parametrize("scale", [0.01, 1.0, 30.0])
def test_the_projection_is_that_of_a_quadratic_program(scale):
    rows = scale * np.random.default_rng(0).normal(size=(6, 9))
    for row, found in zip(rows, onto_simplex(rows), strict=True):
        np.testing.assert_allclose(found, by_quadratic_program(-2 * row, 1.0), atol=1e-6)
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()


@pytest.mark.parametrize("weight", [0.05, 1.0, 20.0])
def test_shares_of_neighbours(weight):
    squared = squareform(pdist(np.random.default_rng(0).normal(size=(8, 3)), "sqeuclidean"))
    shares = neighbour_shares(squared, weight)
    assert (shares.diagonal() == 0).all()
    for i in range(8):
        others = np.arange(8) != i
        wanted = by_quadratic_program(squared[i, others], weight)
        np.testing.assert_allclose(shares[i, others], wanted, atol=1e-6)


@pytest.mark.parametrize("k", [1, 3, 7])
def test_the_weight_gives_so_many_neighbours(k):
    squared = squared_distances(np.random.default_rng(0).normal(size=(200, 5)))
    shares = neighbour_shares(squared, neighbour_weight(squared, k))
    assert k <= np.count_nonzero(shares, axis=1).mean() < 2 * k
    assert neighbour_shares(squared[:2, :2], neighbour_weight(squared[:2, :2], k))[0, 1] == 1


def test_samples_that_coincide_share():
    squared = squared_distances(np.repeat([[0.0], [1.0]], 4, axis=0))
    shares = neighbour_shares(squared, neighbour_weight(squared, 2))
    np.testing.assert_allclose(shares[0], [0, *[1 / 3] * 3, 0, 0, 0, 0], atol=1e-6)


def test_the_graph_adds_up_distances():
    rng = np.random.default_rng(0)
    points, weights = rng.normal(size=(7, 2)), rng.uniform(size=(7, 7))
    squared = squareform(pdist(points, "sqeuclidean"))
    np.testing.assert_allclose(squared_distances(points), squared, atol=1e-12)
    wanted = np.sum(squared * weights) / 2
    assert np.trace(points.T @ graph_laplacian(weights) @ points) == pytest.approx(wanted)
