"""GEO series matrix files: the annotations of the samples and the table of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError, counted
from featrank.tables.columns import listed
from featrank.tables.feature_rows import annotation, cells_of, feature_rows, read_text
from featrank.tables.opening import opened
from featrank.values.missing_labels import MISSING_LABELS

ACCESSION = "geo_accession"

_BEGIN, _END = b"!series_matrix_table_begin", b"!series_matrix_table_end"
_SAMPLE, _FILES = b"!Sample_", b"!Series_supplementary_file\t"
_PAIRS = "characteristics"


@dataclass(frozen=True, eq=False)
class Series:
    """A series: IDs and annotations of the samples, feature names, and values."""

    ids: list[str]
    annotations: dict[str, np.ndarray]
    features: list[str]
    X: np.ndarray


def is_geo(path: Path) -> bool:
    """Whether a file begins like a GEO file."""
    with opened(path, "rb") as file:
        start = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith((b"!", b"^"))


def read_series(path: Path) -> Series:
    """Read a series matrix file."""
    head, ids, rows = _parts(path)
    if not rows.strip():
        raise _without_values(head, path)
    annotations = _annotations(head, ids, path)
    # Two lines are in between: the mark of the table and its column names.
    (features,), X = feature_rows(rows, 1, ids, path, len(head) + 2)
    if np.isnan(X).all():
        raise _without_values(head, path)
    return Series(ids, annotations, features, X)


def read_annotations(path: Path) -> dict[str, Any]:
    """Return the annotations of the samples of a series matrix file, their IDs first."""
    head, ids, _ = _parts(path)
    return {ACCESSION: ids, **_annotations(head, ids, path)}


def _parts(path: Path) -> tuple[list[bytes], list[str], bytes]:
    """Return the lines before the table, the IDs of the samples, and the rows of values."""
    content = read_text(path)
    begin, end = _table(content, path)
    _, _, table = content[begin:end].partition(b"\n")
    header, _, rows = table.partition(b"\n")
    return content[:begin].split(b"\n"), cells_of(header)[1:], rows


def _table(content: bytes, path: Path) -> tuple[int, int]:
    """Return the positions of the lines that begin and end the table."""
    marks = content.count(b"\n" + _BEGIN) + content.startswith(_BEGIN)
    if marks == 0:
        raise DataError(
            f"{str(path)!r} has no line '!series_matrix_table_begin', so it may be truncated, or a "
            "SOFT file. Download the series matrix file (GSE…_series_matrix.txt.gz)."
        )
    if marks > 1:
        raise DataError(
            f"{str(path)!r} holds {marks} series instead of one. Put each into its own file."
        )
    begin = 0 if content.startswith(_BEGIN) else content.index(b"\n" + _BEGIN) + 1
    end = content.find(b"\n" + _END, begin) + 1
    if not end:
        raise DataError(
            f"{str(path)!r} is truncated: its table of values has no end "
            "('!series_matrix_table_end'). Download the file again."
        )
    return begin, end


def _without_values(head: Sequence[bytes], path: Path) -> DataError:
    files = [cells_of(line)[1].rpartition("/")[2] for line in head if line.startswith(_FILES)]
    named = f" ({listed(files)})" if files else ""
    return DataError(
        f"{str(path)!r} describes samples but has no values, which is usual for sequencing. The "
        f"values are in supplementary files of the series{named}. Download these from GEO and rank "
        f"them with the labels of this file: `labels={path.name!r}`."
    )


def _annotations(head: Sequence[bytes], ids: list[str], path: Path) -> dict[str, np.ndarray]:
    """Return the columns about the samples: characteristics first, then all other lines."""
    pairs: dict[str, list[list[str]]] = {}
    others: list[tuple[str, list[str]]] = []
    odd: list[str] = []
    for line in (line for line in head if line.startswith(_SAMPLE)):
        name, *cells = cells_of(line.removeprefix(_SAMPLE))
        if name == ACCESSION:
            _check_ids(cells, ids, path)
        elif len(cells) != len(ids):
            odd.append(name)
        elif name.startswith(f"{_PAIRS}_ch"):
            pairs.setdefault(name.removeprefix(_PAIRS), []).append(cells)
        else:
            others.append((name.removesuffix("_ch1"), cells))
    _warn_of_odd(odd, path)
    columns = _characteristics(pairs, len(ids))
    for name, cells in others:
        columns[_new(name, columns)] = [*cells]
    # "none" and "null" may be classes here: no treatment, a null mutant.
    return {name: annotation(cells, MISSING_LABELS) for name, cells in columns.items()}


def _check_ids(accessions: list[str], ids: list[str], path: Path) -> None:
    if accessions != ids:
        differ = sorted({*accessions} ^ {*ids}) or ["the same in another order"]
        raise DataError(
            f"{str(path)!r}: the {len(ids)} columns of the table are not the {len(accessions)} "
            f"samples of '!Sample_{ACCESSION}' ({listed(differ)}), so labels cannot be matched "
            "with values. Download the file again."
        )


def _warn_of_odd(names: list[str], path: Path) -> None:
    if names:
        warn_user(
            f"{path.name!r}: featrank skipped {counted(len(names), 'line')} without one field per "
            f"sample: {listed(names)}."
        )


def _characteristics(
    pairs: dict[str, list[list[str]]], n_samples: int
) -> dict[str, list[str | None]]:
    """Return one column per key. A line may have different keys for different samples."""
    columns: dict[str, list[str | None]] = {}
    for channel, rows in pairs.items():
        suffix = "" if channel == "_ch1" else channel
        for sample in range(n_samples):
            for name, value in _numbered(row[sample] for row in rows):
                columns.setdefault(name + suffix, [None] * n_samples)[sample] = value
    return columns


def _numbered(cells: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the keys and values of one sample. A repeated key gets a number."""
    seen: Counter[str] = Counter()
    for cell in cells:
        if not cell:
            continue
        key, colon, value = (part.strip() for part in cell.partition(":"))
        key, value = (key or _PAIRS, value) if colon else (_PAIRS, cell)
        seen[key] += 1
        yield key if seen[key] == 1 else f"{key}_{seen[key]}", value


def _new(name: str, taken: dict[str, list[str | None]]) -> str:
    number, new = 1, name
    while new in taken:
        number, new = number + 1, f"{name}_{number + 1}"
    return new
