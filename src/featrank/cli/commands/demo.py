"""``featrank demo``: a ranking of made data, whose answer is known."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from featrank.cli import output as out
from featrank.cli.messages import Messages

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.datasets import Dataset
    from featrank.ranking import Ranking

# Place in the list of commands.
ORDER = 9

SHOWN = 20
MARKS = {"informative": "★", "correlated": "☆", "noise": ""}

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
    from rich.text import Text

    from featrank.api import rank
    from featrank.datasets import make_microarray

    data = make_microarray(random_state=0)
    start = perf_counter()
    ranking = rank(data.X, data.y, top=SHOWN, feature_names=data.feature_names, n_jobs=-1)
    seconds = perf_counter() - start
    parts = [_about(data, ranking, seconds), _table(data, ranking), _found(data, ranking)]
    parts += [] if folder is not None else [NEXT]
    texts = [Text(part) if isinstance(part, str) else part for part in parts]
    stream = out.stdout_stream("table")
    out.write_rich(stream, *texts)
    if folder is not None:
        from featrank.cli.demo_compare import compared

        stream.flush()
        messages = Messages(quiet=False)
        out.finish(compared(folder, messages), "table", messages)


def _kinds(data: "Dataset") -> dict[str, Any]:
    assert data.truth is not None
    return dict(data.truth)


def _about(data: "Dataset", ranking: "Ranking", seconds: float) -> str:
    kinds = _kinds(data)
    n_samples, n_features = data.X.shape
    lines = [
        f"Made gene expression data: {n_samples} samples, {n_features:,} genes, two classes.",
        f"{len(kinds['informative'])} genes differ between the classes, "
        f"{len(kinds['correlated'])} follow one of these, the rest is noise.",
        f"{ranking.method}, as it comes, ranked them in {1000 * seconds:.0f} ms.",
        *ranking.remarks(),
    ]
    return "\n".join(lines)


def _table(data: "Dataset", ranking: "Ranking") -> "Table":
    from rich import box
    from rich.table import Table

    kind_of = {column: kind for kind, columns in _kinds(data).items() for column in columns}
    table = Table("", "rank", "gene", "score", "in truth", box=box.SIMPLE_HEAD)
    for rank, column in enumerate(ranking.order[:SHOWN], 1):
        kind = kind_of[column]
        score = f"{ranking.scores[column]:.4f}"
        table.add_row(MARKS[kind], str(rank), ranking.feature_names[column], score, kind)
    return table


def _found(data: "Dataset", ranking: "Ranking") -> str:
    kinds = _kinds(data)
    planted = {*kinds["informative"], *kinds["correlated"]}
    found = len(planted & {*ranking.order[: len(planted)]})
    return f"Of the {len(planted)} planted genes, {found} are in the top {len(planted)}.\n"
