"""The options that say how counts and missing values are treated, declared once."""

from collections.abc import Callable

import click

transform_option = click.option(
    "--transform",
    default="none",
    show_default=True,
    metavar="LIST",
    help="What becomes of the values, after gaps are filled: log1p, cpm (counts per million of a "
    "sample), clr (centred log-ratios of a sample), rank, none; or several, such as cpm,log1p, in "
    "that order.",
)
max_missing_option = click.option(
    "--max-missing",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    metavar="SHARE",
    help="Leave out features of which a larger share of the values is missing, such as 0.2.",
)


def treatment_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add both options to a command, as ``transform`` and ``max_missing``."""
    return transform_option(max_missing_option(command))
