"""Our scores next to the published ones: ours, the paper's and the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from featrank.report.document import Cell, Column, Grid, Paragraph, Report, described, make_columns

__all__ = ["areas_report", "precisions_report"]

NONE = "–"
LEGEND = "ROC AUC (%) of a linear SVM with the top k features: ours, the paper's, difference"

# Distinguishes our values from the published ones.
DIM = Column("", whole=True, colour="dim")

Record = Mapping[str, Any]
Line = list[Cell | str]


def areas_report(
    title: str,
    tables: Mapping[str, Sequence[Record]],
    *,
    missing: Mapping[str, str],
    manifests: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> Report:
    """Return areas under the ROC curve, in percent, and seconds: one table per data set.

    Parameters
    ----------
    title : str
        Title of all tables.
    tables : mapping of str to sequence of mapping
        The cells of each data set, method by method: ``dataset``, ``method``, ``column``,
        ``ours``, ``paper``, ``difference``, ``deviation`` and ``trials``. Unknown
        values are None.
    missing : mapping of str to str
        Notes on missing data sets, by name.
    manifests : mapping of str to dict
        The manifest of each run.
    notes : sequence of str
        Notes on missing values.
    """
    rows = [dict(record) for records in tables.values() for record in records]
    parts = {"cells": rows, "missing": dict(missing), "manifests": dict(manifests)}
    grids = [_areas_grid(dataset, records) for dataset, records in tables.items()]
    shown: list[Grid | Paragraph] = [Paragraph(title, bold=True), Paragraph(LEGEND), *grids]
    return Report(described("reproduction", 1, parts), rows, shown, notes)


def precisions_report(
    tables: Sequence[Sequence[Record]], manifest: Mapping[str, Any], *, notes: Sequence[str] = ()
) -> Report:
    """Return average precisions, in percent: one table per number of features and kind.

    Parameters
    ----------
    tables : sequence of sequence of mapping
        The cells of each table, class by class: ``k``, ``kind``, ``class``, ``method``,
        ``ours``, ``paper`` and ``difference``. Unknown values are None.
    manifest : mapping
        The manifest of the run.
    notes : sequence of str
        Notes on missing values.
    """
    rows = [dict(record) for records in tables for record in records]
    content = described("reproduction-voc", 1, {"cells": rows, "manifest": dict(manifest)})
    shown: list[Grid | Paragraph] = []
    for records in tables:
        kind = f"{'11-point ' if records[0]['kind'] == '11-point' else ''}average precision (%)"
        total = manifest["data"]["features"]
        title = f"Top {records[0]['k']} of {total} features: {kind}"
        shown += [Paragraph(title, bold=True), _precisions_grid(records, _published(records))]
    return Report(content, rows, shown, notes)


def _areas_grid(dataset: str, records: Sequence[Record]) -> Grid:
    heads = list(dict.fromkeys(record["column"] for record in records))
    numbers = ["time (s)" if head == "seconds" else head for head in heads]
    columns = [Column("method", whole=True), DIM, *make_columns((), numbers, whole=True)]
    best = _best(records)
    rows: list[Line] = []
    for method in dict.fromkeys(record["method"] for record in records):
        row = [record for record in records if record["method"] == method]
        marks = [_area(f["ours"], f["column"]) == best.get(f["column"]) for f in row]
        rows += _lines(method, row, marks, _published(row))
    # Data sets of the paper are written in capitals, as there; substitutes keep their names.
    name = dataset.upper() if _published(records) else dataset
    name += str(records[0]["dataset"]).removeprefix(dataset)
    title = f"{name}, {max(record['trials'] for record in records)} trials"
    return Grid(columns, rows, title, keys=2, bold_title=True)


def _best(records: Sequence[Record]) -> dict[str, str]:
    """Return the largest value of each column except the seconds, as it is displayed."""
    best: dict[str, float] = {}
    for record in records:
        column, ours = record["column"], record["ours"]
        if ours is not None and column != "seconds":
            best[column] = max(ours, best.get(column, ours))
    return {column: _area(value, column) for column, value in best.items()}


def _precisions_grid(records: Sequence[Record], published: bool) -> Grid:
    methods = dict.fromkeys(record["method"] for record in records)
    names = [Column("class", whole=True), *([DIM] if published else [])]
    columns = [*names, *make_columns((), methods, whole=True)]
    rows: list[Line] = []
    for label in dict.fromkeys(record["class"] for record in records):
        row = [record for record in records if record["class"] == label]
        best = max((f["ours"] for f in row if f["ours"] is not None), default=None)
        marks = [_area(record["ours"]) == _area(best) for record in row]
        rows += _lines(label, row, marks, published, alone=not published)
    # The mean is the last row, below a line.
    last = len(rows) - (3 if published else 1)
    return Grid(columns, rows, keys=len(names), rules=frozenset({last}))


def _lines(
    name: str, row: Sequence[Record], bold: Sequence[bool], published: bool, alone: bool = False
) -> Iterator[Line]:
    """Yield the lines of a method or a class; ``alone`` without published values."""
    columns = [record.get("column", "") for record in row]
    ours = [_area(record["ours"], column) for record, column in zip(row, columns, strict=True)]
    yield [name, *([] if alone else ["ours"]), *map(Cell, ours, bold)]
    for what, sign in (("paper", ""), ("difference", "+")) if published else ():
        pairs = zip(row, columns, strict=True)
        yield ["", what, *(_area(record[what], column, sign) for record, column in pairs)]


def _published(records: Sequence[Record]) -> bool:
    return any(record["paper"] is not None for record in records)


def _area(value: float | None, column: str = "", sign: str = "") -> str:
    if value is None:
        return NONE
    return f"{value:{sign}.3g}" if column == "seconds" else f"{value:{sign}.2f}"
