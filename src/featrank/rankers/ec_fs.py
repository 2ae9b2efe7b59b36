"""EC-FS: features ranked by eigenvector centrality in a graph of relevance and spread."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from featrank import kernels
from featrank._sklearn import Interval, StrOptions, fit_context
from featrank.base import Floats, SummaryRanker, ranks
from featrank.exceptions import UsageError
from featrank.graph import Centrality, Eigenvector, Graph, LargestOfTwo, RankOne, WeightedSum
from featrank.graph.scaling import finite, min_max, put_last, scaled_spread
from featrank.summaries import Summary, fisher_score, mutual_information, spreads


class ECFS(SummaryRanker):
    r"""Rank features by eigenvector centrality: relevance and spread on one graph.

    .. math::
        A = \alpha\, k + (1 - \alpha)\, \Sigma, \qquad
        k_{ij} = f_i m_j, \qquad \Sigma_{ij} = \max(\sigma_i, \sigma_j)

    where f is the Fisher score, m the mutual information with the class and σ the standard
    deviation, each scaled to [0, 1] over the features. The scores are the eigenvector of A's
    largest eigenvalue. A is never built: f·mᵀ has rank one, and with the features sorted by σ
    a product with Σ is two running sums, so the whole costs O(Tn + n log n) time and O(n)
    memory.

    A constant feature scores 0 and comes last. A feature that separates the classes exactly (no
    spread within classes) has relevance 1, above every finite one, and for ``alpha > 0`` comes
    before all others, which is the limit of the model as its Fisher score grows. Copies of a
    feature get bit-equal scores.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    alpha : float, default=0.5
        Weight of relevance against spread, in [0, 1].
    kernel : {"product", "symmetric", "toolbox"}, default="product"
        "product" is the published f·mᵀ; "symmetric" is (f·mᵀ + m·fᵀ)/2, an undirected graph;
        "toolbox" is what the authors' MATLAB toolbox computes: v·vᵀ for v = (f + m)/2 with
        unscaled f and m = 2·MI/(H(x) + H(y)), scaled to [0, 1] as a matrix.
    normalize : {"l1", None}, default="l1"
        "l1" divides each feature by its sum of absolute values before σ is taken, which frees
        the ranking of the features' units; None takes σ as it is. Standardised features, whose
        deviations are all equal, have no spread to compare: relevance alone ranks them.
    bins : int or "auto", default="auto"
        Bins for the mutual information; "auto" is 20 for more than 200 samples, else a tenth
        of the samples, at least 10.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or of about equal content.
    tol : float, default=1e-12
        Largest relative residual of the eigenvector.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    fisher_, information_, spread_ : ndarray of shape (n_features,)
        f, m and σ as they enter the graph.
    eigenvalue_ : float
        The largest eigenvalue of A.
    n_iter_ : int
        Products with A that the eigenvector took.

    References
    ----------
    .. [1] G. Roffo and S. Melzi, "Ranking to learn: feature ranking and selection via
       eigenvector centrality", New Frontiers in Mining Complex Patterns (2017).

    Examples
    --------
    >>> from featrank import ECFS
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = ECFS(n_features_to_select=3).fit(X, y)
    >>> ranker.get_feature_names_out().tolist()
    ['mean concave points', 'area error', 'worst concave points']
    """

    name = "ec-fs"
    invariances = frozenset({"scale"})
    complexity = "O(Tn + n log n)"
    published_complexity = "O(Tn + n²)"
    reference = "Roffo and Melzi 2017"
    tunable: ClassVar = {"alpha": tuple(step / 10 for step in range(11))}

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SummaryRanker._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "kernel": [StrOptions({"product", "symmetric", "toolbox"})],
        "normalize": [StrOptions({"l1"}), None],
        "bins": [StrOptions({"auto"}), Interval(Integral, 2, 2**15, closed="both")],
        "binning": [StrOptions({"width", "quantile"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 0.5,
        kernel: str = "product",
        normalize: str | None = "l1",
        bins: int | str = "auto",
        binning: str = "width",
        tol: float = 1e-12,
        n_jobs: int | None = None,
    ):
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.kernel = kernel
        self.normalize = normalize
        self.bins = bins
        self.binning = binning
        self.tol = tol
        self.n_jobs = n_jobs

    def _describe(self, summary: Summary) -> dict[str, Floats]:
        return {
            **spreads(summary.moments, self.normalize),
            "fisher": fisher_score(summary.moments),
            "information": mutual_information(summary, normalized=self.kernel == "toolbox"),
        }

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        terms = _Terms(vectors, self.kernel)
        self.fisher_, self.information_, self.spread_ = terms.vectors
        scores, centrality = terms.scores(self.alpha, self.tol)
        self.eigenvalue_, self.n_iter_ = centrality.eigenvalue, centrality.n_iter
        return scores

    @property
    def graph_(self) -> Graph:
        """The graph of the fitted ranker, features in the order of X's columns."""
        return _graph(self.fisher_, self.information_, self.spread_, self.alpha, self.kernel)

    @fit_context(prefer_skip_nested_validation=True)
    def alpha_path(self, X: Any, y: Any, alphas: Sequence[float]) -> NDArray[np.int64]:
        """Rank the features for each of many values of alpha, from one pass over the data.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels.
        alphas : sequence of float
            Values in [0, 1]. The ranker's own ``alpha`` is not used.

        Returns
        -------
        rankings : ndarray of shape (len(alphas), n_features)
            Row k is the ``ranking_`` of a fit with ``alpha=alphas[k]``.
        """
        if not all(0 <= alpha <= 1 for alpha in alphas):
            raise UsageError(f"alphas must lie in [0, 1], got {list(alphas)}.")
        fresh = clone(self)  # a fitted ranker stays as it is
        X, codes = fresh._validated(X, y)
        terms = _Terms(fresh._vectors(X, codes), self.kernel)
        rankings = np.empty((len(alphas), X.shape[1]), dtype=np.int64)
        for row, alpha in zip(rankings, alphas, strict=True):
            row[:] = ranks(terms.scores(alpha, self.tol)[0])
        return rankings


