"""Strings from data, made safe for terminals and spreadsheets."""

from collections.abc import Iterable
from typing import Any

# Includes the full-width forms, which some spreadsheets treat in the same way.
_FORMULAS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")


def one_line(string: str) -> str:
    r"""Return a string on one line and without control characters, safe for any terminal.

    Examples
    --------
    >>> one_line("two\nlines, \x1b[31mred")
    'two lines, �[31mred'
    """
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for letter in " ".join(string.splitlines())
    )


def one_field(string: str) -> str:
    r"""Return a string with spaces instead of tabs and line breaks.

    Examples
    --------
    >>> one_field("two\nlines, a\ttab")
    'two lines, a tab'
    """
    return " ".join(string.splitlines()).replace("\t", " ")


def safe_cell(string: str) -> str:
    r"""Return a string that a spreadsheet shows but does not run, and that terminals print.

    A string that would start a formula is prefixed with an apostrophe, unless it is a number.

    Examples
    --------
    >>> [safe_cell(string) for string in ("=1+2", "-1.5", "@SUM(A1)", "\x1b[31mred", "gene-1")]
    ["'=1+2", '-1.5', "'@SUM(A1)", '�[31mred', 'gene-1']
    """
    plain = one_line(string)
    begins = string.startswith(("\t", "\r")) or plain.lstrip().startswith(_FORMULAS)
    return f"'{plain}" if begins and not _is_number(plain) else plain


def _is_number(string: str) -> bool:
    try:
        float(string)
    except ValueError:
        return False
    return "_" not in string


def shortened(string: str, length: int) -> str:
    """Return a string of at most ``length`` characters, cut with an ellipsis if necessary.

    Examples
    --------
    >>> shortened("a very long name", 8)
    'a very …'
    """
    string = one_line(string)
    return string if len(string) <= length else string[: length - 1] + "…"


def split_names(names: str | Iterable[Any]) -> tuple[str, ...]:
    """Return names as stripped strings, from a list or from a string with commas.

    Examples
    --------
    >>> split_names("-, unknown"), split_names([9])
    (('-', 'unknown'), ('9',))
    """
    items = names.split(",") if isinstance(names, str) else names
    return tuple(item for name in items if (item := str(name).strip()))
