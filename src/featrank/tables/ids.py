"""Id columns: detected by their names and values, and never ranked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

# A first column of this many different strings holds row names, whatever its header.
MANY = 10

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

    Texts do that are all different, under a name such as ``sample`` or ``patient_id``, or as the
    first column of ten rows or more; integers only under a name that says so.

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
    return may_be_id(column.dtype, name, first=first and len(column) >= MANY) and _all_different(
        column
    )


def ids_note(name: str) -> str:
    """Return the sentence on a column that was found to hold ids."""
    return f"The column {name!r} holds ids of the samples and is not ranked."


def may_be_id(dtype: pl.DataType, name: str, *, first: bool) -> bool:
    """Whether a column of this type and name would be one of ids, if its values all differ."""
    import polars as pl

    says_id = _NUMBERED.fullmatch(name) or _CAMEL.fullmatch(name)
    if dtype.is_integer():
        return bool(says_id)
    is_string = dtype in (pl.String, pl.Categorical, pl.Enum)
    return is_string and bool(says_id or first or _NAMED.fullmatch(name))


def _all_different(column: pl.Series) -> bool:
    return len(column) > 1 and not column.null_count() and column.n_unique() == len(column)
