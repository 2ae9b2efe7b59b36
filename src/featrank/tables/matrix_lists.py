"""The lists of samples and features next to a matrix file, as written by 10x."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from featrank.exceptions import DataError
from featrank.tables.feature_rows import cells_of, read_text
from featrank.tables.table import parsing

_KINDS = (".tsv", ".tsv.gz", ".txt", ".txt.gz")
# Names of the first column if a list has a header. R and pandas leave it empty.
_HEADER = re.compile(
    r"|(?:.*[\s_.-])?(?:id|barcode|cell|gene|feature|symbol|name)s?", re.IGNORECASE
)


@dataclass(frozen=True, eq=False)
class Listed:
    """A list next to a matrix: its file, and the fields of its lines."""

    path: Path
    rows: list[list[str]]

    def columns(self, count: int, names: Sequence[str]) -> dict[str, list[str]]:
        """Return the columns by name: from the header, if there is one, or else as given."""
        width = max(map(len, self.rows))
        head = len(self.rows) - count
        further = [f"column {place + 1}" for place in range(len(names), width)]
        own = self.rows[0] if head else [*names, *further][:width]
        if any(len(row) != len(own) for row in self.rows) or len({*own}) < len(own):
            raise DataError(
                f"{str(self.path)!r}: lines have different numbers of fields, or columns have the "
                "same name. The file may be truncated or damaged. Download it again."
            )
        return dict(zip(own, map(list, zip(*self.rows[head:], strict=True)), strict=True))


def find_list(matrix: Path, names: Sequence[str]) -> Listed | None:
    """Return the first list next to a matrix with one of several names, if there is one.

    A common prefix goes first: ``GSM1_features.tsv.gz`` for ``GSM1_matrix.mtx.gz``.
    """
    stem = matrix.name.lower().removesuffix(".gz").removesuffix(".mtx")
    own = matrix.name[: len(stem)]
    prefixes = [own[: -len("matrix")]] if stem.endswith("matrix") else [f"{own}.", f"{own}_"]
    for prefix in dict.fromkeys([*prefixes, ""]):
        for name in names:
            for kind in _KINDS:
                path = matrix.with_name(f"{prefix}{name}{kind}")
                if path.is_file():
                    return _read(path)
    return None


def _read(path: Path) -> Listed:
    with parsing(path, "a list, one per line"):
        lines = read_text(path).rstrip(b"\n").split(b"\n")
        rows = [cells_of(line) for line in lines]
    if rows == [[""]]:
        raise DataError(f"{str(path)!r} is empty. It needs one line per name.")
    return Listed(path, rows)


def orientation(
    shape: tuple[int, int], samples: Listed | None, features: Listed | None, path: Path
) -> bool:
    """Whether a matrix has its features in rows, by the lengths of the lists next to it.

    If both ways fit, as for a square matrix, features are in rows, as 10x writes them.
    """
    if samples is None and features is None:
        return False
    for more in (0, 1):
        for transposed, (n_features, n_samples) in ((True, shape), (False, shape[::-1])):
            if _fits(features, n_features, more) and _fits(samples, n_samples, more):
                return transposed
    lengths = [f"{one.path.name!r} has {len(one.rows)}" for one in (samples, features) if one]
    raise DataError(
        f"{str(path)!r} has {shape[0]} rows and {shape[1]} columns, but {' and '.join(lengths)} "
        "lines. These lists may belong to another matrix. Give those of this matrix."
    )


def _fits(one: Listed | None, count: int, more: int) -> bool:
    """Whether a list has one line per name, or one more, which is a header."""
    if one is None or len(one.rows) == count:
        return True
    header = one.rows[0][0]
    return len(one.rows) - count == more and _HEADER.fullmatch(header) is not None
