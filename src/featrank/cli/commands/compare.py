"""``featrank compare``: leak-free comparison of methods on a table."""

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from featrank.cli import files
from featrank.cli.clusters import cluster, cluster_options
from featrank.cli.grouped_help import EVALUATION, METHOD, MISSING, grouped_command, option
from featrank.cli.imported import methods_by_name
from featrank.cli.messages import Messages
from featrank.cli.options import (
    POSITIVE,
    TABLES,
    against_option,
    categorical_option,
    choice_option,
    drop_option,
    groups_option,
    max_missing_option,
    quiet_option,
    report_options,
    require_folder,
    run_options,
    table_argument,
    table_options,
    target_bins,
    target_option,
    task_option,
    transform_option,
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

# Metrics by task. The first is the default of the protocol.
METRICS = {"classification": ("auc",), "regression": ("r2", "spearman")}


@grouped_command("compare", cls=files.TableCommand)
@table_argument
@target_option
@task_option
@option(
    "--methods",
    "-m",
    metavar="LIST",
    group=METHOD,
    show_default="ec-fs,fisher,mi,mrmr,relieff",
    help="Names separated by commas, 'paper' for those of the EC-FS paper, or 'all'. MODULE:NAME "
    "is a selector or function of another package or of a Python file in this folder.",
)
@n_features_option(
    "Numbers of features for the model, e.g. 10,20,50.",
    "up to five numbers from 1 to 200, below the number of features",
)
@against_option
@option(
    "--preset",
    type=click.Choice(["paper"]),
    show_default="none",
    group=EVALUATION,
    help="As in the EC-FS paper: its methods, 100 trials, and 50, 100, 150 and 200 features.",
)
@option(
    "--trials",
    type=POSITIVE,
    metavar="N",
    group=EVALUATION,
    show_default="10 to 50, more for small tables",
    help="Number of trials, random splits into training and test set.",
)
@option(
    "--permutations",
    type=click.IntRange(min=0),
    metavar="N",
    group=EVALUATION,
    show_default="200 with early stopping, 0 if too slow",
    help="Permutations of the labels that test whether the features predict the target.",
)
@option(
    "--metric",
    type=click.Choice([name for names in METRICS.values() for name in names]),
    group=EVALUATION,
    show_default="auc for classes, r2 for regression",
    help="Score on the test set.",
)
@drop_option
@choice_option(
    "--missing",
    ("mean", "median", "knn"),
    MISSING,
    "How to fill in missing values, from the training set: mean or median of the feature, or mean "
    "of the 5 most similar samples.",
)
@categorical_option
@max_missing_option
@table_options
@target_bins
@groups_option
@transform_option
@report_options("comparison")
@run_options
@max_features
@format_option
@cluster_options
@quiet_option
def command(**options: Any) -> None:
    """Compare ranking methods on held-out samples.

    In each trial, every method ranks the features of the training set. A linear SVM is trained on
    the best features and scored on the test set by the area under the ROC curve. With --task
    regression, it is a ridge regression scored by R².

    The table shows the mean score at each number of features, the average, and the seconds per
    ranking. The best method is bold. * and † mark methods that differ significantly from the
    reference (--against).

    \b
    featrank compare data.csv --target diagnosis --methods ec-fs,fisher,mi
    featrank compare data.csv --target diagnosis --report report.html
    featrank compare data.csv -t diagnosis --preset paper --out-dir results
    featrank compare data.csv -t diagnosis --out-dir results --resume
    featrank compare counts.csv -t diagnosis --transform cpm,log1p
    featrank compare genes.tsv --transpose --labels clinical.csv -t diagnosis
    featrank compare data.csv --target dose --task regression --methods all
    featrank compare data.csv -t class -m fisher,my_file:my_selector
    """
    from featrank.report import comparison_report

    messages = Messages(options["quiet"])
    if options["report"] is not None:
        require_folder(options["report"])
    elif options["points"]:
        raise click.UsageError("--points needs an HTML report. Add --report FILE.")
    _require_metric(options)
    chosen = options["methods"] or options["preset"]
    methods = _methods(chosen, options["task"], messages)
    against = _against(options["against"], methods)
    comparison = _compared(options, methods, messages)
    finish(comparison_report(comparison, against), options["format"], messages)
    if options["folder"] is not None:
        messages.say(f"Saved the results in {str(options['folder'])!r}.")
    comparison.require_scores()
    if options["report"] is not None:
        _write_report(comparison, options, messages)


def _write_report(comparison: "Comparison", options: dict[str, Any], messages: Messages) -> None:
    samples = _samples(options) if options["points"] else None
    most = options["max_features"]
    comparison.save(options["report"], format="html", max_features=most, samples=samples)
    messages.say(f"Wrote the HTML report to {str(options['report'])!r}.")


def _samples(options: dict[str, Any]) -> tuple[Any, Any]:
    from featrank.files.request import FileRequest

    names = ("target", "target_bins", "groups", "drop", "categorical", *TABLES)
    request = FileRequest.of({"path": options["file"], **{name: options[name] for name in names}})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were shown when the methods were compared
        table = request.read("keep", for_classes=options["task"] != "regression")
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
            f"--metric {metric} needs --task {own}. With --task {task}, use --metric "
            f"{' or '.join(METRICS[task])}."
        )


def _methods(names: str | None, task: str, messages: Messages) -> dict[str, Any]:
    """Return the methods by their names in the results."""
    from featrank.base.registry import methods
    from featrank.evaluation.defaults import METHODS
    from featrank.evaluation.method_entries import supports_regression

    if names is None:
        return methods_by_name(METHODS)
    lists = {"all": list(methods()), "paper": list(published.METHODS)}
    if names not in lists:
        return methods_by_name(names.split(","))
    if task == "classification":
        return methods_by_name(lists[names])
    able = [name for name in lists[names] if supports_regression(methods()[name])]
    left = [name for name in lists[names] if name not in able]
    if left:
        messages.note(f"Methods that cannot rank for regression are left out: {', '.join(left)}.")
    return methods_by_name(able)


def _against(name: str | None, names: dict[str, Any]) -> str | None:
    if name is not None and name not in names:
        raise UsageError(f"--against: {unknown_name('method of this comparison', name, names)}")
    return name


def _protocol(options: dict[str, Any]) -> "Protocol":
    from featrank.evaluation import Protocol

    preset = Protocol.paper() if options["preset"] == "paper" else Protocol()
    return replace(
        preset,
        n_repeats=options["trials"] or preset.n_repeats,
        n_features=options["n_features"] or preset.n_features,
        imputer=options["missing"],
        transform=options["transform"],
        max_missing=options["max_missing"],
        random_state=options["seed"],
        test_size=options["test_size"] or Protocol.test_size,
        task=options["task"],
        scoring=None if options["metric"] == "auc" else options["metric"],
        n_permutations="auto" if options["permutations"] is None else options["permutations"],
    )
