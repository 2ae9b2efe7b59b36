"""Scores of the best features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from featrank.base.shown_values import SCORE, ShownValues
from featrank.exceptions import UsageError
from featrank.plots.bars import draw_values, feature_axis, inches_of, width_of
from featrank.plots.display import Display, Rows, method_of, ranked_features
from featrank.sources.names import NumberedNames, taken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ScoresDisplay"]

TOP = 20


class ScoresDisplay(Display):
    """Scores of the best features, best on top.

    Bars show the scores. A method whose scores only encode the order of the features shows its
    criterion instead: as bars if the criterion compares features, otherwise as numbers.

    Parameters
    ----------
    names : sequence of str
        The features, best first.
    scores : array-like of float
        Their scores, or values of the criterion. A feature that separates the classes perfectly
        has ``inf``. A missing value is NaN.
    method : str
        Name of the ranking method, for the title.
    value_name : str, default="score"
        Name of the values.
    bars : bool, default=True
        Whether to draw bars. Otherwise the values are written as numbers.

    Examples
    --------
    >>> import featrank
    >>> from featrank.plots import ScoresDisplay
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(as_frame=True)
    >>> ranking = featrank.rank(data.data, data.target, "fisher")
    >>> ScoresDisplay.from_ranking(ranking, top=2).frame().rows()
    [(1, 'petal length (cm)', 15.735), (2, 'petal width (cm)', 12.800)]
    """

    def __init__(
        self,
        names: Sequence[str],
        scores: Any,
        *,
        method: str = "",
        value_name: str = SCORE,
        bars: bool = True,
    ):
        self.names, self.scores = list(names), np.asarray(scores, dtype=np.float64)
        self.method = method
        self.value_name, self.bars = value_name, bars

    @classmethod
    def from_ranking(cls, ranking: Any, *, top: int = TOP, ax: Axes | None = None) -> Self:
        """Draw the best features of a ``Ranking``.

        Parameters
        ----------
        ranking : Ranking
            Returned by ``featrank.rank``.
        top : int, default=20
            Number of features, or all if there are fewer.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        best = ranking.order[:top]
        names = taken(ranking.feature_names, best)
        return cls._of_shown(names, ranking.shown, best, ranking.method).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        feature_names: Sequence[str] | None = None,
        top: int = TOP,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the best features of a fitted ranker.

        Parameters
        ----------
        estimator : Ranker
            A fitted ranker.
        feature_names : sequence of str or None, default=None
            Names of the columns; None uses those seen in ``fit``, or else x0, x1, ….
        top : int, default=20
            Number of features, or all if there are fewer.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(estimator)
        known = getattr(estimator, "feature_names_in_", None)
        names = known if feature_names is None else feature_names
        if names is None:
            names = NumberedNames(len(estimator.scores_))
        if len(names) != len(estimator.scores_):
            raise UsageError(
                f"feature_names has {len(names)} names for {len(estimator.scores_)} features. "
                "Pass one name per feature."
            )
        best = estimator.order_[:top]
        method = getattr(estimator, "name", type(estimator).__name__)
        shown = [str(names[j]) for j in best]
        return cls._of_shown(shown, estimator.shown_values(), best, method).plot(ax)

    @classmethod
    def _of_shown(cls, names: Sequence[str], shown: ShownValues, best: Any, method: str) -> Self:
        values, bars = shown.values[best], shown.comparable
        return cls(names, values, method=method, value_name=shown.name, bars=bars)

    @classmethod
    def from_results(
        cls, results: Any, *, method: str | None = None, top: int = TOP, ax: Axes | None = None
    ) -> Self:
        """Draw a method's best features on all rows.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``.
        method : str or None, default=None
            The method to show; None is the one with the best average score.
        top : int, default=20
            Number of features, or all if there are fewer.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        name = method_of(results, method)
        rows = ranked_features(results, name, top)
        known = [key for key in (SCORE, "criterion") if any(row[key] is not None for row in rows)]
        column = known[0] if known else ""
        names, values = [row["feature"] for row in rows], [row.get(column) for row in rows]
        return cls(names, values, method=name, value_name=column, bars=column == SCORE).plot(ax)

    def _rows(self) -> Rows:
        column = ShownValues(self.scores, self.value_name).column
        pairs = zip(self.names, self.scores.tolist(), strict=True)
        return [
            {"rank": rank, "feature": name} | ({column: value} if column else {})
            for rank, (name, value) in enumerate(pairs, 1)
        ]

    def _size(self) -> tuple[float, float]:
        width = 6.4 if self.bars else max(3.2, 1.2 + width_of(self.names))
        return width, 0.9 + inches_of(self.names)

    def _title(self) -> str:
        return f"The best {len(self.names)} features" + (self.method and f" by {self.method}")

    def _draw(self, axes: Axes) -> None:
        places, _ = feature_axis(axes, self.names)
        draw_values(axes, places, self.scores, self.value_name, bars=self.bars)
