"""Lasso: features in the order in which they enter as the l1 penalty falls."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from featrank._utils import threads
from featrank._utils.blas import one_thread
from featrank._utils.probe import Probe, smaller
from featrank._utils.progress import report, within
from featrank._utils.sklearn import StrOptions
from featrank.base.parameters import AT_LEAST_1
from featrank.base.ranker import TASKS, Floats, Ranker, best_first
from featrank.base.shown_values import ShownValues
from featrank.solvers.lasso_path import lasso_path
from featrank.solvers.standardise import centred, of_length_one

# Number of multiplications of the fit that is timed.
PROBED_WORK = 6e8


class LassoPath(Ranker):
    r"""Rank features by the penalty at which they enter the lasso.

    .. math::
        \min_\beta\ \tfrac12 \lVert y - X \beta \rVert^2 + \lambda \sum_j |\beta_j|, \qquad
        s_j = \max\,\{\lambda : \beta_j(\lambda) \ne 0\}

    With a large λ, all weights are 0. As λ falls, features enter one at a time. A feature that
    leaves and enters again keeps the rank of its first entry. The path is followed exactly, not on
    a grid of λ. Features and y are centred and scaled to length 1, so λ is the correlation of a
    feature with the residual when it enters. The first λ is the largest correlation with y.

    For classification, y is coded as numbers. With several classes, there is one path for each
    class against all others, and a feature gets the largest of its λ.

    If there are more features than samples, many features never enter. They follow by their
    absolute correlation with y, with scores in [-1, 0]: the correlation minus 1. A constant scores
    -1. Of duplicates, and of features that differ in sign or scale only, only the first enters.

    With ``n_subsamples``, features rank by stability selection [2]_: the fraction of random halves
    of the samples in which the feature is among the first q to enter (``frequencies_``). To break
    ties, the mean λ divided by 2 ``n_subsamples`` is added to the score. A feature that is among
    the first in every half therefore scores slightly above 1.

    Results show λ at entry, or the selection frequency, and no value for features that never enter.

    Read more in docs/methods/lasso.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. The path ends when this
        number has entered.
    task : {"classification", "regression"}, default="classification"
        Whether y holds class labels or numbers.
    standardize : bool, default=True
        Whether to scale features to length 1. If not, features on a larger scale enter earlier, and
        λ is in units of the longest feature.
    n_subsamples : int or None, default=None
        Number of random halves for stability selection. None ranks by one path of all samples.
    path_length : int or "auto", default="auto"
        Number q of features that may enter in a half. "auto" is √(0.8 n) for n features. At most
        one feature without effect is then expected to have a frequency above 0.9.
    random_state : int, RandomState instance or None, default=0
        Seed for drawing the halves. Without ``n_subsamples`` it changes nothing.
    n_jobs : int or None, default=None
        Threads, for classes or halves, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    entry_ : ndarray of shape (n_features,)
        λ at the first entry, 0 for a feature that did not enter. With ``n_subsamples``, the mean
        over the halves.
    relevance_ : ndarray of shape (n_features,)
        Absolute correlation with y, the largest one for several classes.
    frequencies_ : ndarray of shape (n_features,) or None
        Fraction of the halves in which the feature was among the first, None without halves.

    See Also
    --------
    HSICLasso : Finds nonlinear relations.
    FisherScore : Finds all related features, including redundant ones.

    References
    ----------
    .. [1] R. Tibshirani, "Regression shrinkage and selection via the lasso", Journal of the Royal
       Statistical Society B 58 (1996).
    .. [2] N. Meinshausen and P. Bühlmann, "Stability selection", Journal of the Royal Statistical
       Society B 72 (2010).

    Examples
    --------
    >>> from featrank import LassoPath
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> ranker = LassoPath(task="regression").fit(X, y)
    >>> X.columns[ranker.order_].tolist()
    ['bmi', 's5', 'bp', 's3', 'sex', 's6', 's1', 's4', 's2', 'age']
    """

    name = "lasso"
    purpose = "Order on the lasso path"
    kind = "embedded"
    family = "sparse"
    tasks = TASKS
    stochastic = True
    invariances = frozenset({"shift", "scale"})
    redundancy_aware = True
    complexity = "O(kTn), k features on the path"
    published_complexity = "N/A"
    reference = "Tibshirani 1996"
    default_top = 100

    _advice = "Select fewer features with `n_features_to_select=...`."

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "path_length": [StrOptions({"auto"}), AT_LEAST_1]
    }

    task: str = "classification"
    standardize: bool = True
    n_subsamples: int | None = None
    path_length: int | str = "auto"
    random_state: Any = 0
    n_jobs: int | None = None

    def score_components(self) -> dict[str, Floats]:
        """Return the penalty at entry, the correlation with y, and the selection frequency."""
        parts = {"entry": self.entry_, "relevance": self.relevance_}
        return parts if self.frequencies_ is None else parts | {"frequency": self.frequencies_}

    def shown_values(self) -> ShownValues:
        """Return the penalty at entry, or the selection frequency."""
        if self.frequencies_ is not None:
            return ShownValues(self.frequencies_, "selection frequency")
        return ShownValues(np.where(self.entry_ > 0, self.entry_, np.nan), "penalty at entry")

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        most, kept = self._lengths(n_samples, n_features)
        sizes = max(kept, 2), n_features, min(most, n_features)
        (rows, columns, count), ratio = smaller(_work, sizes, PROBED_WORK)
        like = clone(self).set_params(n_features_to_select=count, n_subsamples=None)
        return Probe(like._score, (rows, columns), ratio * (self.n_subsamples or 1))

    def _memory(self, n_samples: int, n_features: int) -> int:
        most, rows = self._lengths(n_samples, n_features)
        at_once = min(threads.workers(self.n_jobs), self.n_subsamples or 1)
        # The copy of all samples is freed before the halves are used.
        return 8 * n_features * max(n_samples, at_once * (rows + min(most, rows)))

    def _lengths(self, n_samples: int, n_features: int) -> tuple[int, int]:
        """Return the maximum number of features on a path, and its number of samples."""
        if self.n_subsamples is None:
            return self._count_to_select(n_features), n_samples
        if isinstance(self.path_length, str):
            return max(1, round((0.8 * n_features) ** 0.5)), n_samples // 2
        return int(self.path_length), n_samples // 2

    def _score(self, X: Any, y: Any) -> Floats:
        with one_thread():
            return self._scores(X, y)

    def _scores(self, X: Any, y: NDArray[Any]) -> Floats:
        targets = y[:, np.newaxis] if self._regresses else against_rest(y)
        everyone = _Problem.of(X, targets, np.arange(len(X)), self.standardize)
        self.relevance_ = np.abs(everyone.products).max(axis=0)
        if self.n_subsamples is None:
            self.frequencies_ = None
            self.entry_ = everyone.entries(self._lengths(*X.shape)[0])
            return np.where(self.entry_ > 0, self.entry_, self.relevance_ - 1)
        del everyone
        self.entry_, self.frequencies_ = self._of_halves(X, y, targets)
        without_ties = self.frequencies_ + self.entry_ / (2 * self.n_subsamples)
        return np.where(self.frequencies_ > 0, without_ties, self.relevance_ - 1)

    def _of_halves(self, X: Any, y: NDArray[Any], targets: Floats) -> tuple[Floats, Floats]:
        """Return the mean λ of each feature, and its selection frequency."""
        strata = np.zeros(len(y), dtype=np.intp) if self._regresses else y
        random = check_random_state(self.random_state)
        halves = [random_half(strata, random) for _ in range(self.n_subsamples or 0)]
        most = self._lengths(*X.shape)[0]
        steps = most * targets.shape[1]

        def work(span: slice) -> tuple[NDArray[np.intp], Floats, NDArray[np.intp]]:
            half = _Problem.of(X, targets, halves[span.start], self.standardize)
            with within(span.start * steps, len(halves) * steps):
                entry = half.entries(most)
            entered = np.flatnonzero(entry)  # only these, to save memory
            return entered, entry[entered], entered[best_first(entry[entered])[:most]]

        entry, first = np.zeros((2, X.shape[1]))
        for entered, penalties, leading in threads.map_blocks(work, len(halves), 1, self.n_jobs):
            entry[entered] += penalties
            first[leading] += 1
        report(len(halves) * steps, len(halves) * steps)
        return entry / len(halves), first / len(halves)


class _Problem(NamedTuple):
    """Scaled features of some samples, and their products with each target."""

    features: Floats
    products: Floats

    @classmethod
    def of(cls, X: Any, targets: Floats, rows: NDArray[np.integer], standardize: bool) -> _Problem:
        features = of_length_one(centred(X, rows), each=standardize)
        wanted = of_length_one(centred(targets / np.abs(targets).max(), rows))
        return cls(features, wanted.T @ features)

    def entries(self, most: int) -> Floats:
        """Return the largest λ at which each feature enters a path, 0 if it does not."""
        entry = np.zeros(self.features.shape[1])
        rank, total = len(self.features) - 1, len(self.products) * most
        for number, products in enumerate(self.products):
            with within(number * most, total):
                path = lasso_path(
                    products,
                    self._among,
                    most=most,
                    rank=rank,
                    on_entry=partial(report, total=most),
                )
            entry[path.order] = np.maximum(entry[path.order], path.penalties)
        report(total, total)
        return entry

    def _among(self, feature: int) -> Floats:
        return np.asarray(self.features[:, feature] @ self.features)


def _work(n_samples: int, n_features: int, most: int) -> float:
    """Return the approximate number of multiplications of a path."""
    used = min(most, n_samples, n_features)
    return float(used) * n_features * (n_samples + used)


def against_rest(y: NDArray[np.integer]) -> Floats:
    """Return a column per class, 1 for its samples and 0 for others; one column for two classes.

    Examples
    --------
    >>> against_rest(np.array([0, 1, 2]))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    n_classes = int(y.max()) + 1
    codes = np.arange(n_classes if n_classes > 2 else 1)
    return (y[:, np.newaxis] == codes).astype(np.float64)


def random_half(strata: NDArray[np.integer], random: np.random.RandomState) -> NDArray[np.intp]:
    """Return half of the rows of each stratum, in ascending order.

    Examples
    --------
    >>> half = random_half(np.array([0, 0, 1, 1, 1, 1]), np.random.RandomState(0))
    >>> np.bincount(half >= 2)
    array([1, 2])
    """
    order = random.permutation(len(strata))
    turn = random.permutation(strata.max() + 1)  # which strata of odd size get one more
    order = order[np.argsort(turn[strata[order]], kind="stable")]
    return np.sort(order[1::2])
