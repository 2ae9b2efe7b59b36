"""Square tables of values in colours, with names at two sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import shortened
from featrank.plots.style import COLOURS, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# From cool over white to warm: the second colour of the palette, paper, the first.
COOL_TO_WARM = (COLOURS[1], "#ffffff", COLOURS[0])
WHITE_TO_COOL = ("#ffffff", COLOURS[1])


def draw_tiles(axes: Axes, table: Any, colours: Sequence[str], low: float, high: float) -> Any:
    """Draw a square table, the first row on top."""
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list("tiles", list(colours))
    drawn = axes.imshow(table, cmap=scale, vmin=low, vmax=high, interpolation="nearest")
    for side in ("left", "bottom", "top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
    return drawn


def name_rows(axes: Axes, names: Sequence[str], length: int, size: float = 9) -> None:
    """Write the names of the rows at the left."""
    shown = [shortened(name, length) for name in names]
    axes.set_yticks(range(len(names)), shown, fontsize=size, parse_math=False)


def name_columns(axes: Axes, names: Sequence[str], length: int, size: float = 9) -> None:
    """Write the names of the columns above, slanted."""
    shown = [shortened(name, length) for name in names]
    axes.xaxis.tick_top()
    axes.set_xticks(
        range(len(names)),
        shown,
        rotation=40,
        ha="left",
        rotation_mode="anchor",
        fontsize=size,
        parse_math=False,
    )
    axes.tick_params(length=0)


def colour_bar(axes: Axes, drawn: Any, label: str, ticks: Sequence[float]) -> None:
    """Add a bar that says what the colours mean."""
    bar = axes.get_figure().colorbar(  # type: ignore[union-attr]
        drawn, ax=axes, shrink=0.6, pad=0.02, ticks=list(ticks)
    )
    bar.set_label(label, color=INK, fontsize=9)
    bar.ax.tick_params(colors=INK, labelsize=8)
    bar.outline.set_visible(False)
