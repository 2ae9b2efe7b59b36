"""``featrank methods``: what there is to choose from, as the classes themselves say."""

import click

from featrank.cli.messages import Messages
from featrank.cli.output import finish, format_option

# Place in the list of commands.
ORDER = 8


@click.command("methods")
@format_option
def command(layout: str | None) -> None:
    """List the ranking methods.

    For T samples and n features: what each method is, what it costs here, what its publication
    says, and where it comes from.
    """
    from featrank.report import methods_report

    finish(methods_report(), layout, Messages(quiet=False))
