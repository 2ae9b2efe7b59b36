"""``--param NAME=VALUE`` and ``--n-features LIST``: parsing of values."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from featrank.cli.grouped_help import METHOD, option
from featrank.exceptions import UsageError

_WORDS = {"true": True, "false": False, "none": None}
_NUMBERS: tuple[Callable[[str], Any], ...] = (int, float)

# Parameters with their own option.
OPTIONS = {"n_features_to_select": "--top", "n_jobs": "--jobs"}


def parse_value(word: str) -> Any:
    """Return an int, float, True, False or None if the string is one, else the string.

    Comma-separated values give a tuple.

    Examples
    --------
    >>> [parse_value(word) for word in ("3", "0.3", "True", "none", "l1", "0.2,0.8")]
    [3, 0.3, True, None, 'l1', (0.2, 0.8)]
    """
    if "," in word:
        return tuple(parse_value(part.strip()) for part in word.split(","))
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    for number in _NUMBERS:
        try:
            return number(word)
        except ValueError:
            continue
    return word


def n_features_option(help: str, default: str) -> Callable[[Any], Any]:
    """Return the option ``--n-features LIST``, whose value is a tuple of numbers or None."""
    return option(
        "--n-features",
        metavar="LIST",
        callback=_parse_counts,
        group=METHOD,
        show_default=default,
        help=help,
    )


def _parse_counts(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    if value is None:
        return None
    numbers = parse_value(value)
    counts: tuple[Any, ...] = numbers if isinstance(numbers, tuple) else (numbers,)
    if not all(type(count) is int and count >= 1 for count in counts):
        raise UsageError(
            f"--n-features {value!r} is not a list of numbers. Use e.g. --n-features 10,20,50."
        )
    return counts


def parse_params(
    ctx: click.Context, param: click.Parameter, settings: Iterable[str]
) -> dict[str, Any]:
    """Return the parameters of a repeated NAME=VALUE option."""
    values: dict[str, Any] = {}
    for given in settings:
        name, equals, value = given.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{given!r} is not of the form NAME=VALUE, e.g. alpha=0.3.")
        if name in OPTIONS:
            raise UsageError(f"{name!r} is not set with --param. Use {OPTIONS[name]}.")
        if name in values:
            raise click.BadParameter(f"{name!r} is given twice.")
        values[name] = parse_value(value)
    return values
