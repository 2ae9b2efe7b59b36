"""Correlations of the features of a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.kernels.contingency import Gathered, Indices
from featrank.kernels.sparse_pairs import SparseValues, sparse_best_quotient
from featrank.pairwise.argmax_ties import best_of_blocks
from featrank.pairwise.growing_array import ChosenRows
from featrank.pairwise.sparse_codes import OVERHEAD
from featrank.pairwise.sparse_columns import by_columns, entries_before, rows_of, values_of


class SparseCorrelation:
    r"""Correlations from stored entries, where only a chosen feature is made dense.

    With z for the chosen feature, centred and with unit norm,
    :math:`\rho = c_f \left( \sum_{\mathrm{stored}} (x - \mu_f) z - \mu_f \sum_{\mathrm{others}} z
    \right)`, where the last sum is what those over the stored entries leave of the sum of z.

    Parameters
    ----------
    X : sparse matrix of shape (n_samples, n_features)
        The samples.
    mean, scale : ndarray of shape (n_features,)
        Mean of each feature, and 1 over its centred norm.
    n_jobs : int or None
        Threads, as in scikit-learn. The result does not depend on it.
    """

    def __init__(self, X: Any, mean: Floats, scale: Floats, n_jobs: int | None):
        columns = by_columns(X)
        self.n_samples = columns.shape[0]
        self.values = SparseValues(
            entries_before(columns), rows_of(columns), values_of(columns), mean, scale
        )
        self.n_jobs = n_jobs
        self._kept = ChosenRows(self.n_samples, self.values.values.dtype)

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
        kept, further = self._kept.of(chosen, self._with_sum)
        sums = np.array(further).ravel()

        def best_of(part: Indices) -> tuple[int, float]:
            return sparse_best_quotient(*self.values, kept, sums, least, statistic, part, *gathered)

        cost = len(self.values.row) // len(statistic) + OVERHEAD
        return best_of_blocks(best_of, statistic, candidates, cost, self.n_jobs)

    def standardised(self, feature: int) -> NDArray[np.floating]:
        """Return one feature, centred and with about unit norm, in the precision of X."""
        entries = slice(*self.values.begin[feature : feature + 2])
        column = np.zeros(self.n_samples)
        column[self.values.row[entries]] = self.values.values[entries]
        column = (column - self.values.mean[feature]) * self.values.scale[feature]
        return column.astype(self.values.values.dtype, copy=False)

    def _with_sum(self, feature: int) -> tuple[NDArray[np.floating], np.float64]:
        column = self.standardised(feature)
        return column, column.sum(dtype=np.float64)
