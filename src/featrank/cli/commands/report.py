"""``featrank report``: write the HTML report of results."""

from pathlib import Path

from featrank.cli.grouped_help import OUTPUT, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import output_path, quiet_option
from featrank.cli.results import folders_argument, max_features, write_html_report

# Place in the list of commands.
ORDER = 4


@grouped_command("report")
@folders_argument
@option(
    "--output",
    "-o",
    type=output_path,
    metavar="FILE",
    group=OUTPUT,
    show_default="report.html in the first DIR",
    help="File for the HTML report.",
)
@max_features
@quiet_option
def command(folders: tuple[Path, ...], output: Path | None, max_features: int, quiet: bool) -> None:
    """Write the HTML report of a comparison.

    DIR is a folder written by `featrank compare --out-dir DIR`. The report is one self-contained
    file: the best features and methods, how certain they are, how many features to use, and how
    the results were computed. With several folders, one per data set, it shows the first, and the
    ranks of the methods over all folders.

    \b
    featrank report results
    featrank report colon leukemia lymphoma prostate -o microarray.html
    """
    write_html_report(folders, output, max_features, Messages(quiet))
