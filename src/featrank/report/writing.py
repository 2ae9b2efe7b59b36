"""Write reports to stdout, to a stream, or to a file."""

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
        Returned by a function of ``featrank.report``.
    format : {"table", "csv", "html", "json", "markdown", "tsv"} or None, default=None
        None uses the file extension, and for stdout a table on a terminal and CSV elsewhere.
        Rankings have three more formats, for enrichment analysis: "rnk" (names and scores), "grp"
        (names) and "gmt" (markers of each class).
    to : path, text stream or None, default=None
        A file, which appears complete or not at all. None is stdout.
    safe_csv : bool, default=False
        Whether to make CSV and TSV safe for spreadsheets and terminals: control characters are
        replaced, and cells that a spreadsheet would run as a formula (starting with ``=``, ``+``,
        ``-`` or ``@``, but not numbers) get a leading apostrophe.

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
    """Return the format of a file: the given one, or that of its extension.

    Devices and pipes, which have no extension, get CSV.
    """
    known = suffixes()
    if format or path.suffix.lower() in known:
        return format or known[path.suffix.lower()]
    if path.exists() and not path.is_file() and not path.is_dir():
        return "csv"
    raise UsageError(
        f"The format of {path.name!r} is unknown. Use one of these file extensions: "
        f'{", ".join(known)}. For another name, use `format="csv"`.'
    )


def _prepare_stdout(format: str) -> None:
    """Write UTF-8 to programs, and to people whatever their terminal can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        people = getattr(module_of(format), "FOR_PEOPLE", False)
        sys.stdout.reconfigure(**({"errors": "replace"} if people else _FOR_PROGRAMS))


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """Open a file that replaces an old one only when it is complete."""
    try:
        with replacing(path) as temporary, open(temporary, "w", **_FOR_PROGRAMS) as stream:
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error
