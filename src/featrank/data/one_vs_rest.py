"""One class against the rest; all classes share the passes over the matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from featrank.data.folds import N_FOLDS, class_folds
from featrank.data.matrix import Matrix
from featrank.data.protocol import Fold, Vectors, View
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

    def vectors(self, method: Any, view: View | None) -> list[Vectors]:
        """Return the vectors of each class against the rest."""
        key = None if view is None else id(view)
        if key not in self._vectors:
            self._vectors[key] = self.whole.split_vectors(method, view, one_against_rest)
        return self._vectors[key]


class OneVsRest(Matrix):
    """Samples of one class (1) against all others (0)."""

    def __init__(self, shared: SharedPasses, code: int):
        super().__init__(shared.whole.X, (shared.whole.y == code).astype(np.intp), 2)
        self.shared, self.code = shared, code

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes."""
        if view is None or self.shared.has_folds:
            return self.shared.vectors(method, view)[self.code]
        return super().vectors(method, view)

    def folds(self, random_state: Any) -> list[Fold]:
        """Return the folds of all classes, or only of this class if one is small."""
        if self.shared.has_folds:
            return self.shared.folds(random_state)
        return super().folds(random_state)

    @property
    def _by_columns(self) -> Any:
        return self.shared.whole._by_columns
