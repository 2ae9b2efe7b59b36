"""Weka's ARFF, with dense rows or with sparse ``{column value, …}`` rows.

A nominal feature whose declared values are all numbers counts as numeric, since files of 0/1
features are often declared that way. A column that a sparse row leaves out is 0, or the first
declared value if it is nominal. Sparse rows of numbers stay sparse.
"""

from io import TextIOWrapper
from pathlib import Path

from featrank.tables.format import Format
from featrank.tables.opening import opened_text
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

FORMAT = Format(
    names=("ARFF",),
    suffixes=(".arff",),
    writes="the labels as the last column",
    loses=("ids",),
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read an ARFF file."""
    from featrank.tables.arff_rows import read_rows

    with parsing(path, "ARFF"), opened_text(path) as file:
        return read_rows(TextIOWrapper(file, "utf-8-sig"), path, options)


def write(path: Path, table: Table) -> None:
    """Write dense rows, or sparse ones if X is sparse. Labels that are not numbers are nominal."""
    from featrank.tables.arff_rows import written_lines

    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(written_lines(table))
