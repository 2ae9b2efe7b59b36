"""Curves of stability against the number of features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .style import COLOURS, DASHES, PALE, canvas, legend
from .style import title as write_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

__all__ = ["stability_figure"]


def stability_figure(content: Mapping[str, Any]) -> Figure:
    """Return a figure of stability against the number of features, a line a method.

    Parameters
    ----------
    content : mapping
        That of ``featrank.report.stability_report``: ``measure``; ``stability``, a row for each
        method and k with ``method``, ``k``, ``stability`` and, where there are intervals, their
        ends ``low`` and ``high``; for the title ``dataset`` and ``trials``.
    """
    rows = content["stability"]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    figure, axes = canvas(7.2, 4.2)
    lines: list[Line2D] = []
    for number, method in enumerate(methods):
        own = [row for row in rows if row["method"] == method]
        ks = [row["k"] for row in own]
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
        values = [row["stability"] for row in own]
        lines += axes.plot(ks, values, dash, color=colour, marker="o", markersize=3.5)
        if "low" in own[0]:
            low, high = ([row[end] for row in own] for end in ("low", "high"))
            axes.fill_between(ks, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="number of features k", ylabel=f"stability ({content['measure']})")
    write_title(axes, f"{content['dataset']}, {content['trials']} trials")
    axes.axhline(0, color=PALE, linewidth=0.8, zorder=0)
    axes.set_xlim(left=0)
    axes.set_ylim(top=1.02)
    legend(figure, lines, methods, loc="outside right upper")
    return figure
