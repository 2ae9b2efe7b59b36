from itertools import pairwise

import numpy as np
import pytest

from featrank.kernels import replicator


def graph(size, seed=0):
    weights = np.triu(np.random.default_rng(seed).random((size, size)), 1)
    return weights + weights.T


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9, 15, 16, 70])
def test_products_add_up_over_bands_of_rows(size):
    weights, shares = graph(size), np.random.default_rng(1).random(size)
    for cuts in ([0, size], [0, size // 3, size], [0, 1, 1, size // 2, size]):
        bands = [slice(a, b) for a, b in pairwise(cuts) if a <= b]
        parts = [replicator.partial_product(weights, shares, band) for band in bands]
        np.testing.assert_allclose(sum(parts), weights @ shares, rtol=1e-13)


def exchanged(weights, shares, tol, most):
    """The moves of ``exchange`` in plain NumPy."""
    shares = shares.copy()
    payoff = weights @ shares
    for moves in range(most):
        alive = np.flatnonzero(shares)
        best, worst = np.argmax(payoff), alive[np.argmin(payoff[alive])]
        gap = payoff[best] - payoff[worst]
        if gap <= tol * (shares @ payoff):
            return shares, moves
        # The step s maximises (x + s(e_b - e_w))ᵀ W (x + s(e_b - e_w)).
        step = shares[worst]
        if gap < 2 * step * weights[best, worst]:
            step = gap / (2 * weights[best, worst])
        shares[best] += step
        shares[worst] -= step
        payoff += step * (weights[best] - weights[worst])
    return shares, most


@pytest.mark.parametrize("size", [2, 3, 5, 16, 41])
@pytest.mark.parametrize("most", [1, 7, 10_000])
def test_exchanges(size, most):
    weights = graph(size, seed=size)
    weights[weights < 0.1] = 0
    shares = np.random.default_rng(1).dirichlet(np.ones(size))
    shares[size // 2 :: 3] = 0
    expected, expected_moves = exchanged(weights, shares, 1e-7, most)
    payoff = weights @ shares
    moves, coherence = replicator.exchange(
        weights, shares, payoff, float(shares @ payoff), 1e-7, most
    )
    assert moves == expected_moves
    np.testing.assert_allclose(shares, expected, atol=1e-12)
    np.testing.assert_allclose(payoff, weights @ shares, atol=1e-12)
    assert coherence == pytest.approx(shares @ payoff, rel=1e-12)


def test_wrong_arguments_are_rejected():
    weights, shares, payoff = graph(4), np.full(4, 0.25), np.ones(4)
    wrong = [
        lambda: replicator.partial_product(weights[:3].copy(), shares, slice(0, 3)),
        lambda: replicator.partial_product(weights, shares[:3], slice(0, 3)),
        lambda: replicator.partial_product(weights, shares, slice(0, 5)),
        lambda: replicator.partial_product(weights, shares, slice(3, 2)),
        lambda: replicator.exchange(weights, shares[:3], payoff, 1.0, 0.1, 1),
        lambda: replicator.exchange(weights, np.zeros(4), payoff, 1.0, 0.1, 1),
        lambda: replicator.exchange(weights, shares, payoff * np.nan, 1.0, 0.1, 1),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            call()
