"""``featrank datasets``: list and download data sets."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from featrank.cli.grouped_help import OUTPUT, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import output_path, quiet_option
from featrank.cli.output import finish, table_format_option

if TYPE_CHECKING:
    from featrank.datasets import Dataset

# Place in the list of commands.
ORDER = 10


@grouped_command("datasets")
@click.argument("name", required=False)
@option(
    "--output",
    "-o",
    type=output_path,
    metavar="FILE",
    group=OUTPUT,
    show_default="not saved",
    help="Also save the data set NAME as a table, e.g. colon.csv.",
)
@table_format_option
@quiet_option
def command(name: str | None, output: Path | None, quiet: bool, format: str) -> None:
    """List data sets, or download one by NAME.

    The list contains the data sets of the EC-FS paper and small ones that are always available.

    \b
    featrank datasets
    featrank datasets colon
    featrank datasets colon --output colon.csv
    """
    from featrank.report import dataset_report, datasets_report

    messages = Messages(quiet)
    if name is None:
        if output is not None:
            raise click.UsageError("--output saves one data set. Add its NAME.")
        finish(datasets_report(), format, messages)
        return
    from featrank.datasets import describe

    data = _fetched(name, output, messages)
    finish(dataset_report(describe(data)), format, messages)
    if output is not None:
        with messages.progress(f"Writing {output.name}"):
            data.write(output)
        messages.say(f"Wrote {str(output)!r}. Its target column is {data.target_name!r}.")


def _fetched(name: str, output: Path | None, messages: Messages) -> "Dataset":
    from featrank.datasets import load
    from featrank.tables import require_writable

    if output is not None:
        require_writable(output)
    with messages.progress(f"Fetching {name}"):
        return load(name)
