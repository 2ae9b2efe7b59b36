"""``featrank select``: write the best features of a file to another file."""

from pathlib import Path
from typing import Any

import click

from featrank._utils.method_lists import SELECT
from featrank.cli import files
from featrank.cli.messages import Messages
from featrank.cli.options import Count, output_path, ranking_arguments, ranking_options
from featrank.cli.output import safe_csv_option

# Place in the list of commands.
ORDER = 2


@click.command(
    "select",
    cls=files.RankingCommand,
    context_settings={"default_map": {"method": "ec-fs-diverse"}},
)
@ranking_options
@click.option(
    "--top",
    "-k",
    type=Count(),
    metavar="K",
    help=f"Keep the best K; with auto as many as the method itself keeps ({', '.join(SELECT)}).",
)
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
@safe_csv_option
def command(
    top: int | str | None, fraction: float | None, output: Path, safe_csv: bool, **options: Any
) -> None:
    """Write the best features of FILE, and its target, to another file.

    The columns keep the order of the input. Values that --missing filled in and columns that
    --categorical encoded are written as they were ranked, the target as it was read. Formats can
    differ:

    \b
    featrank select data.csv --target diagnosis --top 20 --output small.parquet
    featrank select data.csv --target diagnosis --method cfs --top auto --output small.csv
    """
    if (top is None) == (fraction is None):
        raise click.UsageError("Say how many features to keep: --top K or --fraction F, not both.")
    from featrank.files.select import select_file

    count = top or fraction
    assert count is not None
    messages, asked = Messages(options["quiet"]), ranking_arguments(options)
    with messages.stages():
        done = select_file(options["files"], output, top=count, safe_csv=safe_csv, **asked)
    for note in done.ranking.notes():
        messages.say(note)
    messages.say(
        f"Wrote {len(done.kept):,} of {done.n_features:,} features of {done.n_samples:,} samples "
        f"to {str(output)!r}."
    )
    if done.lost:
        messages.say(f"A {output.suffix.lower()} file holds {done.lost}.")
