"""What the greedy methods share: binned features, and the choice of one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import pass_of, tracked
from featrank._utils.sklearn import Interval, StrOptions, fit_context
from featrank.base.greedy import Chosen, GreedyRanker, reject_single_pass_options
from featrank.base.ranker import Floats, Ranker
from featrank.data.matrix import Matrix
from featrank.data.protocol import Data
from featrank.exceptions import DataError
from featrank.kernels.contingency import Gathered, Indices
from featrank.pairwise.argmax_ties import first_of_largest
from featrank.pairwise.pair_tables import PairTables

# Steps in which progress is reported.
STEPS = 1000


class GreedySearch(Protocol):
    """Finds the next feature to choose."""

    def best(self, chosen: Indices, candidates: Indices) -> tuple[int, float]:
        """Return the best candidate's place among the candidates, and the criterion there."""


class InformationRanker(GreedyRanker):
    """Base of the greedy methods on binned features: the parameters of binning and threads.

    Features without entropy, which say nothing, are chosen last.
    """

    invariances = frozenset({"shift", "scale"})

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "bins": [StrOptions({"auto"}), Interval(Integral, 2, 256, closed="both")]
    }

    bins: int | str = "auto"
    binning: str = "width"
    n_jobs: int | None = None


class TableRanker(InformationRanker):
    """Base of the methods that see of the data what tables of pairs of features tell.

    The choice does not depend on which
    :class:`~featrank.pairwise.pair_tables.PairTables` holds the tables.
    """

    accepts_sparse = True

    @abstractmethod
    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        """Do what ``_choose`` does, with tables for X and y."""

    def _choose(self, X: Any, y: NDArray[np.intp], count: int) -> Chosen:
        return self._choose_by(Matrix(X, y).pair_tables(self), count)

    def _scores_of(self, data: Data) -> Floats:
        if isinstance(data, Matrix):
            return self._score(data.matrix(), data.y)
        tables = data.pair_tables(self)
        with pass_of(1, 2, STEPS):
            return self._scores_from(*self._choose_by(tables, self._n_selected))

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, **reading: Any) -> Ranker:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix, AnnData or source (n_samples, n_features)
            The samples. A source (:func:`featrank.sources.open_dataset`), a Dask collection, a
            lazy frame or a backed AnnData is counted in parts, with the same result.
        y : array-like of shape (n_samples,), or str
            Class labels of any type; not needed for a source that has labels. For an AnnData,
            also the name of a column of obs.
        **reading
            For an AnnData: ``layer`` or ``use_raw=True`` rank a layer or raw in the place of X.
            For sources: ``memory``, ``engine`` and ``client``, as
            :class:`featrank.tables.options.ReadOptions` explains them.

        Returns
        -------
        self : Ranker
            The fitted ranker.
        """
        return self._fit_to(X, y, reading)

    def _require_options(self, options: Any) -> None:
        reason = "it reads the data for its tables and then chooses"
        reject_single_pass_options(self, options, reason)

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether all that is needed can be counted where the data is, without loading it."""
        placed = y is None or source.shape[0] is not None
        whole = self.binning == "width" or source.axis == "columns"
        return source.again and placed and whole and missing == "error"

    @fit_context(prefer_skip_nested_validation=True)
    def fit_tables(self, tables: PairTables, classes: Any) -> TableRanker:
        """Rank features by tables that exist already, wherever the rows are counted.

        Parameters
        ----------
        tables : PairTables
            The tables of the features; they decide the bins.
        classes : array-like of shape (n_classes,)
            The labels of the classes, in the order of the tables.

        Returns
        -------
        self : TableRanker
            The fitted ranker.

        Examples
        --------
        >>> from featrank import MRMR
        >>> from featrank.kernels import Groups
        >>> from featrank.pairwise.contingency import Contingency
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> MRMR().fit_tables(Contingency.of(X, Groups.of(y, 3), bins=5), [0, 1, 2]).ranking_
        array([4, 2, 1, 3])
        """
        self.classes_ = np.asarray(classes)
        if len(self.classes_) < 2:
            raise DataError(
                f"y holds one class only ({self.classes_[0]!s}); a supervised ranking compares "
                "classes and needs samples of at least two."
            )
        self.n_features_in_ = tables.n_features
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        self._n_selected = self._count_to_select(tables.n_features)
        return self._ranked(self._scores_from(*self._choose_by(tables, self._n_selected)))


class SumRanker(TableRanker):
    """Base of the methods whose criterion has one term for each chosen feature.

    A method says how a chosen feature counts in ``_terms``, and makes the criterion of the
    relevance and the sum of the terms in ``_criterion``.
    """

    def _terms(self, tables: PairTables, chosen: int, candidates: Indices) -> Floats:
        """Return what the last choice adds to each candidate's sum."""
        return tables.redundancy(chosen, candidates)

    @abstractmethod
    def _criterion(self, relevance: Floats, total: Floats, n_chosen: int) -> Floats:
        """Return the criterion from the relevance and the sum over the chosen features."""

    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
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

    Only candidates whose bound reaches the best value found need their missing terms, which
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
    """

    def __init__(
        self,
        relevance: Floats,
        start: Floats,
        best_of: Callable[[Indices, Indices, Gathered], tuple[int, float]],
    ):
        self.relevance = relevance
        self.gathered = Gathered.of(start)
        self.best_of = best_of

    def best(self, chosen: Indices, candidates: Indices) -> tuple[int, float]:
        """Find the best candidate; the first choice is the most relevant."""
        if len(chosen):
            return self.best_of(chosen, candidates, self.gathered)
        relevance = self.relevance[candidates]
        place = first_of_largest(relevance, relevance)
        return place, float(relevance[place])
