"""``featrank.rank``: one call from data to a ranking with names."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.base import best_first
from featrank.exceptions import UsageError, unknown_name
from featrank.registry import method as find_method

SHOWN = 10


@dataclass(frozen=True, eq=False)
class Ranking:
    """Features in order, with their scores.

    Attributes
    ----------
    method : str
        Name of the method.
    params : dict
        The method's parameters.
    feature_names : list of str
        Names in the order of the input's columns.
    scores : ndarray of shape (n_features,)
        Score of each feature, in the order of the input's columns; higher is better. A score is
        finite, or ``inf`` for a feature that separates the classes exactly.
    order : ndarray of shape (n_features,)
        Feature indices, best first.
    """

    method: str
    params: dict[str, Any]
    feature_names: list[str]
    scores: NDArray[np.float64]
    _pandas: bool = field(default=False, repr=False)

    @property
    def order(self) -> NDArray[np.int64]:
        """Feature indices, best first."""
        return best_first(self.scores)

    def top(self, k: int) -> list[str]:
        """Return the names of the best k features, best first."""
        if not 0 <= k <= len(self):
            raise UsageError(
                f"top({k}) is outside of the ranking: it holds {len(self)} features. "
                f"Give a number from 0 to {len(self)}."
            )
        return [self.feature_names[j] for j in self.order[:k]]

    def to_frame(self) -> Any:
        """Return a data frame with columns rank, feature and score, best first.

        A pandas frame if the data came as one, else a polars frame.
        """
        import polars as pl

        order = self.order
        columns = {
            "rank": np.arange(1, len(order) + 1),
            "feature": [self.feature_names[j] for j in order],
            "score": self.scores[order],
        }
        if self._pandas:
            import pandas as pd

            return pd.DataFrame(columns)
        return pl.DataFrame(columns)

    def __len__(self) -> int:
        return len(self.scores)

    def _title(self) -> str:
        params = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"Ranking of {len(self)} features by {self.method}" + (params and f" ({params})")

    def _rows(self) -> list[tuple[int, str, str]]:
        best = self.order[:SHOWN]
        return [
            (rank, self.feature_names[j], f"{self.scores[j]:.6g}") for rank, j in enumerate(best, 1)
        ]

    def _rest(self) -> str:
        left = len(self) - SHOWN
        return f"… {left} more" if left > 0 else ""

    def __repr__(self) -> str:
        rows = self._rows()
        width = max([7, *(len(name) for _, name, _ in rows)])
        lines = [self._title(), f"{'rank':>4}  {'feature':<{width}}  score"]
        lines += [f"{rank:>4}  {name:<{width}}  {score}" for rank, name, score in rows]
        return "\n".join([*lines, *filter(None, [self._rest()])])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{rank}</td><td>{escape(name)}</td><td>{score}</td></tr>"
            for rank, name, score in self._rows()
        )
        head = "<tr><th>rank</th><th>feature</th><th>score</th></tr>"
        return (
            f"<div><p>{escape(self._title())}</p><table><thead>{head}</thead>"
            f"<tbody>{rows}</tbody></table><p>{escape(self._rest())}</p></div>"
        )


def rank(
    X: Any, y: Any = None, method: str = "ec-fs", *, sample_weight: Any = None, **params: Any
) -> Ranking:
    """Rank the features of X.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The samples. Names are kept from data frames.
    y : array-like of shape (n_samples,)
        Class labels of any type; not needed by unsupervised methods.
    method : str, default="ec-fs"
        A name from ``featrank.methods()``.
    sample_weight : array-like of shape (n_samples,), optional
        How many samples each row stands for; only for methods that take weights.
    **params
        The method's own parameters.

    Returns
    -------
    ranking : Ranking
        Names and scores, best first.

    Examples
    --------
    >>> import featrank
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(as_frame=True)
    >>> featrank.rank(data.data, data.target).top(2)
    ['petal width (cm)', 'petal length (cm)']
    """
    cls = find_method(method)
    known = cls().get_params()
    for key in params:
        if key not in known:
            raise UsageError(unknown_name(f"parameter of {method}", key, known))
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    ranker = cls(**params).fit(X, y, **weights)
    given = getattr(ranker, "feature_names_in_", None)
    names = [f"x{j}" for j in range(len(ranker.scores_))] if given is None else list(given)
    pandas = type(X).__module__.split(".")[0] == "pandas"
    return Ranking(method, params, names, ranker.scores_, pandas)
