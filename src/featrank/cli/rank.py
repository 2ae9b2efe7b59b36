"""``featrank rank``: the features of a file, best first."""

from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from . import files
from . import output as out
from .errors import one_line
from .options import Request, check_output, output_path, ranking_options
from .ranking import Ranked, ranked

if TYPE_CHECKING:
    from rich.table import Table

# More rows than this scroll away; --top shows them, and a file holds them.
SHOWN = 50
BAR = 20


@click.command("rank", cls=files.TableCommand)
@ranking_options
@click.option(
    "--top", "-k", type=click.IntRange(min=1), metavar="K", help="Only the best K features."
)
@click.option(
    "--output",
    "-o",
    type=output_path,
    help="Write the result to this file (.csv, .tsv or .json), not to stdout.",
)
@out.format_option
def command(request: Request, top: int | None, output: Path | None, layout: str | None) -> None:
    """Rank the features of FILE, best first.

    \b
    featrank rank data.csv --target diagnosis
    featrank rank data.csv --target -1 --param alpha=0.3 --top 20
    featrank rank data.parquet --target class --missing median | head
    """
    if output is None:
        layout = out.stdout_layout(layout)
        _write(ranked(request, top), top, layout, out.stdout_stream(layout))
        return
    check_output(output, request)
    layout = out.file_layout(layout, output)
    result = ranked(request, top)
    count = top or len(result)
    with out.file_stream(output) as stream:
        _write(result, count, layout, stream)
    request.messages.say(f"Wrote {count:,} ranked features to {str(output)!r}.")


def _write(result: Ranked, top: int | None, layout: str, stream: TextIO) -> None:
    if layout == "table":
        out.write_rich(stream, _table(result, top))
    elif layout == "json":
        out.write_json(stream, _summary(result, top))
    else:
        delimiter = "\t" if layout == "tsv" else ","
        out.write_csv(stream, ("rank", "feature", "score"), result.rows(top), delimiter)


def _summary(result: Ranked, top: int | None) -> dict[str, Any]:
    return {
        "method": result.ranker.name,
        "params": result.params(),
        "n_samples": result.table.X.shape[0],
        "n_features": len(result),
        "classes": result.classes(),
        "features": [
            # JSON has no number for the score of an exact separator: it is null there.
            {"rank": rank, "feature": name, "score": score, "exact": isinf(score)}
            for rank, name, score in result.rows(top)
        ],
    }


def _table(result: Ranked, top: int | None) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = list(result.rows(top or SHOWN))
    largest = max((score for _, _, score in rows if not isinf(score)), default=0.0)
    left = len(result) - len(rows) if top is None else 0
    table = Table(
        box=box.SIMPLE_HEAD,
        title=Text(_title(result)),
        title_justify="left",
        caption=Text(f"{left:,} more: --top K shows K, --format csv all.") if left else None,
        caption_justify="left",
    )
    table.add_column("rank", justify="right")
    table.add_column("feature", overflow="fold")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("", style="cyan", no_wrap=True)
    for rank, name, score in rows:
        table.add_row(str(rank), Text(one_line(name)), f"{score:.6g}", _bar(score, largest))
    return table


def _title(result: Ranked) -> str:
    title = f"{len(result):,} features of {result.table.X.shape[0]:,} samples by "
    title += result.ranker.name
    classes = result.classes()
    if classes:
        shown = [f"{entry['label']} {entry['samples']:,}" for entry in classes[:5]]
        title += f"; classes: {', '.join(shown)}"
        title += f" and {len(classes) - 5} more" if len(classes) > 5 else ""
    return one_line(title)


def _bar(score: float, largest: float) -> str:
    if score >= largest:
        return "█" * BAR
    share = score / largest if largest > 0 else 0.0
    return "█" * round(BAR * share)