class _Terms:
    """What A is made of, kept for any alpha.

    The graph is read with the features sorted by spread, where products are running sums.
    """

    def __init__(self, vectors: dict[str, Floats], kernel: str):
        fisher, information = vectors["fisher"], vectors["information"]
        self.kernel = kernel
        self.exact, self.constant = np.isinf(fisher), vectors["deviation"] == 0
        if self.exact.any():
            fisher = finite(fisher)
        if kernel != "toolbox":
            fisher, information = min_max(fisher), min_max(information)
            fisher[self.exact] = 1.0  # also where all features separate the classes exactly
        self.vectors = fisher, information, scaled_spread(vectors["deviation"], vectors["spread"])
        self._order = kernels.argsort(self.vectors[2])
        self._sorted = [kernels.gather(vector, self._order) for vector in self.vectors]

    def scores(self, alpha: float, tol: float) -> tuple[Floats, Centrality]:
        """Return the centralities for one alpha: exact separators first, constants last."""
        fisher, information, spread = self._sorted
        graph = _graph(fisher, information, spread, alpha, self.kernel)
        centrality = Eigenvector(tol=tol)(graph)
        scores = kernels.scatter(centrality.scores, self._order)
        if alpha > 0 and self.exact.any():
            scores[self.exact] += scores.max()
        put_last(scores, self.constant)
        return scores, centrality


def _graph(fisher: Floats, information: Floats, spread: Floats, alpha: float, kernel: str) -> Graph:
    terms = [(alpha * weight, term) for weight, term in KERNELS[kernel](fisher, information)]
    return WeightedSum([*terms, (1 - alpha, LargestOfTwo(spread))])


def _product(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    return [(1.0, RankOne(fisher, information))]


def _symmetric(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    return [(0.5, RankOne(fisher, information)), (0.5, RankOne(information, fisher))]


def _toolbox(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    """(v·vᵀ - min)/(max - min): rank one less a constant, as v is not negative."""
    relevance = (fisher + information) / 2
    low, high = relevance.min() ** 2, relevance.max() ** 2
    if high == low:
        return []
    ones = np.ones_like(relevance)
    return [(1 / (high - low), RankOne(relevance)), (-low / (high - low), RankOne(ones))]


KERNELS = {"product": _product, "symmetric": _symmetric, "toolbox": _toolbox}
