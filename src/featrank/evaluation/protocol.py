"""The protocol of a comparison: splits, tuning, evaluation model and score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from featrank.base.ranker import TASKS
from featrank.evaluation.checks import count_varying
from featrank.evaluation.data import Data, strata
from featrank.evaluation.defaults import default_n_features, default_n_repeats
from featrank.evaluation.group_split import group_split, n_parts
from featrank.evaluation.regression_metrics import scorer_of
from featrank.evaluation.task_checks import require_task
from featrank.exceptions import UsageError, unknown_name
from featrank.solvers.one_standard_error import stratified_folds
from featrank.solvers.preprocessing import IMPUTE, Treatment
from featrank.values.transforms import NONE, step_names

SCALE = ("standard", "minmax", None)

# The numbers of features and trials of the EC-FS paper.
PAPER_N_FEATURES, PAPER_N_REPEATS = (50, 100, 150, 200), 100
AUTO: Literal["auto"] = "auto"

# The warning next to all results of a leaky run.
LEAKY_MARK = "LEAKY: ranked on all rows"

RowNumbers = NDArray[np.intp]


@dataclass(frozen=True)
class Protocol:
    """How to compare methods. :meth:`paper` returns the protocol of the EC-FS paper.

    Parameters
    ----------
    n_repeats : int or "auto"
        Number of trials: random splits into training and test rows. "auto" is 50 for tables of
        up to 50,000 values, 20 for up to 2 million values, and 10 for larger tables. With
        ``cv``, it is the number of splits of the splitter.
    n_features : tuple of int or "auto"
        Numbers of top-ranked features to train the evaluation model on. "auto" uses up to five
        of 1, 2, 5, 10, 20, 50, 100 and 200: the largest below the number of features that vary.
    C : tuple of float
        Values to tune C of the linear SVM, or of any other estimator with a ``C``.
    test_size : float
        Share of test rows. Splits are stratified by class, or by fifths of a numeric target.
    inner_cv : int
        Folds of the cross-validation inside the training rows. If a class has fewer members,
        there are fewer folds, but at least two.
    imputer : {"mean", "median", "knn"}
        How to impute missing values from training rows: with the feature's mean or median, or
        with the mean of the five nearest training rows that have the value.
    transform : str
        Transformation before ranking, such as "cpm,log1p": steps of
        :class:`featrank.CountTransform`, which learn from training rows.
    max_missing : float
        Exclude features with a larger share of missing values in the training rows. They are set
        to zero in training and test rows before imputation.
    scale : {"standard", "minmax", None}
        How to scale features for the evaluation model, from training rows. Rankers get unscaled
        values, because some methods use the variance of a feature.
    estimator : scikit-learn classifier or regressor, or None
        The evaluation model. None is a linear SVM, or a ridge regression for regression.
    scoring : callable or str or None
        ``scorer(estimator, X, y)``, or the name of a scikit-learn scorer. None is ROC AUC, with
        several classes the mean of the one-vs-rest areas. For regression, None is "r2", and
        "spearman" is Spearman's ρ of prediction and target.
    cv : scikit-learn splitter or None
        Splitter of the trials. None uses stratified random splits that keep groups together.
    param_grids : mapping
        Name of a method → parameter → values to choose from, instead of the parameters that the
        method declares as ``tunable``. The last value within one standard error of the best (or
        within 0.01 AUC) is used, so list preferred values last.
    random_state : int
        Seed of all random numbers.
    leaky : bool
        A demonstration of the effect of leaks, not a way to compare methods. Features are ranked
        on all rows including the test rows. Tuning still uses the training rows only. All
        results are marked.
    task : {"classification", "regression"}
        Whether the target is a class or a number. Passed on to methods with a parameter ``task``.
    penalties : tuple of float
        Values to tune λ of the ridge regression, which minimises the mean squared error on
        standardised features plus λ times the sum of the squared weights.
    n_permutations : int or "auto"
        Number of permutations of the labels that test whether the features predict the target.
        "auto" is 200, or 0 if that would take too long. The test stops early if the labels
        clearly score no better than permuted ones. 0 turns it off.
    n_random : int
        Number of random rankings per trial. The baseline is their mean score.
    """

    n_repeats: int | Literal["auto"] = AUTO
    n_features: tuple[int, ...] | Literal["auto"] = AUTO
    C: tuple[float, ...] = tuple(10.0**power for power in range(-6, 4))
    test_size: float = 1 / 3
    inner_cv: int = 5
    imputer: str = "mean"
    transform: str = NONE
    max_missing: float = 1.0
    scale: str | None = "standard"
    estimator: Any = None
    scoring: Any = None
    cv: Any = None
    param_grids: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    random_state: int = 0
    leaky: bool = False
    task: str = TASKS[0]
    penalties: tuple[float, ...] = tuple(10.0**power for power in range(3, -5, -1))
    n_permutations: int | Literal["auto"] = AUTO
    n_random: int = 30

    def __post_init__(self) -> None:
        if self.n_features != AUTO:
            counts = tuple(sorted({int(k) for k in self.n_features}))
            object.__setattr__(self, "n_features", counts)
            _require(bool(counts) and counts[0] >= 1, "n_features must be numbers of 1 or more")
        object.__setattr__(self, "C", tuple(sorted(float(C) for C in self.C)))
        object.__setattr__(self, "penalties", tuple(sorted(map(float, self.penalties))[::-1]))
        object.__setattr__(self, "transform", ",".join(step_names(self.transform)) or NONE)
        for kind, value, known in (
            ("imputation", self.imputer, IMPUTE),
            ("scaling", self.scale, SCALE),
            ("task", self.task, TASKS),
        ):
            if value not in known:
                raise UsageError(unknown_name(kind, value, known))
        _require(bool(self.C) and self.C[0] > 0, "C must hold positive numbers")
        positive = bool(self.penalties) and self.penalties[-1] > 0
        _require(positive, "penalties must hold positive numbers")
        _require(self.n_repeats == AUTO or self.n_repeats >= 1, "n_repeats must be 1 or more")
        _require(self.inner_cv >= 2, "inner_cv must be 2 or more")
        permuted = self.n_permutations == AUTO or self.n_permutations >= 0
        _require(permuted, 'n_permutations must be "auto", or 0 or more')
        _require(self.n_random >= 1, "n_random must be 1 or more")
        _require(0 <= self.max_missing <= 1, "max_missing must lie between 0 and 1")
        _require(0 < self.test_size < 1, "test_size must lie between 0 and 1")
        if getattr(self.cv, "shuffle", True) and getattr(self.cv, "random_state", 0) is None:
            raise UsageError(
                "The splitter `cv` has no `random_state`. Set one, so that its splits can be "
                "repeated."
            )
        require_task(self.estimator, self.scoring, is_regression=self.is_regression)

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.task == "regression"

    @classmethod
    def paper(cls, **changes: Any) -> Protocol:
        """Return the protocol of the EC-FS paper, with changes if any.

        Examples
        --------
        >>> Protocol.paper(n_repeats=10).n_features
        (50, 100, 150, 200)
        """
        return cls(**{"n_repeats": PAPER_N_REPEATS, "n_features": PAPER_N_FEATURES, **changes})

    @property
    def feature_counts(self) -> tuple[int, ...]:
        """The numbers of features in ascending order, after :meth:`resolve`."""
        if isinstance(self.n_features, str):
            raise UsageError('n_features="auto" depends on the data. Call resolve() first.')
        return self.n_features

    @property
    def n_trials(self) -> int:
        """The number of trials, after :meth:`resolve`."""
        if isinstance(self.n_repeats, str):
            raise UsageError('n_repeats="auto" depends on the data. Call resolve() first.')
        return self.n_repeats

    def describe(self) -> dict[str, Any]:
        """Return everything that the results of a trial depend on, for JSON."""
        model, score, split = (
            ("ridge regression", "r2", "by quantiles")
            if self.is_regression
            else ("linear SVM", "ROC AUC", "stratified")
        )
        grid = "penalties" if self.is_regression and self.estimator is None else "C"
        return {
            **self._described_if_set("task"),
            "n_features": list(self.feature_counts),
            grid: list(getattr(self, grid)),
            "test_size": self.test_size,
            "inner_cv": self.inner_cv,
            "imputer": self.imputer,
            **self._described_if_set("transform", "max_missing"),
            "scale": self.scale,
            "estimator": model if self.estimator is None else repr(self.estimator),
            "scoring": _named(scorer_of(score if self.scoring is None else self.scoring)),
            "cv": split if self.cv is None else repr(self.cv),
            "random_state": self.random_state,
            "leaky": self.leaky,
            "n_random": self.n_random,
            **self._described_if_set("n_permutations"),
        }

    def _described_if_set(self, *names: str) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in names}
        return {name: value for name, value in own.items() if value != getattr(Protocol, name)}

    @property
    def treatment(self) -> Treatment:
        """The preprocessing of a split: transform, exclude, impute, scale."""
        return Treatment(self.imputer, self.transform, self.max_missing, self.scale)

    def resolve(self, X: Any, y: Any = None, groups: Any = None) -> Protocol:
        """Return the protocol for these data, with every "auto" replaced by a number.

        Examples
        --------
        >>> protocol = Protocol().resolve(np.random.default_rng(0).normal(size=(150, 30)))
        >>> protocol.n_repeats, protocol.n_features
        (50, (1, 2, 5, 10, 20))
        """
        n_samples, n_features = X.shape
        repeats: Any = self.n_repeats
        if repeats == AUTO and self.cv is not None:
            repeats = self.cv.get_n_splits(X, y, groups)
        elif repeats == AUTO:
            repeats = default_n_repeats(n_samples, n_features)
        counts: Any = self.n_features
        if counts == AUTO:
            counts = default_n_features(count_varying(X))
        elif counts[-1] > n_features:
            raise UsageError(
                f"`n_features={counts[-1]}` is more than the {n_features} features of the data. "
                f"Use `n_features={n_features}` or fewer."
            )
        return replace(self, n_repeats=repeats, n_features=counts)

    def labelled(self, dataset: str) -> str:
        """Return the name of a data set for results, marked if the run is leaky."""
        return f"{dataset} ({LEAKY_MARK})" if self.leaky else dataset

    def trial_seed(self, trial: int) -> int:
        """Return the seed of a trial, which depends only on ``random_state`` and ``trial``."""
        return int(np.random.SeedSequence([self.random_state, trial]).generate_state(1)[0])

    def split(self, data: Data, trial: int) -> tuple[RowNumbers, RowNumbers]:
        """Return the training and test rows of a trial."""
        if self.cv is not None:
            return _nth(self.cv.split(data.X, data.y, data.groups), trial)
        seed = self.trial_seed(trial)
        if data.groups is not None:
            parts = n_parts(data.groups, self.test_size)
            part = trial % parts
            dealt = self.trial_seed(trial - part)
            return group_split(strata(data.y, 2), data.groups, parts, part, dealt)
        # Each stratum needs two rows on both sides.
        codes = strata(data.y, math.ceil(2 / min(self.test_size, 1 - self.test_size)))
        cut = StratifiedShuffleSplit(1, test_size=self._n_test(codes), random_state=seed)
        return _nth(cut.split(codes[:, None], codes), 0)

    def _n_test(self, codes: NDArray[np.integer]) -> int:
        """Return the number of test rows: the share, and enough for a row of each stratum."""
        n_strata = len(np.unique(codes))
        share = math.ceil(self.test_size * len(codes))
        return max(n_strata, min(share, len(codes) - n_strata))

    def inner(
        self, data: Data, train: RowNumbers, trial: int
    ) -> list[tuple[RowNumbers, RowNumbers]]:
        """Return the folds inside the training rows, as row numbers of the whole data."""
        groups = None if data.groups is None else data.groups[train]
        codes = strata(data.y[train], self.inner_cv)
        cut = stratified_folds(codes, self.inner_cv, self.trial_seed(trial), groups)
        return [(train[fit], train[rest]) for fit, rest in cut]


def _nth(splits: Any, wanted: int) -> tuple[RowNumbers, RowNumbers]:
    for number, (train, test) in enumerate(splits):
        if number == wanted:
            return train, test
    raise UsageError(f"The splitter `cv` has only {wanted} splits. Use `n_repeats={wanted}`.")


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise UsageError(f"{sentence}.")


def _named(thing: Any) -> str:
    # The address in the repr of a function would differ between runs.
    return str(getattr(thing, "__qualname__", None) or thing)
