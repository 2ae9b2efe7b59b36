"""Variants and samples from PLINK's ``.bim`` and ``.fam`` files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.sources.names import StoredNames, repeated
from featrank.sources.whitespace import frames
from featrank.tables.columns import MISSING_CELLS, find_column, listed
from featrank.tables.labels import checked_labels, read_label_file

if TYPE_CHECKING:
    import polars as pl

VARIANTS = ("chromosome", "id", "centimorgans", "position", "first", "second")
SAMPLES = ("family", "individual", "father", "mother", "sex", "phenotype")

# If the phenotype is a class, 1 is a control and 2 a case.
CLASSES = {"-9", "0", "1", "2"}
# Missing values of a class, and of a regression target.
NO_CLASS, NO_NUMBER = {"-9", "0", *MISSING_CELLS}, {"-9", *MISSING_CELLS}


def companion(bed: Path, suffix: str) -> Path:
    """Return one of the other two files of a ``.bed``."""
    path = bed.with_suffix(suffix)
    if not path.is_file():
        raise UsageError(
            f"{path.name!r} is missing next to {str(bed)!r}. Put the .bed, .bim and .fam "
            "files of PLINK in one folder."
        )
    return path


def variant_names(bim: Path) -> StoredNames:
    """Return the ids of the variants, or chromosome:position:alleles for those without an id."""
    import polars as pl

    place = pl.concat_str(["chromosome", "position", "first", "second"], separator=":")
    named = pl.when(pl.col("id") == ".").then(place).otherwise(pl.col("id")).alias("id")
    columns = [frame.select(named).to_series() for frame in frames(bim, VARIANTS)]
    names = StoredNames(pl.concat(columns) if columns else [])
    twice = repeated(names)
    if twice:
        raise DataError(
            f"Variant ids occur more than once in {str(bim)!r}: "
            f"{listed([repr(name) for name in twice])}. Make them unique with "
            "plink2 --set-all-var-ids '@:#:$1:$2' --make-bed."
        )
    return names


def n_samples(fam: Path) -> int:
    """Return the number of samples."""
    return sum(frame.height for frame in frames(fam, SAMPLES))


def known_column(target: str) -> str:
    """Return the column of ``.fam`` of a name or a position."""
    place = find_column(SAMPLES, target)
    if place is None:
        raise UsageError(
            f"{unknown_name('column of .fam', target, SAMPLES)} The target is such a column or a "
            "label file."
        )
    return SAMPLES[place]


def has_phenotype(fam: Path) -> bool:
    """Whether any sample has a phenotype other than -9 and 0."""
    return not _cells(fam, "phenotype").is_in(NO_CLASS).all()


def individuals(fam: Path, rows: slice) -> NDArray[Any]:
    """Return the ids of some samples."""
    return _cells(fam, "individual").to_numpy()[rows]


def sample_labels(fam: Path, labels: Path | str) -> NDArray[np.generic]:
    """Return one label per sample, from a label file (Path) or a column of ``.fam`` (str).

    A missing label is None. The file is read once per process, and again if it changes.
    """
    read = labels if isinstance(labels, Path) else fam
    state = read.stat()
    return _kept(fam, labels, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _kept(fam: Path, labels: Path | str, changed: int, size: int) -> NDArray[np.generic]:
    if isinstance(labels, Path):
        count = n_samples(fam)
        found = checked_labels(read_label_file(labels, count), count, str(labels))
    else:
        found = _of_column(fam, labels)
    found.setflags(write=False)
    return found


def _cells(fam: Path, column: str) -> pl.Series:
    import polars as pl

    return pl.concat([frame.to_series(SAMPLES.index(column)) for frame in frames(fam, SAMPLES)])


def _of_column(fam: Path, column: str) -> NDArray[np.generic]:
    cells = _cells(fam, column)
    if column not in ("sex", "phenotype"):
        return cells.to_numpy().astype(str)
    classes = column == "sex" or cells.is_in(CLASSES | set(MISSING_CELLS)).all()
    missing = cells.is_in(NO_CLASS if classes else NO_NUMBER)
    return _as_numbers(cells.set(missing, None))


def _as_numbers(cells: pl.Series) -> NDArray[Any]:
    """Return numbers if all known cells are, else strings; a missing one is None."""
    import polars as pl

    for dtype in (pl.Int64, pl.Float64):
        numbers = cells.cast(dtype, strict=False)
        if numbers.null_count() == cells.null_count():
            cells = numbers
            break
    if cells.null_count():
        return np.array(cells.to_list(), dtype=object)
    if cells.dtype.is_numeric():
        return cells.to_numpy(writable=True)
    return cells.to_numpy().astype(str)
