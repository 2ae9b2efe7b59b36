"""Write plots to files, reproducibly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank._utils.atomic_files import replacing
from featrank.exceptions import UsageError
from featrank.plots.style import blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["require_figure_file", "save"]

DPI = 150
# Metadata to leave out: the date, and the version of matplotlib.
UNSTAMPED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def save(fig: Figure, path: str | Path) -> None:
    """Write a plot to a file. The extension determines the format.

    The file appears complete or not at all. As .png, .svg and .pdf, the same plot gives the same
    bytes.
    """
    from matplotlib import rc_context

    path = Path(path)
    require_figure_file(path)
    kind = _format(path)
    # Without a fixed salt, matplotlib gives elements of SVG files random ids.
    with replacing(path) as temporary, rc_context({"svg.hashsalt": "featrank"}):
        fig.savefig(temporary, dpi=DPI, format=kind, metadata=UNSTAMPED.get(kind))


def require_figure_file(path: Path) -> None:
    """Raise an error if a plot cannot be written to this file, before any work is done."""
    if _format(path) not in blank(1, 1).canvas.get_supported_filetypes():
        raise UsageError(
            f"{path.name!r} does not have the extension of a plot. Use .png, .svg or .pdf."
        )
    if not path.parent.is_dir():
        raise UsageError(f"The folder {str(path.parent)!r} does not exist. Create it first.")


def _format(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")
