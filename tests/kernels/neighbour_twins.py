"""The specification of the kernels for neighbours of samples, in plain NumPy."""

import numpy as np


def scaled_gaps(samples):
    """Terms of the distances, of shape (rows, rows, columns); unknown ones as expected."""
    X, missing, codes = samples.X.astype(float), samples.missing, samples.codes
    gaps = np.abs(X[:, None] - X[None]) * samples.scale
    for m, column in enumerate(missing.column):
        unknown = np.isnan(X[:, column])
        expected = missing.expected[m][codes]  # of row i's class against row h
        gap = gaps[:, :, column]
        gap[:, unknown] = expected.T[:, unknown]
        gap[unknown] = expected[unknown]
    return gaps


def distances(samples):
    gaps = scaled_gaps(samples)
    return (gaps**2 if samples.square else gaps).sum(axis=2)


def nearest(samples, slots):
    """Rows in the order of positions; of each class the nearest first, then by row."""
    distance = distances(samples)
    np.fill_diagonal(distance, np.inf)
    out = np.full((len(distance), slots[-1]), -1)
    for position, row in enumerate(samples.order):
        for c in range(len(slots) - 1):
            rows = np.flatnonzero((samples.codes == c) & (np.arange(len(distance)) != row))
            found = rows[np.argsort(distance[row, rows], kind="stable")]
            found = found[: slots[c + 1] - slots[c]]
            out[position, slots[c] : slots[c] + len(found)] = found
    return out, np.take_along_axis(distance[samples.order], np.where(out < 0, 0, out), axis=1)


def differences(X, links, scale, square):
    X, out = X.astype(float), np.zeros(X.shape[1])
    for i, row in enumerate(links.rows):
        for e in range(links.offsets[i], links.offsets[i + 1]):
            gap = np.nan_to_num(np.abs(X[row] - X[links.neighbour[e]]) * scale)
            out += links.weight[e] * (gap**2 if square else gap)
    return out


def expected_differences(samples, links):
    gaps, X = scaled_gaps(samples), samples.X
    out = np.zeros(len(samples.missing.column))
    for i, row in enumerate(links.rows):
        for e in range(links.offsets[i], links.offsets[i + 1]):
            other = links.neighbour[e]
            for m, column in enumerate(samples.missing.column):
                if np.isnan(X[row, column]) or np.isnan(X[other, column]):
                    out[m] += links.weight[e] * gaps[row, other, column]
    return out


def spread(X, weight, low, scale):
    Z = (X.astype(float) - low) * scale
    mean = weight @ Z / weight.sum()
    return weight @ (Z - mean) ** 2


def possible_pairs(products, k, relative, absolute):
    sizes = np.add.outer(np.diag(products), np.diag(products))
    squared, error = sizes - 2 * products, relative * sizes + absolute
    near = np.zeros(products.shape, bool)
    for i in range(len(products)):
        others = np.delete(squared[i] + error[i], i)
        limit = np.sort(others)[k - 1] if k <= len(others) else np.inf
        near[i] = squared[i] - error[i] <= limit
    return np.nonzero(np.triu(near | near.T, 1))


def count_near(lower, higher, distance, k):
    times = np.zeros(len(lower), int)
    for row in range(max(higher) + 1):
        mine = np.flatnonzero((lower == row) | (higher == row))
        other = lower[mine] + higher[mine] - row
        times[mine[np.lexsort((other, distance[mine]))[:k]]] += 1
    return times


def expect(column, codes, n_classes):
    """Expected differences (class, row) of scaled values, and place and deviation of classes."""
    known = ~np.isnan(column)
    table, place, deviation = np.zeros((n_classes, len(column))), *np.zeros((2, n_classes))
    for c in range(n_classes if known.any() else 0):
        own = known_of(c, column, codes)
        for r, value in enumerate(column):
            others = [value] if known[r] else known_of(codes[r], column, codes)
            table[c, r] = np.mean(np.abs(np.subtract.outer(own, others)))
        place[c] = np.floor(255 * np.sort(own)[len(own) // 2] + 0.5) / 255
        deviation[c] = np.mean(np.abs(own - place[c]))
    return table, place, deviation


def known_of(c, column, codes):
    known = ~np.isnan(column)
    own = known & (codes == c)
    return column[own] if own.any() else column[known]
