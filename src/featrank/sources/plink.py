"""What PLINK's ``.bim`` and ``.fam`` say of variants and samples."""

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

# Where the phenotype is a class, 1 is a control and 2 a case.
CLASSES = {"-9", "0", "1", "2"}
# Missing values of a class, and of a regression target.
NO_CLASS, NO_QUANTITY = {"-9", "0", *MISSING_CELLS}, {"-9", *MISSING_CELLS}


def companion(bed: Path, suffix: str) -> Path:
    """Return one of the other two files of a ``.bed``."""
    path = bed.with_suffix(suffix)
    if not path.is_file():
        raise UsageError(
            f"There is no file {path.name!r} beside {str(bed)!r}. PLINK writes three files, .bed, "
            ".bim and .fam: keep them together."
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
            f"Ids of variants occur more than once in {str(bim)!r}: "
            f"{listed([repr(name) for name in twice])}. Each needs one of its own: "
            "plink2 --set-all-var-ids '@:#:$1:$2' --make-bed writes such a file."
        )
    return names


def n_samples(fam: Path) -> int:
    """Return how many samples there are."""
    return sum(frame.height for frame in frames(fam, SAMPLES))


def known_column(target: str) -> str:
    """Return the column of ``.fam`` of a name or a position."""
    place = find_column(SAMPLES, target)
    if place is None:
        raise UsageError(
            f"{unknown_name('column of .fam', target, SAMPLES)} It was asked for as the target; a "
            "file of labels may be given too."
        )
    return SAMPLES[place]


def has_phenotype(fam: Path) -> bool:
    """Whether any sample has a phenotype: files without one hold -9 or 0 throughout."""
    return not _cells(fam, "phenotype").is_in(NO_CLASS).all()


def individuals(fam: Path, rows: slice) -> NDArray[Any]:
    """Return the ids of some samples."""
    return _cells(fam, "individual").to_numpy()[rows]


def sample_labels(fam: Path, labels: Path | str) -> NDArray[np.generic]:
    """Return one label per sample, from a label file (Path) or a column of ``.fam`` (str).

    They are read once a process for all parts, and again if the file changes.
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
    n_missing = int(cells.is_in(NO_CLASS if classes else NO_QUANTITY).sum())
    if n_missing:
        raise DataError(
            f"{n_missing:,} of {len(cells):,} samples of {str(fam)!r} have no {column} "
            f"({'-9 or 0' if classes else '-9'}). Every sample needs a label: {_way_out(column)}, "
            "or name another column or a file of labels as the target."
        )
    return _as_numbers(cells)


def _way_out(column: str) -> str:
    removing = "plink --prune" if column == "phenotype" else "plink2 --remove-nosex"
    return f"remove these samples with {removing} --make-bed"


def _as_numbers(cells: pl.Series) -> NDArray[np.generic]:
    import polars as pl

    for dtype in (pl.Int64, pl.Float64):
        numbers = cells.cast(dtype, strict=False)
        if numbers.null_count() == 0:
            return numbers.to_numpy(writable=True)
    return cells.to_numpy().astype(str)
