"""The nearest-neighbour graph of the samples, with heat kernel or binary weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from featrank._utils.probe import Probe, smaller
from featrank.kernels.neighbours import Links
from featrank.neighbours.columns import Floats, Matrix, Ranges
from featrank.neighbours.gram import pairs_by_products
from featrank.neighbours.nearest import NearestSamples, by_class, is_wide, probe_shape, search_bytes
from featrank.neighbours.pairs import Integers, Pairs, pair_links
from featrank.neighbours.sketch import short_sketch

# Numbers per pair of neighbours: rows, distances and weights, while the graph is built.
BYTES_OF_A_PAIR = 100
# From this many samples per feature on, the neighbour search dominates the time.
MANY = 16
# Multiplications in a fit that is timed, including iterations.
PROBED_FIT = 1e8
# A weight that underflows would disconnect its samples.
LEAST_WEIGHT = 1e-300


class NearGraph(NamedTuple):
    """Pairs of samples in which either is among the k nearest of the other, with weights.

    The largest weight is 1, as a common factor cancels when the graph is normalised. ``t`` is the
    width of the heat kernel exp(-d²/t), in squared units of X.
    """

    pairs: Pairs
    weight: Floats
    t: float
    n_samples: int

    @classmethod
    def of(
        cls, X: Matrix, ranges: Ranges, k: int, *, weights: str, t: float | None, n_jobs: int | None
    ) -> NearGraph:
        """Connect the rows of X. t=None uses the mean squared distance to the k nearest samples."""
        unit = largest_unit(ranges)
        pairs = near_pairs(X, ranges, k, n_jobs)
        mean = float(pairs.times @ pairs.squared / pairs.times.sum())
        width = mean if t is None else t / unit / unit
        heat = weights == "heat" and width > 0
        exponent = pairs.squared / width if heat else np.zeros_like(pairs.squared)
        return cls(pairs, np.exp(exponent.min() - exponent), width * unit * unit, len(X))

    def links(self) -> Links:
        """Links from the lower to the higher row of each pair."""
        return pair_links(self.pairs.lower, self.pairs.higher, self.weight, self.n_samples)

    def degree(self) -> Floats:
        """Sum of the weights of each sample."""
        ends = self.pairs.lower, self.pairs.higher
        lower, higher = (np.bincount(end, self.weight, self.n_samples) for end in ends)
        return (lower + higher).astype(np.float64)

    def normalised(self) -> tuple[Any, Floats]:
        """Return D^(-1/2) S D^(-1/2) as a sparse matrix, and the degrees D, which are positive."""
        from scipy.sparse import coo_array

        kept = self._replace(weight=np.maximum(self.weight, LEAST_WEIGHT))
        degree, (lower, higher) = kept.degree(), self.pairs[:2]
        half = kept.weight / np.sqrt(degree[lower]) / np.sqrt(degree[higher])
        ends = np.concatenate([lower, higher]), np.concatenate([higher, lower])
        shape = self.n_samples, self.n_samples
        return coo_array((np.concatenate([half, half]), ends), shape).tocsr(), degree


def graph_bytes(n_samples: int, n_features: int, k: int, n_jobs: int | None) -> int:
    """Return the bytes needed to find the pairs."""
    pairs = BYTES_OF_A_PAIR * n_samples * min(k, n_samples)
    return pairs + search_bytes(n_samples, n_features, 2, n_jobs)


def probe_of_samples(
    fit: Callable[[Any, Any], Any], n_samples: int, n_features: int, k: int, n_jobs: int | None
) -> Probe:
    """Return a small fit, or for very many samples only the search, which grows fastest."""

    def search(X: Any, y: Any) -> Any:
        return near_pairs(X, Ranges.of(X, n_jobs), k, n_jobs)

    def work(n_samples: int, n_features: int) -> float:
        return float(n_samples) ** 2 * n_features

    if n_samples >= MANY * n_features:
        shape = probe_shape(n_samples, n_features)
        return Probe(search, shape, work(n_samples, n_features) / work(*shape))
    (rows, columns), ratio = smaller(work, (n_samples, n_features), PROBED_FIT)
    return Probe(fit, (rows, columns), ratio)


def near_pairs(X: Matrix, ranges: Ranges, k: int, n_jobs: int | None) -> Pairs:
    """Pairs of near rows, with squared distances in units of the largest range's."""
    if is_wide(*X.shape):
        unit = largest_unit(ranges)
        return pairs_by_products(X, ranges.low + ranges.widths() / 2, unit, k, n_jobs)
    return Pairs.of(*_found(X, ranges, k, n_jobs))


def nearest_rows(X: Matrix, ranges: Ranges, k: int, n_jobs: int | None) -> Integers:
    """Return the k nearest other rows of each row, the nearest first, or all if there are fewer."""
    _, neighbour, _ = _found(X, ranges, min(k, len(X) - 1), n_jobs)
    return neighbour


def _found(
    X: Matrix, ranges: Ranges, k: int, n_jobs: int | None
) -> tuple[Integers, Integers, Floats]:
    """Rows, their neighbours, and squared distances."""
    unit = largest_unit(ranges)
    samples = by_class(X, np.zeros(len(X), np.int64), np.full(X.shape[1], 1 / unit), square=True)
    nearest = NearestSamples(samples, k, short_sketch(samples, ranges, unit, n_jobs), n_jobs=n_jobs)
    rows, neighbour, squared = (
        np.concatenate(parts) for parts in zip(*nearest.chunks(), strict=True)
    )
    return rows, neighbour, squared


def largest_unit(ranges: Ranges) -> float:
    """The power of two at or below the largest range."""
    return float(powers_of_two(ranges.widths().max()))


def powers_of_two(widths: Floats) -> Floats:
    """The power of two at or below each width, so that division by it is exact; 1 for none."""
    exponent = widths.view(np.int64) & np.int64(0x7FF << 52)
    return np.where(widths > 0, exponent.view(np.float64), 1.0)
