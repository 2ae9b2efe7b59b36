"""What the greedy methods share: binned features, and the choice of one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank._sklearn import Interval, StrOptions
from featrank.base import Floats
from featrank.engines import local
from featrank.engines.dense import float_type
from featrank.greedy_ranker import GreedyRanker
from featrank.kernels.contingency import Gathered, Indices
from featrank.pairwise import Contingency
from featrank.progress import tracked
from featrank.summaries import Bins, RowClasses, auto_bins, column_moments

# Values of the candidates of one call of a kernel, and how many of them a step of a lazy search
# has to read: one in four to one in eight on several data sets.
CALL_VALUES = 2**26
LAZINESS = 4


class GreedySearch(Protocol):
    """Finds the next feature to choose."""

    def best(self, chosen: Indices, candidates: Indices) -> tuple[int, float]:
        """Return the best candidate's place among the candidates, and the criterion there."""


class InformationRanker(GreedyRanker):
    """Base of the greedy methods on binned features: the parameters of binning and threads.

    Features without entropy, which say nothing, are chosen last.
    """

    invariances = frozenset({"shift", "scale"})

    bins: int | str
    binning: str
    n_jobs: int | None

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **GreedyRanker._parameter_constraints,
        "bins": [StrOptions({"auto"}), Interval(Integral, 2, 256, closed="both")],
        "binning": [StrOptions({"width", "quantile"})],
        "n_jobs": [None, Integral],
    }

    def _tables(self, X: Any, y: NDArray[np.intp]) -> Contingency:
        rows = RowClasses(y, len(self.classes_))
        n_bins = auto_bins(X.shape[0]) if self.bins == "auto" else int(self.bins)
        if self.binning == "quantile":
            return Contingency.of(X, rows.groups(), n_bins, self.n_jobs)
        moments = column_moments(X, rows, self.n_jobs)
        bins = Bins.of(moments.low, moments.high, moments.whole, float_type(X.dtype), n_bins)
        return Contingency.of(X, rows.groups(), bins.arrays, self.n_jobs)


class SumRanker(InformationRanker):
    """Base of the methods whose criterion has one term for each chosen feature.

    A method says how a chosen feature counts in ``_terms``, and makes the criterion of the
    relevance and the sum of the terms in ``_criterion``.
    """

    def _terms(self, tables: Contingency, chosen: int, candidates: Indices) -> Floats:
        """Return what the last choice adds to each candidate's sum."""
        return tables.redundancy(chosen, candidates)

    @abstractmethod
    def _criterion(self, relevance: Floats, total: Floats, n_chosen: int) -> Floats:
        """Return the criterion from the relevance and the sum over the chosen features."""

    def _choose(
        self, X: Any, y: NDArray[np.intp], count: int
    ) -> tuple[NDArray[np.integer], Floats, Floats]:
        tables = self._tables(X, y)
        relevance = tables.relevance()

        def terms(chosen: int, candidates: Indices) -> Floats:
            return self._terms(tables, chosen, candidates)

        search = SumSearch(relevance, terms, self._criterion)
        return *choose(search, tables.entropy() > 0, count), relevance


def choose(
    search: GreedySearch, useful: NDArray[np.bool_], count: int
) -> tuple[NDArray[np.integer], Floats]:
    """Choose ``count`` features, those that are not useful at the end in order of index."""
    candidates = np.flatnonzero(useful)
    chosen = np.concatenate([candidates, np.flatnonzero(~useful)])[:count]
    values = np.zeros(count)
    for step in tracked(range(count)):
        if len(candidates):
            place, values[step] = search.best(chosen[:step], candidates)
            chosen[step] = candidates[place]
            candidates = np.concatenate([candidates[:place], candidates[place + 1 :]])
    return chosen, values


def first_of_largest(values: Floats, relevance: Floats) -> int:
    """Place of the largest value; among equals the most relevant, then the first.

    Examples
    --------
    >>> first_of_largest(np.array([1.0, 3.0, 3.0, 3.0]), np.array([9.0, 1.0, 2.0, 2.0]))
    2
    """
    ties = np.flatnonzero(values == values.max())
    return int(ties[np.argmax(relevance[ties])])


class SumSearch:
    """A criterion of the relevance and a sum over the chosen features, one term a step."""

    def __init__(
        self,
        relevance: Floats,
        terms: Callable[[int, Indices], Floats],
        criterion: Callable[[Floats, Floats, int], Floats],
    ):
        self.relevance = relevance
        self.terms = terms
        self.criterion = criterion
        self.total = np.zeros_like(relevance)

    def best(self, chosen: Indices, candidates: Indices) -> tuple[int, float]:
        """Add the last choice's terms, then take the largest value."""
        values = self.relevance[candidates]
        if len(chosen):
            self.total[candidates] += self.terms(int(chosen[-1]), candidates)
            values = self.criterion(values, self.total[candidates], len(chosen))
        place = first_of_largest(values, self.relevance[candidates])
        return place, float(values[place])


class LazySearch:
    """A criterion that has an upper bound while terms of a candidate are still missing.

    Only candidates whose bound reaches the best value found get their missing terms, which
    leaves the choice as it is and saves most of the work.

    Parameters
    ----------
    relevance : ndarray of shape (n_features,)
        The criterion before the first choice.
    start : ndarray of shape (n_features,)
        What the terms are gathered into: 0 for a sum, the relevance for a minimum.
    best_of : callable
        ``best_of(chosen, candidates, gathered)`` gathers the terms that it takes to find the
        best candidate, and returns its place and value.
    n_samples : int
        What a term costs, which decides how many threads are worth it.
    n_jobs : int or None
        Threads, as in scikit-learn.
    """

    def __init__(
        self,
        relevance: Floats,
        start: Floats,
        best_of: Callable[[Indices, Indices, Gathered], tuple[int, float]],
        n_samples: int,
        n_jobs: int | None,
    ):
        self.relevance = relevance
        self.gathered = Gathered.of(start)
        self.best_of = best_of
        self.n_samples = n_samples
        self.n_jobs = n_jobs

    def best(self, chosen: Indices, candidates: Indices) -> tuple[int, float]:
        """Find the best candidate of each block, and the best of these."""
        if not len(chosen):
            relevance = self.relevance[candidates]
            place = first_of_largest(relevance, relevance)
            return place, float(relevance[place])

        def work(block: slice) -> tuple[float, float, int]:
            place, value = self.best_of(chosen, candidates[block], self.gathered)
            place += block.start
            return value, self.relevance[candidates[place]], -place

        size, width = len(candidates), max(1, CALL_VALUES // self.n_samples)
        width = local.shared_width(size, width, self.n_samples // LAZINESS, self.n_jobs)
        value, _, place = max(local.map_blocks(work, size, width, self.n_jobs))
        return -place, value
