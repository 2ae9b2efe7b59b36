"""A report: plain values with a schema, the rows of its table, and what readers are shown."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from featrank.exceptions import FeatrankWarning

__all__ = [
    "Cell",
    "Column",
    "Explorer",
    "Figure",
    "Grid",
    "Paragraph",
    "Report",
    "Section",
    "described",
]


@dataclass(frozen=True)
class Cell:
    """A cell of a grid; ``mark`` follows the text and is never bold."""

    text: str
    bold: bool = False
    mark: str = ""
    colour: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a grid: its heading, its side, and whether its cells must stay on one line."""

    head: str
    right: bool = False
    whole: bool = False
    colour: str = ""


@dataclass(frozen=True)
class Grid:
    """A table for readers.

    Where it is wider than the page it becomes several, each with the first ``keys`` columns. A
    line is drawn above the rows whose numbers are in ``rules``.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell | str]]
    title: str = ""
    caption: str = ""
    keys: int = 1
    tight: bool = False
    headed: bool = True
    bold_title: bool = False
    rules: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Paragraph:
    """A text for readers.

    One that explains bold type (``of_bold``) is shown only where there is any; ``code`` is to be
    copied as it is; what is ``folded`` is opened by its name.
    """

    text: str
    bold: bool = False
    of_bold: bool = False
    code: bool = False
    folded: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture with its numbers.

    Attributes
    ----------
    svg : str
        The picture, with everything from data in it escaped.
    title : str
        What it shows.
    numbers : Grid
        The same as a table, for those who cannot see the picture or want the figures.
    note : str
        What it leaves out, and how to have that too.
    methods : sequence of str
        The methods that it compares, where readers of a page may choose others.
    """

    svg: str
    title: str
    numbers: Grid
    note: str = ""
    methods: Sequence[str] = ()


@dataclass(frozen=True)
class Explorer:
    """A table of very many rows that a page lets its readers search, sort and export.

    Attributes
    ----------
    grid : Grid
        The first rows, for readers without a page or without scripts.
    data : bytes
        All rows, packed as ``featrank.report.packing`` does.
    note : str
        What it leaves out, and how to have that too.
    """

    grid: Grid
    data: bytes
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A question and what answers it; one that is ``folded`` is opened by those who ask."""

    key: str
    question: str
    blocks: Sequence[Grid | Paragraph | Figure | Explorer]
    folded: bool = False


Block = Grid | Paragraph | Figure | Explorer | Section


@dataclass(frozen=True)
class Report:
    """Results, ready to be written in any format.

    Attributes
    ----------
    content : dict or list
        Everything, as plain values: what JSON gets. That of results names its ``schema`` and
        ``version``.
    rows : list of dict
        The table that programs want: what CSV gets.
    shown : sequence of Grid and Paragraph
        What readers are shown, in text, Markdown and HTML.
    notes : sequence of str
        Sentences on what is left out or doubtful, which belong beside the report.
    columns : sequence of str
        The names of the columns of a table that may have no rows, which would tell them.
    """

    content: Any
    rows: Sequence[dict[Any, Any]]
    shown: Sequence[Block]
    notes: Sequence[str] = ()
    columns: Sequence[str] = ()

    @property
    def ranking(self) -> Any:
        """The ranking, or one for each class, that the report is of; None if it is of another kind.

        Formats of rankings alone are written of it.
        """
        return None

    @property
    def top(self) -> int | None:
        """How many features of a ranking are asked for; None is all of them."""
        return None

    def html(self) -> str:
        """Return the report as a page that needs nothing else.

        Examples
        --------
        >>> Report({}, [], [Paragraph("It is 42.")]).html()[:15]
        '<!DOCTYPE html>'
        """
        from featrank.report.formats import module_of

        stream = StringIO()
        module_of("html").write(self, stream)
        return stream.getvalue()

    def write_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which appears whole or not at all."""
        from featrank.report.writing import write

        write(self, "html", path)

    def open(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the page and show it in the browser.

        Parameters
        ----------
        path : path or None, default=None
            Where to write it; None is a file in a new folder for temporary ones, which nobody
            else can read.

        Returns
        -------
        path : pathlib.Path
            The file.
        """
        import tempfile
        import webbrowser

        folder = tempfile.mkdtemp(prefix="featrank-") if path is None else ""
        page = (Path(folder, "report.html") if path is None else Path(path)).absolute()
        self.write_html(page)
        if not webbrowser.open(page.as_uri()):
            warnings.warn(
                f"No browser could be started. Open {str(page)!r} yourself.",
                FeatrankWarning,
                stacklevel=2,
            )
        return page

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own: its style and scripts stay inside."""
        lines = sum(len(b.rows) + 3 if isinstance(b, Grid) else 2 for b in flattened(self.shown))
        return (
            f'<iframe title="Report of featrank" srcdoc="{escape(self.html())}" '
            'sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {min(80 + 26 * lines, 800)}px; border: 0"></iframe>'
        )


def described(subject: str, version: int, content: dict[str, Any]) -> dict[str, Any]:
    """Return content that says what it is.

    Examples
    --------
    >>> described("stability", 1, {"trials": 10})
    {'schema': 'featrank/stability', 'version': 1, 'trials': 10}
    """
    return {"schema": f"featrank/{subject}", "version": version, **content}


def flattened(blocks: Sequence[Block]) -> list[Grid | Paragraph]:
    """Return what a format without pictures shows: figures as numbers, sections with headings."""
    found: list[Grid | Paragraph] = []
    for block in blocks:
        if isinstance(block, Section):
            found += [Paragraph(block.question, bold=True), *flattened(block.blocks)]
        elif isinstance(block, Figure):
            found += [Paragraph(block.title), block.numbers]
        elif isinstance(block, Explorer):
            found.append(block.grid)
        else:
            found.append(block)
    return found
