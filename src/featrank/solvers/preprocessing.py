"""Preprocessing of rows for ranking and evaluation, fitted to the training rows only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.exceptions import DataError
from featrank.values.transforms import NONE, CountTransform

Rows = NDArray[Any]

#: What replaces missing values.
IMPUTE = ("mean", "median", "knn")
# Number of columns imputed at a time.
COLUMNS = 1024


@dataclass(frozen=True)
class Treatment:
    """Preprocessing: features dropped, missing values imputed, values transformed and scaled.

    Parameters
    ----------
    impute : {"mean", "median", "knn"}
        What replaces missing values: the feature's mean or median, or the mean of the five nearest
        training rows that have the value.
    transform : str
        Steps of :class:`featrank.CountTransform`.
    max_missing : float
        Features with a larger fraction of missing values become zeros.
    scale : {"standard", "minmax", None}
        How features are scaled for a classifier.
    """

    impute: str = "mean"
    transform: str = NONE
    max_missing: float = 1.0
    scale: str | None = "standard"

    def of(self, train: Rows, *others: Rows) -> list[Rows]:
        """Return all rows, preprocessed but not scaled. The training rows determine how.

        If there is nothing to do, the rows are returned unchanged.
        """
        kept = self.kept(train)
        sides = [train, *others]
        if not kept.all():
            sides = [np.compress(kept, side, axis=1) for side in sides]
        sides = self._transformed(self._filled(sides))
        return sides if kept.all() else [_widened(side, kept) for side in sides]

    def kept(self, train: Rows) -> NDArray[np.bool_]:
        """Return a mask of features with enough values in the training rows, at least one."""
        if self.max_missing >= 1:
            return np.ones(train.shape[1], dtype=bool)
        kept: NDArray[np.bool_] = np.isnan(train).mean(axis=0) <= self.max_missing
        if not kept.any():
            raise DataError(
                f"Every feature lacks more than {100 * self.max_missing:g} % of its values in the "
                "training rows, so none is left. Use `max_missing=0.9`."
            )
        return kept

    def transformed(self, X: Rows) -> Rows:
        """Return transformed rows. Missing values stay missing."""
        return self._transformed([X])[0]

    def _filled(self, sides: list[Rows]) -> list[Rows]:
        blocks = threads.blocks(sides[0].shape[1], COLUMNS)
        incomplete = [
            block for block in blocks if any(np.isnan(side[:, block]).any() for side in sides)
        ]
        if not incomplete:
            return sides
        return _by_neighbours(sides) if self.impute == "knn" else self._by_middle(sides, incomplete)

    def _by_middle(self, sides: list[Rows], incomplete: list[slice]) -> list[Rows]:
        from sklearn.impute import SimpleImputer

        whole = [side.copy() for side in sides]
        for block in incomplete:
            imputer = SimpleImputer(strategy=self.impute, keep_empty_features=True)
            imputer.fit(sides[0][:, block])
            for side in whole:
                side[:, block] = imputer.transform(side[:, block])
        return whole

    def _transformed(self, sides: list[Rows]) -> list[Rows]:
        if self.transform == NONE:
            return sides
        transform = CountTransform(self.transform)
        first = transform.fit_transform(sides[0])
        return [first, *(transform.transform(side) for side in sides[1:])]


def _by_neighbours(sides: list[Rows]) -> list[Rows]:
    from sklearn.impute import KNNImputer

    imputer = KNNImputer(keep_empty_features=True).fit(sides[0])
    return [imputer.transform(side) for side in sides]


def _widened(X: Rows, kept: NDArray[np.bool_]) -> Rows:
    """Return X with zeros for the dropped features."""
    whole = np.zeros((len(X), len(kept)), dtype=X.dtype)
    whole[:, kept] = X
    return whole
