"""Figures of results, drawn by matplotlib, which the extra ``plot`` installs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError, missing_extra
from featrank.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from featrank.evaluation import NemenyiTest

# Told apart by readers of any colour vision; more than eight lines are told apart by dashes too.
COLOURS = ("#d1495b", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#8d5fa8", "#7a5c3e", "#6b7280")
DASHES = ("-", "--", ":")


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
    figure, axes = _canvas(7.2, 4.2)
    for number, (name, values) in enumerate(curves.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
        axes.plot(ks, values, dash, color=colour, marker="o", markersize=3.5, label=name)
        if bands is not None:
            axes.fill_between(ks, *bands[name], color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="number of features k", ylabel=f"stability ({measure})", title=title)
    axes.axhline(0, color="#b8bcc4", linewidth=0.8, zorder=0)
    axes.set_xlim(left=0)
    axes.set_ylim(top=1.02)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def critical_difference_figure(test: NemenyiTest) -> Figure:
    """Return a critical-difference diagram: average ranks on a line, bars over what is alike."""
    figure, axes = _canvas(7.2, 1.5 + 0.22 * len(test.methods))
    order = sorted(range(len(test.methods)), key=lambda j: float(test.average_ranks[j]))
    count = len(order)
    top = -0.5 - 0.16 * len(test.groups)
    axes.set(xlim=(count + 0.2, 0.8), ylim=(top - (count + 1) // 2, 1.6))
    axes.hlines(0, 1, count, color="black", linewidth=1)
    for rank in range(1, count + 1):
        axes.vlines(rank, 0, 0.12, color="black", linewidth=1)
        axes.text(rank, 0.18, str(rank), ha="center", va="bottom", fontsize=8)
    for place, j in enumerate(order):
        good = place < (count + 1) // 2
        depth = top - (place if good else count - 1 - place)
        _name(axes, test.methods[j], float(test.average_ranks[j]), depth, None if good else count)
    ranks = dict(zip(test.methods, test.average_ranks.tolist(), strict=True))
    for level, group in enumerate(test.groups):
        ends = ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03
        axes.hlines(-0.22 - 0.16 * level, *ends, color="#d1495b", linewidth=3)
    axes.hlines(1.2, 1, 1 + test.critical_difference, color="black", linewidth=1.5)
    axes.text(
        1 + test.critical_difference / 2,
        1.27,
        f"critical difference {test.critical_difference:.2f}",
        ha="center",
        va="bottom",
        fontsize=8,
    )
    axes.axis("off")
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file that appears whole or not at all; the suffix is the format."""
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix.lower().removeprefix("."))


def require_figure_file(path: Path) -> None:
    """Refuse, before any work, a file that no figure could be written to."""
    known = _figure(1, 1).canvas.get_supported_filetypes()
    if path.suffix.lower().removeprefix(".") not in known:
        raise UsageError(
            f"The suffix of {path.name!r} names no format of figures. Use .png, .svg or .pdf."
        )
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r} to write to. Create it first.")


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure = _figure(width, height)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _figure(width: float, height: float) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "plot", "Drawing a figure") from None
    return Figure(figsize=(width, height), layout="constrained")


def _name(axes: Axes, name: str, rank: float, depth: float, worst: int | None) -> None:
    """Write a name at the side of the best rank, or of the worst, with a line to its own."""
    end = 0.95 if worst is None else worst + 0.05
    axes.plot([rank, rank, end], [0, depth, depth], color="#6b7280", linewidth=0.8)
    label = f" {name}  {rank:.2f}" if worst is None else f"{rank:.2f}  {name} "
    side = "left" if worst is None else "right"
    axes.text(end, depth, label, ha=side, va="center", fontsize=9)
