"""CFS: the subset whose features predict the class well and each other poorly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank._utils.progress import report
from featrank.base.greedy import Chosen
from featrank.base.ranker import Floats
from featrank.base.shown_values import ShownValues
from featrank.base.uncertainty import UncertaintyRanker
from featrank.kernels.contingency import Indices
from featrank.pairwise.pair_tables import PairTables

# Smallest increase of a merit that counts. Adding a duplicate of a feature changes the merit by
# rounding only.
LEAST_GAIN = 1e-5


class CFS(UncertaintyRanker):
    r"""Search for the subset with the largest merit: high relevance, low redundancy.

    .. math::
        M_S = \frac{k\, \overline{r_{cf}}}{\sqrt{k + k(k - 1)\, \overline{r_{ff}}}}, \qquad
        r_{ab} = \frac{2\, I(a; b)}{H(a) + H(b)}

    where S has k features, :math:`\overline{r_{cf}}` is their mean symmetric uncertainty with the
    class and :math:`\overline{r_{ff}}` that of their pairs. The search is best first. Each step
    expands the best subset found but not yet expanded, by trying every further feature with it.
    The search ends when ``patience`` expansions in a row have led to no better subset. It keeps up
    to ``patience`` subsets for expansion, and expands none twice. Ties go to the feature with the
    larger :math:`r_{cf}`, then to the lower index.

    The subset ranks first, in the order of entry. The other features follow by :math:`r_{cf}`.
    ``subset_`` is the method's selection, as is ``n_features_to_select="auto"``. If this is a
    number, it selects from the top of the ranking and changes no score.

    By default, the class labels determine how a feature is cut into intervals, by the minimum
    description length (Fayyad and Irani, as published with the method). A feature that is not worth
    a cut, as most noise features, has no entropy. Such features come last, by the information of
    their best cut.

    Results show the merit up to each feature of the subset. ``scores_`` only encode the order.

    Read more in docs/methods/cfs.md.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a fraction, "auto" for the subset, or None for all.
    patience : int, default=5
        Number of expansions in a row without a better subset after which the search ends.
    locally_predictive : bool, default=False
        Whether to add, after the search, every feature that is more correlated with the class than
        with any feature of the subset, the largest :math:`r_{cf}` first. They may be informative
        for a few samples only, and lower the merit.
    bins : int or "auto", default="auto"
        Number of bins of a feature for "width" and "quantile", at most 256. "auto" is 20 for more
        than 200 samples, otherwise a tenth of the samples, but at least 10.
    binning : {"mdl", "width", "quantile"}, default="mdl"
        Intervals by the class labels, bins of equal width, or bins with about equally many
        samples. For counts and category codes, use "width" with as many ``bins`` as there are
        values, so that each value has its own bin.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    subset_ : ndarray of shape (n_features,)
        True for the features that the method selects.
    criterion_ : ndarray of shape (n_features,)
        The merit of the subset up to each of its features, NaN for other features.
    relevance_ : ndarray of shape (n_features,)
        Symmetric uncertainty with the class. For a feature that is not worth a cut, that of its
        best cut minus 1.

    See Also
    --------
    FCBF : Faster, and keeps one feature of each redundant group.
    MRMR : Selects a given number of features.

    References
    ----------
    .. [1] M. A. Hall, "Correlation-based feature selection for discrete and numeric class machine
       learning", International Conference on Machine Learning (2000).
    .. [2] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued
       attributes for classification learning", International Joint Conference on Artificial
       Intelligence (1993).

    Examples
    --------
    >>> from featrank import CFS
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ranker = CFS().fit(X, y)
    >>> X.columns[ranker.subset_].tolist(), ranker.criterion_.round(3)
    (['petal length (cm)', 'petal width (cm)'], array([  nan,   nan, 0.887, 0.871]))
    """

    name = "cfs"
    purpose = "Merit of a subset"
    family = "information"
    selects = True
    redundancy_aware = True
    complexity = "O(Tn log T + eTn), e expansions"
    published_complexity = "O(Tn²)"
    reference = "Hall 2000"

    patience: int = 5
    locally_predictive: bool = False

    def shown_values(self) -> ShownValues:
        """Return the merit of the subset up to each of its features."""
        return ShownValues(self.criterion_, "merit", comparable=False)

    def _own_count(self) -> int:
        return int(self.subset_.sum())

    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        relevance = tables.class_uncertainty()
        search = BestFirst(tables, relevance)
        best = search.best(self.patience)
        if self.locally_predictive:
            best = search.with_locally_predictive(best)
        chosen = search.features[list(best.places)]
        return chosen, np.array(best.merits, np.float64), relevance

    def _scores_from(
        self, chosen: NDArray[np.integer], criterion: Floats, relevance: Floats
    ) -> Floats:
        self.subset_ = np.zeros(len(relevance), bool)
        self.subset_[chosen] = True
        return super()._scores_from(chosen, criterion, relevance)


@dataclass(frozen=True, eq=False)
class Subset:
    """A subset of features, by their places among the searched features.

    Attributes
    ----------
    places : tuple of int
        The features in the order of entry.
    merits : tuple of float
        The merit after each.
    relevance, redundancy : float
        Sum of their uncertainties with the class, and of those of their pairs.
    shared, largest : ndarray
        Sum and maximum of the uncertainties of each searched feature with those of the subset.
    """

    places: tuple[int, ...]
    merits: tuple[float, ...]
    relevance: float
    redundancy: float
    shared: Floats
    largest: Floats


class Candidate(NamedTuple):
    """A subset and one more feature, whose uncertainties are not computed yet."""

    subset: Subset
    place: int
    merit: float

    @property
    def places(self) -> tuple[int, ...]:
        """The features in the order of entry."""
        return (*self.subset.places, self.place)


class BestFirst:
    """The search for the subset of largest merit, among the informative features.

    An uninformative feature only lowers a merit, and is left out. An expansion counts the tables of
    the newest feature with all others. Sums over the subset are updated.

    Attributes
    ----------
    features : ndarray
        The searched features, most relevant first.
    """

    def __init__(self, tables: PairTables, relevance: Floats):
        order = kernels.argsort(-relevance)
        self.tables = tables
        self.features: Indices = order[relevance[order] > 0]
        self.relevance = relevance[self.features]

    def best(self, patience: int) -> Subset:
        """Return the best subset found before ``patience`` expansions bring nothing."""
        nothing = np.zeros(len(self.features))
        best = subset = Subset((), (), 0.0, 0.0, nothing, nothing)
        waiting: list[Candidate] = []
        seen: set[frozenset[int]] = set()
        expanded = stale = 0
        while True:
            found = self._larger(subset, seen, patience)
            seen.update(frozenset(candidate.places) for candidate in found)
            waiting = sorted([*waiting, *found], key=_best_first)[:patience]
            expanded += 1
            report(expanded, expanded + patience)
            better = waiting and waiting[0].merit > max(best.merits, default=0.0) + LEAST_GAIN
            stale = 0 if better else stale + 1
            if stale == patience or not waiting:
                report(expanded, expanded)
                return best
            subset = self._compared(waiting.pop(0))
            best = subset if better else best

    def with_locally_predictive(self, subset: Subset) -> Subset:
        """Add features that are at least as correlated with the class as with the subset."""
        for place in range(len(self.features)):
            if place not in subset.places and subset.largest[place] <= self.relevance[place]:
                merit = float(self._merits(subset)[place])
                subset = self._compared(Candidate(subset, place, merit))
        return subset

    def _larger(self, subset: Subset, seen: set[frozenset[int]], most: int) -> list[Candidate]:
        """Return the best subsets of one more feature that have not been seen."""
        merits = self._merits(subset)
        merits[list(subset.places)] = -1.0
        found: list[Candidate] = []
        for place in kernels.argsort(-merits).tolist():
            if len(found) == most or merits[place] < 0:
                break
            candidate = Candidate(subset, place, float(merits[place]))
            if frozenset(candidate.places) not in seen:
                found.append(candidate)
        return found

    def _merits(self, subset: Subset) -> Floats:
        """Return the merit of the subset with each feature added."""
        count = len(subset.places) + 1
        pairs = subset.redundancy + subset.shared
        merits: Floats = (subset.relevance + self.relevance) / np.sqrt(count + 2 * pairs)
        return merits

    def _compared(self, candidate: Candidate) -> Subset:
        """Return the larger subset, with the uncertainties of its newest feature."""
        subset, place, merit = candidate
        pairs = self.tables.uncertainty(int(self.features[place]), self.features)
        return Subset(
            candidate.places,
            (*subset.merits, merit),
            subset.relevance + float(self.relevance[place]),
            subset.redundancy + float(subset.shared[place]),
            subset.shared + pairs,
            np.maximum(subset.largest, pairs),
        )


def _best_first(candidate: Candidate) -> tuple[float, int]:
    return -candidate.merit, candidate.place
