"""Arrays to which rows are added one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class GrowingRows:
    """An array to which rows are added, with its capacity doubled when it is full.

    Examples
    --------
    >>> rows = GrowingRows(2, np.float64)
    >>> rows.add(np.array([1.0, 2.0]))
    >>> rows.array
    array([[1., 2.]])
    """

    def __init__(self, width: int, dtype: Any):
        self.size = 0
        self._room = np.empty((1, width), dtype)

    @property
    def array(self) -> NDArray[Any]:
        """The rows added so far."""
        return self._room[: self.size]

    def add(self, row: NDArray[Any]) -> None:
        """Add a row."""
        if self.size == len(self._room):
            room = np.empty((2 * self.size, self._room.shape[1]), self._room.dtype)
            room[: self.size] = self._room
            self._room = room
        self._room[self.size] = row
        self.size += 1


class ChosenRows:
    """Rows of the chosen features of a search, each with additional values.

    Examples
    --------
    >>> rows = ChosenRows(2, np.float64)
    >>> rows.of(np.array([7, 5]), lambda feature: (np.full(2, feature), -feature))
    (array([[7., 7.],
           [5., 5.]]), [[-7], [-5]])
    """

    def __init__(self, width: int, dtype: Any):
        self._shape = width, dtype
        self._clear()

    def of(
        self, chosen: NDArray[np.int64], make: Callable[[int], tuple[Any, ...]]
    ) -> tuple[NDArray[Any], list[list[Any]]]:
        """Return rows and additional values of the features, reusing those of the last call."""
        known = len(self._features)
        if self._features != chosen[:known].tolist():
            self._clear()
            known = 0
        for feature in chosen[known:].tolist():
            row, *further = make(feature)
            self._features.append(feature)
            self._rows.add(row)
            self._further.append(further)
        return self._rows.array, self._further

    def _clear(self) -> None:
        self._features: list[int] = []
        self._rows = GrowingRows(*self._shape)
        self._further: list[list[Any]] = []
