"""One class against the rest: statistics of two classes from those of many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

import numpy as np

from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.histogram import Histogram
from featrank.summaries.moments import Moments


def one_against_rest(digest: ColumnStats) -> Iterator[ColumnStats]:
    """Yield for each class the statistics of the rest (first) and of the class (second).

    They equal the statistics of the rows with two classes, without another pass over the rows:
    counts are added and moments merged.
    """
    own = _each_class(digest.moments)
    for code, rest in enumerate(_all_but_one(own)):
        yield ColumnStats(
            _both(rest, own[code], digest.moments), _counts_of_two(digest.histogram, code)
        )


def _each_class(moments: Moments) -> list[Moments]:
    return [
        replace(
            moments,
            **{
                name: getattr(moments, name)[code : code + 1]
                for name in ("count", "mean", "m2", "minimum", "maximum")
            },
        )
        for code in range(len(moments.count))
    ]


def _all_but_one(parts: list[Moments]) -> Iterator[Moments]:
    """Merge all parts but one, for each part, from both ends, in linear time."""
    before = list(accumulate(parts, Moments.merge))
    after = list(accumulate(reversed(parts), lambda merged, part: part.merge(merged)))[::-1]
    for place in range(len(parts)):
        if place == 0:
            yield after[1]
        elif place == len(parts) - 1:
            yield before[-2]
        else:
            yield before[place - 1].merge(after[place + 1])


def _both(rest: Moments, own: Moments, whole: Moments) -> Moments:
    columns = {
        name: np.concatenate([getattr(rest, name), getattr(own, name)])
        for name in ("count", "mean", "m2", "minimum", "maximum")
    }
    return replace(whole, **columns)


def _counts_of_two(histogram: Histogram | None, code: int) -> Histogram | None:
    if histogram is None:
        return None
    own = histogram.counts[:, code]
    rest = histogram.counts.sum(axis=1, dtype=own.dtype) - own
    return Histogram(np.stack([rest, own], axis=1), histogram.most)
