"""The figures of the EC-FS paper, as printed, from the tables in ``data/``.

``table1.csv`` describes the data sets, ``table3.csv`` and ``table4.csv`` hold areas under the ROC
curve in percent and seconds, ``voc.csv`` average precisions in percent. ``notes.csv`` lists where
the printed figures contradict each other; they are kept as printed.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

#: The methods of the paper's tables in its order, and what it calls them.
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
#: The columns of a table of areas, by the names that they have here.
COLUMNS = (*map(str, FEATURES), "average", "seconds")


@dataclass(frozen=True)
class Note:
    """A remark on a printed figure; ``column`` is empty if it is on the whole row."""

    table: str
    dataset: str
    method: str
    column: str
    kind: str
    printed: str
    recomputed: str
    note: str


def areas(dataset: str) -> dict[str, dict[str, float]]:
    """Return what Tables 3 and 4 print for a data set: method → column → figure.

    Columns are the numbers of features, "average" (all in percent) and "seconds". The paper has
    nothing on other data sets than its own: the result is then empty.

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
    """Return what is to be said of the printed figures."""
    return [Note(**row) for row in read("notes")]


@cache
def read(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a file in ``data/``, as printed."""
    text = files(__package__).joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))
