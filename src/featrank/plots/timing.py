"""How long one ranking takes, by method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from featrank.plots.bars import FONT, feature_axis, inches_of
from featrank.plots.display import Display, Rows, told_of
from featrank.plots.style import GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TimingDisplay"]


class TimingDisplay(Display):
    """Seconds that one ranking takes, as bars on a logarithmic scale.

    Parameters
    ----------
    seconds : mapping of str to float
        By method; NaN for one that never finished.
    title : str, default=""
        Title of a figure of its own.

    Examples
    --------
    >>> from featrank.plots import TimingDisplay
    >>> TimingDisplay({"mi": 0.01, "svm-rfe": 2.5}).plot().frame().rows()
    [('mi', 0.01), ('svm-rfe', 2.5)]
    """

    def __init__(self, seconds: Mapping[str, float], *, title: str = ""):
        self.seconds, self.title = dict(seconds), title

    @classmethod
    def from_results(cls, results: Any, *, ax: Axes | None = None) -> Self:
        """Draw the mean seconds of a ranking in a comparison.

        Parameters
        ----------
        results : Comparison
            What ``compare`` or ``read_comparison`` returns.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure.
        """
        seconds = {row["method"]: row["seconds"] for row in results.table()}
        return cls(seconds, title=told_of(results)).plot(ax)

    def _rows(self) -> Rows:
        return [{"method": name, "seconds": value} for name, value in self.seconds.items()]

    def _size(self) -> tuple[float, float]:
        return 6.4, 1.0 + inches_of(list(self.seconds))

    def _title(self) -> str:
        return self.title

    def _draw(self, axes: Axes) -> None:
        places, _ = feature_axis(axes, list(self.seconds))
        known = [value for value in self.seconds.values() if value > 0]
        low, high = min(known, default=0.1), max(known, default=1.0)
        axes.set(xscale="log", xlim=(low / 3, high * 4))
        for place, value in zip(places, self.seconds.values(), strict=True):
            text = f"{value:.3g} s" if value == value else "not finished"
            # What took no time that could be measured has no bar on this scale.
            end = value if value > 0 else low / 3
            axes.barh(place, end - low / 3, left=low / 3, height=0.2, color=GREY)
            axes.annotate(
                text,
                (end, place),
                (4, 0),
                textcoords="offset points",
                va="center",
                fontsize=FONT,
                color=INK,
            )
        axes.set_xlabel("seconds that one ranking takes")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(lambda *_: "")
        axes.tick_params(axis="x", labelsize=FONT)
