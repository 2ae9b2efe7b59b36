"""``featrank select``: the best features of a file, as a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from featrank.cli import files
from featrank.cli.options import Request, check_output, output_path, ranking_options
from featrank.cli.ranking import ranked

if TYPE_CHECKING:
    from featrank.ranking import Ranking
    from featrank.tables import Table

# Place in the list of commands.
ORDER = 2


@click.command("select", cls=files.TableCommand)
@ranking_options
@click.option("--top", "-k", type=click.IntRange(min=1), metavar="K", help="Keep the best K.")
@click.option(
    "--fraction",
    type=click.FloatRange(min=0, max=1, min_open=True),
    metavar="F",
    help="Keep this share of the features, such as 0.1.",
)
@click.option(
    "--output",
    "-o",
    type=output_path,
    required=True,
    help="File for the reduced table; its suffix names the format, as that of FILE does.",
)
def command(request: Request, top: int | None, fraction: float | None, output: Path) -> None:
    """Write the best features of FILE, and its target, to another file.

    The columns keep the order of the input. Values that --missing filled in and columns that
    --categorical encoded are written as they were ranked, the target as it was read. Formats can
    differ:

    \b
    featrank select data.csv --target diagnosis --top 20 --output small.parquet
    """
    if (top is None) == (fraction is None):
        raise click.UsageError("Say how many features to keep: --top K or --fraction F, not both.")
    check_output(output, request)
    files.require_table_file(output)
    _write(*ranked(request, top or fraction), output, request)


def _write(table: "Table", ranking: "Ranking", output: Path, request: Request) -> None:
    from featrank import tables

    assert ranking.ranker is not None
    kept = ranking.ranker.get_support(indices=True).tolist()
    with request.messages.working(f"Writing {output.name}"):
        tables.write(output, _reduced(table, kept))
    request.messages.say(
        f"Wrote {len(kept):,} of {len(ranking):,} features of {table.X.shape[0]:,} samples to "
        f"{str(output)!r}."
    )
    lost = files.told_losses(output)
    if lost:
        request.messages.say(lost)


def _reduced(table: "Table", kept: list[int]) -> "Table":
    from featrank.tables import Table

    names = [table.feature_names[column] for column in kept]
    return Table(table.X[:, kept], names, table.y, table.target_name)
