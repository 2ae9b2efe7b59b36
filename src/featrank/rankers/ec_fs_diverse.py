"""Diverse EC-FS: central features that are not redundant."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.sklearn import Interval
from featrank.base.greedy import GreedyRanker, reject_single_pass_options
from featrank.base.parameters import NOT_NEGATIVE
from featrank.base.ranker import TASKS, Floats, best_first
from featrank.base.shown_values import ShownValues
from featrank.data.matrix import Matrix
from featrank.data.protocol import Data
from featrank.pairwise.volume import GreedyVolume
from featrank.rankers.ec_fs import ECFS
from featrank.summaries.column_stats import ColumnStats


class DiverseECFS(GreedyRanker):
    r"""Select features that are central in EC-FS's graph and not redundant.

    .. math::
        L_{ij} = \sqrt{c_i c_j}\, \rho_{ij}^2, \qquad
        \mathrm{choose next } \arg\max_i \frac{\det L_{S \cup i}}{\det L_S} = c_i\, r_i

    where c is the eigenvector centrality of EC-FS's symmetric graph, scaled to at most 1, ρ is
    Pearson's correlation, S are the features selected so far, and :math:`r_i` in [0, 1] is the
    fraction of feature i that they leave unexplained. This is the greedy search for the most
    probable set of a determinantal point process [1]_. With ``diversity`` δ, the criterion is
    :math:`c_i r_i^\delta`.

    EC-FS gives duplicates of a feature equal scores. Here the second one has no gain and comes
    after every feature that still adds something. If no feature has a gain, the remaining ones
    follow by c. Ties go to the larger c, then to the lower index. Up to T(T - 1)/2 features can
    have a gain, more than there are samples.

    L is never built. Gains only decrease, so most candidates need no update in most steps, and a
    feature whose c is below the best gain costs nothing.

    A constant feature has c = 0 and comes last. The first feature with perfect separation comes
    before all others, as in EC-FS. Further ones follow by what they add to it.

    For a regression target, c is the centrality of EC-FS with ``task="regression"``.

    Results show the gain at each selection. ``scores_`` only encode the order.

    Read more in docs/methods/ec-fs-diverse.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. The remaining features
        follow by c.
    diversity : float, default=1.0
        Exponent δ of the unexplained fraction: 1 is the determinant, 0 the plain order by c.
    alpha : float, default=1.0
        Weight of relevance against spread in EC-FS's graph, in [0, 1]. At 1 relevance alone
        counts, and neither shift nor scale of a feature matters.
    bins : int or "auto", default="auto"
        Number of bins for the mutual information. "auto" is 20 for more than 200 samples, otherwise
        a tenth of the samples, but at least 10.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with about equally many samples.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    target_bins : int or "auto", default="auto"
        Number of bins of a regression target, with about equally many samples. "auto" is a
        twentieth of the samples, from 3 to 10.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_features,)
        c.
    criterion_ : ndarray of shape (n_features,)
        The gain of each feature when it was selected, 0 if it had none, and NaN for features that
        were not selected.
    fisher_, information_, spread_ : ndarray of shape (n_features,)
        Fisher score (for a regression target, the absolute correlation), mutual information and σ
        as they enter EC-FS's graph.

    See Also
    --------
    ECFS : Ranks by centrality alone, so that redundant features rank next to each other.
    MRMR : Avoids redundancy by mutual information.

    References
    ----------
    .. [1] L. Chen, G. Zhang and E. Zhou, "Fast greedy MAP inference for determinantal point
       process to improve recommendation diversity", NeurIPS (2018).

    Examples
    --------
    >>> from featrank import DiverseECFS
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = DiverseECFS(n_features_to_select=3).fit(X, y)
    >>> X.columns[ranker.order_[:3]].tolist()
    ['worst concave points', 'worst radius', 'mean concavity']
    """

    name = "ec-fs-diverse"
    purpose = "Diverse centrality"
    family = "graph"
    invariances = frozenset({"shift", "scale"})
    redundancy_aware = True
    complexity = "O(kTn + k²n)"
    published_complexity = "N/A"
    reference = "Chen, Zhang and Zhou 2018"
    tasks = TASKS
    accepts_sparse = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "diversity": [NOT_NEGATIVE],
    }

    diversity: float = 1.0
    alpha: float = 1.0
    bins: int | str = "auto"
    binning: str = "width"
    task: str = "classification"
    target_bins: int | str = "auto"
    n_jobs: int | None = None

    def shown_values(self) -> ShownValues:
        """Return the gain of each feature when it was selected, which never rises."""
        return ShownValues(self.criterion_, "gain")

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether ``fit`` reads a source in chunks: not for regression."""
        return bool(source.again) and missing == "error" and not self._regresses

    def _require_options(self, options: Any) -> None:
        reject_single_pass_options(
            self, options, "it reads the columns of its candidates repeatedly"
        )

    def _scores_of(self, data: Data) -> Floats:
        return self._scores_from(*self._select(data, self._n_selected))

    def _choose(
        self, X: Any, y: NDArray[np.intp], count: int
    ) -> tuple[NDArray[np.integer], Floats, Floats]:
        return self._select(Matrix(X, y, 0 if self._regresses else len(self.classes_)), count)

    def _select(self, data: Data, count: int) -> tuple[NDArray[np.integer], Floats, Floats]:
        graph = self._graph()
        vectors = data.vectors(graph)
        centrality = graph._combine(vectors)
        self.fisher_, self.information_, self.spread_ = (
            graph.fisher_,
            graph.information_,
            graph.spread_,
        )
        centrality /= centrality.max()
        if self.diversity == 0:
            chosen = best_first(centrality)[:count]
            return chosen, centrality[chosen], centrality
        n_samples = len(data.y)
        lengths = vectors["deviation"] * np.sqrt(n_samples - 1)
        scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        volume = GreedyVolume(
            data.columns,
            n_samples,
            data.dtype,
            centrality,
            vectors["centre"],
            scale,
            diversity=self.diversity,
            n_jobs=self.n_jobs,
        )
        return *volume.choose(count), centrality

    def _graph(self) -> _Centrality:
        same = ("alpha", "bins", "binning", "task", "target_bins", "n_jobs")
        graph = _Centrality(kernel="symmetric", **{name: getattr(self, name) for name in same})
        graph.alpha_ = self.alpha
        if hasattr(self, "feature_names_in_"):  # for error messages
            graph.feature_names_in_ = self.feature_names_in_
        return graph


class _Centrality(ECFS):
    """EC-FS that also returns the features' means, which correlations need."""

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        return {**super()._describe(digest), "centre": digest.moments.overall_mean()}
