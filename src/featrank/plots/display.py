"""Base class of all displays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.plots.description import Description
from featrank.plots.drawing import draw
from featrank.plots.style import blank, headline, without_frame
from featrank.statistics import best_method, recommended_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]


class Display(ABC):
    """A plot with the interface of scikit-learn's displays.

    ``from_results`` and similar methods compute the data and draw it. The constructor takes the
    data, and ``plot`` draws it.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes that were drawn into.
    figure_ : matplotlib.figure.Figure
        The matplotlib figure of ``ax_``. Save it with ``featrank.plots.save``.
    """

    #: Whether ``from_results`` takes several results, one per data set.
    several: ClassVar[bool] = False

    #: How matplotlib makes room for names and legends in a new plot.
    layout: ClassVar[str] = "constrained"

    #: The title of a new plot.
    title: str = ""

    ax_: Axes
    figure_: Figure

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw into the given axes, or into a new plot.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or None, default=None
            None creates a plot of suitable size, with a title.

        Returns
        -------
        self : Display
            The display, with ``ax_`` and ``figure_`` set.
        """
        self._own = ax is None
        if ax is None:
            self.figure_ = blank(*self._size(), layout=self.layout)
            self.ax_ = self.figure_.add_subplot()
            headline(self.figure_, self._title())
        else:
            self.ax_, self.figure_ = ax, ax.figure  # type: ignore[assignment]
        without_frame(self.ax_)
        self._draw(self.ax_)
        return self

    def frame(self) -> Any:
        """Return the data of the plot as a tidy polars frame."""
        import polars as pl

        return pl.DataFrame(self._rows(), infer_schema_length=None)

    @abstractmethod
    def _rows(self) -> Rows:
        """Return the rows of the frame."""

    @abstractmethod
    def _draw(self, axes: Axes) -> None:
        """Draw into these axes."""

    def _title(self) -> str:
        """Return the title of a new plot."""
        return self.title

    def _size(self) -> tuple[float, float]:
        """Return the width and the height of a new plot, in inches."""
        return 7.2, 4.2

    def _repr_png_(self) -> bytes | None:
        """Return a PNG for notebooks, unless the user passed axes, which notebooks show anyway."""
        if not getattr(self, "_own", False):
            return None
        from io import BytesIO

        stream = BytesIO()
        self.figure_.savefig(stream, format="png", dpi=110)
        return stream.getvalue()


class DescribedDisplay(Display):
    """A display that describes itself as plain data, which HTML reports draw as SVG."""

    @abstractmethod
    def describe(self) -> Description:
        """Return the plot as plain data."""

    def _draw(self, axes: Axes) -> None:
        draw(axes, self.describe())


def method_of(results: Any, method: str | None) -> str:
    """Return the given method, or the best one if it is None."""
    if method is None:
        return best_method(results) or str(results.methods[0])
    if method not in results.methods:
        raise UsageError(unknown_name("method in the results", method, results.methods))
    return method


def enough_of(results: Any, method: str) -> int:
    """Return the smallest k within 0.01 of a method's best, or else the largest."""
    return recommended_number(results, method)


def ranked_features(results: Any, method: str, top: int) -> list[dict[str, Any]]:
    """Return rank, feature, score and criterion of a method's best features on all rows."""
    import polars as pl

    frame = results.features().filter(pl.col("method") == method).drop_nulls("rank")
    if frame.is_empty():
        raise DataError(
            f"{method!r} has no ranks on all rows in these results: its fit failed or is not "
            "finished. Choose another method, or run the comparison again with `resume=True`."
        )
    best: list[dict[str, Any]] = frame.sort("rank").head(top).to_dicts()
    return [{key: row[key] for key in ("rank", "feature", "score", "criterion")} for row in best]


def results_title(results: Any) -> str:
    """Return a title with the data set and the number of trials."""
    count = len(results.trials)
    return f"{results.dataset}, {count} trial{'' if count == 1 else 's'}"
