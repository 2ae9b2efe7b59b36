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
    """The group of all commands, which prints errors as sentences."""

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Parse the options before the command."""
        with reported():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn errors into a sentence and an exit code."""
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
    help="Show the version and the instruction set, and exit.",
)
def main() -> None:
    """Rank and select the features of a table.

    \b
    featrank demo
    featrank info data.csv
    featrank rank data.csv --target diagnosis --top 20
    featrank select data.csv --target diagnosis --top 20 -o small.csv
    featrank compare data.csv --target diagnosis --out-dir results

    Results go to stdout. Progress, notes, warnings and errors go to stderr.

    \b
    Exit codes:
      0    success
      1    the data cannot be used, or the run failed
      2    the command or its options are wrong
      130  interrupted (Ctrl-C)
      141  the reader of a pipe closed it
      143  terminated
    """
