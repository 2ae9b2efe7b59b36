"""Check the guarantee of ``fdr`` on the user's own values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import progress
from featrank.base.selectors import as_ranker
from featrank.data.matrix import Matrix
from featrank.data.opening import open_data
from featrank.error_control.draws import checked_groups, method_name, require_target
from featrank.error_control.planting import permuted_target, planted, varying_features
from featrank.error_control.result import checked_level
from featrank.error_control.selector import FDRSelector
from featrank.exceptions import UsageError

# Planted features by default, and the largest share of all features.
N_PLANTED, MOST_SHARE = 50, 0.1
EFFECTS = (1.5, 1.0)
# Two-sided normal quantile of a 95 % interval.
QUANTILE = 1.96


@dataclass(frozen=True)
class Rate:
    """A mean over runs, with a 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Scenario:
    """What a method claimed in several runs in which the true features are known.

    Attributes
    ----------
    n_planted : int
        Number of true features. 0 if the labels are random.
    effect : float
        Size of their effect in standard deviations.
    n_runs : int
        Number of runs.
    any_claim : Rate
        Share of runs with at least one claim.
    fdr : Rate
        Mean share of false features among the claims, 0 without claims.
    power : Rate or None
        Mean share of the planted features that were claimed.
    mean_size : float
        Mean number of claims.
    """

    n_planted: int
    effect: float
    n_runs: int
    any_claim: Rate
    fdr: Rate
    power: Rate | None
    mean_size: float


@dataclass(frozen=True)
class Gauntlet:
    """Whether claims of a method keep their false discovery rate on a user's own values."""

    method: str
    fdr: float
    n_samples: int
    n_features: int
    scenarios: tuple[Scenario, ...]

    @property
    def holds(self) -> bool:
        """Whether no rate is significantly above the level."""
        return all(scenario.fdr.low <= self.fdr for scenario in self.scenarios)

    def sentence(self) -> str:
        """Return the conclusion."""
        worst = max((scenario.fdr for scenario in self.scenarios), key=lambda rate: rate.mean)
        rate = f"{worst.mean:.2f} (95 % interval {worst.low:.2f} to {worst.high:.2f})"
        if not self.holds:
            return (
                f"On these values, {self.method} does not keep the false discovery rate of "
                f"{self.fdr:g}: it reaches {rate}. Use another method or a lower level."
            )
        return (
            f"No false discovery rate is significantly above {self.fdr:g}. The largest is {rate}."
        )

    def notes(self) -> list[str]:
        """Return advice if the intervals are too wide for a conclusion."""
        n_runs = self.scenarios[0].n_runs
        if max(scenario.fdr.high for scenario in self.scenarios) <= 2 * self.fdr:
            return []
        return [
            f"{n_runs} runs leave room for more than twice the level. To narrow the intervals, use "
            f"`n_runs={5 * n_runs}`."
        ]


