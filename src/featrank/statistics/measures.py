"""Measures of stability. A new one is a function and an entry in ``MEASURES``.

The command line help imports this module, so the functions import NumPy themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from featrank.statistics.subsets import Subsets

    Floats = NDArray[np.float64]

__all__ = ["MEASURES", "StabilityInterval"]


@dataclass(frozen=True)
class StabilityInterval:
    """A stability with its confidence interval.

    The bounds are those of the normal approximation and may lie outside [-1, 1].
    """

    value: float
    low: float
    high: float
    confidence: float = 0.95


@dataclass(frozen=True)
class Measure:
    """A measure of stability.

    Attributes
    ----------
    of : callable
        Function of sets of features and of the weights of their ranks, which sum to 1.
    explained : str
        What its values mean, for reports.
    one_size : bool
        Whether all sets must have the same size.
    chance : float or None
        Mean of random sets. None if it depends on their number and size.
    interval : callable or None
        Function that returns the stability with its confidence interval, if available.
    """

    of: Callable[[Subsets, Floats], float]
    explained: str
    one_size: bool
    chance: float | None = 0.0
    interval: Callable[[Subsets, float], StabilityInterval] | None = None


def _kuncheva(sets: Subsets, _: Floats) -> float:
    k, n = int(sets.sizes[0]), sets.n_features
    if k in (0, n):
        return 1.0
    m, counts = len(sets.sizes), sets.counts()
    overlap = float(counts @ (counts - 1)) / (m * (m - 1))  # the mean over pairs
    return (overlap * n - k**2) / (k * (n - k))


def _nogueira(sets: Subsets, _: Floats) -> float:
    m, n, counts = len(sets.sizes), sets.n_features, sets.counts()
    mean_size = float(sets.sizes.mean())
    if mean_size in (0, n):
        return 1.0
    spread = float(counts @ (m - counts)) / (m * (m - 1))
    return 1 - spread / (mean_size * (1 - mean_size / n))


def _jaccard(sets: Subsets, _: Floats) -> float:
    import numpy as np

    overlaps = sets.overlaps()
    unions = sets.sizes[:, None] + sets.sizes - overlaps
    pairs = np.triu_indices(len(sets.sizes), 1)
    # Two empty sets are identical.
    return float(np.where(unions > 0, overlaps / np.maximum(unions, 1), 1.0)[pairs].mean())


def _jensen_shannon(sets: Subsets, weights: Floats) -> float:
    """1 - D/D*, where D = H(mean) - H(weights) and D* = log n - H(weights)."""
    import numpy as np

    largest = np.log(sets.n_features) - _entropy(weights)
    if len(weights) == 0 or largest <= 1e-12 or sets.identical_lists(weights):
        return 1.0
    everywhere = np.tile(weights, len(sets.sizes))
    mean = np.bincount(sets.members, everywhere, minlength=sets.n_features) / len(sets.sizes)
    return 1 - (_entropy(mean) - _entropy(weights)) / largest


def interval_of_nogueira(sets: Subsets, confidence: float) -> StabilityInterval:
    """Return Nogueira's stability of sets of any sizes with its confidence interval."""
    import numpy as np
    from scipy.special import ndtri

    if not 0 < confidence < 1:
        raise UsageError(f"confidence must lie between 0 and 1, got {confidence}.")
    value = _nogueira(sets, np.empty(0))
    margin = float(ndtri((1 + confidence) / 2)) * np.sqrt(_variance(sets, value))
    return StabilityInterval(value, float(value - margin), float(value + margin), confidence)


def _variance(sets: Subsets, value: float) -> float:
    """Return the asymptotic variance of Nogueira's estimate."""
    import numpy as np

    m, n, sizes = len(sets.sizes), sets.n_features, sets.sizes
    mean_size = sizes.mean()
    if mean_size in (0, n):
        return 0.0
    frequency = sets.counts() / m
    shared = np.bincount(np.repeat(np.arange(m), sizes), frequency[sets.members], minlength=m)
    chance = sizes * mean_size / n
    phi = shared - chance + value / 2 * (2 * chance - sizes - mean_size + n)
    phi /= mean_size * (1 - mean_size / n)
    return float(4 / m**2 * np.sum((phi - phi.mean()) ** 2))


def _entropy(probabilities: Floats) -> float:
    import numpy as np

    positive = probabilities[probabilities > 0]
    return -float(positive @ np.log(positive))


MEASURES = {
    "kuncheva": Measure(
        _kuncheva, "1 for the same features in every trial, about 0 for random ones.", one_size=True
    ),
    "nogueira": Measure(
        _nogueira,
        "1 for the same features in every trial, about 0 for random ones. ± is half of the 95 % "
        "interval, a rough guide since trials share rows.",
        one_size=False,
        interval=interval_of_nogueira,
    ),
    "jaccard": Measure(
        _jaccard,
        "1 for the same features in every trial. Random ones score above 0, too.",
        one_size=False,
        chance=None,
    ),
    "jensen-shannon": Measure(
        _jensen_shannon,
        "1 for the same order in every trial. The first ranks count most, and a few random orders "
        "score above 0, too.",
        one_size=True,
        chance=None,
    ),
}


def measure_called(name: str) -> Measure:
    """Return the measure with this name."""
    if name not in MEASURES:
        raise UsageError(unknown_name("measure", name, MEASURES))
    return MEASURES[name]
