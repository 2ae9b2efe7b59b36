"""``compare_labels``: methods compared on every label of multi-label data, one against the rest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from featrank.base import Floats
from featrank.evaluation.comparison import Comparison, check_jobs, check_ks, running
from featrank.evaluation.judges import average_precision_scorer
from featrank.evaluation.protocol import Entry, Protocol, RowNumbers, entries
from featrank.evaluation.results import Folder, as_frame, make_manifest, read_manifest
from featrank.evaluation.trials import Trial, lost_trial, run_trial
from featrank.exceptions import UsageError, unknown_name
from featrank.progress import report

from .data import LabelData

MEAN = "mAP"
#: Column of the results for each kind of average precision: the usual, and VOC 2007's.
KINDS = {"usual": "score", "11-point": "score_11"}


@dataclass(frozen=True, eq=False)
class LabelComparison:
    """The outcome of a comparison on multi-label data.

    Attributes
    ----------
    parts : list of Trial
        One for each finished trial and class, numbered trial × number of classes + class.
    methods : list of str
        Their names, in the order in which they were given.
    classes : tuple of str
        The classes, in the order of Y's columns.
    ks : tuple of int
        The numbers of features.
    manifest : dict
        What the run is made of.
    """

    parts: list[Trial]
    methods: list[str]
    classes: tuple[str, ...]
    ks: tuple[int, ...]
    manifest: dict[str, Any]

    @property
    def frame(self) -> Any:
        """A polars frame, one row per trial × class × method × k."""
        return as_frame(self._rows)

    @property
    def _rows(self) -> list[dict[str, Any]]:
        return [row for part in self.parts for row in part.rows]

    def precisions(self, k: int, kind: str = "usual") -> Floats:
        """Return the average precision by class and method, a mean over the trials.

        Parameters
        ----------
        k : int
            One of ``ks``.
        kind : {"usual", "11-point"}, default="usual"
            Which average precision. NaN where a class or a method has none.
        """
        if k not in self.ks:
            raise UsageError(f"k={k} was not run. Known: {', '.join(map(str, self.ks))}.")
        if kind not in KINDS:
            raise UsageError(unknown_name("average precision", kind, KINDS))
        sums = np.zeros((len(self.classes), len(self.methods)))
        counts = np.zeros_like(sums)
        for row in self._rows:
            value = row.get(KINDS[kind], np.nan)
            if row["k"] == k and value == value:
                place = self.classes.index(row["label"]), self.methods.index(row["method"])
                sums[place] += value
                counts[place] += 1
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def mean_average_precision(self, k: int, kind: str = "usual") -> dict[str, float]:
        """Return mAP a method: the mean over the classes that any method has a precision of.

        A method that lacks one of them has NaN, since a mean over other classes would not
        compare. Parameters are those of :meth:`precisions`.
        """
        table = self.precisions(k, kind)
        judged = table[~np.isnan(table).all(axis=1)]
        means = judged.mean(axis=0) if len(judged) else np.full(len(self.methods), np.nan)
        return dict(zip(self.methods, means.tolist(), strict=True))

    def table(self, k: int, kind: str = "usual") -> list[dict[str, Any]]:
        """Return a dict a class: "class" and the precision of each method; the last is mAP.

        Parameters are those of :meth:`precisions`.
        """
        rows = zip(self.classes, self.precisions(k, kind).tolist(), strict=True)
        found = [{"class": name, **_by(self.methods, row)} for name, row in rows]
        return [*found, {"class": MEAN, **self.mean_average_precision(k, kind)}]

    def of_class(self, name: str) -> Comparison:
        """Return the comparison on one class, e.g. for its stability and significance."""
        if name not in self.classes:
            raise UsageError(unknown_name("class", name, self.classes))
        count, wanted = len(self.classes), self.classes.index(name)
        trials = [
            Trial(part.number // count, part.rows, part.orders)
            for part in self.parts
            if part.number % count == wanted
        ]
        return Comparison(trials, self.methods, self.ks, self.manifest)

    def __repr__(self) -> str:
        trials = len({part.number // len(self.classes) for part in self.parts})
        width = max(6, *(len(label) for label in self.methods))
        lines = [
            f"Comparison of {len(self.methods)} methods on {len(self.classes)} labels over "
            f"{trials} trials, {MEAN}",
            f"{'method':<{width}}" + "".join(f"{k:>8}" for k in self.ks),
        ]
        means = [self.mean_average_precision(k) for k in self.ks]
        for label in self.methods:
            cells = "".join(f"{mean[label]:8.4f}" for mean in means)
            lines.append(f"{label:<{width}}{cells}")
        return "\n".join(lines)


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
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
) -> LabelComparison:
    """Compare ranking methods on multi-label data by average precision and mAP.

    Each label is a problem of its own: the features are ranked for it, a classifier is trained to
    tell samples with the label from those without, and its C and the method's parameters are
    chosen for it, by average precision inside the training rows. All labels and methods share
    the split. What is not said here is as in :func:`compare`.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples; missing values may be NaN.
    Y : array-like of shape (n_samples, n_classes) or (n_samples,)
        1 where a sample has a label; 0 or -1 where it has not. In one dimension: class labels,
        each of which is taken against the rest.
    methods : sequence of names or rankers, or mapping from label to either
        What to compare.
    protocol : Protocol or None
        How. Its scorer must be None: average precision is what this is about.
    difficult : bool or array-like of shape (n_samples, n_classes), optional
        True: a 0 between -1 and 1 in Y leaves the sample out of that class. A matrix: so does
        a 1 in it.
    class_names : sequence of str, optional
        Names of the classes; by default those of Y's columns, or numbers.
    split : array-like of shape (n_samples,), optional
        "train", "val", "trainval" or "test" for each sample, or the codes 0 (train), 1 (val) and
        2 (test). All but the test are trained on, and there is one trial. Without it rows are
        split at random in each trial, every label as nearly in proportion as can be.
    groups : array-like of shape (n_samples,), optional
        Samples of one group stay on one side of every split.
    dataset, jobs, out, resume, time_limit
        As in :func:`compare`. Trials and classes run in parallel, and each of them is written
        as it finishes. The time limit is that of a method for one class in one trial.

    Returns
    -------
    comparison : LabelComparison
        Precisions by class and method, usual and 11-point, and their means.

    Examples
    --------
    >>> from featrank.evaluation import Protocol, compare_labels
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(150, 30, n_classes=3, random_state=0)
    >>> protocol = Protocol(trials=1, ks=(5, 10), C=(0.01, 0.1))
    >>> comparison = compare_labels(X, Y, ["fisher", "mi"], protocol)
    >>> comparison.precisions(k=5).shape  # classes × methods
    (3, 2)
    >>> sorted(comparison.mean_average_precision(k=5, kind="11-point"))
    ['fisher', 'mi']
    """
    data = LabelData.of(
        X,
        Y,
        difficult=difficult,
        class_names=class_names,
        split=split,
        groups=groups,
        name=dataset,
    )
    return compare_label_data(
        data, methods, protocol, jobs=jobs, out=out, resume=resume, time_limit=time_limit
    )


def compare_label_data(
    data: LabelData,
    methods: Any,
    protocol: Protocol | None = None,
    *,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
) -> LabelComparison:
    """Do the work of :func:`compare_labels` on data that is checked already."""
    protocol = _for_labels(protocol or Protocol(), data)
    check_ks(protocol, data.X.shape[1])
    check_jobs(jobs)
    methods = entries(methods, protocol)
    manifest = _manifest(data, methods, protocol)
    folder = None if out is None else Folder.open(Path(out), manifest, resume)
    total = protocol.trials * len(data.classes)
    parts = {} if folder is None else {done.number: done for done in folder.read(total)}
    run = partial(_run, data, methods, protocol, time_limit)
    left = [number for number in range(total) if number not in parts]
    for part in running(run, left, jobs, limited=time_limit is not None):
        if folder is not None:
            folder.add(part)
        parts[part.number] = part
        report(len(parts), total)
    ordered = [parts[number] for number in sorted(parts)]
    labels = [entry.label for entry in methods]
    if folder is not None:
        folder.assemble(ordered, labels)
    return LabelComparison(ordered, labels, data.classes, protocol.ks, manifest)


def read_label_comparison(path: str | os.PathLike[str]) -> LabelComparison:
    """Return what a folder of :func:`compare_labels` holds, of a run that has ended or not."""
    manifest = read_manifest(Path(path))
    classes = manifest["data"].get("class_names")
    if classes is None:
        raise UsageError(
            f"{str(path)!r} holds no multi-label comparison. Read it with read_comparison."
        )
    parts = Folder(Path(path), manifest).read(manifest["trials"] * len(classes))
    labels = [entry["label"] for entry in manifest["methods"]]
    ks = tuple(manifest["protocol"]["ks"])
    return LabelComparison(parts, labels, tuple(classes), ks, manifest)


class _GivenSplit:
    """A splitter for rows that are split already."""

    def __init__(self, train: RowNumbers, test: RowNumbers):
        self.sides = train, test

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        return repeat(self.sides)


def _run(
    data: LabelData,
    methods: Sequence[Entry],
    protocol: Protocol,
    time_limit: float | None,
    number: int,
) -> Trial:
    """Run all methods on one label in one trial."""
    trial, label = divmod(number, len(data.classes))
    train, test = (data.counted_rows(label, rows) for rows in data.sides(protocol, trial))
    obstacle = data.obstacle(label, train, test)
    if obstacle:
        done = lost_trial(data.name, methods, protocol, trial, obstacle)
    else:
        here = replace(protocol, splitter=_GivenSplit(train, test))
        done = run_trial(data.problem(label), methods, here, trial, time_limit)
    rows = [{**row, "label": data.classes[label]} for row in done.rows]
    return Trial(number, rows, done.orders)


def _for_labels(protocol: Protocol, data: LabelData) -> Protocol:
    if protocol.leaky:
        raise UsageError("Leaks are shown on classes, not on labels: use compare(X, y, ...).")
    if protocol.scorer is not None:
        raise UsageError(
            f"Labels are scored by average precision, not by {protocol.scorer!r}. Leave the "
            "protocol's scorer out, or compare each label by compare(X, Y[:, label], ...)."
        )
    trials = protocol.trials if data.training is None else 1
    return replace(protocol, scorer=average_precision_scorer, trials=trials)


def _manifest(data: LabelData, methods: Sequence[Entry], protocol: Protocol) -> dict[str, Any]:
    manifest = make_manifest(data, methods, protocol)
    if data.training is not None:
        manifest["protocol"]["splitter"] = "given by the data"
    elif protocol.splitter is None:
        manifest["protocol"]["splitter"] = "stratified by label"
    return manifest


def _by(labels: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return dict(zip(labels, values, strict=True))
