"""``featrank select``: write the best features of a file to another file."""

from pathlib import Path
from typing import Any

import click

from featrank.cli import files
from featrank.cli.grouped_help import METHOD, OUTPUT, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import (
    output_path,
    quiet_option,
    ranking_arguments,
    ranking_options,
    top_option,
)
from featrank.cli.output import safe_csv_option
from featrank.exceptions import counted

# Place in the list of commands.
ORDER = 2


@grouped_command(
    "select",
    cls=files.RankingCommand,
    context_settings={"default_map": {"method": "ec-fs-diverse"}},
)
@top_option("Keep", "required, or --fraction or --fdr")
@option(
    "--fraction",
    type=click.FloatRange(min=0, max=1, min_open=True),
    metavar="SHARE",
    group=METHOD,
    show_default="required, or --top or --fdr",
    help="Keep this share of the features, e.g. 0.1.",
)
@ranking_options
@option(
    "--output",
    "-o",
    type=output_path,
    metavar="FILE",
    required=True,
    group=OUTPUT,
    help="File for the selected columns. Its extension determines the format.",
)
@safe_csv_option
@quiet_option
def command(
    top: int | str | None, fraction: float | None, output: Path, safe_csv: bool, **options: Any
) -> None:
    """Write the best features to another file.

    The new file has the selected features in the order of the input, and the target. Missing
    values and text columns are written as they were ranked: filled in (--missing) and encoded
    (--categorical).

    \b
    featrank select data.csv --target diagnosis --top 20 -o small.parquet
    featrank select data.csv -t diagnosis --method cfs --top auto -o small.csv
    featrank select data.csv -t diagnosis --fdr 0.1 -o claimed.csv
    """
    if sum(each is not None for each in (top, fraction, options["fdr"])) != 1:
        raise click.UsageError(
            "Use --top K, --fraction SHARE or --fdr LEVEL to set how many features to keep."
        )
    from featrank.files.select import select_file

    count = top or fraction
    messages, asked = Messages(options["quiet"]), ranking_arguments(options)
    with messages.stages():
        done = select_file(options["files"], output, top=count, safe_csv=safe_csv, **asked)
    for note in done.ranking.notes():
        messages.note(note)
    if done.output is None:
        messages.say(f"No feature can be claimed, so {str(output)!r} was not written.")
        return
    messages.say(
        f"Wrote {len(done.kept):,} of {counted(done.n_features, 'feature')} of "
        f"{counted(done.n_samples, 'sample')} to {str(output)!r}."
    )
    if done.lost:
        messages.note(f"A {output.suffix.lower()} file stores {done.lost}.")
