"""Id columns: detected by their names and values, and never ranked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

# A first column of this many different strings holds row names, whatever its header.
MANY = 10
# Numbers with at most this many different cells that are not numbers are not row names.
FEW = 2

_THING = (
    "sample|patient|subject|case|specimen|donor|participant|individual|animal|mouse|cell|barcode"
    "|accession|array|aliquot|record|row|obs"
)
_WORD = "id|ids|identifier|uuid|guid|barcode|accession"
_NUMBERED = re.compile(
    rf"(?:.*[\s_.-])?(?:{_WORD})|(?:{_THING})[\s_.-]?(?:{_WORD}|number|no|nr)"
    r"|index|unnamed: 0|row[\s_.-]?names?|__index_level_0__",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?:{_THING})s?(?:[\s_.-]?(?:name|names|code|label))?", re.IGNORECASE)
_CAMEL = re.compile(r".*[a-z](?:Id|ID)")


def is_id(column: pl.Series, name: str, *, first: bool) -> bool:
    """Whether a column names the samples.

    Strings do if they are all different and have a name such as ``sample`` or ``patient_id``, or
    are the first column of ten rows or more. Integers only do under a name that says so. A first
    column of numbers with a dash in it is not an ID column.

    Examples
    --------
    >>> import polars as pl
    >>> is_id(pl.Series(["a", "b"]), "Sample ID", first=False)
    True
    >>> is_id(pl.Series([1, 2, 3]), "patient_id", first=False)
    True
    >>> is_id(pl.Series([1, 2, 3]), "age", first=True)
    False
    """
    by_place = first and len(column) >= MANY
    if not may_be_id(column.dtype, name, first=by_place) or not _all_different(column):
        return False
    return may_be_id(column.dtype, name, first=False) or not _holds_numbers(column)


def ids_note(name: str) -> str:
    """Return the note on a column that holds IDs."""
    return f"Column {name!r} holds sample IDs and is not ranked."


def may_be_id(dtype: pl.DataType, name: str, *, first: bool) -> bool:
    """Whether a column of this type and name would hold IDs if its values are all different."""
    import polars as pl

    says_id = _NUMBERED.fullmatch(name) or _CAMEL.fullmatch(name)
    if dtype.is_integer():
        return bool(says_id)
    is_string = dtype in (pl.String, pl.Categorical, pl.Enum)
    return is_string and bool(says_id or first or _NAMED.fullmatch(name))


def _holds_numbers(column: pl.Series) -> bool:
    """Whether strings are numbers, except for a few cells such as a dash."""
    import polars as pl

    from featrank.tables.delimited_text import PLAIN
    from featrank.tables.odd_cells import odd_cells

    found = odd_cells(column.cast(pl.String), PLAIN)
    return found.among_numbers and found.n_known - found.n_numbers <= FEW


def _all_different(column: pl.Series) -> bool:
    return len(column) > 1 and not column.null_count() and column.n_unique() == len(column)
