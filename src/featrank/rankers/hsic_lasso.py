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
from featrank.solvers.hsic_factors import USUAL_RANK, Factors
from featrank.solvers.hsic_pairs import Pairs, blocks_of
from featrank.solvers.hsic_panels import AT_ONCE, FEWEST, Panels, Space
from featrank.solvers.lasso_path import Path, lasso_path
from featrank.solvers.standardise import centred, of_length_one

# Most bytes of matrices that are kept. Others are recomputed for each product.
MOST_KEPT = 2**30
# With at most FEW numbers in the matrices, the path considers all features from the start.
# Otherwise it considers the FIRST features, and TIMES as many whenever it may need others.
FEW, FIRST, TIMES = 2**20, 128, 1.5
# Differences of HSIC below this part of the largest are rounding errors: such features tie.
TIED = 1e-12
# Multiplications of a fit that is timed.
PROBED_WORK = 2e8
# Bytes in memory for each pair of samples, and copies of a panel while it is made.
PAIR_BYTES, COPIES = 100, 3


class HSICLasso(GreedyRanker):
    r"""Select features greedily by a lasso of the target's kernel matrix on those of the features.

    .. math::
        \min_{\alpha \ge 0}\ \tfrac12 \Big\lVert \bar L - \sum_j \alpha_j \bar K_j
        \Big\rVert_F^2 + \lambda \sum_j \alpha_j, \qquad
        \bar K = \frac{H K H}{\lVert H K H \rVert_F}, \quad H = I - \tfrac1T 1 1^\top

    where :math:`K_j(s, t) = e^{-(x_{sj} - x_{tj})^2 / 2}` for a feature of standard deviation 1,
    L is the same for a regression target, and for classes :math:`L(s, t) = 1/T_c` within a class of
    :math:`T_c` samples and 0 otherwise. The product :math:`\langle \bar K_j, \bar L \rangle`
    is the normalised Hilbert-Schmidt independence criterion HSIC, which sees relations of any
    form; those among features keep redundant ones out.

    As λ falls, features enter one after the other, and rank in that order; the others follow
    by HSIC alone. The path is followed exactly. The solution is sparse: where no further feature
    enters, fewer than ``n_features_to_select`` are chosen. A copy of a feature never enters, nor
    does a constant, whose HSIC is 0.

    A matrix of likenesses by one feature has a low rank up to rounding: it is held as a factor of
    some twenty columns, so that time and memory grow with T, not with T². With ``block_size`` B
    the samples are cut into random blocks of about B, ``n_permutations`` times, and matrices are
    made and normalised within blocks only [2]_: another estimate of the same HSIC.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all that enter. The others
        rank after them by HSIC.
    task : {"classification", "regression"}, default="classification"
        Whether y holds class labels or numbers.
    block_size : int or None, default=None
        Samples of a block; None is one block of all. The published value is 20.
    n_permutations : int, default=3
        How often blocks are drawn.
    random_state : int, RandomState instance or None, default=0
        Which blocks are drawn. Without ``block_size`` it changes nothing.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_features,)
        HSIC of each feature and the target, in [0, 1].
    criterion_ : ndarray of shape (n_chosen,)
        λ at which each chosen feature entered.
    coef_ : ndarray of shape (n_features,)
        α where the path ended.

    References
    ----------
    .. [1] M. Yamada, W. Jitkrittum, L. Sigal, E. P. Xing and M. Sugiyama, "High-dimensional
       feature selection by feature-wise kernelized lasso", Neural Computation 26 (2014).
    .. [2] H. Climente-González, C.-A. Azencott, S. Kaski and M. Yamada, "Block HSIC Lasso:
       model-free biomarker detection for ultra-high dimensional data", Bioinformatics 35 (2019).

    Examples
    --------
    A target that depends on two features, on neither of them linearly:

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

    _advice = "Ask for fewer features (n_features_to_select), or rank fewer samples or features."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "block_size": [None, Interval(Integral, 2, None, closed="left")]
    }

    task: str = "classification"
    block_size: int | None = None
    n_permutations: int = 3
    random_state: Any = 0
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        sizes = n_samples, n_features, self._count_to_select(n_features)
        (rows, columns, count), ratio = smaller(self._work, sizes, PROBED_WORK)
        like = clone(self)
        return Probe(lambda X, y: like._choose(X, y, count), (rows, columns), ratio)

    def _work(self, n_samples: int, n_features: int, count: int) -> float:
        """Return about how many multiplications a path takes."""
        return float(self._numbers(n_samples)) * n_features * count

    def _memory(self, n_samples: int, n_features: int) -> int:
        numbers = self._numbers(n_samples)
        width = max(FEWEST, AT_ONCE // numbers)
        made = numbers * (PAIR_BYTES + 8 * width * COPIES * threads.workers(self.n_jobs))
        kept = min(8 * numbers * n_features, self._most_kept())
        # Some products of entering features. There are rarely more of them than samples.
        entering = min(self._count_to_select(n_features), n_samples)
        return made + kept + 8 * n_features * (n_samples + 2 * entering)

    def _most_kept(self) -> int:
        return min(MOST_KEPT, free_memory() // 2)

    def _n_blocks(self, n_samples: int) -> int:
        return 1 if self.block_size is None else max(1, n_samples // self.block_size)

    def _numbers(self, n_samples: int) -> int:
        """Return about how many numbers a feature's matrix is made of."""
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
    """Return columns of mean 0 and standard deviation 1; constants become 0."""
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
    """The path of features in the order of their relevance, of the first ones as far as it goes.

    Matrices have no negative products and α is not negative, so that a feature's product with
    the residual never exceeds its relevance: while λ is larger than that, it is of no concern.
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
