"""Typed wrappers of the kernels for dominant sets, where each vertex of a graph has a share.

Weights are symmetric, with zeros on the diagonal.
"""

import numpy as np

from featrank.kernels import Floats, _featrank


def partial_product(weights: Floats, shares: Floats, vertices: slice) -> Floats:
    """Return the part of weights @ shares from the weights between these and later vertices."""
    result = np.zeros(len(shares))
    _featrank.add_product(weights, shares, vertices.start, vertices.stop, result)
    return result


# Repeatedly move shares from the vertex with the lowest payoff to the one with the highest.
#
# Ends after ``most`` moves, or when these payoffs differ by at most ``tol`` times the coherence.
# Updates shares and payoff. Returns the number of moves and the coherence.
exchange = _featrank.exchange
