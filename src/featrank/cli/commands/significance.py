"""``featrank significance``: which differences in folders of results are more than chance."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli import output as out
from featrank.cli.comparison_table import CORRECTED, PAPER, as_row, enough_trials, marks
from featrank.cli.folders import folder_path, read_results
from featrank.cli.messages import Messages
from featrank.cli.options import output_path
from featrank.cli.params import parse_counts
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.report.plain_text import one_line
from featrank.report.wide import Wide

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

# Place in the list of commands.
ORDER = 6

# Tests of one folder, and those of several.
ONE = ("t-test", "corrected")
SEVERAL = ("friedman", "nemenyi", "wilcoxon")
COLUMNS = {
    "t-test": ("normality_p", "other_normality_p", "t_test_p"),
    "corrected": ("corrected_p",),
}


@click.command("significance")
@click.argument("folders", metavar="DIR...", type=folder_path, nargs=-1, required=True)
@click.option(
    "--against",
    metavar="NAME",
    help="Method to test against each other one; by default ec-fs, or else the best.",
)
@click.option(
    "--test",
    "tests",
    type=click.Choice((*ONE, *SEVERAL)),
    multiple=True,
    help="Only this test; may be repeated. The first two are for one folder.",
)
@click.option("--features", metavar="LIST", help="Only these numbers of features.")
@click.option(
    "--plot",
    type=output_path,
    metavar="FILE",
    help="Draw the critical-difference diagram of several folders (.png, .svg, .pdf).",
)
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors.")
@out.format_option
def command(**options: Any) -> None:
    """Test differences between methods in DIR, which `featrank compare --out DIR` wrote.

    One folder: at each number of features one method against each other, over the trials, by the
    EC-FS paper's way (Lilliefors' test of normality, two-sample t-test) and by the corrected
    resampled t-test of Nadeau and Bengio, which knows that trials share rows.

    Several folders, one a data set: Friedman's test, Nemenyi's critical difference of average
    ranks, and Wilcoxon's signed-rank test with Holm's adjustment.

    \b
    featrank significance results
    featrank significance results --against fisher --test corrected
    featrank significance colon leukemia lymphoma prostate --plot ranks.png
    """
    from featrank.cli.significance_several import Request, across

    messages, layout = Messages(options["quiet"]), out.stdout_layout(options["layout"])
    several = len(options["folders"]) > 1
    tests = _tests(options["tests"], several)
    ks = None if options["features"] is None else parse_counts(options["features"])
    if options["plot"] is not None:
        _check_plot(options["plot"], several)
    found = [read_results(folder, messages) for folder in options["folders"]]
    if several:
        request = Request(options["folders"], tests, options["against"], ks, options["plot"])
        across(found, request, layout, messages)
    else:
        _within(found[0], tests, _known(options["against"], found[0].methods), ks, layout)


def _tests(chosen: tuple[str, ...], several: bool) -> tuple[str, ...]:
    known = SEVERAL if several else ONE
    for name in chosen:
        if name not in known:
            what = "one folder" if name in ONE else "several folders, one a data set"
            raise UsageError(f"The test '{name}' is for {what}. Here: {', '.join(known)}.")
    return chosen or known


def _check_plot(path: Path, several: bool) -> None:
    from featrank.plots import require_figure_file

    if not several:
        raise UsageError(
            "The critical-difference diagram is of several data sets. Name two folders or more."
        )
    require_figure_file(path)


def _known(name: str | None, labels: list[str]) -> str | None:
    if name is not None and name not in labels:
        raise UsageError(unknown_name("method of these results", name, labels))
    return name


def _within(
    comparison: "Comparison",
    tests: tuple[str, ...],
    against: str | None,
    ks: tuple[int, ...] | None,
    layout: str,
) -> None:
    found = _differences(comparison, against, ks)
    columns = [column for test in tests for column in COLUMNS[test]]
    rows = [_chosen(as_row(test), columns) for test in found]
    stream = out.stdout_stream(layout)
    if layout == "table":
        out.write_rich(stream, *_table(comparison, found, columns))
    elif layout == "json":
        about = {"dataset": comparison.manifest["data"]["name"], "trials": len(comparison.trials)}
        out.write_json(stream, {**about, "tests": rows})
    else:
        out.write_csv(stream, list(rows[0]), [list(row.values()) for row in rows])


def _differences(
    comparison: "Comparison", against: str | None, ks: tuple[int, ...] | None
) -> "list[Difference]":
    if len(comparison.methods) < 2:
        raise DataError("There is one method in these results, and none to test it against.")
    if not enough_trials(comparison):
        raise DataError(
            f"No test is made of {len(comparison.trials)} trials: 5 are needed, and 20 or more "
            "are better. Run more with --resume and a larger --trials."
        )
    for k in ks or ():
        if k not in comparison.ks:
            known = ", ".join(map(str, comparison.ks))
            raise UsageError(f"--features {k} is not in these results, which have {known}.")
    return [test for test in comparison.differences(against) if ks is None or test.k in ks]


def _chosen(row: dict[str, Any], columns: list[str]) -> dict[str, Any]:
    kept = ("method", "other", "k", "difference", *columns)
    return {key: value for key, value in row.items() if key in kept}


def _table(comparison: "Comparison", found: "list[Difference]", columns: list[str]) -> list[Any]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    own, name = one_line(found[0].proposed), comparison.manifest["data"]["name"]
    scorer = comparison.manifest["protocol"]["scorer"]
    title = f"{own} against each other method on {name}, {len(comparison.trials)} trials: p-values"
    table = Table(box=box.SIMPLE_HEAD)
    heads = {
        "normality_p": f"normality\nof {own}",
        "other_normality_p": "normality\nof the other",
        "t_test_p": "t-test",
        "corrected_p": "corrected\nt-test",
    }
    table.add_column("other", no_wrap=True)
    for head in ("k", f"{scorer} (%)\n{own} − other", *(heads[column] for column in columns)):
        table.add_column(Text(head), justify="right", no_wrap=True)
    last = None
    for test in found:
        label = "" if test.other == last else one_line(test.other)
        last = test.other
        table.add_row(Text(label), *_cells(test, columns))
    return [Text(one_line(title)), Wide(table, keys=2), *map(Text, _legend(columns))]


def _cells(test: "Difference", columns: list[str]) -> list[Any]:
    from rich.text import Text

    row, marked = as_row(test), marks(test)
    significant = {"t_test_p": PAPER in marked, "corrected_p": CORRECTED in marked}
    cells = [str(test.k), f"{100 * row['difference']:+.2f}"]
    styles = ["bold" if significant.get(column) else "" for column in columns]
    return cells + [Text(p_text(row[c]), style) for c, style in zip(columns, styles, strict=True)]


def p_text(p_value: float) -> str:
    """Return a p-value as readers want it: to three digits, or that it is smaller.

    Examples
    --------
    >>> p_text(0.0432), p_text(0.00004), p_text(float("nan"))
    ('0.043', '<0.001', '–')
    """
    if p_value != p_value:
        return "–"
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def _legend(columns: list[str]) -> list[str]:
    lines = ["p < 0.05 is taken as more than chance."]
    if "t_test_p" in columns:
        lines.append(
            "Normality (Lilliefors): a p below 0.05 says that the scores are not normal, and the "
            "t-test, the paper's, does not count there."
        )
    if "corrected_p" in columns:
        lines.append(
            "The corrected t-test (Nadeau and Bengio) knows that trials share rows: trust this one."
        )
    return lines
