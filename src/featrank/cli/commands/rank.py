"""``featrank rank``: the features of a file, best first."""

from pathlib import Path
from typing import Any

import click

from featrank.cli import files
from featrank.cli.options import Request, check_output, output_path, ranking_options, require_folder
from featrank.cli.output import finish, format_option
from featrank.exceptions import UsageError
from featrank.report.layouts import suffixes

# Place in the list of commands.
ORDER = 1


@click.command("rank", cls=files.RankingCommand)
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
    "--report",
    "page",
    type=output_path,
    metavar="FILE",
    help="Write a page on the ranking, such as report.html.",
)
@click.option("--points", is_flag=True, help="Draw single samples into the page (--report).")
@click.option(
    "--output",
    "-o",
    type=output_path,
    help=f"Write the result to this file ({', '.join(suffixes())}), not to stdout.",
)
@format_option
def command(
    request: Request,
    top: int | None,
    details: bool,
    per_class: bool,
    figure: Path | None,
    page: Path | None,
    points: bool,
    output: Path | None,
    layout: str | None,
) -> None:
    """Rank the features of FILE, best first; several FILEs are one table.

    \b
    featrank rank data.csv --target diagnosis
    featrank rank data.csv --target -1 --top 20 --details --plot best.png
    featrank rank data.csv --target diagnosis --report report.html
    featrank rank data.csv --target cell_type --per-class --top 10
    featrank rank data.parquet --target class --missing median | head
    featrank rank big.zarr --memory 4GB --checkpoint big.state -o ranking.csv
    """
    _check_figure(figure, per_class)
    _check_page(page, points, per_class)
    if output is not None:
        check_output(output, request)
        from featrank.report import file_layout

        file_layout(layout, output)
    from featrank.from_files import rank_file
    from featrank.report import ranking_page_report, ranking_report, write

    messages = request.messages
    with messages.stages():
        found = rank_file(request.files, top=top, per_class=per_class, **request.question)
    report = ranking_report(found, top, details, whole=output is not None)
    finish(report, layout, messages, output)
    if figure is not None:
        _draw(found, top, figure)
        messages.say(f"Drew the best features to {str(figure)!r}.")
    if page is not None:
        write(ranking_page_report(found, top, points=points), "html", page)
        messages.say(f"The page is {str(page)!r}.")
    if output is not None:
        classes = len(found) if per_class else 1
        each = f" for each of {classes} classes" if per_class else ""
        count = len(report.rows) // classes
        messages.say(f"Wrote {count:,} ranked features{each} to {str(output)!r}.")


def _draw(ranking: Any, top: int | None, figure: Path) -> None:
    from featrank.plots import save

    save(ranking.plot() if top is None else ranking.plot(top), figure)


def _check_page(page: Path | None, points: bool, per_class: bool) -> None:
    if page is None:
        if points:
            raise UsageError("--points draws samples into the page: name it with --report FILE.")
        return
    if per_class:
        raise UsageError(
            "--report shows one ranking, and --per-class makes several. Leave one of them out."
        )
    require_folder(page)


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
