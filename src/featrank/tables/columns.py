"""Columns by name or position: the target, the dropped ones and the features."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from featrank.exceptions import DataError, TargetError, UsageError, unknown_name
from featrank.tables.options import ReadOptions
from featrank.values.missing_labels import MISSING_LABELS

SHOWN = 5

#: The advice for several columns with the same name, if the whole table is in memory.
MERGE = ', or merge them with `duplicates="mean"`'

#: The column that pandas adds to columnar files for row names.
PANDAS_INDEX = "__index_level_0__"

#: Cells of CSV and similar files that mean a missing value.
MISSING_CELLS = (*MISSING_LABELS, "NULL", "null", "None")


def listed(items: Sequence[str]) -> str:
    """Return the first few items, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b"])
    'a, b'
    >>> listed(list("abcdefg"))
    'a, b, c, d, e and 2 more'
    """
    more = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def default_names(n_features: int) -> list[str]:
    """Return ``x0``, ``x1``, …: names for columns that have none."""
    return [f"x{index}" for index in range(n_features)]


def check_unique(names: Iterable[str], further: str = "") -> None:
    """Raise DataError if a name occurs twice. ``further`` is more advice.

    Names that became dates belong to different genes, so that merging them is not advised.
    """
    from featrank.tables.spreadsheet_names import mangled_names

    every = list(names)
    repeated = [repr(name) for name, count in Counter(every).items() if count > 1]
    if repeated:
        mangled = {repr(name) for name in mangled_names(every)}
        if mangled & set(repeated):
            raise DataError(
                f"Column names must be unique, but these are repeated: {listed(repeated)}. A "
                "spreadsheet program converts different gene names to the same date or number. "
                "Export the table again with the gene names as text."
            )
        raise DataError(
            f"Column names must be unique, but these are repeated: {listed(repeated)}. Rename or "
            f"remove the repeated columns{further}."
        )


def find_column(names: Sequence[str], wanted: str) -> int | None:
    """Return the position of a column given by its name or else by its position, or None.

    Examples
    --------
    >>> find_column(["a", "b", "c"], "b"), find_column(["a", "b", "c"], "-1")
    (1, 2)
    """
    if wanted in names:
        return names.index(wanted)
    if re.fullmatch(r"-?\d+", wanted) and -len(names) <= int(wanted) < len(names):
        return int(wanted) % len(names)
    return None


def asked_column(names: Sequence[str], wanted: str, why: str, kind: str = "column") -> int:
    """Return the position of a column that an option names, or raise an error if it is unknown.

    ``why`` ends the sentence "It was given …".
    """
    position = find_column(names, wanted)
    if position is None:
        raise UsageError(f"{unknown_name(kind, wanted, names)} It was given {why}.")
    return position


def target_column(names: Sequence[str], target: str | None, kind: str = "column") -> int | None:
    """Return the position of the target, or None without a target."""
    if target is None:
        return None
    try:
        return asked_column(names, target, "as the target", kind)
    except UsageError as error:
        raise TargetError(str(error)) from error


def columns_named(entries: Iterable[str], known: Container[str | None]) -> list[str]:
    """Split entries that hold one or several names separated by commas.

    An entry that is a known name is not split, so that names may contain commas.

    Examples
    --------
    >>> columns_named(["a, b", "c,d"], {"a", "b", "c,d"})
    ['a', 'b', 'c,d']
    """
    return [
        name
        for entry in entries
        for name in ([entry] if entry in known else (part.strip() for part in entry.split(",")))
    ]


def kept_columns(
    names: Sequence[str], options: ReadOptions, target: int | None = None
) -> list[int]:
    """Return the positions of the features: all columns except the target and dropped ones."""
    target_names = {options.file_target} if target is None else {options.file_target, names[target]}
    known = set(names)
    drop = columns_named(options.drop, known | target_names)
    for name in drop:
        if name in target_names:
            raise UsageError(f"{name!r} is the target and also in `drop`. Choose one.")
        if name not in known:
            raise UsageError(f"{unknown_name('column', name, names)} It was given in `drop`.")
    dropped = set(drop)
    kept = [index for index, name in enumerate(names) if index != target and name not in dropped]
    check_any_left(kept)
    return kept


def check_any_left(features: Sequence[object]) -> None:
    """Raise DataError if no features are left."""
    if not features:
        raise DataError(
            "No features are left. The table needs at least one column in addition to the target "
            "and the dropped columns."
        )
