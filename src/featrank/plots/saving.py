"""Figures into files: the same bytes for the same figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError
from featrank.files import replacing

from .style import blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Formats that would write down when they were made.
UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file that appears whole or not at all; the suffix is the format."""
    from matplotlib import rc_context

    kind = path.suffix.lower().removeprefix(".")
    # Without a salt of its own, an SVG file names its parts at random.
    with replacing(path) as temporary, rc_context({"svg.hashsalt": "featrank"}):
        figure.savefig(temporary, dpi=150, format=kind, metadata=UNDATED.get(kind))


def require_figure_file(path: Path) -> None:
    """Refuse, before any work, a file that no figure could be written to."""
    known = blank(1, 1).canvas.get_supported_filetypes()
    if path.suffix.lower().removeprefix(".") not in known:
        raise UsageError(
            f"The suffix of {path.name!r} names no format of figures. Use .png, .svg or .pdf."
        )
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r} to write to. Create it first.")
