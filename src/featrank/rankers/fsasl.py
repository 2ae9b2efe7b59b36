"""FSASL: a sparse projection that preserves an adaptively learned structure of the samples."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.blas import one_thread_if_small
from featrank._utils.probe import Probe
from featrank._utils.progress import report
from featrank.base.parameters import NOT_NEGATIVE, POSITIVE
from featrank.base.ranker import Floats, Ranker
from featrank.base.tuning import Tunable
from featrank.solvers.duplicate_columns import originals
from featrank.solvers.simplex_projection import (
    graph_laplacian,
    neighbour_shares,
    neighbour_weight,
    squared_distances,
)
from featrank.solvers.sparse_codes import code_costs, sparse_codes
from featrank.solvers.sparse_rows import row_lengths, uncorrelated_projection
from featrank.solvers.standardise import centred

# Projections per iteration, each reweighted by the row norms of the last one.
REWEIGHTINGS = 5
# Steps of the sparse codes between two projections.
CODE_STEPS = 10
# Samples of a fit that is timed.
PROBED_ROWS = 150
# T × T matrices, and copies of X, in memory at a time.
SQUARES, N_COPIES = 13, 3


class FSASL(Ranker):
    r"""Rank features by a sparse projection that preserves the structure of the samples.

    .. math::
        \min_{W, S, P}\ \|W^\top X - W^\top X S\|^2 + \frac{\alpha}{T} \|S\|_1
        + \beta \sum_{ij} \bigl(\|W^\top x_i - W^\top x_j\|^2 P_{ij} + \mu P_{ij}^2\bigr)
        + \gamma \|W\|_{2,1}

    .. math::
        W^\top X X^\top W = I, \qquad S_{ii} = 0, \qquad P 1 = 1,\ P \ge 0,\ P_{ii} = 0

    The columns of X are the T centred samples, in units of the largest norm of a feature. S
    reconstructs each sample from few others: the global structure. P holds the probabilities that
    samples are neighbours: the local structure. Both are learned from the projected samples, and
    the projection W from them. The l2,1 norm leaves few nonzero rows of W. A feature's score is the
    norm of its row, :math:`\|w_j\|`.

    W, P and S are updated in turn, and no iteration raises the objective. The result is a local
    minimum. Rows that are 0 there keep a tiny norm, which orders their features by their gradient
    towards the projection. A constant feature scores 0. Duplicates have equal scores.

    Features with large units need small weights, so the l2,1 norm favours them, and they dominate
    the initial distances. Scale them first if units are arbitrary.

    Read more in docs/methods/fsasl.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_clusters : int, default=2
        Expected number of clusters. With two, the projection has a single direction, the one with
        the clearest structure.
    n_components : int or None, default=None
        Number of columns of W, at most the rank of X. None is ``n_clusters - 1``, but at least 1:
        the dimension that centred cluster means span.
    n_neighbors : int, default=5
        Initial mean number of neighbours, which determines μ.
    alpha : float, default=0.1
        Weight of the l1 norm of S.
    beta : float, default=1.0
        Weight of the local structure against the global one.
    gamma : float or "cv", default=1.0
        Weight of the l2,1 norm. Larger values leave fewer nonzero rows of W. "cv" chooses among
        0.01, 0.1, 1, 10 and 100 by cross-validation, which needs class labels, and keeps 1 unless
        another value is clearly better.
    tol : float, default=1e-6
        Iterations stop when the relative decrease of the objective is below this.
    max_iter : int, default=50
        Maximum number of iterations.

    Attributes
    ----------
    projection_ : ndarray of shape (n_features, n_components)
        W, in the units of X above.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each iteration, which never rises.
    n_iter_ : int
        Number of iterations.

    See Also
    --------
    UDFS : Uses fixed neighbourhoods instead of learned ones.
    LaplacianScore : Much faster, for many samples.

    Notes
    -----
    Time is O(T²n + T³) per iteration. Memory in addition to X: several T × T matrices and two
    copies of X.

    References
    ----------
    .. [1] L. Du and Y.-D. Shen, "Unsupervised feature selection with adaptive structure learning",
       ACM SIGKDD Conference on Knowledge Discovery and Data Mining (2015).

    Examples
    --------
    >>> from featrank import FSASL
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True, as_frame=True)
    >>> FSASL(n_features_to_select=1).fit(X).get_feature_names_out().tolist()
    ['petal length (cm)']
    """

    name = "fsasl"
    purpose = "Structure of the samples"
    kind = "embedded"
    family = "sparse"
    supervised = False
    invariances = frozenset({"shift"})
    complexity = "O(T²n + T³)"
    published_complexity = "N/A"
    reference = "Du and Shen 2015"
    tunable = Tunable("gamma", (0.01, 0.1, 10.0, 100.0, 1.0), fallback=1.0)

    _advice = "It stores matrices of all pairs of samples. Rank fewer samples, or use laplacian."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "gamma": [POSITIVE],
        "tol": [NOT_NEGATIVE],
    }

    n_clusters: int = 2
    n_components: int | None = None
    n_neighbors: int = 5
    alpha: float = 0.1
    beta: float = 1.0
    gamma: float | str = 1.0
    tol: float = 1e-6
    max_iter: int = 50

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        rows = min(n_samples, PROBED_ROWS)
        columns = min(n_features, 10 * rows)
        work, probed = (T * T * (T + n) for T, n in ((n_samples, n_features), (rows, columns)))
        return Probe(self._score, (rows, columns), work / probed)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 8 * n_samples * (SQUARES * n_samples + N_COPIES * n_features)

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        samples = in_one_unit(centred(X, np.arange(len(X))))
        varies = samples.any(axis=0)
        self.objective_, self.n_iter_ = np.zeros(0), 0
        self.projection_ = np.zeros((X.shape[1], self.n_components or max(self.n_clusters - 1, 1)))
        if varies.any():
            samples = samples if varies.all() else np.compress(varies, samples, axis=1)
            with one_thread_if_small(samples.size):
                weights = self._learn(samples, self.projection_.shape[1])[originals(samples)]
            self.projection_[varies, : weights.shape[1]] = weights
        return np.asarray(np.linalg.norm(self.projection_, axis=1))

    def _learn(self, samples: Floats, n_components: int) -> Floats:
        """Return the projection after iterations that each lower the objective."""
        state = self._start(samples, n_components)
        values = [self._value(state)]
        for turn in range(1, self.max_iter):
            report(turn, self.max_iter)
            state = self._turn(samples, state, n_components)
            values.append(self._value(state))
            if values[-2] - values[-1] <= self.tol * values[-1]:
                break
        report(self.max_iter, self.max_iter)
        self.objective_, self.n_iter_ = np.array(values), len(values)
        return state.weights

    def _start(self, samples: Floats, n_components: int) -> _State:
        """Start with neighbours in the space of all features, and S = 0."""
        n_features = samples.shape[1]
        squared = squared_distances(samples)
        shares = neighbour_shares(squared, neighbour_weight(squared, self.n_neighbors))
        # Rows of equal norm, as this many principal components would have.
        spread = np.linalg.norm(samples, 2)
        lengths = np.full(n_features, np.sqrt(n_components / n_features) / spread)
        weights, projected = uncorrelated_projection(
            samples,
            self._structure(shares, np.zeros_like(shares)),
            lengths,
            self.gamma_,
            n_components,
        )
        mu = neighbour_weight(squared_distances(projected), self.n_neighbors)
        return self._structured(weights, projected, np.zeros_like(shares), mu)

    def _turn(self, samples: Floats, state: _State, n_components: int) -> _State:
        structure = self._structure(state.shares, state.codes)
        weights = state.weights
        for _ in range(REWEIGHTINGS):
            weights, projected = uncorrelated_projection(
                samples, structure, row_lengths(weights), self.gamma_, n_components
            )
        return self._structured(weights, projected, state.codes, state.mu)

    def _structure(self, shares: Floats, codes: Floats) -> Floats:
        """Return L, such that tr(FᵀLF) is the objective's part in the projected samples F."""
        structure = 2 * self.beta * graph_laplacian(shares)
        left = np.eye(len(codes)) - codes
        structure += left @ left.T
        return structure

    def _structured(self, weights: Floats, projected: Floats, codes: Floats, mu: float) -> _State:
        """Return the state with S and P updated for the projection."""
        shares = neighbour_shares(squared_distances(projected), mu)
        codes = sparse_codes(projected, codes, self.alpha / len(projected), CODE_STEPS)
        return _State(weights, projected, codes, shares, mu)

    def _value(self, state: _State) -> float:
        weights, projected, codes, shares, mu = state
        near = np.vdot(squared_distances(projected), shares) + mu * np.vdot(shares, shares)
        whole = code_costs(projected, codes, self.alpha / len(codes)).sum()
        return float(whole + self.beta * near + self.gamma_ * row_lengths(weights).sum())


class _State(NamedTuple):
    """W, the projected samples, S, P and the weight μ of its squares."""

    weights: Floats
    projected: Floats
    codes: Floats
    shares: Floats
    mu: float


def in_one_unit(samples: Floats) -> Floats:
    """Divide by the largest norm of a feature, in place. Zeros stay 0.

    Examples
    --------
    >>> in_one_unit(np.array([[3.0, 1.0], [-4.0, 0.0]]))
    array([[ 0.6,  0.2],
           [-0.8,  0. ]])
    """
    # Divide by the largest value first, so that no square overflows or underflows.
    samples /= np.abs(samples).max() or 1.0
    samples /= np.linalg.norm(samples, axis=0).max() or 1.0
    return samples
