"""GCT 1.2 and 1.3, plain or gzipped: features in rows, transposed to samples × features."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from featrank.exceptions import DataError
from featrank.tables.columns import MISSING_CELLS, check_unique
from featrank.tables.format import Format
from featrank.tables.opening import opened
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

if TYPE_CHECKING:
    import numpy as np

FORMAT = Format(
    names=("GCT",),
    suffixes=(".gct", ".gct.gz"),
    target="an annotation of the samples (GCT 1.3)",
    writes="GCT 1.2",
    loses=("labels",),
)

_ID = "sample"
# Missing annotations in files of the Connectivity Map.
_MISSING = ("na", "-666")


@dataclass(frozen=True)
class _Sizes:
    """The sizes in the second line of a file, and the number of columns before the values."""

    features: int
    samples: int
    about: int
    annotations: int


def read(path: Path, options: ReadOptions) -> Table:
    """Read the values and the annotations of features and samples."""
    from featrank.tables.feature_rows import cells_of, feature_rows, read_text
    from featrank.tables.prepare import from_matrix
    from featrank.tables.samples import Samples
    from featrank.tables.symbols import names_and_symbols

    with parsing(path, "GCT"):
        *lines, rest = [*read_text(path).split(b"\n", 3), b"", b"", b""][:4]
        sizes = _sizes(cells_of(lines[0])[0], cells_of(lines[1]), path)
        header, rest = cells_of(lines[2]), rest.rstrip(b"\n") + b"\n"
        _check_sizes(sizes, len(header), rest.count(b"\n"), path)
        about, ids = header[: sizes.about], header[sizes.about :]
        *lines, rows = rest.split(b"\n", sizes.annotations)
        check_unique(about)
        annotations = _annotations(lines, sizes, path)
        strings, X = feature_rows(rows, sizes.about, ids, path, 4 + sizes.annotations)
    columns = dict(zip(about, strings, strict=True))
    names, symbols = names_and_symbols(columns, options, _symbol(about))
    samples = Samples.of(annotations, ids, id_name=_ID)
    return from_matrix(X, names, None, None, options, samples=samples, symbols=symbols)


def write(path: Path, table: Table) -> None:
    """Write GCT 1.2, with second names as descriptions and without the labels."""
    import numpy as np
    import polars as pl

    n_samples, n_features = table.X.shape
    ids = range(n_samples) if table.ids is None else table.ids.tolist()
    symbols = table.symbols or ["na"] * n_features
    strings = [["Name", "Description", *map(str, ids)], table.feature_names, symbols]
    _check_strings([string for column in strings for string in column])
    X = table.X if isinstance(table.X, np.ndarray) else table.X.toarray()
    columns = [table.feature_names, symbols, *X]
    frame = pl.DataFrame([pl.Series(str(place), one) for place, one in enumerate(columns)])
    with opened(path, "wb") as file:
        file.write(f"#1.2\n{n_features}\t{n_samples}\n".encode())
        file.write(("\t".join(strings[0]) + "\n").encode())
        frame.fill_nan(None).write_csv(
            file, separator="\t", include_header=False, quote_style="never"
        )


def _sizes(version: str, cells: list[str], path: Path) -> _Sizes:
    expected = {"#1.2": 2, "#1.3": 4}.get(version)
    if expected is None:
        raise DataError(
            f"{str(path)!r} begins with {version[:20]!r}, but featrank reads GCT versions '#1.2' "
            "and '#1.3'. Convert the file to '#1.3'."
        )
    numbers = " ".join(cells).split()
    if len(numbers) != expected or not all(number.isdecimal() for number in numbers):
        raise DataError(
            f"{str(path)!r}, line 2 is {' '.join(cells)[:60]!r}. It must hold {expected} numbers: "
            f"features, samples{', annotation columns and rows' if expected == 4 else ''}."
        )
    features, samples, *further = map(int, numbers)
    return _Sizes(features, samples, *((further[0] + 1, further[1]) if further else (2, 0)))


def _check_sizes(sizes: _Sizes, width: int, n_lines: int, path: Path) -> None:
    for what, promised, found in (
        ("columns in line 3", sizes.about + sizes.samples, width),
        ("rows below it", sizes.features + sizes.annotations, n_lines),
    ):
        if promised != found:
            raise DataError(
                f"{str(path)!r} has {found} {what} instead of {promised}, the number in line 2. "
                "The file may be truncated. Download it again, or correct line 2."
            )
    if not sizes.features or not sizes.samples:
        raise DataError(f"{str(path)!r} has no values. Give a file with at least one sample.")


def _annotations(lines: list[bytes], sizes: _Sizes, path: Path) -> dict[str, np.ndarray]:
    """Return the annotations of the samples."""
    from featrank.tables.feature_rows import annotation, cells_of

    rows = [cells_of(line) for line in lines]
    check_unique(row[0] for row in rows)
    found = {}
    for number, (name, *cells) in enumerate(rows, start=4):
        if len(cells) != sizes.about - 1 + sizes.samples:
            raise DataError(
                f"{str(path)!r}, line {number} has {len(cells) + 1} fields instead of "
                f"{sizes.about + sizes.samples}. The file may be damaged. Download it again."
            )
        found[name] = annotation(cells[sizes.about - 1 :], (*MISSING_CELLS, *_MISSING))
    return found


def _symbol(about: list[str]) -> str | None:
    """Return the column of second names: the description, or else a symbol."""
    described = [name for name in about[1:] if name.lower() == "description"]
    return next(
        iter([*described, *(name for name in about[1:] if name.lower().endswith("symbol"))]), None
    )


def _check_strings(strings: list[str]) -> None:
    broken = next((string for string in strings if "\t" in string or "\n" in string), None)
    if broken is not None:
        raise DataError(
            f"The name {broken[:60]!r} contains a tab or a line end, which GCT cannot hold. "
            "Choose another format, such as .csv."
        )
