"""``featrank rank``: rank the features of a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from featrank.cli import files
from featrank.cli.grouped_help import METHOD, OUTPUT, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import (
    check_output,
    output_path,
    plot_option,
    quiet_option,
    ranking_arguments,
    ranking_options,
    report_options,
    require_folder,
    top_option,
)
from featrank.cli.output import finish, ranking_format_option, shell_report
from featrank.exceptions import UsageError, counted
from featrank.report.formats import EACH, ONE, of_rankings, require_fit, suffixes

# Place in the list of commands.
ORDER = 1


@grouped_command("rank", cls=files.RankingCommand)
@top_option("Show only", "all features")
@ranking_options
@option("--per-class", is_flag=True, group=METHOD, help="Rank for each class against the rest.")
@option(
    "--of-class",
    metavar="LABEL",
    group=METHOD,
    show_default="none",
    help="Rank for this class against the rest.",
)
@option(
    "--test",
    type=click.Choice(["welch", "moderated-t", "wilcoxon", "none"]),
    group=METHOD,
    show_default="moderated-t with fewer than 10 samples in a class, else welch",
    help="For two classes, --per-class or --of-class: test that gives each feature a p-value and a "
    "log2 fold change. The ranking does not use it. Without --details, the table of two classes "
    "leaves it out.",
)
@option(
    "--value-scale",
    type=click.Choice(["auto", "log2", "ln", "log10", "log1p", "linear", "ct", "none"]),
    group=METHOD,
    show_default="auto",
    help="Scale of the values, for fold changes: a logarithm, linear, ct (qPCR cycles) or none (no "
    "fold changes). auto: the scale after --transform, or guessed from the values.",
)
@option(
    "--output",
    "-o",
    type=output_path,
    metavar="FILE",
    group=OUTPUT,
    show_default="stdout",
    help=f"File for the result ({', '.join(suffixes())}).",
)
@ranking_format_option
@option(
    "--details",
    is_flag=True,
    group=OUTPUT,
    help="Show why features rank where they do: class, AUC, effect size, correlation.",
)
@report_options("ranking")
@plot_option("Draw the scores and values of the best features")
@quiet_option
def command(
    top: int | str | None,
    details: bool,
    per_class: bool,
    of_class: str | None,
    test: str | None,
    value_scale: str | None,
    plot: Path | None,
    report: Path | None,
    points: bool,
    output: Path | None,
    format: str | None,
    **options: Any,
) -> None:
    """Rank the features of FILE, best first.

    Several FILEs are read as one table.

    \b
    featrank rank data.csv --target diagnosis
    featrank rank data.csv --target -1 --top 20 --details --plot best.png
    featrank rank data.csv --target diagnosis --report report.html
    featrank rank data.csv --target diagnosis --fdr 0.1
    featrank rank data.csv --target cell_type --per-class --top 10
    featrank rank data.csv --target diagnosis --of-class sick -o sick.rnk
    featrank rank data.csv --target cell_type --per-class -o markers.gmt
    featrank rank data.parquet --target class --missing median | head
    featrank rank big.zarr --memory 4GB --checkpoint big.state -o best.csv
    """
    each = per_class or of_class is not None
    if each and top == "auto":
        raise UsageError("--top auto needs one ranking of all classes. Use e.g. --top 20.")
    several = each and of_class is None
    _check_plot(plot, several)
    _check_report(report, points, several)
    if output is not None:
        check_output(output, options["files"])
    lists = _check_format(format, output, per_class, of_class)
    _check_test(test, value_scale, lists)
    from featrank.files.rank import rank_file
    from featrank.report import ranking_html_report, ranking_report, write

    messages, asked = Messages(options["quiet"]), ranking_arguments(options)
    tested: Any = {
        "test": None if lists or test == "none" else test or "auto",
        "values": value_scale or "auto",
    }
    with messages.stages():
        ranking: Any = rank_file(options["files"], top=top, per_class=each, **asked)
        ranking = ranking if of_class is None else ranking.only(of_class)
        _check_classes(ranking, test, value_scale)
        count = int(ranking.ranker.support_.sum()) if isinstance(top, str) else top
        table = ranking_report(ranking, count, details, whole=output is not None, **tested)
        finish(table, format, messages, output)
    one = ranking if of_class is None else next(iter(ranking.values()))
    if plot is not None:
        _draw(one, count, plot)
        messages.say(f"Drew the best features to {str(plot)!r}.")
    if report is not None:
        write(
            shell_report(ranking_html_report(one, count, points=points, **tested)), "html", report
        )
        messages.say(f"Wrote the HTML report to {str(report)!r}.")
    if output is not None:
        messages.say(f"Wrote {_written(table, format, output, lists)} to {str(output)!r}.")


def _written(report: Any, format: str | None, output: Path, lists: str | None) -> str:
    """Return a description of the written file."""
    from featrank.report import file_format

    classes = len(report.ranking) if isinstance(report.ranking, Mapping) else 1
    if lists == EACH:
        return f"the markers of {counted(classes, 'class')}"
    if file_format(format, output) == "rnk":
        return counted(len(report.signed_statistic.values), "feature")
    each = f" for each of {classes} classes" if classes > 1 else ""
    return f"{counted(len(report.rows) // classes, 'ranked feature')}{each}"


def _check_format(
    format: str | None, output: Path | None, per_class: bool, of_class: str | None
) -> str | None:
    """Reject a format that does not fit. Return the kind of ranking that it is limited to."""
    if output is not None:
        from featrank.report import file_format

        format = file_format(format, output)
    if format is None:
        return None
    kinds = (EACH, ONE) if of_class is not None else (EACH,) if per_class else (ONE,)
    require_fit(format, kinds)
    return of_rankings(format)


def _check_test(test: str | None, scale: str | None, lists: str | None) -> None:
    given = _test_option(test, scale)
    if given is not None and lists:
        raise UsageError(f"Lists of features have no p-values. Leave out {given}.")
    if test == "none" and scale is not None:
        raise UsageError("--test none does not report fold changes. Leave out --value-scale.")


def _check_classes(ranking: Any, test: str | None, scale: str | None) -> None:
    """Raise an error if a test is asked for and there are not two classes to compare."""
    given = _test_option(test, scale)
    if given is None or isinstance(ranking, Mapping) or ranking.tested_class() is not None:
        return
    if ranking.is_regression:
        raise UsageError(f"{given} is for classes, but the target is numeric. Leave it out.")
    raise UsageError(
        f"{given} is for tests of two classes, or of a class against the rest. Add --per-class, or "
        "--of-class LABEL for one class."
    )


def _test_option(test: str | None, scale: str | None) -> str | None:
    return "--test" if test is not None else "--value-scale" if scale is not None else None


def _draw(ranking: Any, top: int | None, path: Path) -> None:
    from featrank.plots import save

    save(ranking.plot() if top is None else ranking.plot(top), path)


def _check_report(path: Path | None, points: bool, several: bool) -> None:
    if path is not None:
        _require_one_ranking("--report shows", several)
        require_folder(path)
    elif points:
        raise UsageError("--points needs an HTML report. Add --report FILE.")


def _check_plot(path: Path | None, several: bool) -> None:
    if path is not None:
        from featrank.plots import require_figure_file

        _require_one_ranking("--plot draws", several)
        require_folder(path)
        require_figure_file(path)


def _require_one_ranking(option: str, several: bool) -> None:
    if several:
        raise UsageError(
            f"{option} one ranking, but --per-class makes several. Use --of-class LABEL to choose "
            "one class."
        )
