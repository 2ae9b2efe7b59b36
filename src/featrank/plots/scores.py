"""Scores of the best features, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from featrank.exceptions import UsageError
from featrank.plots.bars import feature_axis, inches_of, score_bars
from featrank.plots.display import Display, Rows, method_of, ranked_features
from featrank.sources.names import NumberedNames, taken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ScoresDisplay"]

TOP = 20


class ScoresDisplay(Display):
    """Scores of the best features, as bars, best on top.

    Parameters
    ----------
    names : sequence of str
        The features, best first.
    scores : array-like of float
        Their scores; a feature that separates the classes perfectly has ``inf``.
    method : str
        Name of the ranking method, for the title.

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

    def __init__(self, names: Sequence[str], scores: Any, *, method: str = ""):
        self.names, self.scores = list(names), np.asarray(scores, dtype=np.float64)
        self.method = method

    @classmethod
    def from_ranking(cls, ranking: Any, *, top: int = TOP, ax: Axes | None = None) -> Self:
        """Draw the best features of a ``Ranking``.

        Parameters
        ----------
        ranking : Ranking
            Returned by ``featrank.rank``.
        top : int, default=20
            Number of features, or all of them if there are fewer.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        best = ranking.order[:top]
        names = taken(ranking.feature_names, best)
        return cls(names, ranking.scores[best], method=ranking.method).plot(ax)

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
            Number of features, or all of them if there are fewer.
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
                "Give one a column."
            )
        best = estimator.order_[:top]
        method = getattr(estimator, "name", type(estimator).__name__)
        shown = [str(names[j]) for j in best]
        return cls(shown, estimator.scores_[best], method=method).plot(ax)

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
            Number of features, or all of them if there are fewer.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        name = method_of(results, method)
        rows = ranked_features(results, name, top)
        return cls(*([row[key] for row in rows] for key in ("feature", "score")), method=name).plot(
            ax
        )

    def _rows(self) -> Rows:
        pairs = zip(self.names, self.scores.tolist(), strict=True)
        return [
            {"rank": rank, "feature": name, "score": score}
            for rank, (name, score) in enumerate(pairs, 1)
        ]

    def _size(self) -> tuple[float, float]:
        return 6.4, 0.9 + inches_of(self.names)

    def _title(self) -> str:
        return f"The best {len(self.names)} features" + (self.method and f" by {self.method}")

    def _draw(self, axes: Axes) -> None:
        places, _ = feature_axis(axes, self.names)
        score_bars(axes, places, self.scores)
