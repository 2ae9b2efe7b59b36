"""``featrank demo``: a ranking of made data, whose answer is known."""

import sys
from pathlib import Path
from time import perf_counter

import click

from featrank.cli import output as out
from featrank.cli.messages import Messages

# Place in the list of commands.
ORDER = 9

SHOWN = 20
NEXT = """\
Next:
  featrank rank data.csv --target COLUMN --top 20
  featrank select data.csv --target COLUMN --top 20 --output small.csv
  featrank methods
"""


@click.command("demo")
@click.option(
    "--compare",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Then compare five methods by honest trials, with the results in DIR.",
)
def command(folder: Path | None) -> None:
    """Rank the genes of a made data set, and compare with the truth.

    \b
    featrank demo
    featrank demo --compare results
    """
    from featrank.api import rank
    from featrank.datasets import make_microarray
    from featrank.report import planted_report

    data = make_microarray(random_state=0)
    start = perf_counter()
    ranking = rank(data.X, data.y, top=SHOWN, feature_names=data.feature_names, n_jobs=-1)
    report = planted_report(data, ranking, SHOWN, perf_counter() - start)
    messages = Messages(quiet=False)
    out.finish(report, "table", messages)
    if folder is None:
        click.echo(NEXT)
        return
    from featrank.cli.demo_compare import compared

    sys.stdout.flush()
    out.finish(compared(folder, messages), "table", messages)
