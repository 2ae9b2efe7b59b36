"""Standardised features and their correlations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import Floats
from featrank.kernels import contingency as kernels
from featrank.kernels.contingency import Gathered, Indices
from featrank.kernels.dense import dense_block, float_type
from featrank.pairwise.argmax_ties import best_of_blocks

# Values multiplied per kernel call: a few milliseconds of work.
CALL_VALUES = 2**22


@dataclass(frozen=True)
class Correlation:
    """Every feature centred and scaled to unit norm. A constant is zero.

    Attributes
    ----------
    values : ndarray of shape (n_features, n_samples)
        The standardised features in the precision of X.
    """

    values: NDArray[np.floating]
    n_jobs: int | None = None

    @classmethod
    def of(cls, X: Any, mean: Floats, scale: Floats, n_jobs: int | None) -> Correlation:
        """Standardise a copy of X, by the mean of each feature and 1 over its centred norm."""
        values = np.empty(X.shape[::-1], float_type(X.dtype))

        def work(columns: slice) -> None:
            block, own = dense_block(X, columns), values[columns]
            kernels.standardise(block, mean[columns], scale[columns], own)

        n_samples, n_features = X.shape
        width = max(64, CALL_VALUES // n_samples)
        width = threads.shared_width(n_features, width, n_samples, n_jobs)
        threads.map_blocks(work, n_features, width, n_jobs)
        return cls(values, n_jobs)

    def best_quotient(
        self,
        statistic: Floats,
        least: float,
        chosen: Indices,
        candidates: Indices,
        gathered: Gathered,
    ) -> tuple[int, float]:
        """Return index and value of the largest statistic over the mean |ρ| with chosen features.

        A correlation counts as at least ``least``. Only correlations that can change the choice are
        computed.
        """

        def best_of(part: Indices) -> tuple[int, float]:
            return kernels.best_quotient(self.values, least, statistic, chosen, part, *gathered)

        return best_of_blocks(best_of, statistic, candidates, self.values.shape[1], self.n_jobs)
