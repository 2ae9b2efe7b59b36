"""Log2 fold changes, by what the values are: logarithms, or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from featrank.summaries.moments import Moments

Floats = NDArray[np.float64]

# Logarithms base 2 above this would be of numbers that nothing measured has.
LARGE = 100
MANY_LARGE = 0.01
WIDE = 50
MOST = 0.75
# What keeps the quotient of two means defined where one is 0.
SMALL = 1e-9


def _of_log2(own: Floats, rest: Floats) -> Floats:
    return own - rest


def _of_ln(own: Floats, rest: Floats) -> Floats:
    return (own - rest) / np.log(2)


def _of_none(own: Floats, rest: Floats) -> Floats:
    return np.full_like(own, np.nan)


def _of_log1p(own: Floats, rest: Floats) -> Floats:
    return np.log2((np.expm1(own) + SMALL) / (np.expm1(rest) + SMALL))


def _of_linear(own: Floats, rest: Floats) -> Floats:
    return np.log2(np.where(own > -1, own + 1, np.nan) / np.where(rest > -1, rest + 1, np.nan))


#: What values may be taken for, with the log2 fold change of a class and the rest by their means.
FOLD_CHANGES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "log2": _of_log2,
    "ln": _of_ln,
    "log1p": _of_log1p,
    "linear": _of_linear,
    "none": _of_none,
}


@dataclass(frozen=True)
class ValueFacts:
    """What tells logarithms from other values; facts of several blocks add up.

    Attributes
    ----------
    known, large, positive : int
        How many values there are, how many above 100, and how many above 0.
    low, high : float
        The smallest and the largest.
    whole : bool
        Whether all are whole numbers.
    """

    known: int
    large: int
    positive: int
    low: float
    high: float
    whole: bool

    @classmethod
    def of(cls, stored: NDArray[np.floating], moments: Moments) -> ValueFacts:
        """Tell them of a block: of what is stored, where zeros may be left out, and its moments."""
        return cls(
            int(np.broadcast_to(moments.counts, moments.mean.shape).sum()),
            int(np.count_nonzero(stored > LARGE)),
            int(np.count_nonzero(stored > 0)),
            float(moments.low.min()),
            float(moments.high.max()),
            bool(moments.whole.all()),
        )

    def merge(self, other: ValueFacts) -> ValueFacts:
        """Return the facts of the values of both."""
        return ValueFacts(
            self.known + other.known,
            self.large + other.large,
            self.positive + other.positive,
            min(self.low, other.low),
            max(self.high, other.high),
            self.whole and other.whole,
        )

    def kind(self) -> str:
        """Return "linear" or "log2", by the rule that :func:`class_tests` documents.

        Examples
        --------
        >>> counts = ValueFacts(known=50, large=0, positive=9, low=0, high=7, whole=True)
        >>> counts.kind()
        'linear'
        """
        counts = self.whole and self.low >= 0
        large = self.large > MANY_LARGE * self.known
        wide = self.high - self.low > WIDE and self.positive > MOST * self.known
        return "linear" if counts or large or wide else "log2"
