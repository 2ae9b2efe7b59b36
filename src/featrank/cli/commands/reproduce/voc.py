"""``featrank reproduce voc``: the EC-FS paper's experiment on multi-label data."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli import output as out
from featrank.cli.messages import Messages
from featrank.cli.options import paper_methods, run_options, test_share
from featrank.cli.params import parse_counts
from featrank.exceptions import UsageError
from featrank.report.plain_text import one_line
from featrank.report.wide import Wide

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.evaluation import LabelComparison, LabelData, Protocol
    from featrank.reproduction.voc import Precision

# Without a split in the file.
TRIALS = 10
NONE = "–"


@click.command("voc")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@paper_methods
@click.option(
    "--features",
    metavar="LIST",
    help="How many features the SVM gets, such as 10,20,50; by default the paper's 128,256, or "
    "3 % and 6 % of fewer features.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Random splits, by default {TRIALS}; a file with a split has one trial.",
)
@run_options
@click.option(
    "--ap",
    type=click.Choice(("both", "usual", "11-point")),
    default="both",
    show_default=True,
    help="Which average precision to show; results hold both.",
)
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors.")
@out.format_option
def command(**options: Any) -> None:
    """PASCAL VOC 2007: average precision on each class of a multi-label set, and mAP.

    FILE is an npz file with the arrays X (samples × features) and Y (samples × classes, 1 where a
    sample has the label, 0 or -1 where not). It may hold class_names, feature_names, groups, split
    ('train', 'val', 'trainval' or 'test' for each sample) and difficult (True if a 0 between -1
    and 1 leaves a sample out of a class, or a matrix that says so).

    For each class the features are ranked, a linear SVM is trained on the first k, and C and the
    method's parameters are tuned by cross-validation inside the training rows.

    \b
    featrank reproduce voc vgg.npz --out results
    featrank reproduce voc vgg.npz --methods ec-fs,fisher,mi --jobs 4 --out results --resume
    """
    messages = Messages(options["quiet"])
    layout = out.stdout_layout(options["layout"])
    comparison = _compared(options, messages)
    _write(comparison, options["ap"], layout)
    _close(comparison, options["folder"], messages)


def _compared(options: dict[str, Any], messages: Messages) -> "LabelComparison":
    from featrank.evaluation import compare_label_data, read_labels
    from featrank.reproduction.methods import chosen

    methods = chosen(options["methods"])
    with messages.working(f"Reading {options['file'].name}"):
        data = read_labels(options["file"])
    protocol = _protocol(options, data)
    what = f"{len(methods)} methods on {len(data.classes)} classes, {protocol.trials} trials"
    with messages.progress(what):
        return compare_label_data(
            data,
            methods,
            protocol,
            jobs=options["jobs"],
            out=options["folder"],
            resume=options["resume"],
            time_limit=options["time_limit"],
        )


def _protocol(options: dict[str, Any], data: "LabelData") -> "Protocol":
    from featrank.evaluation import Protocol
    from featrank.reproduction.voc import default_features

    trials = options["trials"]
    if data.training is not None and trials not in (None, 1):
        raise UsageError(
            f"The file says which rows are the test, so there is one trial, not {trials}. Leave "
            "--trials out, or the array 'split'."
        )
    if data.training is not None and options["test_share"] is not None:
        raise UsageError(
            "The file says which rows are the test. Leave --test-share out, or the array 'split'."
        )
    text = options["features"]
    return Protocol(
        trials=trials or (TRIALS if data.training is None else 1),
        ks=default_features(data.X.shape[1]) if text is None else parse_counts(text),
        seed=options["seed"],
        test_share=test_share(options),
    )


def _write(comparison: "LabelComparison", ap: str, layout: str) -> None:
    from featrank.reproduction.voc import KINDS, as_rows, side_by_side

    stream = out.stdout_stream(layout)
    kinds = KINDS if ap == "both" else (ap,)
    tables = [side_by_side(comparison, k, kind) for k in comparison.ks for kind in kinds]
    rows = as_rows([cell for cells in tables for cell in cells])
    if layout == "table":
        total = comparison.manifest["data"]["features"]
        out.write_rich(stream, *(part for cells in tables for part in _titled(cells, total)))
    elif layout == "json":
        out.write_json(stream, {"cells": rows, "manifest": comparison.manifest})
    else:
        out.write_csv(stream, list(rows[0]), [list(row.values()) for row in rows])


def _titled(cells: "list[Precision]", n_features: int) -> list[Any]:
    from rich.text import Text

    kind = "11-point average precision" if cells[0].kind == "11-point" else "average precision"
    title = f"First {cells[0].k}/{n_features} features selected: {kind} (%)"
    keys = 2 if _published(cells) else 1
    return [Text(title, "bold"), Wide(_table(cells), keys)]


def _published(cells: "list[Precision]") -> bool:
    return any(cell.paper is not None for cell in cells)


def _table(cells: "list[Precision]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    published = _published(cells)
    table.add_column("class", no_wrap=True)
    if published:
        table.add_column("", style="dim", no_wrap=True)
    labels = list(dict.fromkeys(cell.label for cell in cells))
    for cell in cells[: len(cells) // len(labels)]:
        table.add_column(Text(one_line(cell.method)), justify="right", no_wrap=True)
    for label in labels:
        if label == labels[-1]:
            table.add_section()
        for line in _lines([cell for cell in cells if cell.label == label], published):
            table.add_row(*line)
    return table


def _lines(row: "list[Precision]", published: bool) -> list[list[Any]]:
    from rich.text import Text

    best = max((cell.ours for cell in row if cell.ours is not None), default=None)
    marks = ["bold" if _shown(cell.ours) == _shown(best) else "" for cell in row]
    ours = [Text(_shown(cell.ours), mark) for cell, mark in zip(row, marks, strict=True)]
    name = Text(one_line(row[0].label))
    if not published:
        return [[name, *ours]]
    return [
        [name, "ours", *ours],
        ["", "paper", *(_shown(cell.paper) for cell in row)],
        ["", "difference", *(_shown(cell.difference, "+") for cell in row)],
    ]


def _shown(value: float | None, sign: str = "") -> str:
    return NONE if value is None else f"{value:{sign}.2f}"


def _close(comparison: "LabelComparison", folder: Path | None, messages: Messages) -> None:
    from featrank.reproduction.voc import losses

    for sentence in losses(comparison):
        messages.say(sentence)
    if folder is not None:
        messages.say(f"Results are in {str(folder)!r}.")
