"""Base classes of greedy methods on binned features."""

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

# Number of steps in which progress is reported.
STEPS = 1000


class GreedySearch(Protocol):
    """Finds the next feature to select."""

    def best(self, chosen: Indices, candidates: Indices) -> tuple[int, float]:
        """Return the best candidate's place among the candidates, and the criterion there."""


class InformationRanker(GreedyRanker):
    """Base of greedy methods on binned features: the parameters of binning and threads.

    Features without entropy are selected last.
    """

    invariances = frozenset({"shift", "scale"})

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "bins": [StrOptions({"auto"}), Interval(Integral, 2, 256, closed="both")]
    }

    bins: int | str = "auto"
    binning: str = "width"
    n_jobs: int | None = None


class TableRanker(InformationRanker):
    """Base of methods that only need contingency tables of pairs of features.

    The selection does not depend on which
    :class:`~featrank.pairwise.pair_tables.PairTables` holds the tables.
    """

    accepts_sparse = True

    @abstractmethod
    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        """Select features as ``_choose`` does, from tables instead of X and y."""

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
            The samples. An out-of-core dataset (:func:`featrank.sources.open_dataset`), a Dask
            collection, a lazy frame or a backed AnnData is read in chunks, with the same result.
        y : array-like of shape (n_samples,), or str
            Class labels of any type. Not needed for an out-of-core dataset that has labels. For an
            AnnData, also the name of a column of obs.
        **reading
            For an AnnData: ``layer`` or ``use_raw=True`` rank a layer or raw instead of X. For
            out-of-core datasets: ``memory``, ``engine`` and ``client`` of
            :class:`featrank.tables.options.ReadOptions`.

        Returns
        -------
        self : Ranker
            The fitted ranker.
        """
        return self._fit_to(X, y, reading)

    def _require_options(self, options: Any) -> None:
        reason = "it selects features after it has read the data"
        reject_single_pass_options(self, options, reason)

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether ``fit`` reads a source in chunks."""
        placed = y is None or source.shape[0] is not None
        whole = self.binning == "width" or source.axis == "columns"
        return source.again and placed and whole and missing == "error"

    @fit_context(prefer_skip_nested_validation=True)
    def fit_tables(self, tables: PairTables, classes: Any) -> TableRanker:
        """Rank features from existing contingency tables.

        Parameters
        ----------
        tables : PairTables
            The tables of the features, which determine the bins.
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
                f"y has one class only ({self.classes_[0]!s}). A supervised method compares at "
                "least two. Add samples of another class."
            )
        self.n_features_in_ = tables.n_features
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        self._n_selected = self._count_to_select(tables.n_features)
        return self._ranked(self._scores_from(*self._choose_by(tables, self._n_selected)))


class SumRanker(TableRanker):
    """Base of methods whose criterion has one term for each selected feature.

    ``_terms`` returns the terms of the last selected feature. ``_criterion`` computes the criterion
    from the relevance and the sum of the terms.
    """

    def _terms(self, tables: PairTables, chosen: int, candidates: Indices) -> Floats:
        """Return what the last selected feature adds to the sum of each candidate."""
        return tables.redundancy(chosen, candidates)

    @abstractmethod
    def _criterion(self, relevance: Floats, total: Floats, n_chosen: int) -> Floats:
        """Return the criterion from the relevance and the sum over the selected features."""

    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        relevance = tables.relevance()

        def terms(chosen: int, candidates: Indices) -> Floats:
            return self._terms(tables, chosen, candidates)

        search = SumSearch(relevance, terms, self._criterion)
        return *choose(search, tables.entropy() > 0, count), relevance


def choose(
    search: GreedySearch, useful: NDArray[np.bool_], count: int
) -> tuple[NDArray[np.integer], Floats]:
    """Select ``count`` features. Those that are not useful come last by index, with NaN."""
    candidates = np.flatnonzero(useful)
    chosen = np.concatenate([candidates, np.flatnonzero(~useful)])[:count]
    values = np.full(count, np.nan)
    for step in tracked(range(count)):
        if len(candidates):
            place, values[step] = search.best(chosen[:step], candidates)
            chosen[step] = candidates[place]
            candidates = np.concatenate([candidates[:place], candidates[place + 1 :]])
    return chosen, values


class SumSearch:
    """A criterion of the relevance and a sum over the selected features, one term per step."""

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
        """Add the terms of the last selected feature, then return the largest value."""
        values = self.relevance[candidates]
        if len(chosen):
            self.total[candidates] += self.terms(int(chosen[-1]), candidates)
            values = self.criterion(values, self.total[candidates], len(chosen))
        place = first_of_largest(values, self.relevance[candidates])
        return place, float(values[place])


class LazySearch:
    """A criterion that has an upper bound while terms of a candidate are still missing.

    Missing terms are only computed for candidates whose bound reaches the best value found. The
    selection is the same, with a fraction of the work.

    Parameters
    ----------
    relevance : ndarray of shape (n_features,)
        The criterion before the first selection.
    start : ndarray of shape (n_features,)
        Initial value of the accumulated terms: 0 for a sum, the relevance for a minimum.
    best_of : callable
        ``best_of(chosen, candidates, gathered)`` accumulates the terms needed to find the best
        candidate, and returns its place and value.
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
        """Return the best candidate. The first selected feature is the most relevant one."""
        if len(chosen):
            return self.best_of(chosen, candidates, self.gathered)
        relevance = self.relevance[candidates]
        place = first_of_largest(relevance, relevance)
        return place, float(relevance[place])
