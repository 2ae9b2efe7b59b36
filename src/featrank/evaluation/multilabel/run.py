"""``compare_labels``: compare methods on every label of multi-label data."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.progress import report
from featrank._utils.warn import collect_warnings
from featrank.evaluation.estimators import average_precision_scorer
from featrank.evaluation.feature_names import feature_names_of, names_digest
from featrank.evaluation.folder.manifest import add_warnings, make_manifest, read_manifest
from featrank.evaluation.folder.results import Folder
from featrank.evaluation.method_entries import Entry, entries
from featrank.evaluation.multilabel.data import LabelData
from featrank.evaluation.multilabel.result import LabelComparison
from featrank.evaluation.protocol import Protocol, RowNumbers
from featrank.evaluation.run import keep_warnings, writing
from featrank.evaluation.stored_tables import NAMES, names_only, read_names
from featrank.evaluation.trials import Trial, lost_trial, run_trial
from featrank.evaluation.workers import Task, check_jobs, running
from featrank.exceptions import UsageError

if TYPE_CHECKING:
    from distributed import Client


def compare_labels(
    X: Any,
    Y: Any,
    methods: Any,
    protocol: Protocol | None = None,
    *,
    difficult: Any = None,
    class_names: Sequence[str] | None = None,
    split: Any = None,
    groups: Any = None,
    dataset: str = "data",
    n_jobs: int = 1,
    out_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
    client: Client | None = None,
) -> LabelComparison:
    """Compare ranking methods on multi-label data by average precision and mAP.

    Each label is a separate problem. The features are ranked for it, and a classifier is trained to
    predict whether samples have the label. C and the method's parameters are tuned for it, by
    average precision inside the training rows. All labels and methods share the same splits.
    Everything else is as in :func:`compare`.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples; missing values are NaN.
    Y : array-like of shape (n_samples, n_classes) or (n_samples,)
        1 where a sample has a label; 0 or -1 where it does not. A vector holds class labels, each
        compared with the rest.
    methods : sequence of names or rankers, or mapping from name to either
        The methods to compare.
    protocol : Protocol or None
        How to evaluate. Its ``scoring`` must be None: the score is average precision.
    difficult : bool or array-like of shape (n_samples, n_classes), optional
        True: 0 in Y (between -1 and 1) excludes the sample from that class. A matrix: 1 excludes
        it.
    class_names : sequence of str, optional
        Names of the classes; by default those of the columns of Y, or numbers.
    split : array-like of shape (n_samples,), optional
        "train", "val", "trainval" or "test" for each sample, or the codes 0 (train), 1 (val) and
        2 (test). All samples except "test" are training rows, and there is one trial. By default
        each trial splits the rows at random and stratifies by all labels.
    groups : array-like of shape (n_samples,), optional
        Samples of the same group stay together in every split.
    dataset, n_jobs, out_dir, resume, time_limit, client
        As in :func:`compare`. Trials and classes run in parallel, and each is written when it
        finishes. The time limit holds for one method, class and trial.

    Returns
    -------
    comparison : LabelComparison
        Usual and 11-point average precisions by class and method, and their means.

    Examples
    --------
    >>> from featrank.evaluation import Protocol, compare_labels
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(150, 30, n_classes=3, random_state=0)
    >>> protocol = Protocol(n_repeats=1, n_features=(5, 10), C=(0.01, 0.1))
    >>> comparison = compare_labels(X, Y, ["fisher", "mi"], protocol)
    >>> comparison.precisions(k=5).shape  # classes × methods
    (3, 2)
    >>> sorted(comparison.mean_average_precision(k=5, kind="11-point"))
    ['fisher', 'mi']
    """
    data = LabelData.of(
        X, Y, difficult=difficult, class_names=class_names, split=split, groups=groups, name=dataset
    )
    return compare_label_data(
        data,
        methods,
        protocol,
        n_jobs=n_jobs,
        out_dir=out_dir,
        resume=resume,
        time_limit=time_limit,
        client=client,
    )


def compare_label_data(
    data: LabelData,
    methods: Any,
    protocol: Protocol | None = None,
    *,
    n_jobs: int = 1,
    out_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
    client: Client | None = None,
) -> LabelComparison:
    """Run :func:`compare_labels` on validated data."""
    with collect_warnings() as issued:
        protocol = _for_labels(protocol or Protocol(), data).resolve(data.X)
        check_jobs(n_jobs, client)
        compared = entries(methods, protocol)
        names = feature_names_of(None, data.feature_names, data.X.shape[1])
        manifest = make_manifest(data.describe(), compared, protocol, names_digest(names))
        if data.training is not None:
            manifest["protocol"]["cv"] = "given by the data"
        elif protocol.cv is None:
            manifest["protocol"]["cv"] = "stratified by label"
        add_warnings(manifest, issued)
        total = protocol.n_trials * len(data.classes)
        with writing(out_dir, manifest, names, resume) as folder:
            finished = [] if folder is None else folder.trials.read(total)
            parts = {part.number: part for part in finished}
            work = partial(_run, data, compared, protocol, time_limit)
            tasks = [Task(n, f"part {n}") for n in range(total) if n not in parts]
            for part in running(work, tasks, n_jobs, client, limited=time_limit is not None):
                if folder is not None:
                    folder.trials.write(part)
                parts[part.number] = part
                report(len(parts), total)
                keep_warnings(folder, manifest, issued)
            ordered = [parts[number] for number in sorted(parts)]
            methods = [entry.name for entry in compared]
            if folder is not None:
                folder.assemble(ordered, methods, {})
        ks = protocol.feature_counts
        return LabelComparison(ordered, methods, data.classes, ks, manifest, names_only(names))


def read_label_comparison(path: str | os.PathLike[str]) -> LabelComparison:
    """Return the results in a folder of :func:`compare_labels`, complete or not."""
    manifest = read_manifest(Path(path))
    classes = manifest["data"].get("class_names")
    if classes is None:
        raise UsageError(
            f"{str(path)!r} contains no multi-label comparison. Use `read_comparison`."
        )
    parts = Folder(Path(path), manifest).trials.read(manifest["n_repeats"] * len(classes))
    methods = [entry["name"] for entry in manifest["methods"]]
    ks = tuple(manifest["protocol"]["n_features"])
    stored = names_only(read_names(Path(path) / NAMES, manifest["data"]))
    return LabelComparison(parts, methods, tuple(classes), ks, manifest, stored)


class _GivenSplit:
    """A splitter that returns a given split."""

    def __init__(self, train: RowNumbers, test: RowNumbers):
        self.sides = train, test

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        return repeat(self.sides)


def _run(
    data: LabelData, methods: list[Entry], protocol: Protocol, limit: float | None, task: Task
) -> Trial:
    """Run all methods on one label in one trial."""
    trial, label = divmod(task.number, len(data.classes))
    counted = data.counted[:, label]
    train, test = (rows[counted[rows]] for rows in data.sides(protocol, trial))
    obstacle = data.obstacle(label, train, test)
    if obstacle:
        done = lost_trial(data.name, methods, protocol, trial, obstacle)
    else:
        here = replace(protocol, cv=_GivenSplit(train, test))
        done = run_trial(data.problem(label), methods, here, trial, limit)
    rows = [{**row, "label": data.classes[label]} for row in done.rows]
    return Trial(task.number, rows, done.orders, done.curves)


def _for_labels(protocol: Protocol, data: LabelData) -> Protocol:
    if protocol.leaky:
        raise UsageError("`leaky=True` is not supported for multi-label data. Use `compare(X, y)`.")
    if protocol.is_regression:
        raise UsageError(
            'Labels are classes, so `task="regression"` is not supported. Compare one target at a '
            "time: `compare(X, Y[:, column])`."
        )
    if protocol.scoring is not None:
        raise UsageError(
            f"Multi-label data are scored by average precision, not by {protocol.scoring!r}. Leave "
            "out `scoring`."
        )
    trials = protocol.n_repeats if data.training is None else 1
    return replace(protocol, scoring=average_precision_scorer, n_repeats=trials)
