"""HSIC Lasso: features whose kernel matrices add up to that of the target."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from featrank._utils import threads
from featrank._utils.blas import one_thread
from featrank._utils.budget import free_memory
from featrank._utils.probe import Probe, smaller
from featrank._utils.progress import report
from featrank._utils.sklearn import Interval
from featrank.base.greedy import Chosen, GreedyRanker
from featrank.base.ranker import TASKS, Floats
from featrank.base.shown_values import ShownValues
from featrank.solvers.hsic_factors import USUAL_RANK, Factors
from featrank.solvers.hsic_pairs import Pairs, blocks_of
from featrank.solvers.hsic_panels import AT_ONCE, FEWEST, Panels, Space
from featrank.solvers.lasso_path import Path, lasso_path
from featrank.solvers.standardise import centred, of_length_one

# Maximum bytes of matrices that are stored. Others are recomputed for each product.
MOST_KEPT = 2**30
# With at most FEW numbers in the matrices, the path considers all features from the start.
# Otherwise it considers the FIRST features, and TIMES as many whenever it may need more.
FEW, FIRST, TIMES = 2**20, 128, 1.5
# Differences of HSIC below this share of the largest are rounding errors. Such features tie.
TIED = 1e-12
# Number of multiplications of the fit that is timed.
PROBED_WORK = 2e8
# Bytes in memory per pair of samples, and number of buffers of a panel while it is computed.
PAIR_BYTES, N_COPIES = 100, 3


class HSICLasso(GreedyRanker):
    r"""Select features greedily by a lasso of the target's kernel matrix on those of the features.

    .. math::
        \min_{\alpha \ge 0}\ \tfrac12 \Big\lVert \bar L - \sum_j \alpha_j \bar K_j
        \Big\rVert_F^2 + \lambda \sum_j \alpha_j, \qquad
        \bar K = \frac{H K H}{\lVert H K H \rVert_F}, \quad H = I - \tfrac1T 1 1^\top

    where :math:`K_j(s, t) = e^{-(x_{sj} - x_{tj})^2 / 2}` for a feature of standard deviation 1,
    L is the same for a regression target, and for classes :math:`L(s, t) = 1/T_c` within a class of
    :math:`T_c` samples and 0 otherwise. The product :math:`\langle \bar K_j, \bar L \rangle`
    is the normalised Hilbert-Schmidt independence criterion HSIC, which detects relations of any
    form. Products between features exclude redundant ones.

    As λ falls, features enter one at a time and rank in that order. The others follow by HSIC
    alone. The path is followed exactly. The solution is sparse: if no further feature enters, fewer
    than ``n_features_to_select`` are selected. A duplicate of a feature never enters, nor does a
    constant, whose HSIC is 0.

    The kernel matrix of one feature has a low rank up to rounding. It is stored as a factor of
    about twenty columns, so time and memory grow with T, not with T². With ``block_size`` B, the
    samples are split into random blocks of about B, ``n_permutations`` times, and matrices are
    computed and normalised within blocks only [2]_. This is another estimate of the same HSIC.

    Results show λ at entry. ``scores_`` only encode the order.

    Read more in docs/methods/hsic-lasso.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all that enter. The
        remaining features follow by HSIC.
    task : {"classification", "regression"}, default="classification"
        Whether y holds class labels or numbers.
    block_size : int or None, default=None
        Number of samples per block. None is one block of all samples. The published value is 20.
    n_permutations : int, default=3
        How often blocks are drawn.
    random_state : int, RandomState instance or None, default=0
        Seed for drawing the blocks. Without ``block_size`` it changes nothing.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_features,)
        HSIC of each feature and the target, in [0, 1].
    criterion_ : ndarray of shape (n_features,)
        λ at which each feature entered, NaN for features that did not.
    coef_ : ndarray of shape (n_features,)
        α at the end of the path.

    See Also
    --------
    LassoPath : Needs fewer samples if relations are linear.
    MRMR : Measures relations of any form by mutual information.

    References
    ----------
    .. [1] M. Yamada, W. Jitkrittum, L. Sigal, E. P. Xing and M. Sugiyama, "High-dimensional
       feature selection by feature-wise kernelized lasso", Neural Computation 26 (2014).
    .. [2] H. Climente-González, C.-A. Azencott, S. Kaski and M. Yamada, "Block HSIC Lasso:
       model-free biomarker detection for ultra-high dimensional data", Bioinformatics 35 (2019).

    Examples
    --------
    A target that depends nonlinearly on two features:

    >>> import numpy as np
    >>> from featrank import HSICLasso
    >>> X = np.random.default_rng(0).normal(size=(100, 50))
    >>> y = X[:, 4] ** 2 + np.sin(3 * X[:, 17])
    >>> HSICLasso(n_features_to_select=2, task="regression").fit(X, y).get_support(indices=True)
    array([ 4, 17])
    """

    name = "hsic-lasso"
    purpose = "Nonlinear (kernel) lasso"
    kind = "embedded"
    family = "sparse"
    tasks = TASKS
    stochastic = True
    invariances = frozenset({"shift", "scale"})
    redundancy_aware = True
    complexity = "O(kTr²n), r about 20; in blocks O(kTBn)"
    published_complexity = "N/A"
    reference = "Yamada et al. 2014"

    _advice = "Select fewer features with `n_features_to_select=...`."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "block_size": [None, Interval(Integral, 2, None, closed="left")]
    }

    task: str = "classification"
    block_size: int | None = None
    n_permutations: int = 3
    random_state: Any = 0
    n_jobs: int | None = None

    def shown_values(self) -> ShownValues:
        """Return the penalty λ at which each feature entered the lasso."""
        return ShownValues(self.criterion_, "penalty at entry")

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        sizes = n_samples, n_features, self._count_to_select(n_features)
        (rows, columns, count), ratio = smaller(self._work, sizes, PROBED_WORK)
        like = clone(self)
        return Probe(lambda X, y: like._choose(X, y, count), (rows, columns), ratio)

    def _work(self, n_samples: int, n_features: int, count: int) -> float:
        """Return the approximate number of multiplications of a path."""
        return float(self._numbers(n_samples)) * n_features * count

    def _memory(self, n_samples: int, n_features: int) -> int:
        numbers = self._numbers(n_samples)
        width = max(FEWEST, AT_ONCE // numbers)
        made = numbers * (PAIR_BYTES + 8 * width * N_COPIES * threads.workers(self.n_jobs))
        kept = min(8 * numbers * n_features, self._most_kept())
        # Products of entering features. There are rarely more such features than samples.
        entering = min(self._count_to_select(n_features), n_samples)
        return made + kept + 8 * n_features * (n_samples + 2 * entering)

    def _most_kept(self) -> int:
        return min(MOST_KEPT, free_memory() // 2)

    def _n_blocks(self, n_samples: int) -> int:
        return 1 if self.block_size is None else max(1, n_samples // self.block_size)

    def _numbers(self, n_samples: int) -> int:
        """Return the approximate number of stored values per matrix."""
        count = self._n_blocks(n_samples)
        if count == 1:
            return USUAL_RANK * n_samples
        return self.n_permutations * n_samples * (n_samples // count) // 2

    def _choose(self, X: Any, y: NDArray[Any], count: int) -> Chosen:
        with one_thread():
            return self._chosen(X, y, count)

    def _chosen(self, X: Any, y: NDArray[Any], count: int) -> Chosen:
        features, space = of_spread_one(X), self._space(len(X))
        relevance = levelled(self._relevance(features, space, y, count))
        order = np.argsort(-relevance, kind="stable")
        kept = self._most_kept()
        panels = Panels(features, order, space, most_bytes=kept, n_jobs=self.n_jobs)
        path = _Widening(panels, relevance[order], count).path()
        self.coef_ = np.zeros_like(relevance)
        self.coef_[order[path.used]] = path.weights
        return order[path.order], path.penalties, relevance

    def _space(self, n_samples: int) -> Space:
        count = self._n_blocks(n_samples)
        if count == 1:
            return Factors(n_samples)
        random = check_random_state(self.random_state)
        return Pairs(blocks_of(n_samples, count, self.n_permutations, random))

    def _relevance(self, features: Floats, space: Space, y: NDArray[Any], count: int) -> Floats:
        """Return the HSIC of each feature and the target."""
        target: Any
        if self._regresses:
            target = space.of_regression_target(
                of_spread_one(y[:, np.newaxis] / np.abs(y).max())[:, 0]
            )
        else:
            target = space.of_classes(y)
        every = np.arange(features.shape[1])
        panels = Panels(features, every, space, most_bytes=0, n_jobs=self.n_jobs)

        def work(span: slice) -> Floats:
            found = panels.panel(span.start).products(target)
            report(span.stop, panels.count + count)
            return found

        return np.concatenate(threads.map_blocks(work, panels.count, 1, self.n_jobs))


def of_spread_one(X: Any) -> Floats:
    """Return columns with mean 0 and standard deviation 1. Constants become 0."""
    return of_length_one(centred(X, np.arange(len(X)))) * len(X) ** 0.5


def levelled(values: Floats) -> Floats:
    """Return the values with differences that are rounding errors removed.

    Examples
    --------
    >>> levelled(np.array([0.5, 1.0, 0.5 + 1e-15])).tolist()
    [0.5, 1.0, 0.5]
    """
    order = np.argsort(-values, kind="stable")
    apart = -np.diff(values[order]) > TIED * np.abs(values).max()
    starts = np.concatenate([[0], np.flatnonzero(apart) + 1])
    lowest = np.minimum.reduceat(order, starts)
    same = np.empty_like(values)
    same[order] = np.repeat(values[lowest], np.diff(np.append(starts, len(values))))
    return same


class _Widening:
    """The path over the most relevant features, whose number grows as λ falls.

    No product of two matrices is negative, and neither is α. The product of a feature with the
    residual therefore never exceeds its relevance. While λ is larger, the feature cannot enter.
    """

    def __init__(self, panels: Panels, relevance: Floats, count: int):
        self._panels, self._relevance, self._count = panels, relevance, count
        few = panels.space.numbers * len(relevance) <= FEW
        self._known = len(relevance) if few else panels.whole(FIRST)
        self._rows: dict[int, Floats] = {}
        self._reached = 0

    def path(self) -> Path:
        """Follow the path to its end, or until ``count`` features have entered."""
        while True:
            path = self._path_of_known()
            self._report(len(path.order))
            if self._known == len(self._relevance) or len(path.order) == self._count:
                self._report(self._count)
                return path
            self._known = self._panels.whole(int(TIMES * self._known) + 1)

    def _path_of_known(self) -> Path:
        known = self._known
        return lasso_path(
            self._relevance[:known],
            self._products,
            most=self._count,
            rank=known,
            positive=True,
            least=float(self._relevance[known]) if known < len(self._relevance) else 0.0,
            on_entry=self._report,
        )

    def _products(self, place: int) -> Floats:
        row = self._rows.get(place, np.empty(0))
        if len(row) < self._known:
            more = self._panels.products(self._panels.matrix(place), len(row), self._known)
            self._rows[place] = row = np.concatenate([row, more])
        return row

    def _report(self, entered: int) -> None:
        self._reached = max(self._reached, entered)
        report(self._panels.count + self._reached, self._panels.count + self._count)
