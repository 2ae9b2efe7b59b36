"""What a ranker receives: values in memory, in chunks, one class of many, or a summary alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

#: Training rows and held-out rows.
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]
#: Rows and columns that are read together, both ascending.
Rectangle = tuple[NDArray[np.integer], NDArray[np.integer]]
Vectors = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Relabelled:
    """All rows, or a fold's training rows, with another target: ``rows[i]`` has that of row i."""

    rows: NDArray[np.intp]
    fold: Fold | None = None


#: Rows and targets for which a single-pass method describes the features.
View = Fold | Relabelled


class Data:
    """The data of one fit.

    Methods and tuning use these members only, so that neither knows where the values are. What
    some kind of data does not hold stays as it is here: an error, or nothing.

    Attributes
    ----------
    n_features : int
        Number of columns.
    y : ndarray of shape (n_samples,) or None
        Class codes 0, 1, …, or the values of a regression target.
    strata : ndarray of shape (n_samples,)
        What folds and subsets are stratified by: the class codes, or bins of a regression target.
    once : str or None
        Why no folds can be read ("data that is read once"); None if they can.
    """

    @property
    def n_features(self) -> int:
        """Number of columns."""
        raise NotImplementedError

    @property
    def once(self) -> str | None:
        """Why no folds can be read, or None."""
        return None

    y: Any
    strata: Any

    def matrix(self) -> Any:
        """Return all values, in memory."""
        raise NotImplementedError

    def prefetch(self, method: Any, views: Sequence[View]) -> None:
        """Prepare the vectors of all rows and of each view in one pass."""

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes, of all rows or of a fold's training rows."""
        raise NotImplementedError

    def pair_tables(self, method: Any) -> Any:
        """Return contingency tables of features, for greedy methods."""
        raise NotImplementedError

    def folds(self, random_state: Any) -> list[Fold]:
        """Return cross-validation folds, or an empty list if there are none."""
        return []

    def cells(self, rectangles: Sequence[Rectangle]) -> list[NDArray[Any]]:
        """Return the values of some rows and columns."""
        raise NotImplementedError

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values that ``columns`` returns: single or double precision."""
        return np.dtype(np.float64)

    def columns(self, features: NDArray[np.integer]) -> NDArray[Any]:
        """Return all values of some features, one per column."""
        raise NotImplementedError
