"""Rank features next to decoys, several times, and estimate false discovery rates."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_consistent_length

from featrank._utils import progress
from featrank._utils.blas import one_thread
from featrank._utils.threads import blocks, map_blocks, workers
from featrank.base.ranker import Ranker, name_of
from featrank.base.selector_scores import name_of_selector
from featrank.base.suitability import measured, seconds_of
from featrank.base.summary import SummaryRanker
from featrank.data.chunks import Chunks
from featrank.data.matrix import Matrix
from featrank.data.protocol import Data
from featrank.data.with_decoys import (
    SharedMatrix,
    WithDecoys,
    copy_with_decoys,
    permuted_rows,
    prefetch_draws,
    take_rows,
)
from featrank.error_control.result import FDRControl
from featrank.exceptions import UsageError
from featrank.statistics.error_control import expected_false, log_ranks, q_values
from featrank.values.classes import group_codes

# Seconds of a quiet core by default.
TIME_BUDGET = 3.0
# Least cost of a fit, as a share of the measured one: some of it does not depend on the shape.
LEAST_COST = 0.25
# Draws of decoys, and subsets of the rows in each. A single-pass method ranks all rows, since its
# order is stable. The ranks of other methods are averaged over the subsets, which favours features
# that rank high steadily.
FEWEST, MOST, MOST_SUBSETS = 20, 50, 5
SUBSET_SHARE, SMALLEST_CLASS = 0.8, 5
# After each batch of draws, the run stops if no feature is in a list at this level.
BATCH, HOPELESS = 10, 0.5
# Values of all draws in memory, at most, and the largest X that subsets are copied from.
MOST_VALUES, MOST_COPIED = 10**8, 2 * 10**7


def control_fdr(
    ranker: Ranker,
    data: Data,
    fdr: float,
    *,
    n_draws: int | None = None,
    time_budget: float = TIME_BUDGET,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> FDRControl:
    """Estimate false discovery rates of a ranker on data that was opened for it.

    The parameters are those of :class:`FDRSelector`; ``n_draws=None`` is "auto". The groups are
    those of the data.
    """
    require_target(ranker)
    n_samples, n_features = len(data.y), data.n_features
    affordable, n_subsets = affordable_draws(ranker, n_samples, n_features, time_budget)
    total = n_draws or affordable
    seeds = np.random.SeedSequence(random_state).spawn(total + 1)
    draws = Draws(ranker, data, n_subsets, seeds.pop())
    values = np.empty((2, total, n_features), dtype=np.float32)
    done, expected, q = 0, np.empty(0), np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are about decoys
        for batch in blocks(total, BATCH):
            for few in blocks(batch.stop - batch.start, draws.at_once(n_jobs)):
                own = slice(batch.start + few.start, min(batch.start + few.stop, batch.stop))
                values[:, own] = np.stack(draws.ranked(seeds[own], n_jobs), axis=1)
                progress.report(own.stop, total)
            done = batch.stop
            expected = expected_false(*values[:, :done])
            q = q_values(expected)
            if q.min() > max(HOPELESS, fdr):
                break
    stopped = done < total
    return FDRControl(method_name(ranker), fdr, q, expected, done, stopped)


def require_target(ranker: Ranker) -> None:
    """Raise an error for a method that does not use the target."""
    if not ranker.supervised:
        raise UsageError(
            f"{type(ranker).__name__} does not use the target, so `fdr` has no meaning for it. Use "
            "a supervised method, such as ec-fs."
        )


def method_name(ranker: Ranker) -> str:
    """Return the name of a method, or of the selector or function that a ranker is made of."""
    selector = getattr(ranker, "selector", None)
    return name_of(ranker) if selector is None else name_of_selector(selector)


def affordable_draws(
    ranker: Ranker, n_samples: int, n_features: int, time_budget: float
) -> tuple[int, int]:
    """Return how many draws, and subsets in each, a method can make in a time.

    The cost of each method was measured once, so the numbers do not depend on how fast this
    computer is. Methods without a measured cost get the smallest numbers.
    """
    each = seconds_per_draw(ranker, n_samples, n_features)
    if each is None:
        return FEWEST, 1
    fits = time_budget / each
    n_subsets = int(np.clip(fits / FEWEST, 1, MOST_SUBSETS))
    if isinstance(ranker, SummaryRanker) or n_samples * n_features > MOST_COPIED:
        n_subsets = 1
    most = min(MOST, max(FEWEST, MOST_VALUES // (2 * n_features)))
    return int(np.clip(fits / n_subsets, FEWEST, most)), n_subsets


def seconds_per_draw(ranker: Ranker, n_samples: int, n_features: int) -> float | None:
    """Return the seconds of a fit to features and decoys by the method's measured cost."""
    shape = "wide" if 2 * n_features > n_samples else "tall"
    seconds = seconds_of(name_of(ranker))[shape]
    if seconds is None:
        return None
    rows, columns = measured()["shapes"][shape]
    size = n_samples * 2 * n_features / (rows * columns)
    return seconds * max(size, LEAST_COST)


