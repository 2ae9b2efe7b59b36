"""The data sets that featrank can load by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from featrank.report.document import Cell, Column, Grid, Paragraph, Report, make_columns

__all__ = ["dataset_report", "datasets_report"]

COLUMNS = ("name", "samples", "classes", "features", "paper_samples", "paper_features", "at_hand")
SIZES = ("samples", "classes", "features")
NOTES = """\
`featrank datasets NAME` downloads a data set, verifies it and prints its path.
featrank looks for NAME.npz in the folder FEATRANK_DATA, then in its cache.
VOC 2007 (about 10,000 images, 20 classes) is not a table. It needs a file of features.
"""


def datasets_report(rows: Sequence[Mapping[str, Any]] | None = None) -> Report:
    """Return the data sets, their sizes here and in the paper's Table 1, and their locations.

    Parameters
    ----------
    rows : sequence of mapping or None, default=None
        Rows of ``featrank.datasets.table``. None means all.

    Examples
    --------
    >>> datasets_report().content[-1]["at_hand"]
    'built-in'
    """
    if rows is None:
        from featrank.datasets import table

        rows = table()
    content = [dict(row) for row in rows]
    short = [{name: row[name] for name in COLUMNS} for row in content]
    return Report(content, short, [_grid(content), Paragraph(NOTES)])


def dataset_report(facts: Mapping[str, Any]) -> Report:
    """Return a description of one data set.

    Parameters
    ----------
    facts : mapping
        Returned by ``featrank.datasets.describe``.

    Examples
    --------
    >>> from featrank.datasets import describe
    >>> dataset_report(describe("iris")).rows[0]["samples"]
    150
    """
    plain = {name: value for name, value in facts.items() if name != "class_sizes"}
    return Report(dict(facts), [plain], [_facts_grid(facts)])


def _grid(content: list[dict[str, Any]]) -> Grid:
    columns = make_columns(["data set"], SIZES, whole=True)
    columns += [Column("paper's Table 1", right=True), Column("available", whole=True)]
    rows = []
    for row in content:
        samples, features = row["paper_samples"], row["paper_features"]
        published = "–" if samples is None else f"{samples:,} × {features:,}"
        colour = "red" if row["at_hand"].startswith("missing") else ""
        sizes = [f"{row[size]:,}" for size in SIZES]
        rows.append([row["name"], *sizes, published, Cell(row["at_hand"], colour=colour)])
    return Grid(columns, rows, keys=len(columns))


def _facts_grid(facts: Mapping[str, Any]) -> Grid:
    classes = ", ".join(f"{label} {count:,}" for label, count in facts["class_sizes"].items())
    lines = {
        "what": facts["description"],
        "samples": f"{facts['samples']:,}",
        "features": f"{facts['features']:,}",
        "classes": classes,
        "file": facts["file"] or "none (part of scikit-learn)",
        "verified": "yes" if facts["file"] else "",
        "citation": facts["citation"],
        "licence": facts["licence"],
    }
    rows = [(head, line) for head, line in lines.items() if line]
    return Grid(make_columns(("", "")), rows, facts["name"], keys=2, headed=False)
