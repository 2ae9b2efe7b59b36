"""Inf-FS: all paths through a graph of spread and rank correlation."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank._utils.budget import free_memory
from featrank._utils.probe import PROBED, Probe
from featrank._utils.sklearn import Interval, StrOptions
from featrank.base.ranker import Floats, Ranker
from featrank.base.tuning import Tunable
from featrank.graph import CorrelationDistance, Graph, InfinitePaths, LargestOfTwo, WeightedSum
from featrank.graph.correlation import PANEL
from featrank.graph.scaling import scaled_spread
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.columns import RowClasses, summarise_columns
from featrank.summaries.relevance import spreads

# Up to this many features, correlations have double precision and take 64 MiB.
DOUBLE_UP_TO = 4096
# Correlations are stored if they take at most STORED_BYTES, or STORED_TIMES the size of X up to
# MOST_STORED. Otherwise they are recomputed for each product.
STORED_BYTES, STORED_TIMES, MOST_STORED = 2**27, 4, 2**30

# Vectors of length n_features in memory in addition to the correlations.
VECTORS = 40


class InfFS(Ranker):
    r"""Rank features by paths of every length through a graph of spread and correlation.

    .. math::
        A_{ij} = \alpha \max(\sigma_i, \sigma_j) + (1 - \alpha)\,(1 - |\rho_{ij}|), \qquad
        s = \sum_{l \ge 1} r^l A^l e, \qquad r = \frac{factor}{\lambda_{\max}(A)}

    where σ is the standard deviation, scaled to [0, 1] over the features, and ρ Spearman's
    correlation with average ranks for ties. Paths through features that vary a lot and are weakly
    correlated have a large weight. A feature's score s is the total weight of all paths that start
    from it. Labels are not used.

    No matrix is inverted: about twelve products with A give the largest eigenvalue and the scores.
    Only half of the symmetric correlation matrix is computed and stored, n²/2 numbers, or none with
    ``blocked=True``. In addition, the ranks of X take as much memory as X.

    A constant feature has no correlation. It is left out of the graph, scores 0 and comes last.
    Duplicates of a feature get identical scores.

    Read more in docs/methods/inf-fs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    alpha : float or "cv", default=0.5
        Weight of spread against correlation, in [0, 1]. "cv" chooses among 0.1, 0.2, …, 1 by
        cross-validation, which needs class labels, and keeps 0.5 unless another value is clearly
        better.
    factor : float, default=0.99
        How close r is to the value at which the sum diverges, in (0, 1). The paper uses 0.9 and the
        authors' toolbox 0.99.
    normalize : {"l1", None}, default=None
        "l1" divides each feature by its sum of absolute values before σ is computed, so that units
        do not affect the ranking. None uses σ as it is, as published.
    blocked : bool or "auto", default="auto"
        Whether to recompute the correlations, block by block, for each product, instead of storing
        them. This takes two to seven times as long, depending on the number of samples, but no
        memory of order n². "auto" recomputes if the correlations would take more than 128 MiB and
        more than four times the size of X as float64, or more than 1 GiB or half of the free
        memory. This applies above about 8,000 features with few samples, and always above about
        23,000.
    precision : {"auto", "double", "single"}, default="auto"
        Type of the correlations. "auto" is double for up to 4096 features. Above that it is single,
        which changes scores by a relative 1e-8. Sums always have double precision.
    tol : float, default=1e-12
        Tolerance for the relative residuals of the eigenvalue and the scores.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    spread_ : ndarray of shape (n_features,)
        σ as used in the graph. 0 for constants, which are not in the graph.
    eigenvalue_ : float
        The largest eigenvalue of A.
    n_iter_ : int
        Number of products with A.

    See Also
    --------
    InfFSSupervised : The supervised method, which needs no n × n matrix.
    LaplacianScore : Unsupervised, based on nearest samples.

    References
    ----------
    .. [1] G. Roffo, S. Melzi and M. Cristani, "Infinite feature selection", International
       Conference on Computer Vision (2015).

    Examples
    --------
    >>> from featrank import InfFS
    >>> from sklearn.datasets import load_breast_cancer
    >>> X = load_breast_cancer(as_frame=True).data
    >>> ranker = InfFS(n_features_to_select=3, normalize="l1").fit(X)
    >>> ranker.get_feature_names_out().tolist()
    ['texture error', 'area error', 'concavity error']
    """

    name = "inf-fs"
    purpose = "Paths in a feature graph"
    family = "graph"
    supervised = False
    complexity = "O(Tn²)"
    published_complexity = "O(n^2.37 (1 + T))"
    reference = "Roffo, Melzi and Cristani 2015"
    tunable = Tunable("alpha", (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 0.5), fallback=0.5)

    _advice = "Use `blocked=True`, which stores no correlations."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "blocked": ["boolean", StrOptions({"auto"})],
        "precision": [StrOptions({"auto", "double", "single"})],
    }

    alpha: float | str = 0.5
    factor: float = 0.99
    normalize: str | None = None
    blocked: bool | str = "auto"
    precision: str = "auto"
    tol: float = 1e-12
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        stored, dtype = self._kept(n_samples, n_features)
        rows = min(n_samples, 1000)
        columns = min(n_features, int((PROBED / rows) ** 0.5))
        precision = "double" if dtype == np.float64 else "single"
        like = self._untuned(blocked=not stored, precision=precision)
        ratio = (n_features / columns) ** 2 * n_samples / rows
        return Probe(like._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        stored, dtype = self._kept(n_samples, n_features)
        recomputed = PANEL * threads.workers(self.n_jobs)
        rows = n_samples + (n_features // 2 if stored else recomputed)
        return n_features * (dtype.itemsize * rows + 8 * VECTORS)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        deviation, spread = self._spreads(X)
        varies = deviation > 0
        self.spread_, scores = np.zeros_like(spread), np.zeros_like(spread)
        self.eigenvalue_: float | None = 0.0
        self.n_iter_ = 0
        if varies.any():
            self.spread_[varies] = scaled_spread(deviation[varies], spread[varies])
            graph = self._graph(X if varies.all() else X[:, varies], self.spread_[varies])
            centrality = InfinitePaths(self.factor, self.tol)(graph)
            self.eigenvalue_, self.n_iter_ = centrality.eigenvalue, centrality.n_iter
            # Above the 0 of a constant, even for the only feature that varies.
            scores[varies] = np.maximum(centrality.scores, np.finfo(np.float64).tiny)
        return scores

    def _spreads(self, X: Any) -> tuple[Floats, Floats]:
        def digest(_: slice, digest: ColumnStats) -> tuple[Floats, Floats]:
            found = spreads(digest.moments, self.normalize)
            return found["deviation"], found["spread"]

        one_class = RowClasses(np.zeros(X.shape[0], dtype=np.intp), 1)
        parts = summarise_columns(X, one_class, digest, n_jobs=self.n_jobs)
        deviation, spread = (np.concatenate(values) for values in zip(*parts, strict=True))
        return deviation, spread

    def _graph(self, X: Any, level: Floats) -> Graph:
        terms: list[tuple[float, Graph]] = [(self.alpha_, LargestOfTwo(level))]
        if self.alpha_ < 1:
            terms.append((1 - self.alpha_, self._correlation(X)))
        return WeightedSum(terms)

    def _correlation(self, X: Any) -> CorrelationDistance:
        stored, dtype = self._kept(*X.shape)
        return CorrelationDistance(X, stored=stored, dtype=dtype, n_jobs=self.n_jobs)

    def _kept(self, n_samples: int, n_features: int) -> tuple[bool, np.dtype[Any]]:
        """Return whether to store the correlations, and their type."""
        auto = n_features <= DOUBLE_UP_TO
        double = auto if self.precision == "auto" else self.precision == "double"
        dtype = np.dtype(np.float64 if double else np.float32)
        if self.blocked != "auto":
            return not self.blocked, dtype
        allowed = max(STORED_BYTES, STORED_TIMES * 8 * n_samples * n_features)
        allowed = min(allowed, MOST_STORED, free_memory() // 2)
        return n_features**2 // 2 * dtype.itemsize <= allowed, dtype