@dataclass(eq=False)
class Draws:
    """Draws of decoys for one ranker and one data set."""

    ranker: Ranker
    data: Data
    n_subsets: int
    seed: np.random.SeedSequence

    def __post_init__(self) -> None:
        self._require_support()
        self.groups = checked_groups(self.data)
        self.subsets: list[NDArray[np.intp]] = []
        if isinstance(self.data, Matrix):
            rng = np.random.default_rng(self.seed)
            if self.n_subsets > 1:
                rows = (random_rows(rng, self.data, self.groups) for _ in range(self.n_subsets))
                self.subsets = [own for own in rows if own is not None]
            self.data = SharedMatrix(self.data)

    def _require_support(self) -> None:
        if isinstance(self.data, Chunks) and not isinstance(self.ranker, SummaryRanker):
            raise UsageError(
                "`fdr` reads data in chunks for single-pass methods only, such as ec-fs or fisher, "
                f"and {type(self.ranker).__name__} needs all values. Choose such a "
                "method, or load the data into memory."
            )

    def at_once(self, n_jobs: int | None) -> int:
        """Return how many draws to make together: chunks are read once for a batch."""
        return BATCH if isinstance(self.data, Chunks) else workers(n_jobs)

    def ranked(
        self, seeds: list[np.random.SeedSequence], n_jobs: int | None
    ) -> list[NDArray[np.float64]]:
        """Return the log ranks of features and decoys for each seed."""
        if isinstance(self.data, Chunks):
            return self._in_chunks(seeds)
        with one_thread():
            return map_blocks(lambda at: self._one(seeds[at.start]), len(seeds), 1, n_jobs)

    def _in_chunks(self, seeds: list[np.random.SeedSequence]) -> list[NDArray[np.float64]]:
        drawn = [WithDecoys(self.data, *self._draw(seed)) for seed in seeds]
        if not self.ranker._tunes_itself:
            prefetch_draws(drawn, self.ranker)
        return [
            self._ranks(draw, seed)[draw.columns_of].reshape(2, -1)
            for draw, seed in zip(drawn, seeds, strict=True)
        ]

    def _one(self, seed: np.random.SeedSequence) -> NDArray[np.float64]:
        rows, columns = self._draw(seed)
        if isinstance(self.ranker, SummaryRanker):
            parts: list[Data] = [WithDecoys(self.data, rows, columns)]
        else:
            assert isinstance(self.data, Matrix)
            both = copy_with_decoys(self.data, rows, columns)
            parts = [take_rows(both, own) for own in self.subsets] or [both]
        ranks = [self._ranks(part, seed) for part in parts]
        return np.mean(ranks, axis=0)[columns].reshape(2, -1)

    def _draw(self, seed: np.random.SeedSequence) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        rng = np.random.default_rng(seed)
        rows = permuted_rows(rng, len(self.data.y), self.groups)
        return rows, rng.permutation(2 * self.data.n_features)

    def _ranks(self, data: Data, seed: np.random.SeedSequence) -> NDArray[np.float64]:
        return log_ranks(self._unfitted(seed)._fit(data).order_)

    def _unfitted(self, seed: np.random.SeedSequence) -> Any:
        """Return a copy for features and decoys that ranks them all."""
        ranker: Any = clone(self.ranker)
        names = ranker.get_params(deep=False)
        fixed = {"n_features_to_select": self._count(), "n_jobs": 1}
        if names.get("random_state", 0) is None:
            fixed["random_state"] = int(seed.generate_state(1)[0])
        ranker.set_params(**{name: value for name, value in fixed.items() if name in names})
        ranker._set_fitted_shape(2 * self.data.n_features, None)
        if isinstance(self.data, Matrix) and not ranker._regresses:
            ranker.classes_ = self.ranker.classes_
        return ranker

    def _count(self) -> int | None:
        """Return how many features greedy methods select, before they order by relevance."""
        most = self.ranker.default_top
        return None if most is None else min(most, 2 * self.data.n_features)


def checked_groups(data: Any) -> NDArray[np.intp] | None:
    """Return the group of each row as a code, or None without groups."""
    if data.groups is None:
        return None
    check_consistent_length(data.y, data.groups)
    return group_codes(data.groups)


def random_rows(
    rng: np.random.Generator, data: Matrix, groups: NDArray[np.intp] | None = None
) -> NDArray[np.intp] | None:
    """Return four fifths of the rows, of each class, or of the groups; None if they are few."""
    if groups is not None:
        n_groups = int(groups.max()) + 1
        used = rng.permutation(n_groups)[: round(SUBSET_SHARE * n_groups)]
        rows = np.flatnonzero(np.isin(groups, used))
        return rows if _is_large(data, rows) else None
    strata = np.asarray(data.strata)
    members = (np.flatnonzero(strata == one) for one in np.unique(strata))
    some = [rng.permutation(own)[: int(np.ceil(SUBSET_SHARE * len(own)))] for own in members]
    rows = np.sort(np.concatenate(some))
    return rows if _is_large(data, rows) else None


def _is_large(data: Matrix, rows: NDArray[np.intp]) -> bool:
    if not data.n_classes:
        return len(rows) >= 2 * SMALLEST_CLASS
    return bool(np.bincount(data.y[rows], minlength=data.n_classes).min() >= SMALLEST_CLASS)
