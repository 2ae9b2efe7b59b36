"""Tests of data that is read in chunks, from moments of one pass."""

from __future__ import annotations

import numpy as np

from featrank.base.summary import SummaryRanker
from featrank.exceptions import UsageError
from featrank.kernels import Floats
from featrank.ranking.evidence import SourceData
from featrank.statistics.cached_tests import CachedTests
from featrank.statistics.feature_tests import (
    OF_MOMENTS,
    TESTS,
    ClassTests,
    Test,
    Values,
    moment_tests,
)
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.moments import Moments
from featrank.summaries.one_vs_rest import one_against_rest

# Arrays of moments with a row per class, and those with one value per feature.
BY_CLASS = ("count", "mean", "m2", "minimum", "maximum")
OVERALL = ("absolute_sum", "whole")


class ChunkedTests(CachedTests):
    """Tests of two classes whose data is read in chunks."""

    def __init__(self, data: SourceData):
        super().__init__(None, np.empty(0, np.intp))
        self._data = data
        self._moments: Moments | None = None

    def _compute(self, test: Test, values: Values) -> ClassTests:
        if test not in OF_MOMENTS:
            raise UsageError(
                f"{TESTS[test]} needs whole columns, but {self._data.X.name!r} is read in chunks. "
                'Use `test="welch"` or `test="moderated-t"`.'
            )
        if self._moments is None:
            self._moments = class_moments(self._data, 1, "A test")
        return moment_tests(self._moments, test, values)


def class_moments(data: SourceData, code: int, what: str) -> Moments:
    """Return the moments of all other classes (first) and of a class, in one pass over the data.

    ``what`` begins the error if the data can only be read once.
    """
    data.require_again(what)
    options = data.options
    ranker = _MomentsInChunks(code=code)
    ranker.fit(
        data.X,
        data.y,
        memory=options.memory,
        engine=options.engine,
        client=options.client,
        missing="skip",
    )
    return ranker.moments_


class _MomentsInChunks(SummaryRanker):
    """Keeps the moments of a class and of the rest."""

    name = "moments"
    code: int = 1
    n_jobs: int | None = None

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        moments = list(one_against_rest(digest))[self.code].moments
        shape = moments.mean.shape
        tables = {name: getattr(moments, name) for name in BY_CLASS}
        tables["count"] = np.broadcast_to(moments.counts, shape)
        rows = {f"{name} {row}": table[row] for name, table in tables.items() for row in (0, 1)}
        return rows | {name: getattr(moments, name) for name in OVERALL}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        count, mean, m2, minimum, maximum = (
            np.stack([vectors[f"{name} {row}"] for row in (0, 1)]) for name in BY_CLASS
        )
        total, whole = vectors["absolute_sum"], vectors["whole"].astype(np.uint8)
        self.moments_ = Moments(count, mean, m2, minimum, maximum, total, whole)
        return np.zeros(len(whole))
