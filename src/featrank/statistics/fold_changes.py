"""Log2 fold changes, by the scale of the values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from featrank.summaries.moments import Moments

Floats = NDArray[np.float64]

# Logarithms base 2 above this value do not occur in measurements.
LARGE = 100
MANY_LARGE = 0.01
WIDE = 50
MOST = 0.75
# Keeps the quotient of two means defined if one is 0.
SMALL = 1e-9


def _of_log1p(own: Floats, rest: Floats) -> Floats:
    return np.log2((np.expm1(own) + SMALL) / (np.expm1(rest) + SMALL))


def _of_linear(own: Floats, rest: Floats) -> Floats:
    return np.log2(np.where(own > -1, own + 1, np.nan) / np.where(rest > -1, rest + 1, np.nan))


#: Scales of values, with the log2 fold change from the means of a class and of the rest.
FOLD_CHANGES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "log2": lambda own, rest: own - rest,
    "ln": lambda own, rest: (own - rest) / np.log(2),
    "log1p": _of_log1p,
    "linear": _of_linear,
    "none": lambda own, rest: np.full_like(own, np.nan),
}


@dataclass(frozen=True)
class ValueFacts:
    """What distinguishes logarithms from other values, for one block.

    Attributes
    ----------
    known, large, positive : int
        The number of values, of values above 100, and of positive values.
    low, high : float
        The smallest and the largest.
    whole : bool
        Whether all are integers.
    """

    known: int
    large: int
    positive: int
    low: float
    high: float
    whole: bool

    @classmethod
    def of(cls, stored: NDArray[np.floating], moments: Moments) -> ValueFacts:
        """Summarise the stored values of a block, where zeros may be omitted, and its moments."""
        return cls(
            int(np.broadcast_to(moments.counts, moments.mean.shape).sum()),
            int(np.count_nonzero(stored > LARGE)),
            int(np.count_nonzero(stored > 0)),
            float(moments.low.min()),
            float(moments.high.max()),
            bool(moments.whole.all()),
        )


def value_scale(blocks: Sequence[ValueFacts]) -> str:
    """Return "linear" or "log2", by the rule that :func:`class_tests` documents.

    Examples
    --------
    >>> counts = ValueFacts(known=50, large=0, positive=9, low=0, high=7, whole=True)
    >>> value_scale([counts])
    'linear'
    """
    known = sum(block.known for block in blocks)
    low, high = min(block.low for block in blocks), max(block.high for block in blocks)
    counts = all(block.whole for block in blocks) and low >= 0
    large = sum(block.large for block in blocks) > MANY_LARGE * known
    wide = high - low > WIDE and sum(block.positive for block in blocks) > MOST * known
    return "linear" if counts or large or wide else "log2"
