"""``featrank info``: what a file contains, and the command to run next."""

from pathlib import Path
from typing import Any

from featrank.cli import files
from featrank.cli.grouped_help import grouped_command
from featrank.cli.messages import Messages
from featrank.cli.options import (
    dialect_options,
    file_argument,
    labels_option,
    quiet_option,
    transpose_option,
)
from featrank.cli.output import finish, table_format_option

# Place in the list of commands.
ORDER = 0


@grouped_command("info", cls=files.RankingCommand)
@file_argument
@transpose_option
@labels_option
@dialect_options
@table_format_option
@quiet_option
def command(file: Path, format: str, quiet: bool, **reading: Any) -> None:
    """Describe FILE and suggest the next command.

    featrank lists the kinds of columns, the columns that could be the target, missing values, and
    columns that would leak the target. It prints a command that ranks the features.

    \b
    featrank info data.csv
    featrank info cells.h5ad
    featrank info genes.tsv --transpose --labels clinical.csv
    featrank info data.csv --format json
    """
    from featrank.files.describe import describe_file
    from featrank.report import file_report

    messages = Messages(quiet)
    with messages.progress(f"Reading {file.name}"):
        description = describe_file(file, **reading)
    finish(file_report(description), format, messages)
