"""EC-FS: eigenvector centrality in a graph of relevance and spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from featrank import kernels
from featrank._utils.sklearn import Interval, StrOptions, fit_context
from featrank.base.parameters import POSITIVE
from featrank.base.ranker import TASKS, Floats
from featrank.base.summary import SummaryRanker
from featrank.base.tuning import Tunable
from featrank.data.protocol import Data, Fold
from featrank.exceptions import UsageError
from featrank.graph import Centrality, Eigenvector, Graph, LargestOfTwo, RankOne, WeightedSum
from featrank.graph.scaling import finite, min_max, put_last, scaled_spread
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.regression import Location
from featrank.summaries.relevance import fisher_score, mutual_information, spreads

ALPHAS = tuple(step / 10 for step in range(11))
# Precision of the eigenvector that suffices to order features.
ROUGH = 1e-6


class ECFS(SummaryRanker):
    r"""Rank features by eigenvector centrality: relevance and spread on one graph.

    .. math::
        A = \alpha\, k + (1 - \alpha)\, \Sigma, \qquad
        k_{ij} = \tfrac12 (f_i m_j + m_i f_j), \qquad \Sigma_{ij} = \max(\sigma_i, \sigma_j)

    where f is the Fisher score, m the mutual information with the class and σ the standard
    deviation, each scaled to [0, 1] over the features. The scores are the leading eigenvector of A.
    A is never stored: k has rank two, and with the features sorted by σ, a product with Σ takes two
    cumulative sums. A fit takes O(Tn + n log n) time and O(n) memory.

    For a regression target, f is the absolute correlation of feature and target, and m the mutual
    information with the binned target.

    ``alpha`` weighs relevance against spread: with 1, only how well a feature separates the classes
    counts. Smaller values also favour features that vary a lot, which can help when few samples
    make relevance a noisy estimate. By default, cross-validation chooses alpha and prefers 1 unless
    a smaller value is clearly better.

    A constant feature scores 0 and comes last. A feature with perfect separation (no variance
    within classes) has relevance 1, above every finite one. For ``alpha > 0`` it comes first, which
    is the limit of the model as its Fisher score grows. Duplicates of a feature get identical
    scores.

    Read more in docs/methods/ec-fs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    alpha : float or "cv", default="cv"
        Weight of relevance against spread, in [0, 1]. "cv" chooses it by 5-fold cross-validation on
        the rows given: the largest of ``alphas`` whose mean AUC over the top 1, 5, 10, 20 and 50
        features is within one standard error, or within 0.01, of the best. The AUC is that of a
        linear SVM on held-out rows. For regression it is the R² of a ridge regression. If a class
        has a single member, alpha is 1, with a warning.
    alphas : sequence of float, default=(0, 0.1, …, 1)
        Values that "cv" tries.
    kernel : {"symmetric", "product", "toolbox"}, default="symmetric"
        "symmetric" is (f·mᵀ + m·fᵀ)/2, the undirected graph of the paper's section 3.1. "product"
        is f·mᵀ, exactly as in Algorithm 1. At ``alpha=1`` it orders features by the Fisher score.
        "toolbox" is what the authors' MATLAB toolbox computes: v·vᵀ for v = (f + m)/2 with unscaled
        f and m = 2·MI/(H(x) + H(y)), scaled to [0, 1] as a matrix.
    normalize : {"l1", None}, default="l1"
        "l1" divides each feature by its sum of absolute values before σ is computed, so that units
        do not affect the ranking. None uses σ as it is. Standardised features all have the same σ,
        so they are ranked by relevance alone.
    bins : int or "auto", default="auto"
        Bins for the mutual information. "auto" is 20 for more than 200 samples, otherwise a tenth
        of the samples, but at least 10.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or quantile bins.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    target_bins : int or "auto", default="auto"
        Quantile bins of a regression target. "auto" is a twentieth of the samples, between 3 and
        10.
    tol : float, default=1e-12
        Tolerance for the relative residual of the eigenvector.
    random_state : int, RandomState instance or None, default=0
        Seed for the folds of "cv".
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    alpha_ : float
        The alpha used for the scores.
    alphas_ : ndarray of shape (n_alphas,)
        With "cv": the values tried, ascending.
    cv_scores_ : ndarray of shape (n_alphas, n_folds)
        With "cv": mean AUC, or R², of each value in each fold.
    fisher_, information_, spread_ : ndarray of shape (n_features,)
        f, m and σ as used in the graph.
    eigenvalue_ : float
        The largest eigenvalue of A.
    n_iter_ : int
        Number of products with A to compute the eigenvector.

    See Also
    --------
    DiverseECFS : Penalises redundant features.
    FisherScore : The relevance part of EC-FS alone, without a graph.
    GraphRanker : Eigenvector centrality of your own graph.

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
    ['worst radius', 'worst perimeter', 'worst concave points']
    """

    name = "ec-fs"
    purpose = "Eigenvector centrality"
    family = "graph"
    invariances = frozenset({"scale"})
    complexity = "O(Tn + n log n)"
    published_complexity = "O(Tn + n²)"
    reference = "Roffo and Melzi 2017"
    stochastic = True
    tasks = TASKS
    tunable = Tunable("alpha", "alphas", fallback=1.0, fallback_means="relevance only")

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "alphas": ["array-like"],
        "kernel": [StrOptions({"product", "symmetric", "toolbox"})],
        "tol": [POSITIVE],
    }

    alpha: float | str = "cv"
    alphas: Sequence[float] = ALPHAS
    kernel: str = "symmetric"
    normalize: str | None = "l1"
    bins: int | str = "auto"
    binning: str = "width"
    task: str = "classification"
    target_bins: int | str = "auto"
    tol: float = 1e-12
    random_state: Any = 0
    n_jobs: int | None = None

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None, **reading: Any
    ) -> ECFS:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix, AnnData or dataset (n_samples, n_features)
            The samples. An out-of-core dataset (:func:`featrank.sources.open_dataset`), a Dask
            collection, a lazy frame or a backed AnnData is read in chunks, with the same result.
        y : array-like of shape (n_samples,), or str
            Class labels of any type. For a lazy frame or an AnnData, the name of their column. Not
            needed for a dataset that includes labels.
        sample_weight : array-like of shape (n_samples,), optional
            Number of samples each row represents. A row of weight 2 counts as two identical rows,
            and a row of weight 0 is ignored. The folds of "cv" split rows, and its SVMs are not
            weighted.
        groups : array-like of shape (n_samples,), optional
            Rows of the same group stay together in the folds of "cv". For an AnnData, also the name
            of an obs column.
        **reading
            For an AnnData: ``layer`` or ``use_raw=True`` ranks a layer or raw instead of X. For
            datasets: ``memory``, ``missing``, ``engine``, ``client``, ``checkpoint`` and
            ``ranges``. See :class:`featrank.tables.options.ReadOptions`.

        Returns
        -------
        self : ECFS
            The fitted ranker.
        """
        return self._fit_to(X, y, reading, sample_weight=sample_weight, groups=groups)

    def _checked_grid(self, values: Sequence[float]) -> Floats:
        if np.ndim(values) != 1 or not all(0 <= alpha <= 1 for alpha in values):
            raise UsageError(f"alphas must lie in [0, 1], got {list(values)}.")
        return np.unique(np.asarray(values, dtype=np.float64))

    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        moments = digest.moments
        return {
            **spreads(moments, self.normalize),
            **(
                Location.of(moments)._asdict()
                if self._regresses
                else {"fisher": fisher_score(moments)}
            ),
            "information": mutual_information(digest, normalized=self.kernel == "toolbox"),
        }

    def _of_correlation(self, r: Floats) -> dict[str, Floats]:
        return {"fisher": np.abs(r)}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        terms = AdjacencyTerms(vectors, self.kernel)
        self.fisher_, self.information_, self.spread_ = terms.vectors
        self._kernel = self.kernel
        scores, centrality = terms.scores(self.alpha_, self.tol)
        self.eigenvalue_, self.n_iter_ = centrality.eigenvalue, centrality.n_iter
        return scores

    def _each(
        self, data: Data, fold: Fold | None, alphas: Sequence[float], tol: float | None = None
    ) -> Iterator[Floats]:
        terms = AdjacencyTerms(data.vectors(self, fold), self.kernel)
        for alpha in alphas:
            yield terms.scores(alpha, tol or ROUGH)[0]

    def score_components(self) -> dict[str, Floats]:
        """Return f, m and σ as used in the graph. For regression f is a correlation."""
        first = "correlation" if self._regresses else "fisher"
        return {first: self.fisher_, "information": self.information_, "spread": self.spread_}

    @property
    def graph_(self) -> Graph:
        """Graph of the fitted ranker, with features in column order."""
        # Uses the fitted parameters, even if others have been set since.
        return graph_of(self.fisher_, self.information_, self.spread_, self.alpha_, self._kernel)


