"""``featrank datasets``: list and fetch the data sets of the paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from featrank.cli.messages import Messages
from featrank.cli.options import output_path, quiet_option
from featrank.cli.output import finish, format_option

if TYPE_CHECKING:
    from featrank.datasets import Dataset

# Place in the list of commands.
ORDER = 7


@click.command("datasets")
@click.argument("name", required=False)
@click.option("--output", "-o", type=output_path, help="Write the set NAME as a table, too.")
@quiet_option
@format_option
def command(name: str | None, output: Path | None, quiet: bool, layout: str | None) -> None:
    """List the data sets of the EC-FS paper, or fetch the one called NAME.

    \b
    featrank datasets
    featrank datasets colon
    featrank datasets colon --output colon.csv
    """
    from featrank.report import dataset_report, datasets_report

    messages = Messages(quiet)
    if name is None:
        if output is not None:
            raise click.UsageError("--output is for one data set. Give its NAME.")
        finish(datasets_report(), layout, messages)
        return
    from featrank.datasets import describe

    data = _fetched(name, output, messages)
    finish(dataset_report(describe(data)), layout, messages)
    if output is not None:
        with messages.progress(f"Writing {output.name}"):
            data.write(output)
        messages.say(f"Wrote {str(output)!r}; its target is {data.target_name!r}.")


def _fetched(name: str, output: Path | None, messages: Messages) -> "Dataset":
    from featrank.datasets import load
    from featrank.tables import require_writable

    if output is not None:
        require_writable(output)
    with messages.progress(f"Fetching {name}"):
        return load(name)
