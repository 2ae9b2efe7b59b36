"""The results in the EC-FS paper as printed, from the tables in ``data/``.

``table1.csv`` describes the data sets, ``table3.csv`` and ``table4.csv`` hold AUC in percent and
seconds, and ``voc.csv`` average precisions in percent. ``notes.csv`` lists contradictions between
the printed values, which are not corrected.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

#: The methods of the tables in the order of the paper, and their names there.
METHODS = {
    "fisher": "Fisher-S",
    "fsv": "FSV",
    "inf-fs": "Inf-FS",
    "laplacian": "LS",
    "mi": "MI",
    "relieff": "ReliefF",
    "svm-rfe": "RFE",
    "ec-fs": "EC-FS",
}
FEATURES = (50, 100, 150, 200)
VOC_FEATURES = (128, 256)
#: The columns of a table of AUCs, by their names here.
COLUMNS = (*map(str, FEATURES), "average", "seconds")


@dataclass(frozen=True)
class Note:
    """A note on a printed value; ``column`` is empty for a note on the whole row."""

    table: str
    dataset: str
    method: str
    column: str
    kind: str
    printed: str
    recomputed: str
    note: str


def areas(dataset: str) -> dict[str, dict[str, float]]:
    """Return the values of a data set in Tables 3 and 4: method → column → value.

    Columns are the numbers of features, "average" (all in percent) and "seconds". The result is
    empty for data sets that are not in the paper.

    Examples
    --------
    >>> areas("colon")["ec-fs"]["average"]
    91.06
    """
    rows = [row for name in ("table3", "table4") for row in read(name)]
    return {
        row["method"]: {column: float(row[column]) for column in COLUMNS}
        for row in rows
        if row["dataset"] == dataset
    }


def precisions(features: int) -> dict[str, dict[str, float]]:
    """Return the table of VOC 2007 at 128 or 256 features: class → method → AP in percent.

    The last entry is "mean", over the classes.

    Examples
    --------
    >>> precisions(128)["mean"]["ec-fs"]
    75.42
    """
    rows = [row for row in read("voc") if row["features"] == str(features)]
    return {row["class"]: {method: float(row[method]) for method in METHODS} for row in rows}


def notes() -> list[Note]:
    """Return the notes on the printed values."""
    return [Note(**row) for row in read("notes")]


@cache
def read(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a file in ``data/``, as printed."""
    content = files(__package__).joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(content.splitlines()))
