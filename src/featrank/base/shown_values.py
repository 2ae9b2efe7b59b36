"""The values that results show next to each feature: scores, or the criterion of a method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SCORE = "score"


class ShownValues(NamedTuple):
    """The values that tables and plots show next to each feature.

    Most methods show their scores. The scores of greedy methods and wrappers only encode the
    order of selection, so these methods show their criterion instead.

    Attributes
    ----------
    values : ndarray of shape (n_features,)
        One value per feature, NaN for features without one.
    name : str
        Heading of the values: "score", or what the criterion measures. Empty if a method has
        neither, in which case nothing is shown.
    comparable : bool
        Whether the values of two features can be compared, so that bars may show them. A
        criterion that depends on the features selected so far is not comparable.
    decision : ndarray of shape (n_features,) or None
        The method's decision on each feature, if it makes one.
    """

    values: NDArray[np.float64]
    name: str = SCORE
    comparable: bool = True
    decision: NDArray[np.str_] | None = None

    @property
    def column(self) -> str:
        """The name of the column in data frames and files: "score" or "criterion"."""
        return self.name if self.name in ("", SCORE) else "criterion"

    def columns(self, features: NDArray[np.integer]) -> dict[str, list[Any]]:
        """Return the columns of some features.

        Examples
        --------
        >>> shown = ShownValues(np.array([0.5, np.nan, 2.0]), "relevance − redundancy")
        >>> shown.columns(np.array([2, 0]))
        {'criterion': [2.0, 0.5]}
        """
        columns = {self.column: self.values[features].tolist()} if self.name else {}
        if self.decision is not None:
            columns["decision"] = self.decision[features].tolist()
        return columns

    def cells(self, names: Sequence[str], features: NDArray[np.integer]) -> dict[str, list[str]]:
        """Return the columns of a printed table of the best features, by heading.

        Examples
        --------
        >>> ShownValues(np.array([0.5, np.nan])).cells(["a", "b"], np.array([0, 1]))
        {'rank': ['1', '2'], 'feature': ['a', 'b'], 'score': ['0.5', '']}
        """
        ranks = [str(rank) for rank in range(1, len(names) + 1)]
        cells = {"rank": ranks, "feature": list(names)}
        for column, values in self.columns(features).items():
            heading = self.name if column == self.column else column
            cells[heading] = [_cell(value) for value in values]
        return cells

    def bar_values(self, features: NDArray[np.integer]) -> list[float]:
        """Return the values of some features that bars show: none if they are not comparable."""
        return (
            np.nan_to_num(self.values[features], posinf=np.inf).tolist() if self.comparable else []
        )


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value != value else f"{value:.6g}"
