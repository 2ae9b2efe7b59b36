"""``--param NAME=VALUE`` and ``--n-features LIST``: texts made into values."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from featrank.exceptions import UsageError

_WORDS = {"true": True, "false": False, "none": None}
_NUMBERS: tuple[Callable[[str], Any], ...] = (int, float)

# Parameters that have an option of their own.
OPTIONS = {"n_features_to_select": "--top", "n_jobs": "--jobs"}


def parse_value(text: str) -> Any:
    """Return an int, a float, True, False or None if the text reads as one, else the text.

    Values with commas between them make a tuple.

    Examples
    --------
    >>> [parse_value(text) for text in ("3", "0.3", "True", "none", "l1", "0.2,0.8")]
    [3, 0.3, True, None, 'l1', (0.2, 0.8)]
    """
    if "," in text:
        return tuple(parse_value(part.strip()) for part in text.split(","))
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in _NUMBERS:
        try:
            return number(text)
        except ValueError:
            continue
    return text


def parse_counts(text: str) -> tuple[int, ...]:
    """Return the numbers of features that ``--n-features`` asks for.

    Examples
    --------
    >>> parse_counts("10,20")
    (10, 20)
    """
    values = parse_value(text)
    counts: tuple[Any, ...] = values if isinstance(values, tuple) else (values,)
    if not all(type(count) is int and count >= 1 for count in counts):
        raise UsageError(f"--n-features {text!r} is no list of numbers such as 10,20,50.")
    return counts


def parse_params(
    ctx: click.Context, param: click.Parameter, texts: Iterable[str]
) -> dict[str, Any]:
    """Return the parameters that a repeated NAME=VALUE option gives."""
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE, such as alpha=0.3.")
        if name in OPTIONS:
            raise UsageError(f"{name!r} is not set with --param. Use {OPTIONS[name]}.")
        if name in values:
            raise click.BadParameter(f"{name!r} is given twice.")
        values[name] = parse_value(value)
    return values