def run_gauntlet(
    X: Any,
    y: Any,
    method: Any = "ec-fs",
    *,
    fdr: float = 0.1,
    n_runs: int = 20,
    n_planted: int | None = None,
    effects: tuple[float, ...] = EFFECTS,
    groups: Any = None,
    n_draws: int | str = "auto",
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Gauntlet:
    """Measure the false discovery rate and the power of ``fdr`` on your own values.

    The target is permuted in every run, so no feature is true. In the other scenarios, some
    features are then made to depend on the permuted target.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The values.
    y : array-like of shape (n_samples,)
        The target. Only the sizes of its classes, or its values, matter.
    method : Ranker, str, estimator or callable, default="ec-fs"
        As for :class:`FDRSelector`.
    fdr : float, default=0.1
        The level to check.
    n_runs : int, default=20
        Number of runs of each scenario.
    n_planted : int or None, default=None
        Number of features to plant. None is 50, but at most a tenth of the features.
    effects : tuple of float, default=(1.5, 1.0)
        Sizes of the planted effects, in standard deviations of the features.
    groups : array-like of shape (n_samples,), optional
        Rows that belong together. They are permuted as a whole.
    n_draws, random_state, n_jobs
        As for :class:`FDRSelector`.

    Returns
    -------
    gauntlet : Gauntlet
        The rates of each scenario, with 95 % intervals.

    Examples
    --------
    >>> from featrank.error_control import run_gauntlet
    >>> X = np.random.default_rng(0).normal(size=(60, 200))
    >>> gauntlet = run_gauntlet(X, np.arange(60) % 2, "fisher", n_runs=5, effects=(2.0,))
    >>> gauntlet.holds, gauntlet.scenarios[1].power.mean > 0.9
    (True, True)
    """
    level, ranker = checked_level(fdr), as_ranker(method)
    if n_runs < 2:
        raise UsageError(f"`n_runs` must be 2 or more, got {n_runs}.")
    require_target(ranker)
    with open_data(ranker, X, y, {}, groups=groups) as data:
        if not isinstance(data, Matrix):
            raise UsageError("The gauntlet needs the values in memory. Pass a matrix.")
        X, y, n_classes, groups = data.X, data.y, data.n_classes, checked_groups(data)
    _require_varying(X)
    most = max(1, int(MOST_SHARE * X.shape[1]))
    count = min(N_PLANTED, most) if n_planted is None else n_planted
    if not 0 < count < X.shape[1]:
        raise UsageError(f"`n_planted={count}` must lie between 1 and {X.shape[1] - 1}.")
    selector = FDRSelector(ranker, level, n_draws=n_draws, n_jobs=n_jobs)
    run = _Runs(selector, X, y, n_classes, groups, n_runs, random_state)
    plan = [(0, 0.0), *((count, effect) for effect in effects)]
    scenarios = []
    for place, (planted_count, effect) in enumerate(plan):
        with progress.within(place * n_runs, len(plan) * n_runs):
            scenarios.append(run.scenario(planted_count, effect, place))
    return Gauntlet(method_name(ranker), level, X.shape[0], X.shape[1], tuple(scenarios))


@dataclass(frozen=True)
class _Runs:
    selector: FDRSelector
    X: Any
    y: NDArray[Any]
    n_classes: int
    groups: Any
    n_runs: int
    random_state: int

    def scenario(self, n_planted: int, effect: float, place: int) -> Scenario:
        found = np.array(
            [
                self._one(n_planted, effect, [self.random_state, place, number])
                for number in progress.tracked(range(self.n_runs))
            ]
        )
        sizes, false, true = found.T
        any_claim = share_of_runs(int((sizes > 0).sum()), self.n_runs)
        return Scenario(
            n_planted,
            effect,
            self.n_runs,
            any_claim,
            mean_rate(false / np.maximum(sizes, 1)) if n_planted else any_claim,
            mean_rate(true / n_planted) if n_planted else None,
            float(sizes.mean()),
        )

    def _one(self, n_planted: int, effect: float, seed: list[int]) -> tuple[int, int, int]:
        """Return how many features were claimed, how many falsely, and how many planted ones."""
        rng = np.random.default_rng(seed)
        y = permuted_target(rng, self.y, self.groups)
        X, features = planted(rng, self.X, y, n_planted, effect, self.n_classes)
        selector = self.selector.set_params(random_state=int(rng.integers(2**31)))
        claimed = selector.fit(X, y, groups=self.groups).get_support()
        n_true = int(claimed[features].sum())
        return int(claimed.sum()), int(claimed.sum()) - n_true, n_true


def share_of_runs(count: int, n_runs: int) -> Rate:
    """Return a share of runs with Wilson's interval.

    Examples
    --------
    >>> share_of_runs(1, 20)
    Rate(mean=0.05, low=0.0089, high=0.236)
    """
    z2 = QUANTILE**2
    share = count / n_runs
    centre = (share + z2 / (2 * n_runs)) / (1 + z2 / n_runs)
    spread = share * (1 - share) / n_runs + z2 / (4 * n_runs**2)
    half = float(QUANTILE * np.sqrt(spread)) / (1 + z2 / n_runs)
    return Rate(share, max(0.0, centre - half), min(1.0, centre + half))


def mean_rate(values: NDArray[np.float64]) -> Rate:
    """Return the mean of values between 0 and 1, with its interval by Student's t.

    Examples
    --------
    >>> mean_rate(np.array([0.0, 0.1, 0.2]))
    Rate(mean=0.1, low=0.0, high=0.348)
    """
    from scipy.stats import t

    mean = float(values.mean())
    error = float(values.std(ddof=1) / np.sqrt(len(values)))
    half = error * float(t.ppf(0.975, len(values) - 1))
    return Rate(mean, max(0.0, mean - half), min(1.0, mean + half))


def _require_varying(X: Any) -> None:
    if len(varying_features(X)) < 2:
        raise UsageError("The gauntlet needs at least two features that are not constant.")
