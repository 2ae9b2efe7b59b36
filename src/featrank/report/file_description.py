"""What a file contains, and the command to run next."""

from __future__ import annotations

from typing import Any

from featrank._utils.plain_text import one_line, shortened
from featrank.exceptions import counted
from featrank.files.columns import ColumnInfo
from featrank.files.describe import FileDescription
from featrank.report.document import (
    Block,
    Column,
    Grid,
    Paragraph,
    Report,
    described,
    make_columns,
)

__all__ = ["file_report"]

# Names per kind of column, and candidates, that readers see.
SHOWN, CANDIDATES = 5, 8
KINDS = {
    "id": "IDs (not ranked)",
    "categories": "categories",
    "codes": "numeric codes",
    "counts": "whole numbers",
    "numeric": "numbers",
    "date": "dates",
    "string": "free text",
    "odd": "numbers and other cells",
    "constant": "constant",
}
NO_TARGET = """\
No column looks like a target, so this ranks the features without one. To rank
for a column of this file, use --target COL instead of --method. To rank for a
column of a sample sheet, use --labels FILE --target COL instead.
"""


def file_report(description: FileDescription) -> Report:
    """Return what a file contains, for ``featrank info``.

    Parameters
    ----------
    description : FileDescription
        Returned by :func:`featrank.describe_file`.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     featrank.datasets.load("iris").write(f"{folder}/iris.csv")
    ...     report = file_report(featrank.describe_file(f"{folder}/iris.csv"))
    >>> report.content["candidates"][0]["name"]
    'species'
    """
    columns = [*description.columns, *description.annotations]
    shown: list[Block] = [Paragraph(_summary(description)), _kinds(description)]
    if description.candidates:
        shown.append(_candidates(description))
    shown += _next(description)
    rows = [_row(one) for one in columns]
    content = described("file", 1, _content(description, rows))
    return Report(content, rows, shown, description.notes)


def _summary(found: FileDescription) -> str:
    about = "about " if found.sampled else ""
    lines = [
        f"{one_line(found.path.name)}: {found.format}, {about}"
        f"{counted(found.n_samples, 'sample')} × {counted(found.n_columns, 'column')}"
    ]
    if found.transposed:
        lines.append("The file has features in rows. Below it is transposed.")
    if found.sampled:
        lines.append("The file is large: only its beginning was read.")
    cells, columns, samples = found.missing
    lines.append(
        f"Missing values: {counted(cells, 'cell')} in {counted(columns, 'column')} and "
        f"{counted(samples, 'sample')}"
        if cells
        else "Missing values: none"
    )
    return "\n".join(lines)


def _kinds(found: FileDescription) -> Grid:
    """Return how many columns there are of each kind, with some names."""
    rows = []
    for where, columns in (("", found.columns), (" about samples", found.annotations)):
        for kind, words in KINDS.items():
            own = [one for one in columns if one.kind == kind]
            if own:
                rows.append([f"{len(own):,}", words + where, _names(own)])
    heads = [Column("columns", right=True, whole=True), Column("values", whole=True)]
    return Grid([*heads, Column("names")], rows, keys=3, tight=True)


def _names(columns: list[ColumnInfo]) -> str:
    shown = [shortened(one.name, 30) for one in columns[:SHOWN]]
    return ", ".join(shown) + (", …" if len(columns) > SHOWN else "")


def _candidates(found: FileDescription) -> Grid:
    rows = []
    for one in found.candidates[:CANDIDATES]:
        leaks = found.leaks.get(one.name, [])
        matching = f". Same information: {', '.join(leaks[:SHOWN])}" if leaks else ""
        missing = f", {one.n_missing:,} missing" if one.n_missing else ""
        rows.append([one.name, f"{one.sentence}{missing}{matching}"])
    more = len(found.candidates) - CANDIDATES
    columns = [*make_columns(["target candidate"], whole=True), Column("classes")]
    caption = f"{counted(more, 'more candidate')} not shown." if more > 0 else ""
    return Grid(columns, rows, caption=caption, keys=2, tight=True)


def _next(found: FileDescription) -> list[Block]:
    if found.problem:
        return [
            Paragraph("featrank cannot suggest a command for this file:"),
            Paragraph(found.problem),
        ]
    command = [Paragraph("Next:"), Paragraph(f"  {found.command}\n", code=True)]
    return [*command, Paragraph(NO_TARGET)] if "method" in found.options else [*command]


def _row(one: ColumnInfo) -> dict[str, Any]:
    return {
        "column": one.name,
        "kind": one.kind,
        "distinct": one.n_distinct,
        "missing": one.n_missing,
        "is_feature": one.is_feature,
        "classes": "; ".join(f"{label} {count}" for label, count in one.classes.items()),
    }


def _content(found: FileDescription, rows: list[dict[str, Any]]) -> dict[str, Any]:
    cells, columns, samples = found.missing
    return {
        "file": str(found.path),
        "format": found.format,
        "samples": found.n_samples,
        "columns": found.n_columns,
        "sampled": found.sampled,
        "transposed": found.transposed,
        "missing": {"cells": cells, "columns": columns, "samples": samples},
        "candidates": [
            {"name": one.name, "classes": one.classes, "missing": one.n_missing}
            for one in found.candidates
        ],
        "leaks": found.leaks,
        "values": rows,
        "options": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.options.items()
        },
        "command": found.command,
        "problem": found.problem,
        "notes": list(found.notes),
    }
