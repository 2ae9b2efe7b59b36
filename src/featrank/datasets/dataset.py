"""The class of all data sets."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table of numbers with one class per row.

    Attributes
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        The values. Missing values are NaN.
    y : ndarray, shape (n_samples,)
        The class of each sample.
    feature_names : list of str
        One name per column of ``X``.
    target_name : str
        What ``y`` is, such as "diagnosis".
    name : str
        The data set's name.
    description : str
        A sentence or two on the data set.
    truth : mapping from str to ndarray of int, or None
        The column indices of each kind of feature in simulated data. None for real data.
    """

    X: np.ndarray
    y: np.ndarray
    feature_names: list[str]
    target_name: str
    name: str
    description: str
    truth: Mapping[str, np.ndarray] | None = None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write X and y as one table. The file extension determines the format."""
        from featrank.tables import Table, write_table

        write_table(path, Table(self.X, self.feature_names, self.y, self.target_name))

    def __repr__(self) -> str:
        rows, columns = self.X.shape
        classes = len(np.unique(self.y))
        return f"<Dataset {self.name}: {rows} samples × {columns} features, {classes} classes>"


def numbered(word: str, count: int) -> list[str]:
    """Return names that sort in column order.

    Examples
    --------
    >>> numbered("gene", 2)
    ['gene0001', 'gene0002']
    """
    width = max(4, len(str(count)))
    return [f"{word}{number:0{width}d}" for number in range(1, count + 1)]
