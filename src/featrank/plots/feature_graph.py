"""The strongest edges of a feature graph, with legible names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from featrank._utils.plain_text import shortened
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.plots.description import Dot, Label, Sketch, Stroke
from featrank.plots.display import DescribedDisplay, Rows
from featrank.plots.placing import EDGES, place_names, strongest
from featrank.statistics import best_method

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FeatureGraphDisplay"]


class FeatureGraphDisplay(DescribedDisplay):
    """Features as dots and the strongest edges between them as lines, darker if stronger.

    Parameters
    ----------
    edges : sequence of (str, str, float)
        Two features and the weight of their edge, largest weight first.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import FeatureGraphDisplay
    >>> FeatureGraphDisplay([("a", "b", 2.0), ("a", "c", 1.0)]).plot().frame().rows()
    [('a', 'b', 2.0), ('a', 'c', 1.0)]
    """

    def __init__(self, edges: Sequence[tuple[str, str, float]], *, title: str = ""):
        self.edges, self.title = list(edges), title

    @classmethod
    def from_results(
        cls, results: Any, *, method: str | None = None, top: int = EDGES, ax: Axes | None = None
    ) -> Self:
        """Draw the strongest edges of a method's feature graph, on all rows.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``, with a method that has a graph, such as
            ec-fs or inf-fs.
        method : str or None, default=None
            The method to show; None is the one with the best average score if it has a graph, else
            the first one with a graph.
        top : int, default=60
            Number of edges.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        rows = results.edges().to_dicts()
        methods = list(dict.fromkeys(row["method"] for row in rows))
        if not methods:
            raise DataError(
                "No method in these results has a feature graph. Compare ec-fs or inf-fs."
            )
        if method is not None and method not in methods:
            raise UsageError(unknown_name("method with a feature graph", method, methods))
        best = best_method(results)
        name = method or (best if best in methods else methods[0])
        edges = strongest(row for row in rows if row["method"] == name)
        shown = edges[:top]
        title = f"The {len(shown)} strongest edges of the graph of {name}"
        return cls(shown, title=title).plot(ax)

    def _rows(self) -> Rows:
        return [{"feature": a, "other": b, "weight": weight} for a, b, weight in self.edges]

    def _size(self) -> tuple[float, float]:
        return 9.0, 6.2

    def describe(self) -> Sketch:
        """Return the graph as plain data."""
        places = place_names(self.edges)
        largest = max((weight for *_, weight in self.edges), default=1.0)
        strokes = [
            Stroke("edge", [places[a], places[b]], _opacity(weight, largest))
            for a, b, weight in self.edges
        ]
        labels = [Label(x, y, shortened(name, 18)) for name, (x, y) in places.items()]
        dots = [Dot(x, y, name) for name, (x, y) in places.items()]
        return Sketch((-0.03, 1.15), (-0.04, 1.04), 520, strokes, labels, dots)


def _opacity(weight: float, largest: float) -> float:
    """Return the opacity of an edge. The largest weights differ by little, so it falls fast."""
    share = weight / largest if largest > 0 else 1.0
    return 0.2 + 0.65 * max(share, 0.0) ** 4
