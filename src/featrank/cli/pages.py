"""What the commands that write a page share."""

from collections.abc import Sequence
from pathlib import Path

import click

from featrank.cli.folders import read_results
from featrank.cli.messages import Messages
from featrank.cli.options import require_folder

max_features = click.option(
    "--max-features",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Features in the page's table, those with the best ranks.",
)


def write_page(
    folders: Sequence[Path], output: Path | None, max_features: int, messages: Messages
) -> Path:
    """Write the page of folders of results, and say where it is."""
    from featrank.report import comparison_html_report, write

    path = output or folders[0] / "report.html"
    require_folder(path)
    first, *others = (read_results(folder, messages) for folder in folders)
    with messages.progress("Writing the page"):
        write(comparison_html_report(first, others, max_features=max_features), "html", path)
    messages.say(f"The page is {str(path)!r}.")
    return path
