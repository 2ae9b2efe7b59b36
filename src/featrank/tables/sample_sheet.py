"""Sample sheets, such as clinical data, joined to a table by the ids of the samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError, UsageError
from featrank.tables.columns import asked_column, listed
from featrank.tables.format import module_of, suffixes
from featrank.tables.ids import is_id
from featrank.tables.options import SampleSheet
from featrank.tables.samples import Samples

if TYPE_CHECKING:
    import polars as pl


def joined(samples: Samples, sheet: SampleSheet, name: str) -> Samples:
    """Return the samples with the columns of a sample sheet; warn about ids without a match.

    Parameters
    ----------
    samples : Samples
        Those of the table. They are matched by the column with the name of the sheet's id column
        if there is one, else by their ids.
    sheet : SampleSheet
        The sample sheet.
    name : str
        What messages call the table.
    """
    frame, notes = read_sheet(sheet)
    key = key_of(frame, sheet)
    others = [column for column in samples.names if column not in frame.columns]
    names = [*frame.columns, *others]
    places = matched(samples, frame, key, sheet.path, name)

    def get(column: str) -> np.ndarray:
        if column not in frame.columns:
            return samples.get(column)
        values = np.array([*frame[column].to_list(), None], dtype=object)
        return values[places]

    return Samples(names, get, samples.ids, samples.id_name, key, notes)


def read_sheet(sheet: SampleSheet) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a sample sheet as a frame, and notes on how it was read."""
    path = sheet.path
    module = module_of(path, "read_frame")
    if module is None:
        known = suffixes("read_frame")
        raise UsageError(
            f"A sample sheet cannot be read from {str(path)!r}. Use a table with one row per "
            f"sample: {', '.join(known)}."
        )
    if not path.is_file():
        raise UsageError(f"The sample sheet {str(path)!r} does not exist. Check the path.")
    frame: pl.DataFrame
    frame, notes = module.read_frame(path, sheet.options)
    return frame, notes


def key_of(frame: pl.DataFrame, sheet: SampleSheet) -> str:
    """Return the id column of a sheet."""
    if sheet.key is not None:
        why = f"for as the id column of {sheet.path.name!r}"
        return frame.columns[asked_column(frame.columns, sheet.key, why)]
    ids = [name for name in frame.columns if is_id(frame[name], name, first=False)]
    return ids[0] if ids else frame.columns[0]


def matched(samples: Samples, frame: pl.DataFrame, key: str, path: Path, name: str) -> np.ndarray:
    """Return the row of each sample in the sheet, or -1; raise an error for ambiguous ids."""
    values, unique = _keys_of(samples, key, name)
    own = [_text(value) for value in values]
    theirs = [_text(value) for value in frame[key].to_list()]
    _refuse_repeated(
        [own_id for own_id in theirs if own_id], f"the column {key!r} of {path.name!r}"
    )
    if unique:
        _refuse_repeated(own, f"the ids of {name!r}")
    rows = {own_id: row for row, own_id in enumerate(theirs) if own_id}
    places = np.array([rows.get(own_id, -1) for own_id in own], dtype=np.intp)
    if (places < 0).all():
        raise DataError(
            f"No id of {name!r} ({listed(own)}) is in the column {key!r} of {path.name!r} "
            f"({listed(theirs)}). {_suggested_fix(samples, theirs, name)}"
        )
    _warn_of_unmatched(own, rows, path, name)
    return places


def _suggested_fix(samples: Samples, theirs: Sequence[str], name: str) -> str:
    if {*samples.names} & {*theirs}:
        return (
            f"Columns of {name!r} have these names. If it has its features in rows, use "
            "`transpose=True`."
        )
    return "Name the id column with `id_column=...`."


def _keys_of(samples: Samples, key: str, name: str) -> tuple[Sequence[Any], bool]:
    """Return the values to match by, and whether they must be unique."""
    if key in samples.names and key != samples.id_name:
        return samples.get(key).tolist(), False
    if samples.ids is None:
        raise UsageError(
            f"{name!r} has no ids to match the sample sheet: it has no row names, no id column and "
            f"no column {key!r}. Rename its id column to {key!r}."
        )
    return list(samples.ids), True


def _text(value: Any) -> str:
    """Return an id as a string; 7.0, from a column with missing values, is 7."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _refuse_repeated(keys: Sequence[str], where: str) -> None:
    twice = [repr(own_id) for own_id, count in Counter(keys).items() if count > 1]
    if twice:
        raise DataError(
            f"Ids must be unique, but these are repeated in {where}: {listed(twice)}. Remove or "
            "rename the repeated ones."
        )


def _warn_of_unmatched(own: Sequence[str], rows: Mapping[str, int], path: Path, name: str) -> None:
    unmatched = [own_id for own_id in own if own_id not in rows]
    unused = sorted(rows.keys() - {*own})
    problems = []
    if unmatched:
        problems.append(
            f"{len(unmatched)} of {len(own)} samples of {name!r} are not in the sample sheet "
            f"({listed(unmatched)})"
        )
    if unused:
        problems.append(
            f"{len(unused)} of {len(rows)} ids in the sample sheet are not in {name!r} "
            f"({listed(unused)})"
        )
    if problems:
        warn_user(f"{path.name!r} does not match all samples: {', and '.join(problems)}.")
