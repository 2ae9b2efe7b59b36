"""Texts from data that may hold anything."""


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


def shortened(text: str, length: int) -> str:
    """Return text that is at most so long, its end replaced by an ellipsis if it is not.

    Examples
    --------
    >>> shortened("a very long name", 8)
    'a very …'
    """
    text = one_line(text)
    return text if len(text) <= length else text[: length - 1] + "…"
