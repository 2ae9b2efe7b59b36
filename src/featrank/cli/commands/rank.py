"""``featrank rank``: rank the features of a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from featrank._utils.method_lists import SELECT
from featrank.cli import files
from featrank.cli.messages import Messages
from featrank.cli.options import (
    Count,
    check_output,
    output_path,
    page_options,
    ranking_arguments,
    ranking_options,
    require_folder,
)
from featrank.cli.output import finish, ranking_format_option
from featrank.exceptions import UsageError
from featrank.report.formats import EACH, ONE, of_rankings, require_fit, suffixes

# Place in the list of commands.
ORDER = 1


@click.command("rank", cls=files.RankingCommand)
@ranking_options
@click.option(
    "--top",
    "-k",
    type=Count(),
    metavar="K",
    help="Only the best K features; with auto as many as the method itself keeps "
    f"({', '.join(SELECT)}). Methods that choose one after the other, such as mrmr, choose so "
    "many (by default 100) and rank the rest by relevance.",
)
@click.option(
    "--details",
    is_flag=True,
    help="Why they rank there: class, AUC, effect size, likeness; all figures in CSV and JSON.",
)
@click.option("--per-class", is_flag=True, help="A ranking for each class, against the rest.")
@click.option("--of-class", metavar="LABEL", help="A ranking for this class, against the rest.")
@click.option(
    "--test",
    type=click.Choice(["welch", "wilcoxon", "none"]),
    help="With --per-class or --of-class: log2 fold changes and p-values of each feature alone, by "
    "this test (default welch). The ranking does not use them.",
)
@click.option(
    "--value-scale",
    type=click.Choice(["auto", "log2", "ln", "log10", "log1p", "linear", "ct", "none"]),
    help="Scale of the values, for fold changes: a logarithm, linear (no logarithm), ct (qPCR "
    "cycles) or none (no fold changes). The default is the scale after --transform, or a guess.",
)
@click.option(
    "--plot",
    "figure",
    type=output_path,
    metavar="FILE",
    help="Draw scores and values of the best (20, or --top) to a .png, .svg or .pdf file.",
)
@page_options("ranking")
@click.option(
    "--output",
    "-o",
    type=output_path,
    help=f"Write the result to this file ({', '.join(suffixes())}), not to stdout.",
)
@ranking_format_option
def command(
    top: int | str | None,
    details: bool,
    per_class: bool,
    of_class: str | None,
    test: str | None,
    value_scale: str | None,
    figure: Path | None,
    page: Path | None,
    points: bool,
    output: Path | None,
    layout: str | None,
    **options: Any,
) -> None:
    """Rank the features of FILE, best first; several FILEs are one table.

    \b
    featrank rank data.csv --target diagnosis
    featrank rank data.csv --target -1 --top 20 --details --plot best.png
    featrank rank data.csv --target diagnosis --report report.html
    featrank rank data.csv --target cell_type --per-class --top 10
    featrank rank data.csv --target diagnosis --of-class sick -o sick.rnk
    featrank rank data.csv --target cell_type --per-class -o markers.gmt
    featrank rank data.parquet --target class --missing median | head
    featrank rank big.zarr --memory 4GB --checkpoint big.state -o ranking.csv
    """
    each = per_class or of_class is not None
    if each and top == "auto":
        raise UsageError("--top auto is for one ranking of all classes: give a number.")
    several = each and of_class is None
    _check_figure(figure, several)
    _check_page(page, points, several)
    if output is not None:
        check_output(output, options["files"])
    lists = _check_layout(layout, output, per_class, of_class)
    _check_test(test, value_scale, each, lists)
    from featrank.files.rank import rank_file
    from featrank.report import ranking_html_report, ranking_report, write

    messages, asked = Messages(options["quiet"]), ranking_arguments(options)
    tested: Any = {
        "test": None if lists or not each or test == "none" else test or "welch",
        "values": value_scale or "auto",
    }
    with messages.stages():
        found: Any = rank_file(options["files"], top=top, per_class=each, **asked)
        found = found if of_class is None else found.only(of_class)
        count = int(found.ranker.support_.sum()) if isinstance(top, str) else top
        report = ranking_report(found, count, details, whole=output is not None, **tested)
        finish(report, layout, messages, output)
    one = found if of_class is None else next(iter(found.values()))
    if figure is not None:
        _draw(one, count, figure)
        messages.say(f"Drew the best features to {str(figure)!r}.")
    if page is not None:
        write(ranking_html_report(one, count, points=points), "html", page)
        messages.say(f"The page is {str(page)!r}.")
    if output is not None:
        messages.say(f"Wrote {_written(report, layout, output, lists)} to {str(output)!r}.")


def _written(report: Any, layout: str | None, output: Path, lists: str | None) -> str:
    """Return a description of the written file."""
    from featrank.report import file_format

    classes = len(report.ranking) if isinstance(report.ranking, Mapping) else 1
    if lists == EACH:
        return "the markers of " + ("one class" if classes == 1 else f"{classes} classes")
    if file_format(layout, output) == "rnk":
        return f"{len(report.signed_statistic.values):,} features"
    each = f" for each of {classes} classes" if classes > 1 else ""
    return f"{len(report.rows) // classes:,} ranked features{each}"


def _check_layout(
    layout: str | None, output: Path | None, per_class: bool, of_class: str | None
) -> str | None:
    """Reject a format that does not fit; return the kind of ranking that it is limited to."""
    if output is not None:
        from featrank.report import file_format

        layout = file_format(layout, output)
    if layout is None:
        return None
    kinds = (EACH, ONE) if of_class is not None else (EACH,) if per_class else (ONE,)
    require_fit(layout, kinds)
    return of_rankings(layout)


def _check_test(test: str | None, scale: str | None, each: bool, lists: str | None) -> None:
    given = "--test" if test is not None else "--value-scale" if scale is not None else None
    if given is None:
        return
    if not each:
        raise UsageError(
            f"{given} is for tests of a class against the rest: add --per-class, or --of-class "
            "LABEL for one of them."
        )
    if lists:
        raise UsageError(f"Lists of features hold no p-values: leave {given} out.")
    if test == "none" and scale is not None:
        raise UsageError("--value-scale is for fold changes, which --test none leaves out.")


def _draw(ranking: Any, top: int | None, figure: Path) -> None:
    from featrank.plots import save

    save(ranking.plot() if top is None else ranking.plot(top), figure)


def _check_page(page: Path | None, points: bool, several: bool) -> None:
    if page is not None:
        _require_one_ranking("--report shows", several)
        require_folder(page)
    elif points:
        raise UsageError("--points draws samples into the page: name it with --report FILE.")


def _check_figure(figure: Path | None, several: bool) -> None:
    if figure is not None:
        from featrank.plots import require_figure_file

        _require_one_ranking("--plot draws", several)
        require_folder(figure)
        require_figure_file(figure)


def _require_one_ranking(option: str, several: bool) -> None:
    if several:
        raise UsageError(
            f"{option} one ranking, and --per-class makes several. Leave one of them out, or "
            "name a class with --of-class LABEL."
        )
