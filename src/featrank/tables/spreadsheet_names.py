"""Gene names that a spreadsheet program converted to dates or numbers: MARCH1 becomes 1-Mar."""

from __future__ import annotations

import re
from collections.abc import Sequence

from featrank.tables.columns import listed

_MONTH = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
# Several genes of one such name stay apart, by their number.
_NUMBER = r"(?: \(feature \d+\))?"
_DATE = re.compile(
    rf"(?:\d{{1,2}}-(?:{_MONTH})(?:-(?:\d\d|\d{{4}}))?"  # 1-Mar, 1-Mar-2024
    rf"|(?:{_MONTH})-\d{{1,2}}"  # Mar-01
    r"|\d{4}-\d\d-\d\d(?: 00:00:00)?"  # 2024-03-01
    rf"|\d{{1,2}}/\d{{1,2}}/\d{{4}}){_NUMBER}"  # 3/1/2024
)
# RIKEN clones such as 2310009E13: seven digits, E, and a number up to 24.
_RIKEN = re.compile(rf"\d(?:\.\d+)?E\+(\d\d){_NUMBER}")
_EXPONENTS = range(7, 31)
# If most features are called like dates or numbers, that is what they are.
_MOST = 0.5
# No table of genes has more features.
_MANY = 10**6


def mangled_names(names: Sequence[str]) -> list[str]:
    """Return the names that look like gene names after a spreadsheet program read them.

    Examples
    --------
    >>> mangled_names(["TP53", "1-Mar", "BRCA1", "2.31E+13", "MAR1", "2.31E+02", "x1-2"])
    ['1-Mar', '2.31E+13']
    >>> mangled_names(["1-Mar", "2-Mar", "3-Mar", "mean"])  # a table of days
    []
    """
    # Names such as x0, x1, … are made on demand, and cannot be gene names.
    if len(names) > _MANY or getattr(names, "distinct", False):
        return []
    found = [name for name in names if _is_mangled(name)]
    return found if len(found) <= _MOST * len(names) else []


def _is_mangled(name: str) -> bool:
    if _DATE.fullmatch(name):
        return True
    number = _RIKEN.fullmatch(name)
    return number is not None and int(number[1]) in _EXPONENTS


def mangled_warning(names: Sequence[str]) -> str | None:
    """Return a warning if some names look like gene names that became dates or numbers."""
    found = list(dict.fromkeys(mangled_names(names)))
    if not found:
        return None
    looks = "1 feature name looks" if len(found) == 1 else f"{len(found)} feature names look"
    return (
        f"{looks} like gene names that a spreadsheet program converted to dates or numbers: "
        f"{listed([repr(name) for name in found])}. Different genes can share such a name: MARCH1 "
        "and MARC1 both become '1-Mar'. Export the table again with the gene column as text, or "
        "use current symbols such as MARCHF1 and SEPTIN2."
    )


def numbered_apart(names: Sequence[str]) -> list[str]:
    """Return the names with a number added to mangled ones that occur more than once.

    Examples
    --------
    >>> numbered_apart(["TP53", "1-Mar", "TP53", "EGFR", "1-Mar"])
    ['TP53', '1-Mar (feature 2)', 'TP53', 'EGFR', '1-Mar (feature 5)']
    """
    counts: dict[str, int] = {}
    for name in mangled_names(names):
        counts[name] = counts.get(name, 0) + 1
    return [
        f"{name} (feature {place})" if counts.get(name, 0) > 1 else name
        for place, name in enumerate(names, 1)
    ]
