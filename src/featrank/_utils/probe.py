"""Time of a small fit, from which the time of a large one is estimated."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

# Steps of a fit that is timed: some tenths of a second, so that what grows more slowly is little.
PROBED = 1e9
# Numbers that are drawn for it, and the steps in which sizes are tried.
PROBED_NUMBERS, SHRUNK = 1e6, 0.99


class Probe(NamedTuple):
    """A small fit: a scoring function, the shape of its data, and the ratio of all work to it."""

    score: Callable[[Any, Any], Any]
    shape: tuple[int, int]
    ratio: float

    def seconds(self) -> float:
        """Return the time of the whole, from the better of two fits to random numbers."""
        import numpy as np

        from featrank._utils.progress import progress_to

        X = np.random.default_rng(0).standard_normal(self.shape)
        y = np.arange(len(X)) % 2
        with progress_to(lambda done, total: None):
            return self.ratio * min(_timed(self.score, X, y) for _ in range(2))


def smaller(
    work: Callable[..., float], sizes: tuple[int, ...], most: float
) -> tuple[tuple[int, ...], float]:
    """Return sizes with at most ``most`` work, and the ratio of all work to that.

    The first two sizes are samples and features. All sizes keep their proportions and stay above 2,
    so that a method takes the same code paths and a similar number of iterations.

    Examples
    --------
    >>> smaller(lambda T, n, k: T * n * k, (100, 5000, 50), 25_000)
    ((10, 496, 5), 1008.06)
    >>> smaller(lambda T, n: T * n, (1, 10**8), 1e9)[0]
    (1, 992097)
    """
    part, whole = 1.0, work(*sizes)
    while True:
        less = tuple(min(size, max(2, round(part * size))) for size in sizes)
        if (work(*less) <= most and less[0] * less[1] <= PROBED_NUMBERS) or max(less) <= 2:
            return less, whole / max(work(*less), 1.0)
        part *= SHRUNK


def _timed(score: Callable[[Any, Any], Any], X: Any, y: Any) -> float:
    start = perf_counter()
    score(X, y)
    return perf_counter() - start
