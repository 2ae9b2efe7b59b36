"""Greedy choice of features that span the largest volume, without the full matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank import kernels
from featrank._utils import threads
from featrank._utils.progress import tracked
from featrank.kernels import Floats
from featrank.kernels.contingency import standardise
from featrank.kernels.volume import Batch, Chosen, best_gain

Indices = NDArray[np.int64]

# The unexplained part of a duplicate is a rounding error of at most 1e-13. Smaller values than this
# are noise. Features with a correlation of 1 - 2.5e-11 or more count as duplicates.
LEAST_REST = 1e-10

# Features are activated in batches, which double the number of active features up to a limit of
# values. So at most about twice as many as needed are activated.
LEAST_BATCH = 64
BATCH_VALUES = 2**18
# One in LAZINESS candidates gets a term in a step, which determines whether threads are worth it.
LAZINESS = 4
# Number of features per copy of a thread, and initial capacity in steps.
GATHERED = 16
FIRST_STEPS = 64


@dataclass
class Best:
    """The best candidate so far: its gain, and its rank by relevance."""

    gain: float
    place: int

    def precedes(self, other: Best) -> bool:
        """Return whether it is chosen before another. Places are ranks by relevance."""
        return (self.gain, -self.place) > (other.gain, -other.place)


class GreedyVolume:
    r"""Chooses features greedily, each with the largest gain in volume.

    The gain of a feature is :math:`c_i r_i^\delta`: its relevance and the fraction of it that the
    chosen features leave unexplained, :math:`r_i = 1 - k_i^T K_S^{-1} k_i` for
    :math:`K_{ij} = \rho_{ij}^2`. Gains never increase. So a feature stays inactive (not copied,
    nothing computed) while its relevance is below the best gain. An active feature gets the missing
    rows of its Cholesky factor only if its last gain is not below the best.

    Parameters
    ----------
    read : callable
        Returns the values of some features, one per column.
    n_samples : int
        Number of samples.
    dtype : dtype
        Type of the values: single or double precision.
    relevance : ndarray of shape (n_features,)
        Nonnegative relevance c. Features with relevance 0 are never chosen for a gain.
    mean, scale : ndarray of shape (n_features,)
        Mean of each feature, and 1 over its centred norm.
    diversity : float
        The positive exponent δ.
    n_jobs : int or None
        Threads, as in scikit-learn. The result does not depend on it.
    """

    def __init__(
        self,
        read: Callable[[Indices], NDArray[Any]],
        n_samples: int,
        dtype: np.dtype[Any],
        relevance: Floats,
        mean: Floats,
        scale: Floats,
        *,
        diversity: float,
        n_jobs: int | None,
    ):
        self.read, self.n_samples, self.dtype = read, n_samples, dtype
        self.mean, self.scale = mean, scale
        self.diversity = diversity
        self.n_jobs = n_jobs
        self.order = kernels.argsort(-relevance)
        self.relevance = relevance[self.order]  # by place
        self.n_useful = int(np.count_nonzero(relevance > 0))
        self.batches: list[Batch] = []
        self.starts: list[int] = [0]  # place of the first feature of each batch, and of the next
        self.candidates: list[Indices] = []

    def choose(self, count: int) -> tuple[Indices, Floats]:
        """Return ``count`` features in order of choice, and the gain of each.

        If no feature has a gain, the remaining ones follow by relevance, with a gain of 0.
        """
        self.count, self.n_steps = count, min(count, FIRST_STEPS)
        self.chosen = self._room(self.n_steps)
        places: list[int] = []
        gains = np.zeros(count)
        for step in tracked(range(count)):
            best = self._best(step) if step == len(places) < self.n_useful else None
            if best is not None and best.gain > 0:
                gains[step] = best.gain
                places.append(best.place)
                self._take(step, best.place)
        rest = np.delete(np.arange(len(self.order)), places)
        return self.order[np.concatenate([places, rest]).astype(np.int64)[:count]], gains

    def _best(self, step: int) -> Best:
        """Return the best active feature, after activating those that may be better."""
        bounds = np.array([batch.gain.max() for batch in self.batches])
        best = Best(-1.0, 0)
        if len(bounds):
            leading = int(np.argmax(bounds))
            best = self._best_of(leading, step)
            bounds[leading] = -1.0
            best = self._best_of_all(np.flatnonzero(bounds >= best.gain), step, best)
        while self.starts[-1] < self.n_useful and self.relevance[self.starts[-1]] >= best.gain:
            self._wake()
            best = self._best_of_all(np.array([len(self.batches) - 1]), step, best)
        return best

    def _best_of_all(self, numbers: Indices, step: int, best: Best) -> Best:
        def work(block: slice) -> list[Best]:
            return [self._best_of(number, step) for number in numbers[block]]

        values = sum(len(self.candidates[number]) for number in numbers) * self.n_samples
        width = 1 if values // LAZINESS >= 2 * threads.WORTH_A_THREAD else len(self.batches)
        for found in threads.map_blocks(work, len(numbers), width, self.n_jobs):
            for other in found:
                best = other if other.precedes(best) else best
        return best

    def _best_of(self, number: int, step: int) -> Best:
        batch, candidates = self.batches[number], self.candidates[number]
        if not len(candidates):
            return Best(-1.0, 0)
        chosen = self.chosen.first(step)
        place, gain = best_gain(*batch, *chosen, candidates, self.diversity, LEAST_REST)
        return Best(gain, self.starts[number] + int(candidates[place]))

    def _wake(self) -> None:
        """Activate a batch of the most relevant inactive features."""
        awake = self.starts[-1]
        most = max(LEAST_BATCH, BATCH_VALUES // self.n_samples)
        places = slice(awake, min(awake + int(np.clip(awake, LEAST_BATCH, most)), self.n_useful))
        values = self._standardised(self.order[places])
        self.batches.append(Batch.of(values, self.relevance[places].copy(), self.n_steps))
        self.candidates.append(np.arange(len(values)))
        self.starts.append(places.stop)

    def _standardised(self, features: Indices) -> NDArray[np.floating]:
        """Return some features, one per row, centred and with about unit norm."""
        block, size = self.read(features), len(features)
        values = np.empty((size, self.n_samples), self.dtype)

        def work(rows: slice) -> None:
            own = features[rows]
            standardise(block[:, rows], self.mean[own], self.scale[own], values[rows])

        worth = size * self.n_samples >= 2 * threads.WORTH_A_THREAD
        threads.map_blocks(work, size, GATHERED if worth else size, self.n_jobs)
        return values

    def _take(self, step: int, place: int) -> None:
        """Move an updated candidate to the chosen ones."""
        if step == self.n_steps:
            self._make_room()
        number = int(np.searchsorted(self.starts, place, side="right")) - 1
        batch, own = self.batches[number], place - self.starts[number]
        self.chosen.values[step] = batch.values[own]
        self.chosen.reciprocal[step] = batch.reciprocal[own]
        self.chosen.factor[step, :step] = batch.factor[own, :step]
        self.chosen.factor[step, step] = np.sqrt(batch.rest[own])
        batch.gain[own] = -1.0
        candidates = self.candidates[number]
        self.candidates[number] = candidates[candidates != own]

    def _room(self, n_steps: int) -> Chosen:
        values = np.empty((n_steps, self.n_samples), self.dtype)
        return Chosen(values, np.empty(n_steps), np.empty((n_steps, n_steps)))

    def _make_room(self) -> None:
        """Double the capacity of the factors."""
        done, self.n_steps = self.n_steps, min(2 * self.n_steps, self.count)
        old, self.chosen = self.chosen, self._room(self.n_steps)
        self.chosen.values[:done], self.chosen.reciprocal[:done] = old.values, old.reciprocal
        self.chosen.factor[:done, :done] = old.factor
        for number, batch in enumerate(self.batches):
            factor = np.empty((len(batch.values), self.n_steps))
            factor[:, :done] = batch.factor
            self.batches[number] = batch._replace(factor=factor)
