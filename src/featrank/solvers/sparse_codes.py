"""Sparse reconstruction of samples from other samples, by greedy coordinate descent."""

from __future__ import annotations

import numpy as np

from featrank.kernels import Floats

# Stop if the steps of a round gain less than this fraction of the squared norm of all samples.
WORTH = 1e-14


def sparse_codes(points: Floats, codes: Floats, penalty: float, steps: int) -> Floats:
    r"""Return codes S that cost at most as much as the given ones, for every sample.

    .. math:: \min_S \|F - S^\top F\|^2 + a \|S\|_1, \qquad S_{ii} = 0

    Column i of S reconstructs sample i from other samples. In each step, every sample sets the one
    coordinate that lowers its cost most to its best value. Samples do not depend on each other. A
    solution has hardly more entries than F has columns, so few steps suffice. The first steps start
    from zeros, as single-coordinate changes are slow if another coordinate should take over. Later
    steps start from the cheaper of that result and the given codes.

    Examples
    --------
    >>> F = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]])
    >>> sparse_codes(F, np.zeros((3, 3)), 0.4, 10).round(2) + 0
    array([[0.  , 0.  , 1.8 ],
           [0.  , 0.  , 0.  ],
           [0.45, 0.  , 0.  ]])
    """
    fresh = _improved(points, np.zeros_like(codes), penalty, steps)
    cheaper = code_costs(points, fresh, penalty) < code_costs(points, codes, penalty)
    return _improved(points, np.where(cheaper, fresh, codes), penalty, steps)


def code_costs(points: Floats, codes: Floats, penalty: float) -> Floats:
    """Return the cost of each sample's codes."""
    residual = points - codes.T @ points
    return np.asarray(
        np.einsum("tc,tc->t", residual, residual) + penalty * np.abs(codes).sum(axis=0)
    )


def _improved(points: Floats, codes: Floats, penalty: float, steps: int) -> Floats:
    """Improve the codes in place, for ``steps`` steps or until a step gains too little."""
    columns = np.arange(len(points))
    own = np.einsum("tc,tc->t", points, points)[:, None]
    residual = points - codes.T @ points
    for _ in range(steps):
        best, won = _best_values(points, codes, own, residual, penalty)
        which = won.argmax(axis=0)
        most = won[which, columns]
        if most.sum() <= WORTH * own.sum():
            break
        change = np.where(most > 0, (best - codes)[which, columns], 0.0)
        codes[which, columns] += change
        residual -= change[:, None] * points[which]
    return codes


def _best_values(
    points: Floats, codes: Floats, own: Floats, residual: Floats, penalty: float
) -> tuple[Floats, Floats]:
    """Return the best value of each code if only it changes, and the gain."""
    target = points @ residual.T + own * codes
    shrunk = np.sign(target) * np.maximum(np.abs(target) - penalty / 2, 0)
    best = np.divide(shrunk, own, out=np.zeros_like(shrunk), where=own > 0)
    won = (codes - best) * (own * (codes + best) - 2 * target)
    won += penalty * (np.abs(codes) - np.abs(best))
    np.fill_diagonal(won, 0)
    return best, won
