"""Boruta: features that a random forest finds more important than their own shuffled copies."""

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
from featrank.solvers.forest import (
    Codes,
    class_target,
    forest_importances,
    ordered_codes,
    regression_leaf_target,
)

REJECTED, TENTATIVE, CONFIRMED = range(3)
DECISIONS = np.array(["rejected", "tentative", "confirmed"])

# Shadows that there are at least.
SHADOWS = 5
# "auto" grows so many trees that each feature is considered about 100 times at this depth.
LOOKS, DEPTH = 100, 10


class Boruta(Ranker):
    r"""Rank features by whether a random forest prefers them to shuffled copies of features.

    In each round the features are joined by their *shadows*, copies whose values are shuffled
    among the samples, and a forest is grown on both. A feature whose importance, the mean decrease
    of impurity, exceeds that of the best shadow has a *hit*. A feature that is no better than a
    shadow would have a hit in half of the rounds at most, so after r rounds with h hits

    .. math::
        P(H \ge h) \le \alpha / n \Rightarrow \text{confirmed}, \qquad
        P(H \le h) \le \alpha / n \Rightarrow \text{rejected}, \qquad
        H \sim \mathrm{Binomial}(r, \tfrac12)

    where division by the number n of features is Bonferroni's correction. Rejected features leave
    the forest, with their shadows. Rounds go on until every feature is decided on or ``max_iter``
    is reached; what is then undecided is *tentative*.

    Confirmed features rank before tentative ones, and these before rejected ones. Among confirmed
    and among tentative features the share :math:`importance / (importance + importance\ of\ the\
    best\ shadow)` decides, averaged over the rounds. Rejected features are ordered by when they
    were rejected, the last one first, and then by that share. ``scores_`` are 2, 1 or 0, plus a
    number from 0 to 1.

    Trees see the order of a feature's values alone, so no increasing map changes anything, and
    features with the same order are one feature to them: they enter the forest once and share the
    result. A constant feature never enters it, is rejected and scores 0.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features to select: a number, a fraction, "auto" for those that are
        confirmed, or None for all.
    task : {"classification", "regression"}, default="classification"
        Whether y holds class labels (trees reduce the Gini index) or numbers (trees reduce the
        variance).
    n_estimators : int or "auto", default="auto"
        Trees of each forest. "auto" grows them with the features that are left, m:
        :math:`100 \sqrt{2 m} / depth`, for trees without a limit of depth by a depth of 10.
    max_depth : int or None, default=None
        Levels of splits of each tree; None is until all leaves are pure.
    max_iter : int, default=100
        Most rounds.
    alpha : float, default=0.05
        Level of the tests, before the correction for their number.
    two_step : bool, default=False
        Whether to correct as the Python package boruta does: for the number of features by
        Benjamini and Hochberg's false discovery rate, and for the number of rounds by Bonferroni.
        It decides on more features.
    percentile : float, default=100
        Percentile of the shadows' importances that is to be exceeded, in place of the best. A lower
        one confirms more.
    random_state : int, RandomState instance or None, default=0
        How shadows are shuffled and trees are grown.
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
        The mean share; above one half is more than the best shadow has.
    n_iter_ : int
        Number of rounds.

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
        """Return how often features were better than the best shadow, and by how much."""
        return {"hits": self.hits_ / np.maximum(self.rounds_, 1), "importance": self.importance_}

    def notes(self) -> list[str]:
        """Return how many features were decided on."""
        tentative, rejected = (int(np.sum(self.decision_ == name)) for name in DECISIONS[1::-1])
        others = f"{tentative:,} tentative and {rejected:,} rejected in {self.n_iter_} rounds"
        return [*super().notes(), f"The others: {others}."]

    def _own_count(self) -> int:
        return int(np.sum(self.decision_ == "confirmed"))

    def _memory(self, n_samples: int, n_features: int) -> int:
        return 3 * 4 * n_samples * n_features  # the places of the values, and theirs with shadows

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
        """Which features have more hits than chance gives, and which have fewer."""
        better = bdtrc(hits - 1.0, rounds, 0.5)
        worse = bdtr(hits.astype(np.float64), rounds, 0.5)
        return self._significant(better, rounds, tests), self._significant(worse, rounds, tests)

    def _significant(self, chances: Floats, rounds: int, tests: int) -> NDArray[np.bool_]:
        if not self.two_step:
            return chances <= self.alpha / tests
        found: NDArray[np.bool_] = false_discovery_control(chances) <= self.alpha
        return found & (chances <= self.alpha / rounds)


class _Trial:
    """What is known of each feature."""

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

        Rejected features are ordered by the round in which they were rejected.
        """
        left = (self.rounds + self.share) / (most + 2)
        within = np.where(self.decision == REJECTED, left, self.share)
        return self.decision + within


def _distinct(codes: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the features that are the first of their order, and whose place each feature has.

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
    """Return the features and their shuffled copies, several copies each if there are few."""
    copies = 1
    while copies * len(kept) < SHADOWS:
        copies *= 2
    table = np.empty((1 + copies, len(kept), codes.shape[1]), np.int32)
    np.take(codes, kept, axis=0, out=table[0], mode="clip")  # any other would take a copy
    table[1:] = table[0]
    joined = table.reshape(-1, codes.shape[1])
    for row in joined[len(kept) :]:
        random.shuffle(row)
    return joined
