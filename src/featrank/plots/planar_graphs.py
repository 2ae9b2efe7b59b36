"""Planar graphs with nodes coloured by centrality."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from featrank.plots.style import INK, PALE, blank, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["planar_graphs_figure"]

Floats = NDArray[np.float64]
Edges = NDArray[np.integer]

# Width of a graph and of the colour bar, in inches.
SIDE, BAR = 3.1, 0.6


def planar_graphs_figure(
    graphs: Mapping[str, tuple[Floats, Edges, Floats]], *, measure: str = "eigenvector centrality"
) -> Figure:
    """Plot graphs side by side, their nodes coloured by centrality.

    Parameters
    ----------
    graphs : mapping of str to tuple of ndarray
        For each graph its name, the positions of its nodes (n, 2), its edges as pairs of nodes
        (m, 2), and the nonnegative centrality of each node (n,). The most central node of each
        graph has the brightest colour.
    measure : str
        Name of the centrality, for the colour bar.
    """
    fig = blank(SIDE * len(graphs) + BAR, SIDE + 0.2)
    panels = fig.subplots(1, len(graphs), squeeze=False)[0]
    for axes, (name, (points, edges, centrality)) in zip(panels, graphs.items(), strict=True):
        dots = _draw(axes, points, edges, centrality / centrality.max())
        _frame_square(axes, points)
        title(axes, name)
    bar = fig.colorbar(dots, ax=list(panels), shrink=0.75, pad=0.01)
    bar.set_label(f"{measure}, largest = 1", color=INK, fontsize=9)
    bar.ax.tick_params(colors=INK, labelsize=8)
    bar.outline.set_visible(False)
    return fig


def _draw(axes: Axes, points: Floats, edges: Edges, shares: Floats) -> object:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import PowerNorm

    axes.add_collection(LineCollection(list(points[edges]), colors=PALE, linewidths=0.35))
    # The most central nodes are drawn last, on top.
    order = shares.argsort(kind="stable")
    x, y = points[order].T
    norm = PowerNorm(0.5, 0, 1)
    return axes.scatter(
        x, y, c=shares[order], s=9, cmap="viridis", norm=norm, zorder=2, linewidths=0
    )


def _frame_square(axes: Axes, points: Floats) -> None:
    """Make the axes square, so that all panels have the same size."""
    low, high = points.min(axis=0), points.max(axis=0)
    centre, half = (low + high) / 2, 0.52 * (high - low).max()
    axes.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))
    axes.set_aspect("equal")
    axes.axis("off")
