"""Curves of stability against the number of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .style import COLOURS, DASHES, PALE, canvas, legend
from .style import title as write_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = ["stability_figure"]


def stability_figure(
    curves: Mapping[str, Sequence[float]],
    ks: Sequence[int],
    *,
    measure: str = "kuncheva",
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    title: str = "",
) -> Figure:
    """Return a figure of stability against the number of features, a line a method.

    Parameters
    ----------
    curves : mapping of str to sequence of float
        Each method's stability, one value for each of ``ks``.
    ks : sequence of int
        Numbers of features.
    measure : str
        Name of the measure, for the axis.
    bands : mapping of str to pair of sequences, optional
        Lower and upper ends of confidence intervals.
    title : str
        Title of the figure.
    """
    figure, axes = canvas(7.2, 4.2)
    lines: list[Line2D] = []
    for number, (name, values) in enumerate(curves.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
        lines += axes.plot(ks, values, dash, color=colour, marker="o", markersize=3.5)
        if bands is not None:
            axes.fill_between(ks, *bands[name], color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="number of features k", ylabel=f"stability ({measure})")
    write_title(axes, title)
    axes.axhline(0, color=PALE, linewidth=0.8, zorder=0)
    axes.set_xlim(left=0)
    axes.set_ylim(top=1.02)
    legend(figure, lines, list(curves), loc="outside right upper")
    return figure
