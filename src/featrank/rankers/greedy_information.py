"""What the greedy methods share: binned features, and the choice of one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank._sklearn import Interval, StrOptions
from featrank.base import Floats, GreedyRanker
from featrank.kernels.contingency import Indices, Lagging
from featrank.progress import tracked
from featrank.summaries import Rows, auto_bins
from featrank.summaries.contingency import Contingency

# Rows worth a call: fewer candidates at a time would cost more in Python than they save.
BATCH_ROWS = 2**15


class Search(Protocol):
    """Finds the next feature to choose."""

    def best(self, chosen: list[int], candidates: Indices) -> tuple[int, float]:
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
        return Contingency.of(
            X,
            Rows(y, len(self.classes_)),
            n_bins=auto_bins(X.shape[0]) if self.bins == "auto" else int(self.bins),
            binning=self.binning,
            n_jobs=self.n_jobs,
        )


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
    search: Search, useful: NDArray[np.bool_], count: int
) -> tuple[NDArray[np.integer], Floats]:
    """Choose ``count`` features, those that are not useful at the end in order of index."""
    candidates, useless = np.flatnonzero(useful), np.flatnonzero(~useful)
    chosen: list[int] = []
    values = np.zeros(count)
    for step in tracked(range(count)):
        if step < np.count_nonzero(useful):
            place, values[step] = search.best(chosen, candidates)
            chosen.append(int(candidates[place]))
            candidates = np.delete(candidates, place)
        else:
            chosen.append(int(useless[step - np.count_nonzero(useful)]))
    return np.array(chosen), values


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

    def best(self, chosen: list[int], candidates: Indices) -> tuple[int, float]:
        """Add the last choice's terms, then take the largest value."""
        values = self.relevance[candidates]
        if chosen:
            self.total[candidates] += self.terms(chosen[-1], candidates)
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
    complete : callable
        ``complete(lagging, floor)`` gathers the missing terms; it may give a candidate up once
        its bound is below the floor.
    bound : callable
        ``bound(relevance, gathered, n_known, n_chosen)``: the criterion where all terms are
        known, and not less than it elsewhere.
    n_samples : int
        What a term costs, which decides how many candidates are completed at a time.
    """

    def __init__(
        self,
        relevance: Floats,
        start: Floats,
        complete: Callable[[Lagging, float], None],
        bound: Callable[[Floats, Floats, Indices, int], Floats],
        n_samples: int,
    ):
        self.relevance = relevance
        self.gathered = np.array(start)
        self.complete = complete
        self.bound = bound
        self.known = np.zeros(len(relevance), np.int64)
        self.first_batch = max(64, BATCH_ROWS // n_samples)

    def best(self, chosen: list[int], candidates: Indices) -> tuple[int, float]:
        """Complete candidates, most promising first, until no other can be better."""
        relevance = self.relevance[candidates]
        if not chosen:
            place = first_of_largest(relevance, relevance)
            return place, float(relevance[place])
        values = self._bounds(candidates, len(chosen))
        waiting = values.copy()  # bounds of the candidates that lack terms
        picked, largest, batch = np.array(chosen), -np.inf, self.first_batch
        while len(places := np.flatnonzero(waiting >= largest)):
            if len(places) > batch:
                places = places[np.argpartition(-waiting[places], batch)[:batch]]
            own = candidates[places]
            self._update(picked, own, largest)
            values[places] = waiting[places] = self._bounds(own, len(chosen))
            complete = places[self.known[own] == len(chosen)]
            waiting[complete] = -np.inf
            largest = max(largest, float(np.max(values[complete], initial=-np.inf)))
            batch *= 2
        place = first_of_largest(values, relevance)
        return place, float(values[place])

    def _bounds(self, candidates: Indices, n_chosen: int) -> Floats:
        return self.bound(
            self.relevance[candidates], self.gathered[candidates], self.known[candidates], n_chosen
        )

    def _update(self, chosen: Indices, candidates: Indices, floor: float) -> None:
        lagging = Lagging(chosen, candidates, self.known[candidates], self.gathered[candidates])
        self.complete(lagging, floor)
        self.known[candidates] = lagging.n_known
        self.gathered[candidates] = lagging.gathered
