"""The specification of the kernels on binned features and correlations, in plain NumPy."""

import numpy as np


def n_log_n_sum(counts, n_log_n):
    return n_log_n[counts].sum()


def table(n_bins, *columns):
    """Counts of rows over the cells of several codes."""
    cells = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        cells = cells * n_bins + column
    return np.unique(cells, return_counts=True)[1]


def pair_sums(codes, n_bins, n_log_n, chosen, candidates):
    return [n_log_n_sum(table(n_bins, codes[chosen], codes[j]), n_log_n) for j in candidates]


def class_sums(codes, n_bins, n_log_n, classes, chosen, candidates):
    states = codes[chosen]
    return state_sums(codes, n_bins, n_log_n, classes, states, candidates)


def state_sums(codes, n_bins, n_log_n, classes, states, candidates):
    size = max(n_bins, classes.max() + 1)
    pair = [n_log_n_sum(table(size, states, codes[j]), n_log_n) for j in candidates]
    triple = [n_log_n_sum(table(size, states, codes[j], classes), n_log_n) for j in candidates]
    return pair, triple


def standardise(block, mean, scale):
    return ((block.astype(float) - mean) * scale).T.astype(block.dtype)


def quotients(values, least, statistic, chosen):
    wide = values.astype(float)
    sizes = np.maximum(np.abs(wide @ wide[chosen].T), least)
    return statistic / sizes.mean(axis=1)


def smallest(codes, n_bins, n_log_n, classes, given, factor, chosen):
    """Smallest (Σ over (f, s, class) - Σ over (f, s) - given[s])·factor over s, of every f."""
    terms = []
    for s in chosen:
        everyone = range(len(codes))
        pair, triple = class_sums(codes, n_bins, n_log_n, classes, s, everyone)
        terms.append(np.maximum(np.subtract(triple, pair) - given[s], 0) * factor)
    return np.min(terms, axis=0)
