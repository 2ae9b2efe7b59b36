"""``compare``: many methods, many trials, the same splits for all."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import UsageError
from featrank.progress import report
from featrank.statistics.significance import Difference, compare_to

from .outlook import look_ahead
from .protocol import NOT_HONEST, Data, Protocol, entries
from .results import Folder, as_frame, make_manifest, read_manifest, stacked
from .trials import OVER_TIME, Trial, run_trial
from .watching import Watched, telling, watched


@dataclass(frozen=True, eq=False)
class Comparison:
    """The outcome of a comparison.

    Attributes
    ----------
    trials : list of Trial
        The finished trials, by number.
    methods : list of str
        Their names, in the order in which they were given.
    ks : tuple of int
        The numbers of features.
    manifest : dict
        What the run is made of.
    """

    trials: list[Trial]
    methods: list[str]
    ks: tuple[int, ...]
    manifest: dict[str, Any]

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the features; None in folders of layout version 1."""
        return None

    @property
    def dataset(self) -> str:
        """The name of the data."""
        return str(self.manifest["data"]["name"])

    @property
    def data_hash(self) -> str:
        """The SHA-256 of the data: values, classes and groups."""
        return str(self.manifest["data"]["sha256"])

    @property
    def scorer(self) -> str:
        """What the scores are, such as ROC AUC."""
        return str(self.manifest["protocol"]["scorer"])

    @property
    def frame(self) -> Any:
        """A polars frame, one row per trial × method × k."""
        return as_frame(row for trial in self.trials for row in trial.rows)

    @property
    def rankings(self) -> dict[str, NDArray[np.int32]]:
        """The feature orders of each method, one a trial in which it ran, best first."""
        table = stacked(self.trials, self.methods, self.manifest["data"]["features"])
        return {label: table[label][table[label][:, 0] >= 0] for label in self.methods}

    def scores(self, label: str, k: int) -> NDArray[np.float64]:
        """Return the scores of a method at k, one a trial; NaN where it failed."""
        rows = [row for trial in self.trials for row in trial.rows]
        return np.array([r["score"] for r in rows if r["method"] == label and r["k"] == k])

    def table(self) -> list[dict[Any, Any]]:
        """Return a dict a method: mean score at each k, their average, seconds, failures.

        Means are over the trials that the method finished.
        """
        found = []
        for label in self.methods:
            means = {k: _mean(self.scores(label, k)) for k in self.ks}
            rows = [row for trial in self.trials for row in trial.rows if row["method"] == label]
            seconds = [row["ranking_seconds"] for row in rows]
            failed = len({row["trial"] for row in rows if row["status"] != "ok"})
            row: dict[Any, Any] = {"method": label, **means}
            row["average"] = float(np.mean(list(means.values())))
            row["seconds"] = _mean(np.array(seconds))
            row["failed"] = failed
            found.append(row)
        return found

    def failures(self) -> dict[str, tuple[int, str]]:
        """Return the number of trials in which a method has no scores, and a reason."""
        found: dict[str, tuple[int, str]] = {}
        for row in (row for trial in self.trials for row in trial.rows):
            if row["status"] != "ok" and row["k"] == self.ks[0]:
                count, reason = found.get(row["method"], (0, row["reason"]))
                found[row["method"]] = count + 1, reason
        return found

    def proposed(self) -> str:
        """Return the method to test against the others: EC-FS if it is here, else the best."""
        if "ec-fs" in self.methods:
            return "ec-fs"
        for entry in self.manifest["methods"]:
            if entry["method"] == "ec-fs":
                return str(entry["label"])
        averages = [row["average"] for row in self.table()]
        return self.methods[int(np.argmax(np.nan_to_num(averages, nan=-np.inf)))]

    def differences(self, against: str | None = None) -> list[Difference]:
        """Test a method (by default `proposed`) against each other at each k, over the trials."""
        scores = {
            label: np.stack([self.scores(label, k) for k in self.ks], axis=1)
            for label in self.methods
        }
        share = self.manifest.get("test_share", self.manifest["protocol"]["test_share"])
        return compare_to(scores, against or self.proposed(), ks=self.ks, test_fraction=share)

    def __repr__(self) -> str:
        lines = [f"Comparison of {len(self.methods)} methods over {len(self.trials)} trials"]
        if self.manifest["protocol"].get("leaky"):
            lines[0] += f": {NOT_HONEST}"
        width = max(6, *(len(label) for label in self.methods))
        heads = "".join(f"{k:>8}" for k in self.ks)
        lines.append(f"{'method':<{width}}{heads}{'average':>9}{'seconds':>9}")
        for row in self.table():
            cells = "".join(f"{row[k]:8.4f}" for k in self.ks)
            end = f"{row['average']:9.4f}{row['seconds']:9.4f}"
            lines.append(f"{row['method']:<{width}}{cells}{end}")
        return "\n".join(lines)


