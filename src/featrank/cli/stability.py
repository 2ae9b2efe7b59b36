"""``featrank stability``: how much the rankings of a comparison's trials agree."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.exceptions import DataError, UsageError

from . import output as out
from .errors import one_line
from .folders import folder_path, read_results
from .messages import Messages
from .options import output_path
from .params import parse_counts
from .wide import Wide

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.evaluation import Comparison

MEASURES = ("kuncheva", "nogueira", "jaccard", "jensen-shannon")
EXPLAINED = {
    "kuncheva": "1 for the same features in every trial, about 0 for random ones.",
    "nogueira": "1 for the same features in every trial, about 0 for random ones; ± is half of the "
    "95 % interval, a rough guide since trials share rows.",
    "jaccard": "1 for the same features in every trial; random ones score above 0, too.",
    "jensen-shannon": "1 for the same order in every trial; the first ranks count most, and a few "
    "random orders score above 0, too.",
}
# Where no list is given: the numbers of features of the paper's figure.
FEATURES = tuple(range(10, 201, 10))


@click.command("stability")
@click.argument("folder", metavar="DIR", type=folder_path)
@click.option("--measure", type=click.Choice(MEASURES), default="kuncheva", show_default=True)
@click.option(
    "--features",
    metavar="LIST",
    help="How many of the first features count; by default 10,20,…,200.",
)
@click.option("--plot", type=output_path, metavar="FILE", help="Draw it (.png, .svg, .pdf).")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors.")
@out.format_option
def command(
    folder: Path,
    measure: str,
    features: str | None,
    plot: Path | None,
    quiet: bool,
    layout: str | None,
) -> None:
    """Tell how stable the rankings in DIR are, which `featrank compare --out DIR` wrote.

    The first k features that a method chose in each trial are compared over the trials.

    \b
    featrank stability results
    featrank stability results --measure nogueira --features 10,50,100
    featrank stability results --plot stability.png
    """
    messages = Messages(quiet)
    if plot is not None:
        from featrank.plots import require_figure_file

        require_figure_file(plot)
    comparison = read_results(folder, messages)
    ks = _counts(features, comparison)
    _tell_beyond(ks, comparison, messages)
    rows = _rows(comparison, ks, measure, messages)
    _write(comparison, rows, measure, out.stdout_layout(layout))
    if plot is not None:
        _draw(comparison, rows, measure, plot)
        messages.say(f"Drew {str(plot)!r}.")


def _counts(text: str | None, comparison: "Comparison") -> tuple[int, ...]:
    n_features = comparison.manifest["data"]["features"]
    if text is None:
        return tuple(k for k in FEATURES if k < n_features) or (n_features,)
    counts = tuple(sorted(set(parse_counts(text))))
    if counts[-1] > n_features:
        raise UsageError(
            f"--features {counts[-1]} is more than the {n_features} features of the data. "
            f"Give numbers up to {n_features}."
        )
    return counts


def _tell_beyond(ks: tuple[int, ...], comparison: "Comparison", messages: Messages) -> None:
    largest = comparison.ks[-1]
    if ks[-1] > largest:
        messages.say(
            f"The run asked for {largest} features at most: beyond them, methods that choose one "
            "feature after the other had stopped, and their order is no choice."
        )


def _rows(
    comparison: "Comparison", ks: tuple[int, ...], measure: str, messages: Messages
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for label, rankings in comparison.rankings.items():
        if len(rankings) < 2:
            messages.say(f"{label} has {len(rankings)} rankings: two or more can be compared.")
            continue
        rows.extend({"method": label, **row} for row in _curve(rankings, ks, measure))
    if not rows:
        raise DataError("No method has rankings of two trials, which are needed to compare them.")
    return rows


def _curve(rankings: Any, ks: tuple[int, ...], measure: str) -> list[dict[str, Any]]:
    from featrank.statistics import nogueira_interval, stability_curve

    if measure != "nogueira":
        values = stability_curve(rankings, ks, measure)
        return [{"k": k, "stability": float(v)} for k, v in zip(ks, values, strict=True)]
    found = [nogueira_interval(rankings, k) for k in ks]
    return [
        {"k": k, "stability": each.value, "low": each.low, "high": each.high}
        for k, each in zip(ks, found, strict=True)
    ]


def _write(comparison: "Comparison", rows: list[dict[str, Any]], measure: str, layout: str) -> None:
    from rich.text import Text

    stream = out.stdout_stream(layout)
    if layout == "table":
        legend = Text(EXPLAINED[measure])
        out.write_rich(stream, Text(_title(comparison, measure)), Wide(_table(rows)), legend)
    elif layout == "json":
        about = {"dataset": comparison.manifest["data"]["name"], "trials": len(comparison.trials)}
        out.write_json(stream, {**about, "measure": measure, "stability": rows})
    else:
        out.write_csv(stream, list(rows[0]), [list(row.values()) for row in rows])


def _title(comparison: "Comparison", measure: str) -> str:
    name = comparison.manifest["data"]["name"]
    return one_line(
        f"Stability ({measure}) of the first k features over {len(comparison.trials)} trials: "
        f"{name}"
    )


def _table(rows: list[dict[str, Any]]) -> "Table":
    """Return k down the page and methods across."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = {(row["method"], row["k"]): _cell(row) for row in rows}
    labels, ks = (list(dict.fromkeys(row[key] for row in rows)) for key in ("method", "k"))
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("k", justify="right")
    for label in labels:
        table.add_column(Text(one_line(label)), justify="right", no_wrap=True)
    for k in ks:
        table.add_row(str(k), *(cells[label, k] for label in labels))
    return table


def _cell(row: dict[str, Any]) -> str:
    if "low" not in row:
        return f"{row['stability']:.3f}"
    return f"{row['stability']:.3f} ±{(row['high'] - row['low']) / 2:.3f}"


def _draw(comparison: "Comparison", rows: list[dict[str, Any]], measure: str, path: Path) -> None:
    from featrank.plots import save, stability_figure

    labels, ks = (list(dict.fromkeys(row[key] for row in rows)) for key in ("method", "k"))

    def column(label: str, key: str) -> list[float]:
        return [row[key] for row in rows if row["method"] == label]

    bands = None
    if "low" in rows[0]:
        bands = {label: (column(label, "low"), column(label, "high")) for label in labels}
    curves = {label: column(label, "stability") for label in labels}
    name, count = comparison.manifest["data"]["name"], len(comparison.trials)
    title = f"{name}, {count} trials"
    save(stability_figure(curves, ks, measure=measure, bands=bands, title=title), path)
