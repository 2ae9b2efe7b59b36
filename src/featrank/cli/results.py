"""Results folders: reading them, and writing their HTML report."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from featrank.cli.grouped_help import OUTPUT, option
from featrank.cli.messages import Messages
from featrank.cli.options import POSITIVE, require_folder
from featrank.exceptions import DataError

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

folder_path = click.Path(exists=True, file_okay=False, path_type=Path)
folders_argument = click.argument(
    "folders", metavar="DIR...", type=folder_path, nargs=-1, required=True
)
max_features = option(
    "--max-features",
    type=POSITIVE,
    default=10_000,
    metavar="N",
    group=OUTPUT,
    help="Number of features in the table of the HTML report, best first.",
)


def read_results(path: Path, messages: Messages) -> "Comparison":
    """Return the results in a folder; raise an error if no trial is finished."""
    from featrank.evaluation import read_comparison

    comparison = read_comparison(path)
    done, planned = len(comparison.trials), comparison.manifest["n_repeats"]
    if not done:
        raise DataError(
            f"{str(path)!r} contains no finished trial. Run `featrank compare` with --resume first."
        )
    if done < planned:
        messages.note(f"Only finished trials are used: {done} of {planned} in {str(path)!r}.")
    return comparison


def write_html_report(
    folders: Sequence[Path], output: Path | None, max_features: int, messages: Messages
) -> Path:
    """Write the HTML report of results folders and return its path."""
    from featrank.report import comparison_html_report, write

    path = output or folders[0] / "report.html"
    require_folder(path)
    first, *others = (read_results(folder, messages) for folder in folders)
    with messages.progress("Writing the HTML report"):
        write(comparison_html_report(first, others, max_features=max_features), "html", path)
    messages.say(f"Wrote the HTML report to {str(path)!r}.")
    return path
