"""The greedy methods written plainly, with scikit-learn's mutual information."""

import numpy as np
from sklearn.metrics import mutual_info_score

from featrank.summaries.histogram import auto_bins


def binned(X, n_bins=None):
    """Equal-width bins of each column, closed below and the last one closed above."""
    n_bins = n_bins or auto_bins(len(X))
    inner = [x.min() + np.arange(1, n_bins) * (np.ptp(x) / n_bins) for x in X.T]
    codes = [np.searchsorted(edges, x, "right") for edges, x in zip(inner, X.T, strict=True)]
    return np.array(codes).T


def joint(*columns):
    """Number the joint states of several columns."""
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def greedy(relevance, value, count):
    """Choose the largest relevance, then the largest value(f, S); ties as the library's."""
    chosen, values = [], []
    for _ in range(count):
        left = [f for f in range(len(relevance)) if f not in chosen]
        scores = [value(f, chosen) if chosen else relevance[f] for f in left]
        tied = [f for f, v in zip(left, scores, strict=True) if v >= max(scores) - 1e-12]
        best = max(tied, key=lambda f: (round(relevance[f], 12), -f))
        chosen.append(best)
        values.append(max(scores))
    return chosen, values


def relevances(codes, y):
    return np.array([mutual_info_score(c, y) for c in codes.T])


def redundancies(codes):
    n = codes.shape[1]
    return np.array(
        [[mutual_info_score(codes[:, i], codes[:, j]) for j in range(n)] for i in range(n)]
    )


def joint_relevances(codes, y):
    """I(f, s; y) of every pair."""
    n = codes.shape[1]
    result = np.zeros((n, n))
    for i, j in zip(*np.triu_indices(n), strict=True):
        result[i, j] = result[j, i] = mutual_info_score(joint(codes[:, i], codes[:, j]), y)
    return result
