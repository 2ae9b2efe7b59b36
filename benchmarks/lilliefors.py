"""Simulate the null distribution of Lilliefors' statistic and fit its quantiles.

Prints the table ``QUANTILES`` of ``featrank.statistics.normality``. It has, for each p-value, the
coefficients a, b, c, d of the quantile of √n·D, a + b/√n + c/n + d/n√n for samples of size n.
"""

import numpy as np
from scipy.special import ndtr

SIZES = (5, 6, 8, 10, 14, 20, 30, 50, 100, 200, 500)
LEVELS = (0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01)
LEVELS += (0.005, 0.002, 0.001, 0.0005)
VALUES = 20_000_000  # simulated normal values per size


def statistics(rng, n, samples):
    """Return √n·D of ``samples`` normal samples of size n."""
    z = np.sort(rng.normal(size=(samples, n)), axis=1)
    z = (z - z.mean(axis=1, keepdims=True)) / z.std(axis=1, ddof=1, keepdims=True)
    below = ndtr(z)
    steps = np.arange(1, n + 1) / n
    above = np.maximum((steps - below).max(axis=1), (below - steps + 1 / n).max(axis=1))
    return np.sqrt(n) * above


def simulated(rng, n):
    """Return the quantiles of √n·D at every level."""
    samples = min(1_000_000, VALUES // n)
    parts = [statistics(rng, n, 20_000) for _ in range(samples // 20_000)]
    return np.quantile(np.concatenate(parts), 1 - np.array(LEVELS))


def main():
    """Print the table."""
    rng = np.random.default_rng(0)
    quantiles = np.array([simulated(rng, n) for n in SIZES])
    n = np.array(SIZES, dtype=float)
    terms = n[:, None] ** (-np.arange(4) / 2)
    coefficients = np.linalg.lstsq(terms, quantiles, rcond=None)[0].T
    misfit = np.abs(terms @ coefficients.T - quantiles)
    for level, row in zip(LEVELS, coefficients, strict=True):
        print(f"    ({level:g}, {', '.join(f'{value:.5f}' for value in row)}),")
    print(f"largest misfit of a quantile, by size: {misfit.max(axis=1).round(4)}")


if __name__ == "__main__":
    main()
