"""Recursive elimination by SVMs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import _featrank

Floats = NDArray[np.float64]

# Multiplications per call. They take some tenths of a second, so that Ctrl-C and progress work.
WORK = 2e8


class RegressionTarget(NamedTuple):
    """One float64 number per sample. Errors up to ``epsilon`` have no cost."""

    values: Floats
    epsilon: float


class Eliminator:
    """Eliminate features one after the other, starting with the smallest squared weight.

    ``X`` has centred float64 samples in rows. ``target`` is either the class offsets, where class
    c has the rows ``offsets[c]:offsets[c + 1]``, or a :class:`RegressionTarget`. With
    ``by_kernel``, the SVMs are solved on the matrix of products of the samples, otherwise on the
    samples. X is overwritten, unless a copy is needed to store it by features (``by_kernel``) or
    by samples.
    """

    def __init__(
        self,
        X: Floats,
        target: NDArray[np.int64] | RegressionTarget,
        *,
        C: float,
        tol: float,
        step: int,
        keep: int,
        by_kernel: bool,
    ):
        self.n_features = X.shape[1]
        self._data = np.ascontiguousarray(X.T if by_kernel else X)
        kernel = X @ X.T if by_kernel else np.empty((0, 0))
        given = target if isinstance(target, RegressionTarget) else (target,)
        self._eliminator = _featrank.Eliminator(
            self._data, kernel, *given, float(C), float(tol), step, keep
        )

    def run(self, work: float = WORK) -> bool:
        """Continue for a while. Return whether all features are eliminated."""
        self._eliminator.run(work)
        if self._eliminator.wants_fresh_kernel():
            # The kernel is recomputed, because repeated subtraction loses digits.
            places = np.empty(self.left, np.int64)
            self._eliminator.places(places)
            columns = self._data = self._data[places]
            self._eliminator.fresh_kernel(columns, columns.T @ columns)
        return self._eliminator.done()

    @property
    def left(self) -> int:
        """Number of remaining features."""
        return self._eliminator.remaining()

    @property
    def changes(self) -> int:
        """Number of changes of the sets of free support vectors so far."""
        return self._eliminator.changes()

    @property
    def converged(self) -> bool:
        """Whether every SVM has met its tolerance."""
        return self._eliminator.converged()

    def result(self) -> tuple[NDArray[np.int64], Floats]:
        """Return the features from worst to best, and the last criterion of each."""
        order, criterion = np.empty(self.n_features, np.int64), np.empty(self.n_features)
        self._eliminator.order(order)
        self._eliminator.criterion(criterion)
        return order, criterion
