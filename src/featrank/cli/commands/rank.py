"""``featrank rank``: the features of a file, best first."""

from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from featrank.cli import files
from featrank.cli import output as out
from featrank.cli.options import Request, check_output, output_path, ranking_options, require_folder
from featrank.cli.ranking import class_sizes, ranked, ranked_per_class, shown_params
from featrank.exceptions import UsageError

if TYPE_CHECKING:
    from featrank.ranking import ClassRankings, Ranking
    from featrank.tables import Table

# Place in the list of commands.
ORDER = 1


@click.command("rank", cls=files.TableCommand)
@ranking_options
@click.option(
    "--top",
    "-k",
    type=click.IntRange(min=1),
    metavar="K",
    help="Only the best K features. Methods that choose one after the other, such as mrmr, choose "
    "so many (by default 100) and rank the rest by relevance.",
)
@click.option(
    "--details",
    is_flag=True,
    help="Why they rank there: class, AUC, effect size, likeness; all figures in CSV and JSON.",
)
@click.option("--per-class", is_flag=True, help="A ranking for each class, against the rest.")
@click.option(
    "--plot",
    "figure",
    type=output_path,
    metavar="FILE",
    help="Draw scores and values of the best (20, or --top) to a .png, .svg or .pdf file.",
)
@click.option(
    "--output",
    "-o",
    type=output_path,
    help="Write the result to this file (.csv, .tsv or .json), not to stdout.",
)
@out.format_option
def command(
    request: Request,
    top: int | None,
    details: bool,
    per_class: bool,
    figure: Path | None,
    output: Path | None,
    layout: str | None,
) -> None:
    """Rank the features of FILE, best first.

    \b
    featrank rank data.csv --target diagnosis
    featrank rank data.csv --target -1 --top 20 --details --plot best.png
    featrank rank data.csv --target cell_type --per-class --top 10
    featrank rank data.parquet --target class --missing median | head
    """
    _check_figure(figure, per_class)
    if output is None:
        layout = out.stdout_layout(layout)
    else:
        check_output(output, request)
        layout = out.file_layout(layout, output)
    from featrank.ranking import DETAILED

    table, result = ranked_per_class(request, top) if per_class else ranked(request, top)
    if details and top is None and len(table.feature_names) > DETAILED:
        request.messages.say(f"Details are of the best {DETAILED}; --top K shows them of K.")
    if figure is not None:
        _draw(result, top, figure, request)
    if output is None:
        _write(table, result, top, details, layout, out.stdout_stream(layout))
        return
    count = top or (
        min(DETAILED, len(table.feature_names)) if details else len(table.feature_names)
    )
    with out.file_stream(output) as stream:
        _write(table, result, count, details, layout, stream)
    each = f" for each of {len(result)} classes" if per_class else ""
    request.messages.say(f"Wrote {count:,} ranked features{each} to {str(output)!r}.")


def _check_figure(figure: Path | None, per_class: bool) -> None:
    if figure is None:
        return
    from featrank.plots import require_figure_file

    if per_class:
        raise UsageError(
            "--plot draws one ranking, and --per-class makes several. Leave one of them out, or "
            "draw each in Python: featrank.rank(X, y, per_class=True)[label].plot()."
        )
    require_folder(figure)
    require_figure_file(figure)


def _draw(result: Any, top: int | None, figure: Path, request: Request) -> None:
    from featrank.plots import save

    save(result.plot() if top is None else result.plot(top), figure)
    request.messages.say(f"Drew the best features to {str(figure)!r}.")


def _write(
    table: "Table",
    result: "Ranking | ClassRankings",
    top: int | None,
    details: bool,
    layout: str,
    stream: TextIO,
) -> None:
    if layout == "table":
        from featrank.cli.rank_table import tables_of

        out.write_rich(stream, *tables_of(table, result, top, details))
        return
    columns = result.columns(top, details=details)
    if layout == "json":
        # JSON has no number for the score of an exact separator: it is null there.
        columns["exact"] = [isinf(score) for score in columns["score"]]
        features = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        out.write_json(stream, _summary(table, result, features))
    else:
        rows = zip(*columns.values(), strict=True)
        filled = (["" if value is None else value for value in row] for row in rows)
        out.write_csv(stream, tuple(columns), filled, "\t" if layout == "tsv" else ",")


def _summary(
    table: "Table", result: "Ranking | ClassRankings", features: list[dict[str, Any]]
) -> dict[str, Any]:
    from featrank.ranking import ClassRankings

    ranking = next(iter(result.values())) if isinstance(result, ClassRankings) else result
    chosen = result.chosen()
    return {
        "method": ranking.method,
        "params": shown_params(ranking),
        "n_samples": table.X.shape[0],
        "n_features": len(ranking),
        "classes": class_sizes(ranking),
        **({"chosen": chosen} if chosen else {}),
        "features": features,
    }
