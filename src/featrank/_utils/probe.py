"""Time a small fit to estimate the time of a large one."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

# Steps of the timed fit. It takes some tenths of a second, so that fixed costs matter little.
PROBED = 1e9
# The most random numbers to draw, and the factor by which sizes shrink until the fit is small.
PROBED_NUMBERS, SHRUNK = 1e6, 0.99


class Probe(NamedTuple):
    """A small fit: a scoring function, the shape of its data, and the ratio full/small work."""

    score: Callable[[Any, Any], Any]
    shape: tuple[int, int]
    ratio: float

    def seconds(self) -> float:
        """Return the estimated time of the full fit, from the faster of two small fits."""
        import numpy as np

        from featrank._utils.progress import progress_to

        X = np.random.default_rng(0).standard_normal(self.shape)
        y = np.arange(len(X)) % 2
        with progress_to(lambda done, total: None):
            return self.ratio * min(_timed(self.score, X, y) for _ in range(2))


def smaller(
    work: Callable[..., float], sizes: tuple[int, ...], most: float
) -> tuple[tuple[int, ...], float]:
    """Return sizes that need at most ``most`` work, and the ratio of full to small work.

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
