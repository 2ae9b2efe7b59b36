"""The specification of the kernels on stored entries: make them dense, then count."""

from itertools import pairwise

import numpy as np

from . import twins_contingency


def dense_columns(values, begin, n_rows, rows):
    """Columns with a value at each entry and 0 elsewhere."""
    X = np.zeros((n_rows, len(begin) - 1), values.dtype)
    for j, (start, stop) in enumerate(pairwise(begin)):
        X[rows[start:stop], j] = values[start:stop]
    return X


def dense_codes(begin, row, code, zero, n_rows):
    """Codes of shape (features, rows)."""
    codes = np.repeat(zero[:, None], n_rows, axis=1)
    for j, (start, stop) in enumerate(pairwise(begin)):
        codes[j, row[start:stop]] = code[start:stop]
    return codes


def sparse_sums(arrays, state, width, candidates):
    """Σ n·log(n) over (code, candidate) and over (state, candidate)."""
    codes = dense_codes(*arrays[:4], len(state))
    size = max(arrays.n_bins, int(state.max()) + 1)

    def sums(first):
        cells = (twins_contingency.table(size, first, codes[j]) for j in candidates)
        return [twins_contingency.n_log_n_sum(counts, arrays.n_log_n) for counts in cells]

    return sums(state % width), sums(state)


def correlations(X, mean, scale, chosen):
    """Products of standardised features with those that are chosen."""
    standardised = (X.astype(np.longdouble) - mean) * scale
    return (standardised.T @ chosen.astype(np.longdouble).T).astype(float)


def class_tables(codes, n_bins, classes, n_classes, first, n_first):
    tables = np.zeros((len(codes), n_classes, n_first, n_bins), int)
    for table, row in zip(tables, codes, strict=True):
        np.add.at(table, (classes, first, row), 1)
    return tables
