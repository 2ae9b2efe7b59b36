"""Where reports go: stdout, a stream, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from featrank._utils.atomic_files import replacing
from featrank.exceptions import UsageError
from featrank.report.document import Report
from featrank.report.formats import kinds_of, module_of, require_fit, suffixes

__all__ = ["file_format", "write"]

_FOR_PROGRAMS: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "newline": "\n"}


def write(
    report: Report,
    format: str | None = None,
    to: str | os.PathLike[str] | TextIO | None = None,
    *,
    safe_csv: bool = False,
) -> None:
    """Write a report.

    Parameters
    ----------
    report : Report
        What a function of ``featrank.report`` returns.
    format : {"table", "csv", "html", "json", "markdown", "tsv"} or None, default=None
        None is what the suffix of a file says; on a terminal a table, and else CSV. Rankings
        have three more, for tools of enrichment analysis: "rnk" (names and scores), "grp"
        (names) and "gmt" (markers of each class).
    to : path, text stream or None, default=None
        A file, which appears whole or not at all; None is stdout.
    safe_csv : bool, default=False
        Whether texts in CSV and TSV are made harmless for spreadsheets and terminals: control
        characters are replaced, and what would be a formula (a text that begins with ``=``, ``+``,
        ``-`` or ``@`` and is no number) gets an apostrophe in front.

    Examples
    --------
    >>> from featrank.report import Paragraph, Report, write
    >>> write(Report({"answer": 42}, [{"answer": 42}], [Paragraph("It is 42.")]), "csv")
    answer
    42
    """
    if isinstance(to, str | os.PathLike):
        chosen = file_format(format, Path(to))
        require_fit(chosen, kinds_of(report))
        with _opened(Path(to)) as stream:
            _write(report, chosen, stream, safe_csv)
        return
    stream = sys.stdout if to is None else to
    chosen = format or ("table" if stream.isatty() else "csv")
    require_fit(chosen, kinds_of(report))
    if stream is sys.stdout:
        _prepare_stdout(chosen)
    _write(report, chosen, stream, safe_csv)


def _write(report: Report, format: str, stream: TextIO, safe_csv: bool) -> None:
    module = module_of(format)
    if safe_csv and getattr(module, "FOR_SPREADSHEETS", False):
        module.write(report, stream, safe=True)
    else:
        module.write(report, stream)


def file_format(format: str | None, path: Path) -> str:
    """Return the format for a file: the one asked for, or that of its suffix, else CSV."""
    from featrank.tables import WRITABLE

    meant = suffixes().get(path.suffix.lower())
    if format or meant:
        return format or str(meant)
    if path.name.lower().endswith(WRITABLE):
        known = ", ".join(suffixes())
        raise UsageError(
            f"A report is written as one of {known}, not as {path.name!r}. Choose one of these "
            "suffixes, or say --format csv (format='csv') if the name shall stay."
        )
    return "csv"


def _prepare_stdout(format: str) -> None:
    """Make stdout UTF-8 for programs; for people, whatever their terminal can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        people = module_of(format).FOR_PEOPLE
        sys.stdout.reconfigure(**({"errors": "replace"} if people else _FOR_PROGRAMS))


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that takes the place of an old one only when it is complete."""
    try:
        with replacing(path) as temporary, open(temporary, "w", **_FOR_PROGRAMS) as stream:
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error
