"""``featrank demo``: a ranking of made data, whose answer is known."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from . import output as out

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.datasets import Dataset
    from featrank.rankers.ec_fs import ECFS

ALPHA = 0.9
ALPHAS = (0.5, 0.8, 0.9, 1.0)
SHOWN = 10
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

    from featrank.datasets import make_microarray
    from featrank.rankers.ec_fs import ECFS

    data = make_microarray(random_state=0)
    ranker = ECFS(alpha=ALPHA, n_jobs=-1)
    start = perf_counter()
    ranker.fit(data.X, data.y)
    seconds = perf_counter() - start
    parts = [_about(data, ranker, seconds), _table(data, ranker), _found(data, ranker)]
    parts += [] if folder is not None else [NEXT]
    texts = [Text(part) if isinstance(part, str) else part for part in parts]
    stream = out.stdout_stream("table")
    out.write_rich(stream, *texts)
    if folder is not None:
        from .demo_compare import compared

        stream.flush()
        out.write_rich(stream, *compared(folder))


def _kinds(data: "Dataset") -> dict[str, Any]:
    assert data.truth is not None
    return dict(data.truth)


def _about(data: "Dataset", ranker: "ECFS", seconds: float) -> str:
    kinds = _kinds(data)
    n_samples, n_features = data.X.shape
    return (
        f"Made gene expression data: {n_samples} samples, {n_features:,} genes, two classes.\n"
        f"{len(kinds['informative'])} genes differ between the classes, "
        f"{len(kinds['correlated'])} follow one of these, the rest is noise.\n"
        f"{ranker.name} with alpha={ranker.alpha} ranked them in {1000 * seconds:.0f} ms."
    )


def _table(data: "Dataset", ranker: "ECFS") -> "Table":
    from rich import box
    from rich.table import Table

    kind_of = {column: kind for kind, columns in _kinds(data).items() for column in columns}
    table = Table("", "rank", "gene", "score", "in truth", box=box.SIMPLE_HEAD)
    for rank, column in enumerate(ranker.order_[:SHOWN], 1):
        kind = kind_of[column]
        score = f"{ranker.scores_[column]:.4f}"
        table.add_row(MARKS[kind], str(rank), data.feature_names[column], score, kind)
    return table


def _found(data: "Dataset", ranker: "ECFS") -> str:
    kinds = _kinds(data)
    planted = [*kinds["informative"], *kinds["correlated"]]
    rankings = ranker.alpha_path(data.X, data.y, ALPHAS)
    counts = [(ranking[planted] <= len(planted)).sum() for ranking in rankings]
    lines = [f"  alpha={alpha}  {count:3d}" for alpha, count in zip(ALPHAS, counts, strict=True)]
    return "\n".join(
        [
            f"Of the {len(planted)} planted genes, in the top {len(planted)} "
            "(alpha weighs relevance to the classes against spread; its default is 0.5):",
            *lines,
            "",
        ]
    )
