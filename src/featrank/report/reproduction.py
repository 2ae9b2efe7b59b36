"""Our figures beside the published ones: ours, the paper's and the difference in each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from featrank.report.document import Block, Cell, Column, Grid, Paragraph, Report, described

__all__ = ["areas_report", "precisions_report"]

VERSION = 1
NONE = "–"
LEGEND = "ROC AUC (%) of a linear SVM on the first k features: ours, the paper's, difference"

Figure = Mapping[str, Any]
Line = list[Cell | str]


def areas_report(
    title: str,
    tables: Mapping[str, Sequence[Figure]],
    *,
    missing: Mapping[str, str],
    manifests: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> Report:
    """Return areas under the ROC curve, in percent, and seconds: a table a data set.

    Parameters
    ----------
    title : str
        Of all tables.
    tables : mapping of str to sequence of mapping
        For each data set its figures, method by method: ``dataset``, ``method``, ``column``,
        ``ours``, ``paper``, ``difference``, ``deviation`` and ``trials``. What is not known is
        None.
    missing : mapping of str to str
        Sentences on the data sets that are missing.
    manifests : mapping of str to dict
        What each run is made of.
    notes : sequence of str
        Sentences on what has no figures.
    """
    rows = [dict(figure) for figures in tables.values() for figure in figures]
    parts = {"cells": rows, "missing": dict(missing), "manifests": dict(manifests)}
    grids = [_areas_grid(dataset, figures) for dataset, figures in tables.items()]
    shown: list[Block] = [Paragraph(title, bold=True), Paragraph(LEGEND), *grids]
    return Report(described("reproduction", VERSION, parts), rows, shown, notes)


def precisions_report(
    tables: Sequence[Sequence[Figure]],
    manifest: Mapping[str, Any],
    *,
    notes: Sequence[str] = (),
) -> Report:
    """Return average precisions, in percent: a table for each number of features and kind.

    Parameters
    ----------
    tables : sequence of sequence of mapping
        The figures of each table, class by class: ``k``, ``kind``, ``class``, ``method``,
        ``ours``, ``paper`` and ``difference``. What is not known is None.
    manifest : mapping
        What the run is made of.
    notes : sequence of str
        Sentences on what has no figures.
    """
    rows = [dict(figure) for figures in tables for figure in figures]
    content = described("reproduction-voc", VERSION, {"cells": rows, "manifest": dict(manifest)})
    total = manifest["data"]["features"]
    shown = [block for figures in tables for block in _precisions(figures, total)]
    return Report(content, rows, shown, notes)


def _areas_grid(dataset: str, figures: Sequence[Figure]) -> Grid:
    heads = list(dict.fromkeys(figure["column"] for figure in figures))
    columns = [
        Column("method", whole=True),
        Column("", whole=True, colour="dim"),
        *(Column("time (s)" if h == "seconds" else h, right=True, whole=True) for h in heads),
    ]
    best = _best(figures)
    rows: list[Line] = []
    for method in dict.fromkeys(figure["method"] for figure in figures):
        row = [figure for figure in figures if figure["method"] == method]
        marks = [_area(f["ours"], f["column"]) == best.get(f["column"]) for f in row]
        rows += _lines(method, row, marks, _published(row))
    title = f"{_name(dataset, figures)}, {max(figure['trials'] for figure in figures)} trials"
    return Grid(columns, rows, title, keys=2, bold_title=True)


def _name(dataset: str, figures: Sequence[Figure]) -> str:
    # The paper's own data sets as it writes them; what stands in for one keeps its name.
    name = dataset.upper() if _published(figures) else dataset
    return name + str(figures[0]["dataset"]).removeprefix(dataset)


def _best(figures: Sequence[Figure]) -> dict[str, str]:
    """Return the largest figure of each column but the seconds, as it is shown."""
    best: dict[str, float] = {}
    for figure in figures:
        column, ours = figure["column"], figure["ours"]
        if ours is not None and column != "seconds":
            best[column] = max(ours, best.get(column, ours))
    return {column: _area(value, column) for column, value in best.items()}


def _precisions(figures: Sequence[Figure], total: int) -> Iterator[Block]:
    first = figures[0]
    kind = "11-point average precision" if first["kind"] == "11-point" else "average precision"
    title = f"First {first['k']}/{total} features selected: {kind} (%)"
    yield Paragraph(title, bold=True)
    yield _precisions_grid(figures, _published(figures))


def _precisions_grid(figures: Sequence[Figure], published: bool) -> Grid:
    methods = dict.fromkeys(figure["method"] for figure in figures)
    classes = list(dict.fromkeys(figure["class"] for figure in figures))
    columns = [
        Column("class", whole=True),
        *([Column("", whole=True, colour="dim")] if published else []),
        *(Column(method, right=True, whole=True) for method in methods),
    ]
    rows: list[Line] = []
    for label in classes:
        row = [figure for figure in figures if figure["class"] == label]
        best = max((f["ours"] for f in row if f["ours"] is not None), default=None)
        marks = [_area(figure["ours"]) == _area(best) for figure in row]
        rows += _lines(label, row, marks, published, alone=not published)
    # The mean, which is the last, stands apart.
    last = len(rows) - (3 if published else 1)
    keys = 2 if published else 1
    return Grid(columns, rows, keys=keys, rules=frozenset({last}))


def _lines(
    name: str, row: Sequence[Figure], bold: Sequence[bool], published: bool, alone: bool = False
) -> Iterator[Line]:
    """Give the lines of a method or a class; ``alone`` if ours need not be told from others."""
    columns = [figure.get("column", "") for figure in row]
    ours = [
        Cell(_area(figure["ours"], column), mark)
        for figure, column, mark in zip(row, columns, bold, strict=True)
    ]
    yield [name, *([] if alone else ["ours"]), *ours]
    if published:
        pairs = list(zip(row, columns, strict=True))
        yield ["", "paper", *(_area(figure["paper"], column) for figure, column in pairs)]
        signed = (_area(figure["difference"], column, "+") for figure, column in pairs)
        yield ["", "difference", *signed]


def _published(figures: Sequence[Figure]) -> bool:
    return any(figure["paper"] is not None for figure in figures)


def _area(value: float | None, column: str = "", sign: str = "") -> str:
    if value is None:
        return NONE
    return f"{value:{sign}.3g}" if column == "seconds" else f"{value:{sign}.2f}"
