"""Typed wrappers of the kernels on shares of a graph's vertices.

Weights are symmetric, with zeros on the diagonal.
"""

import numpy as np

from featrank.kernels import Floats, _featrank


def partial_product(weights: Floats, shares: Floats, vertices: slice) -> Floats:
    """Return the part of weights @ shares that comes from weights of vertices with later ones."""
    result = np.zeros(len(shares))
    _featrank.add_product(weights, shares, vertices.start, vertices.stop, result)
    return result


# Move shares from the vertex that earns least to the one that earns most, again and again.
#
# Ends after ``most`` moves, or where the two differ by ``tol`` times the coherence at most.
# Brings shares and payoff up to date; returns the number of moves and the coherence.
exchange = _featrank.exchange
