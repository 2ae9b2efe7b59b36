"""A report: plain values with a schema, the rows of its table, and blocks for readers."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

from featrank.exceptions import FeatrankWarning

__all__ = [
    "Cell",
    "Column",
    "Explorer",
    "Grid",
    "Paragraph",
    "Plot",
    "Report",
    "Section",
    "described",
]


@dataclass(frozen=True)
class Cell:
    """A cell of a grid. ``mark`` follows the content and is never bold."""

    content: str
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

    A table that is wider than the terminal is split, and each part has the first ``keys`` columns.
    A line is drawn above the rows whose numbers are in ``rules``.
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
    """A paragraph for readers.

    A paragraph about bold type (``of_bold``) is shown only if the format has bold type. ``code``
    is shown verbatim. A nonempty ``folded`` is the name under which the paragraph is collapsed.
    """

    content: str
    bold: bool = False
    of_bold: bool = False
    code: bool = False
    folded: str = ""


@dataclass(frozen=True)
class Plot:
    """A drawing with its numbers.

    Attributes
    ----------
    svg : str
        The drawing; everything in it that comes from data is escaped.
    title : str
        The title.
    numbers : Grid
        The same numbers as a table.
    note : str
        What is left out, and how to include it.
    methods : sequence of str
        The methods that are compared, if readers of the HTML report can choose others.
    """

    svg: str
    title: str
    numbers: Grid
    note: str = ""
    methods: Sequence[str] = ()


@dataclass(frozen=True)
class Explorer:
    """A long table that readers of an HTML report can search, sort and export.

    Attributes
    ----------
    grid : Grid
        The first rows, for other formats and for browsers without JavaScript.
    data : bytes
        All rows, packed by ``featrank.report.packing``.
    note : str
        What is left out, and how to include it.
    """

    grid: Grid
    data: bytes
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A question and its answer, collapsed if ``folded``."""

    key: str
    question: str
    blocks: Sequence[Grid | Paragraph | Plot | Explorer]
    folded: bool = False


Block = Grid | Paragraph | Plot | Explorer | Section


@dataclass(frozen=True)
class Report:
    """Results that can be written in any format.

    Attributes
    ----------
    content : dict or list
        Everything as plain values, for JSON. Reports of results have a ``schema`` and a
        ``version``.
    rows : list of dict
        The table for programs, such as CSV.
    shown : sequence of Grid and Paragraph
        The blocks for readers, in text, Markdown and HTML.
    notes : sequence of str
        Notes on what is left out or unreliable.
    columns : sequence of str
        Names of the columns, for a table that may have no rows.
    warnings : sequence of FeatrankWarning
        Warnings of the run. HTML and Markdown show them at the top.
    """

    content: Any
    rows: Sequence[dict[Any, Any]]
    shown: Sequence[Block]
    notes: Sequence[str] = ()
    columns: Sequence[str] = ()
    warnings: Sequence[FeatrankWarning] = ()

    # The ranking of the report, or one per class; formats for rankings only are written from it.
    ranking: ClassVar[Any] = None
    # Number of features of a ranking; None is all.
    top: ClassVar[int | None] = None
    # A signed statistic of each feature of one ranking, for enrichment analysis.
    signed_statistic: ClassVar[Any] = None

    def html(self) -> str:
        """Return the report as a self-contained HTML page.

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
        """Write the HTML report to a file, which appears complete or not at all."""
        from featrank.report.writing import write

        write(self, "html", path)

    def open(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the HTML report and show it in the browser.

        Parameters
        ----------
        path : path or None, default=None
            The file to write; None is a temporary file that only you can read.

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
            message = f"No browser could be started. Open {str(page)!r} yourself."
            warnings.warn(message, FeatrankWarning, stacklevel=2)
        return page

    def _repr_html_(self) -> str:
        """Return the HTML report in a frame, which isolates its style and scripts."""
        lines = sum(len(b.rows) + 3 if isinstance(b, Grid) else 2 for b in flattened(self.shown))
        return (
            f'<iframe title="Report of featrank" srcdoc="{escape(self.html())}" '
            'sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {min(80 + 26 * lines, 800)}px; border: 0"></iframe>'
        )


def make_columns(
    names: Iterable[str] = (), numbers: Iterable[str] = (), *, whole: bool = False
) -> list[Column]:
    """Return columns of names, on the left, and then of numbers, on the right."""
    numeric = [Column(head, right=True, whole=whole) for head in numbers]
    return [*(Column(head, whole=whole) for head in names), *numeric]


def described(subject: str, version: int, content: dict[str, Any]) -> dict[str, Any]:
    """Return content with its schema and version.

    Examples
    --------
    >>> described("stability", 1, {"trials": 10})
    {'schema': 'featrank/stability', 'version': 1, 'trials': 10}
    """
    return {"schema": f"featrank/{subject}", "version": version, **content}


def flattened(blocks: Sequence[Block]) -> list[Grid | Paragraph]:
    """Return the blocks of a format without drawings: plots as tables, sections as headings."""
    flat: list[Grid | Paragraph] = []
    for block in blocks:
        if isinstance(block, Section):
            flat += [Paragraph(block.question, bold=True), *flattened(block.blocks)]
        elif isinstance(block, Plot):
            flat += [Paragraph(block.title), block.numbers]
        elif isinstance(block, Explorer):
            flat.append(block.grid)
        else:
            flat.append(block)
    return flat