class AdjacencyTerms:
    """The terms of A, shared by all values of alpha.

    Features are sorted by spread, so that products with the graph are cumulative sums.
    """

    def __init__(self, vectors: dict[str, Floats], kernel: str):
        fisher, information = vectors["fisher"], vectors["information"]
        self.kernel = kernel
        self.exact, self.constant = np.isinf(fisher), vectors["deviation"] == 0
        if self.exact.any():
            fisher = finite(fisher)
        if kernel != "toolbox":
            fisher, information = min_max(fisher), min_max(information)
            fisher[self.exact] = 1.0  # also if every feature has perfect separation
        self.vectors = fisher, information, scaled_spread(vectors["deviation"], vectors["spread"])
        self._order = kernels.argsort(self.vectors[2])
        self._sorted = [kernels.gather(vector, self._order) for vector in self.vectors]

    def scores(self, alpha: float, tol: float) -> tuple[Floats, Centrality]:
        """Return the centralities for one alpha: perfect separation first, constants last."""
        fisher, information, spread = self._sorted
        graph = graph_of(fisher, information, spread, alpha, self.kernel)
        centrality = Eigenvector(tol=tol)(graph)
        scores = kernels.scatter(centrality.scores, self._order)
        if alpha > 0 and self.exact.any():
            scores[self.exact] += scores.max()
        put_last(scores, self.constant)
        return scores, centrality


def graph_of(
    fisher: Floats, information: Floats, spread: Floats, alpha: float, kernel: str
) -> Graph:
    """Return the EC-FS graph, whose adjacency matrix is A."""
    terms = [(alpha * weight, term) for weight, term in KERNELS[kernel](fisher, information)]
    return WeightedSum([*terms, (1 - alpha, LargestOfTwo(spread))])


def _product(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    return [(1.0, RankOne(fisher, information))]


def _symmetric(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    return [(0.5, RankOne(fisher, information)), (0.5, RankOne(information, fisher))]


def _toolbox(fisher: Floats, information: Floats) -> list[tuple[float, Graph]]:
    """(v·vᵀ - min)/(max - min): a rank-one matrix minus a constant, as v is not negative."""
    relevance = (fisher + information) / 2
    low, high = relevance.min() ** 2, relevance.max() ** 2
    if high == low:
        return []
    ones = np.ones_like(relevance)
    return [(1 / (high - low), RankOne(relevance)), (-low / (high - low), RankOne(ones))]


KERNELS = {"product": _product, "symmetric": _symmetric, "toolbox": _toolbox}