def compare(
    X: Any,
    y: Any,
    methods: Any,
    protocol: Protocol | None = None,
    *,
    groups: Any = None,
    dataset: str = "data",
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
    patience: int | None = None,
) -> Comparison:
    """Compare ranking methods by what a classifier makes of their first features.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples; missing values may be NaN.
    y : array-like of shape (n_samples,)
        Class labels.
    methods : sequence of names or rankers, or mapping from label to either
        What to compare. The parameters that a method declares as ``tunable`` are chosen inside
        the training rows of each trial.
    protocol : Protocol or None
        How; None is the EC-FS paper's protocol.
    groups : array-like of shape (n_samples,), optional
        Rows of one group stay on one side of every split.
    dataset : str
        Name for the results.
    jobs : int
        Processes; -1 is every core. The numbers do not depend on it.
    out : path, optional
        Folder for the results; trials are written as they finish.
    resume : bool
        Go on with the trials that ``out`` holds.
    time_limit : float, optional
        Seconds that a method may take for one trial, tuning included.
    patience : int, optional
        A method that is over time in all of the first ``patience`` trials is not tried in the
        others. By default every method is tried in every trial.

    Returns
    -------
    comparison : Comparison
        All rows, and the table of means.

    Examples
    --------
    >>> from featrank.evaluation import Protocol, compare
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> protocol = Protocol(trials=2, ks=(2, 5), C=(0.1, 1))
    >>> compare(X, y, ["ec-fs", "fisher"], protocol).table()[1]["method"]
    'fisher'
    """
    protocol = protocol or Protocol()
    data = Data.of(X, y, groups, protocol.labelled(dataset))
    check_ks(protocol, data.X.shape[1])
    check_jobs(jobs)
    methods = entries(methods, protocol)
    manifest = make_manifest(data, methods, protocol)
    manifest["test_share"] = look_ahead(data, y, protocol)
    folder = None if out is None else Folder.open(Path(out), manifest, resume)
    trials = {} if folder is None else {done.number: done for done in folder.read(protocol.trials)}
    run = partial(run_trial, data, methods, protocol, time_limit=time_limit)
    for trial in _left(run, trials, protocol.trials, jobs, time_limit, patience):
        if folder is not None:
            folder.add(trial)
        trials[trial.number] = trial
        report(len(trials), protocol.trials)
    ordered = [trials[number] for number in sorted(trials)]
    labels = [entry.label for entry in methods]
    if folder is not None:
        folder.assemble(ordered, labels)
    return Comparison(ordered, labels, protocol.ks, manifest)


def _left(
    run: Callable[..., Trial],
    done: Mapping[int, Trial],
    count: int,
    jobs: int,
    time_limit: float | None,
    patience: int | None,
) -> Iterator[Trial]:
    """Give the trials that are not yet done; whoever takes them puts them there."""
    numbers = [number for number in range(count) if number not in done]
    first = count if patience is None else patience
    limited = time_limit is not None
    yield from running(run, [n for n in numbers if n < first], jobs, limited=limited)
    late = [n for n in numbers if n >= first]
    if late:
        reason = f"was over time in each of the first {first} trials, and not tried again"
        given_up = dict.fromkeys(_over_time([done[number] for number in range(first)]), reason)
        yield from running(partial(run, given_up=given_up), late, jobs, limited=limited)


def _over_time(trials: Sequence[Trial]) -> set[str]:
    """Return the methods that were over time in all of these trials."""
    each = [{row["method"] for row in t.rows if row["status"] == OVER_TIME} for t in trials]
    return set.intersection(*each) if each else set()


def read_comparison(path: str | os.PathLike[str]) -> Comparison:
    """Return what a folder holds, of a run that has ended or not."""
    manifest = read_manifest(Path(path))
    if "class_names" in manifest["data"]:
        raise UsageError(
            f"{str(path)!r} holds a comparison on many labels. Read it with "
            "featrank.evaluation.read_label_comparison."
        )
    folder = Folder(Path(path), manifest)
    trials = folder.read(manifest["trials"]) or folder.read_tables()
    labels = [entry["label"] for entry in manifest["methods"]]
    return Comparison(trials, labels, tuple(manifest["protocol"]["ks"]), manifest)


def running(
    run: Callable[[int], Trial], numbers: Sequence[int], jobs: int, *, limited: bool = False
) -> Iterator[Trial]:
    """Give ``run(number)`` for all numbers as they finish; tell once what they warn of."""
    return telling(_watched(run, numbers, jobs, limited))


def _watched(
    run: Callable[[int], Trial], numbers: Sequence[int], jobs: int, limited: bool
) -> Iterator[Watched]:
    from joblib import Parallel, delayed, effective_n_jobs

    workers = min(effective_n_jobs(jobs), max(1, len(numbers)))
    if workers == 1:
        if limited and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "time_limit works by a signal, which reaches the main thread of a process alone. "
                "Call from there, or with jobs=2 or more."
            )
        yield from (watched(run, number) for number in numbers)
        return
    pool = Parallel(n_jobs=workers, backend="loky", return_as="generator_unordered")
    work, here = delayed(_run_in_worker), os.getpid()
    yield from pool(work(here, run, number) for number in numbers)


def _run_in_worker(parent: int, run: Callable[[int], Trial], number: int) -> Watched:
    # Inside of another parallel job joblib runs this in the very process that asked for it.
    if os.getpid() != parent:
        _leave_with(parent)
    return watched(run, number)


@cache
def _leave_with(parent: int) -> None:
    """End this worker when its parent has gone: a killed run leaves no processes behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def check_jobs(jobs: int) -> None:
    """Refuse to run in no process."""
    if jobs == 0:
        raise UsageError("jobs=0 does no work. Give 1 or more, or -1 for every core.")


def check_ks(protocol: Protocol, n_features: int) -> None:
    """Refuse more features than there are."""
    if protocol.ks[-1] > n_features:
        raise UsageError(
            f"k={protocol.ks[-1]} is more than the {n_features} features of the data. "
            f"Give numbers up to {n_features} (--features, in Python Protocol(ks=...))."
        )


def _mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
