"""Boruta: features that a random forest finds more important than shuffled features."""

from __future__ import annotations

from hashlib import blake2b
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc
from scipy.stats import false_discovery_control
from sklearn.utils import check_random_state

from featrank._utils.progress import report
from featrank._utils.sklearn import Interval, StrOptions
from featrank.base.parameters import AT_LEAST_1, INSIDE_0_1
from featrank.base.ranker import TASKS, Floats, Ranker
from featrank.base.shown_values import ShownValues
from featrank.solvers.forest import (
    Codes,
    class_target,
    forest_importances,
    ordered_codes,
    regression_leaf_target,
)

REJECTED, TENTATIVE, CONFIRMED = range(3)
DECISIONS = np.array(["rejected", "tentative", "confirmed"])

# Minimum number of shadows.
SHADOWS = 5
# With "auto", each feature is considered about LOOKS times in trees of this depth.
LOOKS, DEPTH = 100, 10


class Boruta(Ranker):
    r"""Rank features by whether a random forest prefers them to shuffled features.

    Each round adds a *shadow* for every feature, which has its values in random order, and grows a
    forest on both. A feature has a *hit* if its importance, the mean decrease of impurity, exceeds
    that of the best shadow. A feature that is not better than a shadow has a hit in at most half of
    the rounds on average. So after r rounds with h hits

    .. math::
        P(H \ge h) \le \alpha / n \Rightarrow \mathrm{confirmed}, \qquad
        P(H \le h) \le \alpha / n \Rightarrow \mathrm{rejected}, \qquad
        H \sim \mathrm{Binomial}(r, \tfrac12)

    where division by the number n of features is Bonferroni's correction. Rejected features leave
    the forest with their shadows. The search ends when every feature is decided, or after
    ``max_iter`` rounds. Features that are then undecided are *tentative*.

    Confirmed features rank before tentative ones, and these before rejected ones. Confirmed and
    tentative features rank by their importance share, :math:`importance / (importance +
    importance\ of\ the\ best\ shadow)`, averaged over the rounds. Rejected features rank by the
    round in which they were rejected, the last one first, and then by that share.

    Trees only use the order of a feature's values, so no increasing transform changes the result.
    Features with the same order enter the forest once and share the result. A constant feature
    never enters it and is rejected.

    Results show the importance share and the decision. ``scores_`` only encode the order: 2, 1 or
    0 for the decision, plus a number from 0 to 1.

    Read more in docs/methods/boruta.md.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a fraction, "auto" for the confirmed ones, or None
        for all.
    task : {"classification", "regression"}, default="classification"
        Whether y holds class labels (trees reduce the Gini index) or numbers (trees reduce the
        variance).
    n_estimators : int or "auto", default="auto"
        Number of trees of each forest. "auto" is :math:`100 \sqrt{2 m} / depth` for the m features
        left, with a depth of 10 for trees without a limit.
    max_depth : int or None, default=None
        Maximum depth of each tree. None grows trees until all leaves are pure.
    max_iter : int, default=100
        Maximum number of rounds.
    alpha : float, default=0.05
        Level of the tests, before the correction for their number.
    two_step : bool, default=False
        Whether to correct as the Python package boruta does: for the number of features by
        Benjamini and Hochberg's false discovery rate, and for the number of rounds by Bonferroni.
        It decides on more features.
    percentile : float, default=100
        Percentile of the shadows' importances that a feature has to exceed, instead of the best. A
        lower one confirms more features.
    random_state : int, RandomState instance or None, default=0
        Seed for the shadows and the trees.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    decision_ : ndarray of shape (n_features,)
        "confirmed", "tentative" or "rejected".
    hits_ : ndarray of shape (n_features,)
        Rounds in which the feature was more important than the best shadow.
    rounds_ : ndarray of shape (n_features,)
        Rounds in which the feature took part.
    importance_ : ndarray of shape (n_features,)
        Mean importance share. Above one half, the feature is more important than the best shadow.
    n_iter_ : int
        Number of rounds.

    See Also
    --------
    MRMR : Selects a small set without redundant features.
    SVMRFE : A wrapper around a linear SVM.

    References
    ----------
    .. [1] M. B. Kursa and W. R. Rudnicki, "Feature selection with the Boruta package", Journal of
       Statistical Software 36 (2010).

    Examples
    --------
    >>> import numpy as np
    >>> from featrank import Boruta
    >>> X = np.random.default_rng(0).random((200, 8))
    >>> y = X[:, 1] + X[:, 4] > 1
    >>> np.flatnonzero(Boruta().fit(X, y).decision_ == "confirmed")
    array([1, 4])
    """

    name = "boruta"
    purpose = "Random forest importance"
    kind = "wrapper"
    family = "wrapper"
    tasks = TASKS
    stochastic = True
    selects = True
    invariances = frozenset({"shift", "scale", "monotone"})
    complexity = "O(r·B·√n·T log T), r rounds of B trees; B ∝ √n"
    published_complexity = "O(Tn)"
    reference = "Kursa and Rudnicki 2010"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [StrOptions({"auto"}), AT_LEAST_1],
        "alpha": [INSIDE_0_1],
        "percentile": [Interval(Real, 0, 100, closed="right")],
    }

    task: str = "classification"
    n_estimators: int | str = "auto"
    max_depth: int | None = None
    max_iter: int = 100
    alpha: float = 0.05
    two_step: bool = False
    percentile: float = 100
    random_state: Any = 0
    n_jobs: int | None = None

    def score_components(self) -> dict[str, Floats]:
        """Return the share of rounds with a hit, and the mean importance share."""
        return {"hits": self.hits_ / np.maximum(self.rounds_, 1), "importance": self.importance_}

    def shown_values(self) -> ShownValues:
        """Return the mean importance share of each feature, and the decision on it."""
        return ShownValues(self.importance_, "importance share", decision=self.decision_)

    def notes(self) -> list[str]:
        """Return the number of tentative and rejected features."""
        tentative, rejected = (int(np.sum(self.decision_ == name)) for name in DECISIONS[1::-1])
        note = f"In {self.n_iter_} rounds, {tentative:,} stayed tentative and {rejected:,} were"
        return [*super().notes(), f"{note} rejected."]

    def _own_count(self) -> int:
        return int(np.sum(self.decision_ == "confirmed"))

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 3 * 4 * n_samples * n_features  # ranks of the values, and those with shadows

    def _score(self, X: Any, y: Any) -> Floats:
        codes = ordered_codes(X)
        first, group = _distinct(codes)
        codes = codes[first]  # one per group of duplicates
        target = regression_leaf_target(y) if self._regresses else class_target(y)
        trial = _Trial(len(first))
        self._run(trial, codes, target)
        scores = trial.scores(self.max_iter)

        def spread(values: NDArray[Any]) -> NDArray[Any]:
            return np.append(values, values.dtype.type(0))[group]  # the last is for constants

        self.decision_ = DECISIONS[spread(trial.decision)]
        self.hits_, self.rounds_ = spread(trial.hits), spread(trial.rounds)
        self.importance_ = spread(trial.share)
        self.n_iter_ = int(trial.rounds.max(initial=0))
        return spread(scores)

    def _run(self, trial: _Trial, codes: Codes, target: Floats) -> None:
        random = check_random_state(self.random_state)
        for number in range(1, self.max_iter + 1):
            kept = np.flatnonzero(trial.decision >= TENTATIVE)
            if not np.any(trial.decision == TENTATIVE):
                break
            table = _with_shadows(codes, kept, random)
            importance = self._importances(table, target, self._trees(len(kept)), random)
            threshold = np.percentile(importance[len(kept) :], self.percentile)
            trial.add(kept, importance[: len(kept)], float(threshold))
            better, worse = self._decided(trial.hits[kept], number, len(trial.hits))
            trial.decide(kept, better, worse)
            report(number, self.max_iter)
        report(self.max_iter, self.max_iter)

    def _importances(self, codes: Codes, target: Floats, trees: int, random: Any) -> Floats:
        seeds = random.randint(2**31 - 1, size=trees).astype(np.uint64)
        return forest_importances(codes, target, seeds, depth=self.max_depth, n_jobs=self.n_jobs)

    def _trees(self, n_features: int) -> int:
        if self.n_estimators != "auto":
            return int(self.n_estimators)
        return int(LOOKS * np.sqrt(2 * n_features) / (self.max_depth or DEPTH))

    def _decided(
        self, hits: NDArray[np.int64], rounds: int, tests: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which features have significantly more hits than half, and which fewer."""
        better = bdtrc(hits - 1.0, rounds, 0.5)
        worse = bdtr(hits.astype(np.float64), rounds, 0.5)
        return self._significant(better, rounds, tests), self._significant(worse, rounds, tests)

    def _significant(self, chances: Floats, rounds: int, tests: int) -> NDArray[np.bool_]:
        if not self.two_step:
            return chances <= self.alpha / tests
        found: NDArray[np.bool_] = false_discovery_control(chances) <= self.alpha
        return found & (chances <= self.alpha / rounds)


class _Trial:
    """The decision, hits, rounds and importance of each feature."""

    def __init__(self, n_features: int):
        self.decision = np.full(n_features, TENTATIVE)
        self.hits, self.rounds = np.zeros((2, n_features), np.int64)
        self._total = np.zeros(n_features)

    @property
    def share(self) -> Floats:
        """Importance as a share of its sum with the threshold, on average over the rounds."""
        return self._total / np.maximum(self.rounds, 1)

    def add(self, kept: NDArray[np.intp], importance: Floats, threshold: float) -> None:
        """Add a round."""
        both = importance + threshold
        share = np.divide(importance, both, out=np.zeros_like(both), where=both > 0)
        self._total[kept] += share
        self.rounds[kept] += 1
        self.hits[kept] += importance > threshold

    def decide(
        self, kept: NDArray[np.intp], better: NDArray[np.bool_], worse: NDArray[np.bool_]
    ) -> None:
        """Decide on features that are tentative; confirmed features stay confirmed."""
        open_ = self.decision[kept] == TENTATIVE
        self.decision[kept[open_ & better]] = CONFIRMED
        self.decision[kept[open_ & worse]] = REJECTED

    def scores(self, most: int) -> Floats:
        """Return the decision plus a number from 0 to 1 that orders features of the same decision.

        Rejected features rank by the round in which they were rejected.
        """
        left = (self.rounds + self.share) / (most + 2)
        within = np.where(self.decision == REJECTED, left, self.share)
        return self.decision + within


def _distinct(codes: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first feature of each order of values, and the place of each feature among them.

    Constant features have the last place.
    """
    places: dict[bytes, int] = {}
    group = np.empty(len(codes), np.intp)
    first: list[int] = []
    varies = codes.max(axis=1) > 0
    for j, row in enumerate(codes):
        key = blake2b(row, digest_size=16).digest()
        group[j] = places.setdefault(key, len(places)) if varies[j] else -1
        if group[j] == len(first):
            first.append(j)
    return np.array(first, np.intp), group


def _with_shadows(codes: Codes, kept: NDArray[np.intp], random: Any) -> Codes:
    """Return the features and their shadows, several shadows each if there are few features."""
    n_copies = 1
    while n_copies * len(kept) < SHADOWS:
        n_copies *= 2
    table = np.empty((1 + n_copies, len(kept), codes.shape[1]), np.int32)
    np.take(codes, kept, axis=0, out=table[0], mode="clip")  # other modes buffer the output
    table[1:] = table[0]
    joined = table.reshape(-1, codes.shape[1])
    for row in joined[len(kept) :]:
        random.shuffle(row)
    return joined
