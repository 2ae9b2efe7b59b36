"""``featrank report``: write the HTML report of results."""

from pathlib import Path

import click

from featrank.cli.messages import Messages
from featrank.cli.options import output_path, quiet_option
from featrank.cli.results import folders_argument, max_features, write_page

# Place in the list of commands.
ORDER = 4


@click.command("report")
@folders_argument
@click.option(
    "--output",
    "-o",
    type=output_path,
    metavar="FILE",
    help="Where to write the page; by default report.html in the first DIR.",
)
@max_features
@quiet_option
def command(folders: tuple[Path, ...], output: Path | None, max_features: int, quiet: bool) -> None:
    """Write the page of DIR, which `featrank compare --out-dir DIR` wrote.

    One HTML file that needs nothing else: what the answer is and how sure, which features, how
    many, how stable, what they look like, which method wins, and how it was made. Of several
    folders, one a data set, the first is shown, with the ranks of the methods over all.

    \b
    featrank report results
    featrank report colon leukemia lymphoma prostate --output microarray.html
    """
    messages = Messages(quiet)
    write_page(folders, output, max_features, messages)
