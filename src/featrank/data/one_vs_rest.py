"""One class against the rest; all classes share the passes over the matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.folds import N_FOLDS, class_folds
from featrank.data.matrix import Matrix
from featrank.data.protocol import Fold, Rectangle, Vectors
from featrank.summaries.one_vs_rest import one_against_rest


class SharedPasses:
    """The vectors of every class, computed together when the first class asks for them."""

    def __init__(self, whole: Matrix):
        self.whole = whole
        self._folds: list[Fold] | None = None
        self._vectors: dict[int | None, list[Vectors]] = {}
        # Folds of all classes are few if a class is small; then each class has its own.
        self.has_folds = np.bincount(whole.y).min() >= N_FOLDS

    def folds(self, random_state: Any) -> list[Fold]:
        """Return the folds by all classes."""
        if self._folds is None:
            self._folds = class_folds(self.whole.y, None, None, random_state)
        return self._folds

    def vectors(self, method: Any, fold: Fold | None) -> list[Vectors]:
        """Return the vectors of each class against the rest."""
        key = None if fold is None else id(fold)
        if key not in self._vectors:
            self._vectors[key] = self.whole.split_vectors(method, fold, one_against_rest)
        return self._vectors[key]


@dataclass(eq=False)
class OneVsRest:
    """Samples of one class against all others."""

    shared: SharedPasses
    code: int
    once: str | None = field(default=None, init=False)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.shared.whole.n_features

    @cached_property
    def y(self) -> NDArray[np.intp]:
        """1 for the class, 0 for the rest."""
        return (self.shared.whole.y == self.code).astype(np.intp)

    @property
    def strata(self) -> NDArray[np.intp]:
        """The two classes."""
        return self.y

    @cached_property
    def _alone(self) -> Matrix:
        return Matrix(self.shared.whole.X, self.y, 2)

    def matrix(self) -> Any:
        """Return all values."""
        return self.shared.whole.X

    def prefetch(self, method: Any, folds: Sequence[Fold]) -> None:
        """Do nothing: every read is cheap."""

    def vectors(self, method: Any, fold: Fold | None = None) -> Vectors:
        """Return what a single-pass method describes."""
        if fold is None or self.shared.has_folds:
            return self.shared.vectors(method, fold)[self.code]
        return self._alone.vectors(method, fold)

    def pair_tables(self, method: Any) -> Any:
        """Return contingency tables for the two classes."""
        return self._alone.pair_tables(method)

    def folds(self, random_state: Any) -> list[Fold]:
        """Return the folds of all classes, or of this one if a class is small."""
        if self.shared.has_folds:
            return self.shared.folds(random_state)
        return self._alone.folds(random_state)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values that ``columns`` returns."""
        return self.shared.whole.dtype

    def columns(self, features: NDArray[np.integer]) -> NDArray[Any]:
        """Return all values of some features."""
        return self.shared.whole.columns(features)

    def cells(self, rectangles: Sequence[Rectangle]) -> list[NDArray[Any]]:
        """Return the values of some rows and columns."""
        return self.shared.whole.cells(rectangles)
