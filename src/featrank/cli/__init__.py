"""The command ``featrank``. Each subcommand is a file in ``commands/`` and loaded on use.

Nothing heavy is imported before the command line is parsed, so that help is fast.
"""

from typing import Any

import click

from featrank import __version__
from featrank.cli.errors import reported
from featrank.cli.groups import Commands

__all__ = ["main"]


class Main(Commands):
    """The group of all commands, which reports errors as sentences."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn errors into a sentence and an exit code."""
        with reported():
            return super().invoke(ctx)


def show_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the version and the instruction set that the kernels use here."""
    if not wanted or ctx.resilient_parsing:
        return
    from featrank.compiled import _featrank

    click.echo(f"featrank {__version__} ({_featrank.instruction_set()})")
    ctx.exit()


@click.command(
    cls=Main,
    package=f"{__name__}.commands",
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and the instruction set in use, and exit.",
)
def main() -> None:
    """Rank and select the features of a table.

    \b
    featrank demo
    featrank rank data.csv --target diagnosis --top 20
    featrank select data.csv --target diagnosis --top 20 --output small.parquet
    featrank compare data.csv --target diagnosis --out-dir results

    Results go to stdout; progress and messages go to stderr. The exit code is 2 if the call is
    wrong, and 1 if the data is.
    """
