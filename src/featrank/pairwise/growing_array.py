"""Rows of an array that are added one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class GrowingRows:
    """An array that rows are added to, with room for as many again as there are.

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
