"""``featrank compare``: leak-free comparison of methods on a table."""

from typing import TYPE_CHECKING, Any

import click

from featrank.cli import files
from featrank.cli.clusters import cluster, cluster_options
from featrank.cli.imported import methods_by_name
from featrank.cli.messages import Messages
from featrank.cli.options import (
    CATEGORICAL,
    POSITIVE,
    TABLES,
    against_option,
    choice_option,
    groups_option,
    page_options,
    quiet_option,
    require_folder,
    run_options,
    table_argument,
    table_options,
    target_bins,
    target_option,
    task_option,
    treatment_options,
)
from featrank.cli.output import finish, format_option
from featrank.cli.params import n_features_option
from featrank.cli.results import max_features
from featrank.exceptions import UsageError, unknown_name
from featrank.reproduction import published

if TYPE_CHECKING:
    from featrank.evaluation import Comparison, Protocol

# Place in the list of commands.
ORDER = 3

TRIALS = {"quick": 10, "paper": 100}
QUICK_C = (1e-5, 1e-4, 0.001, 0.01, 0.1, 1.0)
# Metrics by task; the first is the default of the protocol.
METRICS = {"classification": ("auc",), "regression": ("r2", "spearman")}


@click.command("compare", cls=files.TableCommand)
@table_argument
@target_option
@target_bins
@task_option
@click.option(
    "--metric",
    type=click.Choice([name for names in METRICS.values() for name in names]),
    help="What is measured on the test rows: auc for classes; for quantities r2, the share of the "
    "variance that is predicted (the default), or spearman, whether the order is right.",
)
@click.option(
    "--methods",
    "-m",
    default="paper",
    metavar="LIST",
    help="Names with commas between them, 'paper' for those of the EC-FS paper, or 'all'; of "
    "these two, for quantities those that can. MODULE:NAME is a selector or function of another "
    "package or of a file in this folder.",
)
@n_features_option("How many features the model gets, such as 10,20,50; by default 50,100,150,200.")
@click.option("--trials", type=POSITIVE, metavar="N", help="Number of splits.")
@choice_option(
    "--preset",
    tuple(TRIALS),
    "quick: 10 trials and 6 values of C; paper: 100 trials and 10 values. For quantities both "
    "have 8 penalties.",
)
@against_option
@run_options
@cluster_options
@click.option(
    "--drop", "-d", multiple=True, metavar="LIST", help="Columns to leave out; repeatable."
)
@groups_option
@table_options
@choice_option(
    "--missing",
    ("mean", "median", "knn"),
    "What missing values become, from training rows: the feature's mean or median, or the "
    "mean of the five nearest rows.",
)
@treatment_options
@choice_option("--categorical", CATEGORICAL)
@page_options("comparison")
@max_features
@quiet_option
@format_option
def command(**options: Any) -> None:
    """Compare methods on FILE: rank, train a linear SVM, score on rows that neither has seen.

    The table has the mean area under the ROC curve at each number of features, the average, and
    the seconds that one ranking takes. The best of a column is bold; * and † mark methods that
    differ from one (--against) by more than chance. Where the target is a quantity (--task
    regression), a ridge regression takes the SVM's place, and R² that of the area.

    \b
    featrank compare data.csv --target diagnosis --methods ec-fs,fisher,mi
    featrank compare data.csv --target diagnosis --out-dir results --report report.html
    featrank compare data.csv --target diagnosis --preset paper --out-dir results
    featrank compare data.csv --target diagnosis --preset paper --out-dir results --resume
    featrank compare counts.csv --target diagnosis --transform cpm,log1p --groups batch
    featrank compare genes.tsv --transpose --labels clinical.csv --target diagnosis
    featrank compare data.csv --target diagnosis --scheduler tcp://10.0.0.1:8786
    featrank compare data.csv --target diagnosis -m ec-fs,sklearn.feature_selection:SelectKBest
    featrank compare data.csv --target dose --task regression --methods all --report report.html
    """
    from featrank.report import comparison_report

    messages = Messages(options["quiet"])
    if options["page"] is not None:
        require_folder(options["page"])
    elif options["points"]:
        raise click.UsageError("--points draws samples into the page: name it with --report FILE.")
    _require_metric(options)
    methods = _methods(options["methods"], options["task"], messages)
    against = _against(options["against"], methods)
    comparison = _compared(options, methods, messages)
    finish(comparison_report(comparison, against), options["layout"], messages)
    if options["folder"] is not None:
        messages.say(f"Results are in {str(options['folder'])!r}.")
    if options["page"] is not None:
        _write_page(comparison, options, messages)


def _write_page(comparison: "Comparison", options: dict[str, Any], messages: Messages) -> None:
    samples = _samples(options) if options["points"] else None
    most = options["max_features"]
    comparison.save(options["page"], format="html", max_features=most, samples=samples)
    messages.say(f"The page is {str(options['page'])!r}.")


def _samples(options: dict[str, Any]) -> tuple[Any, Any]:
    from featrank.files.request import FileRequest

    names = ("target", "target_bins", "groups", "drop", "categorical", *TABLES)
    request = FileRequest.of({"path": options["file"], **{name: options[name] for name in names}})
    table = request.read("keep")
    return table.X, table.y if options["task"] == "regression" else request.classes(table.y)


def _compared(options: dict[str, Any], methods: dict[str, Any], messages: Messages) -> "Comparison":
    from featrank.files.compare import compare_file

    same = ("target_bins", "groups", "drop", "categorical", "resume", "time_limit", *TABLES)
    with cluster(options) as place, messages.stages():
        return compare_file(
            options["file"],
            options["target"],
            methods,
            _protocol(options),
            out_dir=options["folder"],
            **{name: options[name] for name in same},
            **place,
        )


def _require_metric(options: dict[str, Any]) -> None:
    """Reject a metric of the other task."""
    metric, task = options["metric"], options["task"]
    if metric is not None and metric not in METRICS[task]:
        own = next(name for name, metrics in METRICS.items() if metric in metrics)
        raise click.UsageError(
            f"--metric {metric} is for --task {own}; with --task {task} there is "
            f"{' or '.join(METRICS[task])}."
        )


def _methods(names: str, task: str, messages: Messages) -> dict[str, Any]:
    """Return the methods by their names in the results."""
    from featrank.base.registry import methods
    from featrank.evaluation.method_entries import supports_regression

    lists = {"all": list(methods()), "paper": list(published.METHODS)}
    if names not in lists:
        return methods_by_name(names.split(","))
    if task == "classification":
        return methods_by_name(lists[names])
    able = [name for name in lists[names] if supports_regression(methods()[name])]
    left = [name for name in lists[names] if name not in able]
    if left:
        messages.say(f"Left out, since they rank for classes alone: {', '.join(left)}.")
    return methods_by_name(able)


def _against(name: str | None, names: dict[str, Any]) -> str | None:
    if name is not None and name not in names:
        raise UsageError(f"--against: {unknown_name('method of this comparison', name, names)}")
    return name


def _protocol(options: dict[str, Any]) -> "Protocol":
    from featrank.evaluation import Protocol

    preset = options["preset"]
    return Protocol(
        n_repeats=options["trials"] or TRIALS[preset],
        n_features=options["n_features"] or "auto",
        imputer=options["missing"],
        transform=options["transform"],
        max_missing=options["max_missing"],
        random_state=options["seed"],
        C=QUICK_C if preset == "quick" else Protocol.C,
        test_size=options["test_size"] or Protocol.test_size,
        task=options["task"],
        scoring=None if options["metric"] == "auc" else options["metric"],
    )
