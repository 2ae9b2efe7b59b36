"""``featrank methods``: list the ranking methods."""

import click

from featrank.cli.messages import Messages
from featrank.cli.options import LazyChoice
from featrank.cli.output import finish, format_option

# Place in the list of commands.
ORDER = 8


@click.command("methods")
@click.option(
    "--for",
    "uses",
    multiple=True,
    type=LazyChoice("featrank.base.suitability", "USES"),
    help="Only those that suit such data: many features, many samples (both as measured, the "
    "fastest first), sparse, without labels, with a quantity for the target. May be repeated.",
)
@format_option
def command(uses: tuple[str, ...], layout: str | None) -> None:
    """List the ranking methods, grouped by what they read off the data.

    For T samples and n features: what each method is, what it costs here, what its publication
    says, and where it comes from.

    \b
    featrank methods
    featrank methods --for wide
    featrank methods --for unlabelled --for tall
    """
    from featrank.report import methods_report

    finish(methods_report(uses), layout, Messages(quiet=False))
