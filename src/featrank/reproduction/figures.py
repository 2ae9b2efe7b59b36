"""The paper's two figures, drawn with matplotlib (the extra ``plot``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from featrank.exceptions import UsageError, missing_extra
from featrank.files import replacing

from .methods import TOOLBOX
from .planar import PlanarGraph
from .published import METHODS
from .stability import KS, Curves

SUFFIXES = (".png", ".svg", ".pdf")
INK, PALE = "#333333", "#c8ccd2"
EC_FS = "#d55e00"
# Okabe and Ito's colours, which colour-blind people tell apart; vermilion is for EC-FS.
COLOURS = ("#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#8c6d31", "#555555")


def draw_stability(sets: Mapping[str, Curves], path: Path) -> None:
    """Draw the curves of each data set into a panel of its own, with one legend for all."""
    figure, panels = _panels(sets)
    styles = _styles(list(dict.fromkeys(method for found in sets.values() for method in found)))
    for axes, (dataset, found) in zip(panels, sets.items(), strict=False):
        for method, values in found.items():
            axes.plot(KS, values, **styles[method])
        axes.set_title(dataset, loc="left", fontsize=11, color=INK)
    lowest = min(float(values.min()) for found in sets.values() for values in found.values())
    panels[0].set_ylim(min(0.0, lowest - 0.02), 1.0)
    lines = {line.get_label(): line for axes in panels for line in axes.get_lines()}
    ordered = [lines[method] for method in styles]
    figure.legend(handles=ordered, loc="outside right center", frameon=False, fontsize=9)
    _save(figure, path)


def draw_graphs(graphs: Sequence[PlanarGraph], path: Path) -> None:
    """Draw planar graphs side by side, their nodes coloured by centrality."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import PowerNorm

    figure = _figure((4.2 * len(graphs) + 0.6, 4.4))
    panels = figure.subplots(1, len(graphs), squeeze=False)[0]
    for axes, graph in zip(panels, graphs, strict=True):
        shares = graph.centrality / graph.centrality.max()
        # The most central nodes last, so that nothing covers them.
        order = shares.argsort()
        axes.add_collection(
            LineCollection(list(graph.points[graph.edges]), colors=PALE, linewidths=0.4)
        )
        x, y = graph.points[order].T
        norm = PowerNorm(0.5, 0, 1)
        dots = axes.scatter(x, y, c=shares[order], s=14, cmap="viridis", norm=norm, zorder=2)
        axes.set_title(graph.name, loc="left", fontsize=11, color=INK)
        _frame_square(axes, graph)
    bar = figure.colorbar(dots, ax=list(panels), shrink=0.7, pad=0.01)
    bar.set_label("eigenvector centrality, largest = 1", color=INK)
    bar.outline.set_visible(False)
    _save(figure, path, dpi=100)


def require_drawable(path: Path) -> None:
    """Refuse a name of a picture that cannot be drawn, or a computer that cannot draw."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"A figure is written as {', '.join(SUFFIXES)}, not as {path.name!r}.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r} to write to. Create it first.")
    _figure((1, 1))


def _frame_square(axes: Any, graph: PlanarGraph) -> None:
    """Show all of a graph in a square, so that panels side by side are of one size."""
    low, high = graph.points.min(axis=0), graph.points.max(axis=0)
    centre, half = (low + high) / 2, 0.52 * (high - low).max()
    axes.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))
    axes.set_aspect("equal")
    axes.axis("off")


def _panels(sets: Mapping[str, Curves]) -> tuple[Any, list[Any]]:
    columns = min(2, len(sets))
    rows = -(-len(sets) // columns)
    figure = _figure((4.0 * columns + 1.8, 2.9 * rows + 0.3))
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    panels = list(grid.ravel())
    for axes in panels[len(sets) :]:
        axes.remove()
    for axes in panels[: len(sets)]:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#e6e8eb", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.set(xlim=(KS[0], KS[-1]), xticks=(10, 50, 100, 150, 200))
        axes.tick_params(colors=INK, labelsize=9)
    figure.supxlabel("number of features", fontsize=10, color=INK)
    figure.supylabel("Kuncheva's index", fontsize=10, color=INK)
    return figure, panels[: len(sets)]


def _styles(methods: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return how to draw each method: the paper's solid, others dashed, EC-FS above all."""
    first = [method for method in ("ec-fs", TOOLBOX) if method in methods]
    inside = [method for method in methods if method in METHODS and method not in first]
    outside = [method for method in methods if method not in (*METHODS, *first)]
    styles = {
        method: {"color": EC_FS, "linewidth": 2.4, "zorder": 4, "linestyle": dash}
        for method, dash in zip(("ec-fs", TOOLBOX), ("-", (0, (2, 1))), strict=True)
        if method in first
    }
    for names, dash in ((inside, "-"), (outside, (0, (4, 2)))):
        for number, method in enumerate(names):
            colour = COLOURS[number % len(COLOURS)]
            styles[method] = {"color": colour, "linewidth": 1.2, "zorder": 3, "linestyle": dash}
    return {method: {**style, "label": method} for method, style in styles.items()}


def _figure(size: tuple[float, float]) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "plot", "Drawing a figure") from None
    return Figure(figsize=size, layout="constrained")


def _save(figure: Any, path: Path, dpi: int = 140) -> None:
    import matplotlib

    # Neither the date nor the version, so that the same run gives the same file.
    unstamped = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with replacing(path) as temporary, matplotlib.rc_context({"svg.hashsalt": "featrank"}):
        figure.savefig(temporary, dpi=dpi, metadata=unstamped[path.suffix.lower()])
