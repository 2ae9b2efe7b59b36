"""The specification of each compiled kernel, in plain NumPy."""

from fractions import Fraction

import numpy as np


def moments(block, codes, n_classes):
    """Mean, m2, minimum and maximum of each class, then absolute sum and integer flag."""
    wide = np.asarray(block, dtype=np.longdouble)
    tables = [_class_moments(wide[codes == c]) for c in range(n_classes)]
    mean, m2, minimum, maximum = (np.array(rows, dtype=float) for rows in zip(*tables, strict=True))
    whole = np.all(np.rint(wide) == wide, axis=0)
    return mean, m2, minimum, maximum, np.abs(wide).sum(axis=0).astype(float), whole


def _class_moments(rows):
    """An empty class has mean 0, m2 0 and extremes that any value replaces."""
    mean = rows.sum(axis=0) / max(len(rows), 1)
    m2 = ((rows - mean) ** 2).sum(axis=0)
    minimum = rows.min(axis=0, initial=np.inf)
    maximum = rows.max(axis=0, initial=-np.inf)
    constant = minimum == maximum
    return np.where(constant, minimum, mean), np.where(constant, 0, m2), minimum, maximum


def choose_bins(minimum, maximum, whole, dtype, n_bins):
    """Lowest edge, width and number of the bins of each column.

    Edges lie lower by eight units in the last place of the largest value, or a quarter of a bin.
    """
    span, whole = maximum - minimum, whole.astype(bool)
    # A range so small that its parts are 0 has no edges between its ends.
    one_an_integer, constant = whole & (span < n_bins), span / n_bins == 0
    step = np.where(one_an_integer, 1.0, span / n_bins)
    count = np.where(one_an_integer, span + 1, n_bins)
    largest, precision = np.maximum(abs(minimum), abs(maximum)), float(np.finfo(dtype).eps)
    exact = whole & (largest * precision < 1)
    room = np.minimum(8 * np.where(exact, 2.0**-52, precision) * largest, step / 4)
    low = np.where(one_an_integer | constant, minimum, minimum - room)
    return low, np.where(constant, 0.0, step), np.where(constant, 1, count).astype(int)


def histogram(block, codes, n_classes, bins, n_bins):
    """A value's bin is the number of inner edges low + k·step that are not above it."""
    inner = [low + np.arange(1, count) * step for low, step, count in zip(*bins, strict=True)]
    return _counts(block, codes, n_classes, inner, n_bins)


def quantile_histogram(block, codes, n_classes, n_bins):
    """Inner edges at the distinct quantiles k / n_bins, or one bin a value if they are few."""
    inner = [_quantile_edges(block[:, j].tolist(), n_bins) for j in range(block.shape[1])]
    return _counts(block, codes, n_classes, inner, n_bins)


def _quantile_edges(column, n_bins):
    """The upper ends of quantiles in exact arithmetic, which cut the values as they do."""
    values, ordered = sorted(set(column)), [Fraction(x) for x in sorted(column)]
    if len(values) <= n_bins:
        return values[1:]
    quantiles = {_quantile(ordered, Fraction(k, n_bins)) for k in range(1, n_bins)}
    cuts = {min(x for x in values if x >= q) for q in quantiles if ordered[0] < q < ordered[-1]}
    return sorted(cuts)


def _quantile(ordered, share):
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def _counts(block, codes, n_classes, inner, n_bins):
    counts = np.zeros((block.shape[1], n_classes, n_bins), dtype=int)
    for j, edges in enumerate(inner):
        bins = np.searchsorted(edges, np.asarray(block[:, j], dtype=float), side="right")
        np.add.at(counts[j], (codes, bins), 1)
    return counts


def information(counts):
    """I(bin; class) and H(bin) in nats, from the probabilities."""
    joint = counts / counts.sum(axis=(1, 2), keepdims=True)
    by_class, by_bin = joint.sum(axis=2, keepdims=True), joint.sum(axis=1, keepdims=True)
    ratio = np.divide(joint, by_class * by_bin, out=np.ones_like(joint), where=joint > 0)
    log_bin = np.log(by_bin, out=np.zeros_like(by_bin), where=by_bin > 0)
    return (joint * np.log(ratio)).sum(axis=(1, 2)), -(by_bin * log_bin).sum(axis=(1, 2))


def largest_of_two(level, vector):
    """The matrix of larger levels times the vector."""
    return np.maximum.outer(level, level) @ vector
