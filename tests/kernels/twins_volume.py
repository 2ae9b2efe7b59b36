"""The specification of the kernels for the greedy choice by volume, in plain NumPy."""

import numpy as np


def reciprocal_lengths(values):
    lengths = np.linalg.norm(values.astype(float), axis=1)
    return np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def rests(values, chosen):
    """1 - kᵀ K⁻¹ k of every row, for the matrix K of squared correlations of the chosen rows."""
    units = values.astype(float) * reciprocal_lengths(values)[:, None]
    squares = (units @ units[chosen].T) ** 2
    return 1 - np.sum(squares * np.linalg.solve(squares[chosen], squares.T).T, axis=1)


def gains(values, relevance, chosen, diversity, least):
    rest = rests(values, chosen) if len(chosen) else np.ones(len(values))
    return relevance * np.where(rest < least, 0, rest) ** diversity
