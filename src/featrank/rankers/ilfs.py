"""ILFS: paths through a graph of latent relevance probabilities."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from featrank._utils.panels import map_panels
from featrank._utils.progress import pass_of
from featrank._utils.sklearn import Interval
from featrank.base.information import STEPS
from featrank.base.parameters import NOT_NEGATIVE
from featrank.base.ranker import Floats, Ranker
from featrank.graph import InfinitePaths, RankOne
from featrank.graph.scaling import put_last
from featrank.kernels.contingency import Integers
from featrank.kernels.dense import dense_block
from featrank.pairwise.sparse_columns import by_columns
from featrank.solvers.latent_factors import two_factors
from featrank.summaries.columns import RowClasses, column_moments
from featrank.summaries.moments import Moments

# Number of values per block of columns.
BLOCK_VALUES = 2**18
# A probability on the edge between two tokens belongs to the upper one, even if rounded down.
EDGE = 1e-9
# A standard deviation within classes below this fraction of the distance of the means is 0.
NO_SPREAD = 1e-30
# Columns with a smaller range are scaled up, as squares of their deviations would underflow.
TINY = 1e-100
# Arrays of shape (n_features, n_tokens) in memory at a time.
TABLES = 8


class ILFS(Ranker):
    r"""Rank features by all paths through a graph of their probabilities of being relevant.

    A value x of class c becomes one of K tokens according to the probability of its own class. The
    classes are normally distributed with a common variance :math:`\sigma^2`, as in a linear
    discriminant analysis of a single feature:

    .. math::
        \pi(x) = \frac{e^{-(x - \mu_c)^2 / 2\sigma^2}}{\sum_k e^{-(x - \mu_k)^2 / 2\sigma^2}},
        \qquad t = \lfloor K \pi(x) \rfloor

    So the last token marks values typical of their own class, and the first token values typical of
    another class. Counts :math:`Q_{ft}` of the tokens of each feature are explained by two latent
    factors, relevant and irrelevant, as topics explain the words of documents:

    .. math::
        P(t \mid f) = P(t \mid z_1) P(z_1 \mid f) + P(t \mid z_2) P(z_2 \mid f)

    The EM algorithm fits them. It starts with the last tokens in the relevant factor and the first
    tokens in the other. With :math:`p_f = P(z_1 \mid f)`, the edges of the graph are :math:`A_{fg}
    = p_f p_g`, the probability that both are relevant, and the scores are

    .. math:: s = \sum_{l \ge 1} r^l A^l e, \qquad r = \frac{factor}{\lambda_{\max}(A)}.

    As A has rank one, no matrix is stored, and s is p times a constant: paths change the scores,
    not their order.

    This is a variant of the published method [1]_: see ``smoothing``, and the method's page for
    differences to the authors' code.

    A constant feature is left out, scores 0 and comes last. Features with equal counts tie.

    Read more in docs/methods/ilfs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_tokens : int, default=5
        Number K of tokens. With an odd number, values that do not distinguish two classes get the
        middle token.
    smoothing : float, default=1.0
        Pseudo-counts per factor, added to every feature and to the initial factors. With 0, as
        published, extreme features reach p = 1 or p = 0 and tie.
    factor : float, default=0.99
        How close r is to the value at which the sum diverges, in (0, 1).
    tol : float, default=1e-6
        Iterations stop when the relative increase of the objective is at most this.
    max_iter : int, default=1000
        Maximum number of iterations.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    relevancy_ : ndarray of shape (n_features,)
        The probability p that a feature is relevant. 0 for constants.
    token_probabilities_ : ndarray of shape (2, n_tokens)
        P(t | z) of the relevant and of the irrelevant factor.
    objective_ : ndarray of shape (n_iter_,)
        Log-likelihood, including the pseudo-counts, after each iteration.
    n_iter_ : int
        Number of iterations.
    eigenvalue_ : float
        The largest eigenvalue of A.

    See Also
    --------
    InfFS : Unsupervised, also sums all paths through a graph.
    InfFSSupervised : Supervised, with a graph of relevance and spread.

    References
    ----------
    .. [1] G. Roffo, S. Melzi, U. Castellani and A. Vinciarelli, "Infinite latent feature selection:
       a probabilistic latent graph-based ranking approach", International Conference on Computer
       Vision (2017).

    Examples
    --------
    >>> from featrank import ILFS
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = ILFS(n_features_to_select=3).fit(X, y)
    >>> ranker.get_feature_names_out().tolist()
    ['worst radius', 'worst perimeter', 'worst concave points']
    """

    name = "ilfs"
    purpose = "Paths of likely relevance"
    family = "graph"
    accepts_sparse = True
    invariances = frozenset({"shift", "scale"})
    complexity = "O(CTn)"
    published_complexity = "N/A"
    reference = "variant of Roffo et al. 2017"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_tokens": [Interval(Integral, 2, None, closed="left")],
        "smoothing": [NOT_NEGATIVE],
        "tol": [NOT_NEGATIVE],
    }

    n_tokens: int = 5
    smoothing: float = 1.0
    factor: float = 0.99
    tol: float = 1e-6
    max_iter: int = 1000
    n_jobs: int | None = None

    def score_components(self) -> dict[str, Floats]:
        """Return the probability that each feature is relevant."""
        return {"relevancy": self.relevancy_}

    @property
    def graph_(self) -> RankOne:
        """The graph of the fitted ranker."""
        return RankOne(self.relevancy_)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * TABLES * self.n_tokens * n_features

    def _score(self, X: Any, y: Any) -> Floats:
        X = X if isinstance(X, np.ndarray) else by_columns(X)
        X, moments = self._moments(X, RowClasses(y, len(self.classes_)))
        varies = moments.low < moments.high
        with pass_of(0, 3, STEPS):
            counts = token_counts(X, y, moments, self.n_tokens, self.n_jobs)
        with pass_of(1, 3, STEPS):
            self._explain(counts, varies)
        with pass_of(2, 3, STEPS):
            centrality = InfinitePaths(self.factor)(self.graph_)
        self.eigenvalue_ = centrality.eigenvalue
        put_last(centrality.scores, ~varies)
        return centrality.scores

    def _moments(self, X: Any, rows: RowClasses) -> tuple[Any, Moments]:
        """Return X scaled so that squares do not underflow, and its moments."""
        moments = column_moments(X, rows, self.n_jobs)
        widths = moments.high - moments.low
        exponents = np.where((widths > 0) & (widths < TINY), np.frexp(widths)[1], 0)
        if not exponents.any():
            return X, moments
        X = by_powers_of_two(X, -exponents)
        return X, column_moments(X, rows, self.n_jobs)

    def _explain(self, counts: Integers, varies: NDArray[np.bool_]) -> None:
        """Fit the factors to the counts of the features that vary."""
        factors = two_factors(
            counts[varies], smoothing=self.smoothing, tol=self.tol, max_iter=self.max_iter
        )
        self.relevancy_ = np.zeros(len(counts))
        self.relevancy_[varies] = factors.share
        self.token_probabilities_, self.objective_ = factors.tokens, factors.objective
        self.n_iter_ = len(self.objective_)
        if not factors.converged:
            warnings.warn(
                f"ILFS did not converge in {self.max_iter} iterations, so features with close "
                f"scores may be in the wrong order. Use `max_iter={10 * self.max_iter}`.",
                ConvergenceWarning,
                stacklevel=2,
            )


def by_powers_of_two(X: Any, exponents: NDArray[np.integer]) -> Any:
    """Return a copy of X with each column multiplied by its power of two, without rounding."""
    if isinstance(X, np.ndarray):
        return np.ldexp(X.astype(np.float64, copy=False), exponents)
    scaled = X.astype(np.float64)
    scaled.data = np.ldexp(X.data.astype(np.float64), np.repeat(exponents, np.diff(X.indptr)))
    return scaled


def token_counts(
    X: Any, y: NDArray[np.intp], moments: Moments, n_tokens: int, n_jobs: int | None
) -> Integers:
    """Count the tokens of each feature, of shape (n_features, n_tokens)."""
    n_samples, n_features = X.shape
    counts = np.empty((n_features, n_tokens), np.int64)
    scale = discriminant_scale(moments)

    def work(columns: slice) -> None:
        block = dense_block(X, columns).astype(np.float64, copy=False)
        own = own_probability(block, y, moments.mean[:, columns], scale[columns])
        token = np.minimum((n_tokens * own + EDGE).astype(np.int64), n_tokens - 1)
        width = block.shape[1]
        token += n_tokens * np.arange(width)
        found = np.bincount(token.ravel(), minlength=n_tokens * width)
        counts[columns] = found.reshape(width, n_tokens)

    map_panels(work, n_features, max(1, BLOCK_VALUES // n_samples), n_jobs)
    return counts


def discriminant_scale(moments: Moments) -> Floats:
    """Return 1/σ of each feature, for the variance σ² within classes, or 0 for a constant."""
    freedom = max(int(moments.count.sum()) - len(moments.count), 1)
    within = moments.m2.sum(axis=0) / freedom
    variance = np.maximum(within, NO_SPREAD * np.ptp(moments.mean, axis=0) ** 2)
    return np.divide(1, np.sqrt(variance), out=np.zeros_like(variance), where=variance > 0)


def own_probability(block: Floats, y: NDArray[np.intp], mean: Floats, scale: Floats) -> Floats:
    """Return the probability of each value's own class, of shape (n_samples, n_columns)."""
    own = ((block - mean[y]) * scale) ** 2
    total = np.zeros_like(own)
    with np.errstate(over="ignore"):  # a value that clearly belongs to another class
        for center in mean:
            total += np.exp((own - ((block - center) * scale) ** 2) / 2)
    probability: Floats = 1 / total
    return probability
