"""Sample sheets, such as clinical data, joined to a table by the ids of the samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError, UsageError
from featrank.tables.columns import asked_column, find_column, listed
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
        Those of the table. They are matched by the column that is called like the key of the
        sheet, if there is one, and else by their ids.
    sheet : SampleSheet
        The sample sheet.
    name : str
        What messages call the table.
    """
    frame, notes = read_sheet(sheet)
    key = key_of(frame, sheet)
    others = [column for column in samples.names if column not in frame.columns]
    names = [*frame.columns, *others]
    # A target of the table itself is known of samples that the sheet lacks, too.
    labelled = sheet.target is not None and (find_column(names, sheet.target) or 0) < frame.width
    places = matched(samples, frame, key, sheet.path, name, labelled)

    def get(column: str) -> np.ndarray:
        if column not in frame.columns:
            return samples.get(column)
        values = np.array([*frame[column].to_list(), None], dtype=object)
        return values[places]

    return Samples(
        names,
        get,
        samples.ids,
        samples.id_name,
        lenient=True,
        unmatched=places < 0 if labelled else None,
        key=key,
        notes=notes,
    )


def read_sheet(sheet: SampleSheet) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a sample sheet as a frame, and notes on how it was read."""
    path = sheet.path
    module = module_of(path, "read_frame")
    if module is None:
        known = suffixes("read_frame")
        raise UsageError(
            f"A sheet of labels cannot be read from {str(path)!r}. Give a table with a row a "
            f"sample: {', '.join(known)}."
        )
    if not path.is_file():
        raise UsageError(f"There is no file {str(path)!r} of labels. Check the path.")
    frame: pl.DataFrame
    frame, notes = module.read_frame(path, sheet.options)
    return frame, notes


def key_of(frame: pl.DataFrame, sheet: SampleSheet) -> str:
    """Return the column of a sheet that holds the ids."""
    if sheet.key is not None:
        why = f"for as the key of {sheet.path.name!r}"
        return frame.columns[asked_column(frame.columns, sheet.key, why)]
    ids = [name for name in frame.columns if is_id(frame[name], name, first=False)]
    return ids[0] if ids else frame.columns[0]


def matched(
    samples: Samples, frame: pl.DataFrame, key: str, path: Path, name: str, labelled: bool
) -> np.ndarray:
    """Return the row of each sample in the sheet, or -1; raise an error for ambiguous ids.

    ``labelled`` is whether samples without a row have no label, and are left out.
    """
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
            f"No id of {name!r} ({listed(own)}) stands in the column {key!r} of {path.name!r} "
            f"({listed(theirs)}). {_way_out(samples, theirs, name)}"
        )
    _warn_of_unmatched(own, rows, path, name, labelled)
    return places


def _way_out(samples: Samples, theirs: Sequence[str], name: str) -> str:
    if {*samples.names} & {*theirs}:
        return (
            f"But columns of {name!r} are called so: if it has its features in rows, turn it with "
            "--transpose (in Python transpose=True)."
        )
    return "Name the column of ids with --id-column (id_column=)."


def _keys_of(samples: Samples, key: str, name: str) -> tuple[Sequence[Any], bool]:
    """Return the values to match by, and whether each must be one sample's own."""
    if key in samples.names and key != samples.id_name:
        return samples.get(key).tolist(), False
    if samples.ids is None:
        raise UsageError(
            f"{name!r} has no ids to match those of the labels: neither names of rows, nor a "
            f"column of ids, nor one that is called {key!r}. Name the column as in the sheet."
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
            f"{len(twice)} id(s) stand more than once in {where}: {listed(twice)}. An id must "
            "mean one sample: remove or rename the others."
        )


def _warn_of_unmatched(
    own: Sequence[str], rows: Mapping[str, int], path: Path, name: str, labelled: bool
) -> None:
    unmatched = [own_id for own_id in own if own_id not in rows]
    unused = sorted(rows.keys() - {*own})
    problems = []
    if unmatched:
        out = " and are left out" if labelled else ""
        problems.append(
            f"{len(unmatched)} of {len(own)} samples have no row in it{out} ({listed(unmatched)})"
        )
    if unused:
        problems.append(
            f"{len(unused)} of its rows belong to no sample of {name!r} ({listed(unused)})"
        )
    if problems:
        warn_user(f"{path.name!r} does not match in full: {'; '.join(problems)}.")
