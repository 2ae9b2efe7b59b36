"""Columns by name or position: the target, the ones to drop, the ones that stay."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.options import ReadOptions

SHOWN = 5

#: The advice for several columns of one name, if the whole table is in memory.
MERGE = ", or make one of them (--duplicates mean, max or first; in Python duplicates=)"

#: The column that pandas adds to columnar files for names of rows.
PANDAS_INDEX = "__index_level_0__"

#: Cells of CSV and similar files that mean a missing value.
MISSING_CELLS = (
    "", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-nan", "NULL", "null", "None",
)  # fmt: skip


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
    """Return ``x0``, ``x1``, …: names for columns that came without."""
    return [f"x{index}" for index in range(n_features)]


def check_unique(names: Iterable[str], further: str = "") -> None:
    """Raise DataError if a name occurs twice; ``further`` is more advice."""
    repeated = [repr(name) for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(
            f"{len(repeated)} column name(s) occur more than once: {listed(repeated)}. "
            f"Each column needs a name of its own: rename or remove the repeated ones{further}."
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
    """Return the position of a column that was asked for; raise an error if it is unknown.

    ``why`` ends the sentence "It was asked …".
    """
    position = find_column(names, wanted)
    if position is None:
        raise UsageError(f"{unknown_name(kind, wanted, names)} It was asked {why}.")
    return position


def target_column(names: Sequence[str], target: str | None, kind: str = "column") -> int | None:
    """Return the position of the target, or None if none is wanted."""
    return None if target is None else asked_column(names, target, "for as the target", kind)


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
    """Return the positions of the features: all columns but the dropped ones and the target."""
    target_names = {options.file_target} if target is None else {options.file_target, names[target]}
    known = set(names)
    drop = columns_named(options.drop, known | target_names)
    for name in drop:
        if name in target_names:
            raise UsageError(f"{name!r} is both the target and to be dropped. Choose one.")
        if name not in known:
            raise UsageError(f"{unknown_name('column', name, names)} It was asked to be dropped.")
    dropped = set(drop)
    kept = [index for index, name in enumerate(names) if index != target and name not in dropped]
    check_any_left(kept)
    return kept


def check_any_left(features: Sequence[object]) -> None:
    """Raise DataError if no features are left."""
    if not features:
        raise DataError(
            "No features are left: the table needs at least one column besides the target and "
            "the dropped ones."
        )
