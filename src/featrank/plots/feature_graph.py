"""The strongest edges of a feature graph, laid out so that names can be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from featrank._utils.plain_text import shortened
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.plots.display import Display, Rows
from featrank.plots.placing import EDGES, placed, strongest
from featrank.plots.style import COLOURS, GREY, INK
from featrank.statistics import best_method

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FeatureGraphDisplay"]


class FeatureGraphDisplay(Display):
    """Features as dots and the strongest edges between them as lines, darker if stronger.

    Parameters
    ----------
    edges : sequence of (str, str, float)
        Two features and the weight of their edge, heaviest first.
    title : str, default=""
        Title of a figure of its own.

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
            What ``compare`` or ``read_comparison`` returns, with a method that has a graph, such
            as ec-fs or inf-fs.
        method : str or None, default=None
            Whose graph; None is the method with the best average score if it has one, else the
            first that has.
        top : int, default=60
            How many edges.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure.
        """
        rows = results.edges().to_dicts()
        methods = list(dict.fromkeys(row["method"] for row in rows))
        if not methods:
            raise DataError(
                "None of the methods of these results has a feature graph. ec-fs and inf-fs do."
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

    def _title(self) -> str:
        return self.title

    def _draw(self, axes: Axes) -> None:
        from matplotlib.collections import LineCollection
        from matplotlib.patheffects import withStroke

        names = sorted({name for *pair, _ in self.edges for name in pair})
        number = {name: place for place, name in enumerate(names)}
        places = placed(len(names), [(number[a], number[b]) for a, b, _ in self.edges])
        segments = [(places[number[a]], places[number[b]]) for a, b, _ in self.edges]
        largest = max((weight for *_, weight in self.edges), default=1.0)
        alphas = [_strength(weight, largest) for *_, weight in self.edges]
        axes.add_collection(LineCollection(segments, colors=GREY, alpha=alphas, linewidths=0.9))
        axes.scatter(places[:, 0], places[:, 1], s=22, color=COLOURS[0], zorder=2, linewidths=0)
        halo = [withStroke(linewidth=2.5, foreground="#ffffff")]
        for name, (x, y) in zip(names, places, strict=True):
            axes.annotate(
                shortened(name, 18),
                (x, y),
                (4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=INK,
                parse_math=False,
                path_effects=halo,
                zorder=3,
            )
        axes.set(xlim=(-0.03, 1.15), ylim=(-0.04, 1.04))
        axes.axis("off")


def _strength(weight: float, largest: float) -> float:
    """Return how dark an edge is: the weights of the strongest differ by little."""
    share = weight / largest if largest > 0 else 1.0
    return 0.2 + 0.7 * max(share, 0.0) ** 4
