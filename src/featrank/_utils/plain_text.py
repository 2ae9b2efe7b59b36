"""Texts from data that may hold anything."""

# With the wide letters that some spreadsheets take for the same.
_FORMULAS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")


def one_line(text: str) -> str:
    r"""Return text on one line and without control characters, safe for any terminal.

    Examples
    --------
    >>> one_line("two\nlines, \x1b[31mred")
    'two lines, �[31mred'
    """
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for letter in " ".join(text.splitlines())
    )


def one_field(text: str) -> str:
    r"""Return text with spaces in the place of tabs and of ends of lines, and else as it is.

    Examples
    --------
    >>> one_field("two\nlines, a\ttab")
    'two lines, a tab'
    """
    return " ".join(text.splitlines()).replace("\t", " ")


def safe_cell(text: str) -> str:
    r"""Return text as a spreadsheet shows it and does not run it, and as terminals print it.

    What would begin a formula gets an apostrophe in front, unless it is a number.

    Examples
    --------
    >>> [safe_cell(text) for text in ("=1+2", "-1.5", "@SUM(A1)", "\x1b[31mred", "gene-1")]
    ["'=1+2", '-1.5', "'@SUM(A1)", '�[31mred', 'gene-1']
    """
    plain = one_line(text)
    begins = text.startswith(("\t", "\r")) or plain.lstrip().startswith(_FORMULAS)
    return f"'{plain}" if begins and not _is_number(plain) else plain


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def shortened(text: str, length: int) -> str:
    """Return text that is at most so long, its end replaced by an ellipsis if it is not.

    Examples
    --------
    >>> shortened("a very long name", 8)
    'a very …'
    """
    text = one_line(text)
    return text if len(text) <= length else text[: length - 1] + "…"
