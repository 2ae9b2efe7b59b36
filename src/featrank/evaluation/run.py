"""``compare``: evaluate several methods on the same random splits."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import split_names
from featrank._utils.progress import notify, report, stage
from featrank._utils.sklearn import take_rows
from featrank._utils.warn import collect_warnings
from featrank.base.cost import written_time
from featrank.data.annotated import in_memory
from featrank.data.named_columns import take_named
from featrank.error_control import FDRControl
from featrank.evaluation.claims import find_claims, read_claims, write_claims
from featrank.evaluation.data import Data
from featrank.evaluation.data_facts import data_facts
from featrank.evaluation.feature_names import feature_names_of, names_digest
from featrank.evaluation.feature_tables import (
    class_table,
    correlation_table,
    edge_table,
    target_table,
)
from featrank.evaluation.folder.manifest import add_warnings, make_manifest, read_manifest
from featrank.evaluation.folder.results import Folder
from featrank.evaluation.full_fits import Fit, fit_to_all
from featrank.evaluation.method_entries import Entry, entries
from featrank.evaluation.preflight import look_ahead
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.result import Comparison
from featrank.evaluation.signal.plan import plan_signal_test
from featrank.evaluation.signal.procedure import SignalFiles
from featrank.evaluation.signal.result import read_signal_test
from featrank.evaluation.signal.run import SignalRun
from featrank.evaluation.stored_tables import FolderTables, StoredTables
from featrank.evaluation.trials import OVER_TIME, Trial, estimate_trial, run_trial
from featrank.evaluation.workers import Task, check_jobs, count_workers, running
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.statistics import best_method
from featrank.values.containers import is_anndata, sample_ids, without_names
from featrank.values.usable_labels import (
    MIN_CLASS_SIZE,
    LabelRule,
    take_labelled,
)

if TYPE_CHECKING:
    from distributed import Client


# Time to start processes that import featrank.
WORKER_START_SECONDS = 2.0


def compare(
    X: Any,
    y: Any,
    methods: Any = None,
    protocol: Protocol | None = None,
    *,
    groups: Any = None,
    feature_names: Sequence[str] | None = None,
    dataset: str = "data",
    n_jobs: int = 1,
    out_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
    patience: int | None = None,
    client: Client | None = None,
    layer: str | None = None,
    use_raw: bool | None = None,
    na_values: str | Sequence[str] = (),
    min_class_size: int | None = MIN_CLASS_SIZE,
) -> Comparison:
    """Compare ranking methods by how well a model predicts from their top features.

    The model is a linear SVM, or a ridge regression for ``Protocol(task="regression")``.

    Every trial includes random rankings as a baseline. Each method is also fitted once to all
    rows, which gives the final scores and ranks of the features. A permutation test then checks
    whether the features predict the target at all.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
        The samples; missing values are NaN. An AnnData must be in memory.
    y : array-like of shape (n_samples,), or str
        Class labels, or numbers for regression. ``y`` and ``groups`` can also be names of columns
        of a data frame, which are then not features, or of obs of an AnnData.
    methods : sequence of names or rankers, mapping from name to either, or None
        The methods to compare. None is EC-FS, the Fisher score, mutual information, mRMR and
        ReliefF. Parameters that a method declares as ``tunable`` are chosen
        inside the training rows of each trial. For regression, all methods must support it.
        Selectors of other packages and functions ``(X, y) -> scores`` are wrapped by
        :class:`featrank.SelectorRanker`.
    protocol : Protocol or None
        How to evaluate. None is ``Protocol()``, which adapts to the size of the data.
    groups : array-like of shape (n_samples,), optional
        Rows of the same group, such as a patient or a batch, stay together in every split.
    feature_names : sequence of str, optional
        Unique feature names; by default those of the data frame, else x0, x1, ...
    dataset : str
        Name of the data in the results.
    n_jobs : int
        Number of processes; -1 uses every core. The results do not depend on it.
    out_dir : path, optional
        Folder for the results. Each trial is written when it finishes. Only one run at a time
        can write to the folder.
    resume : bool
        Continue the run in ``out_dir``.
    time_limit : float, optional
        Time limit of a method in seconds, for one trial including tuning, and for its fit to all
        rows. The random ranking has no limit.
    patience : int, optional
        Give a method up if it exceeds the time limit in all of the first ``patience`` trials. By
        default every method runs in every trial.
    client : distributed.Client, optional
        Run on the workers of this Dask cluster instead of local processes. The data is sent once
        to each worker, each worker runs one trial at a time, and this process writes ``out_dir``.
    layer, use_raw : str or None, and bool or None
        For an AnnData: which matrix to use, as for :func:`featrank.rank`.
    na_values, min_class_size
        Labels that mean missing, and the size below which classes are left out, as for
        :func:`featrank.rank`.

    Returns
    -------
    comparison : Comparison
        Scores of all trials, mean scores, and tables of the features.

    Examples
    --------
    >>> from featrank.evaluation import Protocol, compare
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> protocol = Protocol(n_repeats=2, n_features=(2, 5), C=(0.1, 1))
    >>> comparison = compare(X, y, ["ec-fs", "fisher"], protocol)
    >>> comparison.table()[1]["method"], comparison.baseline_row()["method"]
    ('fisher', 'random')
    >>> comparison.features().columns
    ['method', 'feature', 'column', 'score', 'criterion', 'rank', 'trials', 'chosen_2', 'chosen_5']
    """
    with collect_warnings() as issued:
        protocol = protocol or Protocol()
        ids, target_name = sample_ids(X), y if isinstance(y, str) else getattr(y, "name", None)
        X, y, groups = take_named(X, y, groups)
        if is_anndata(X):
            matrix = in_memory(X, layer, use_raw)
            for note in matrix.notes:
                notify(partial(str, note))
            X, names_of_genes = without_names(matrix)
            if feature_names is None and names_of_genes is not None:
                feature_names = names_of_genes.tolist()
        elif layer is not None or use_raw is not None:
            raise UsageError("`layer` and `use_raw` are only for AnnData. Leave them out.")
        size = None if protocol.is_regression else min_class_size
        rule = LabelRule(target_name, split_names(na_values), size)
        X, y, rows = take_labelled(X, y, rule, ids)
        if groups is not None and rows is not None:
            groups = take_rows(groups, rows)
        data = Data.of(X, y, groups, protocol.labelled(dataset), protocol.task)
        names = feature_names_of(X, feature_names, data.X.shape[1])
        protocol = protocol.resolve(data.X, data.y, data.groups)
        check_jobs(n_jobs, client)
        compared = entries(methods, protocol)
        manifest = make_manifest(data.describe(), compared, protocol, names_digest(names))
        manifest["test_size"] = look_ahead(data, y, protocol, names)
        manifest["facts"] = data_facts(data.X, data.y)
        add_warnings(manifest, issued)
        with writing(out_dir, manifest, names, resume) as folder:
            run = _Run(data, compared, protocol, time_limit, folder)
            notify(lambda: run.forecast(n_jobs, client))
            for _ in run.work(n_jobs, patience, client):
                report(len(run.trials) + len(run.fits), protocol.n_trials + len(compared))
                keep_warnings(folder, manifest, issued)
            with stage("Permuting the labels", "Permuted the labels"):
                for _ in run.test_signal(n_jobs, client):
                    keep_warnings(folder, manifest, issued)
            return run.outcome(names, manifest, n_jobs)


def read_comparison(path: str | os.PathLike[str]) -> Comparison:
    """Return the comparison in a results folder, of a finished or an interrupted run."""
    manifest = read_manifest(Path(path))
    if "class_names" in manifest["data"]:
        raise UsageError(
            f"{str(path)!r} contains a multi-label comparison. Use "
            "`featrank.evaluation.read_label_comparison`."
        )
    folder = Folder(Path(path), manifest)
    trials = folder.trials.read(manifest["n_repeats"]) or folder.read_tables()
    methods = [entry["name"] for entry in manifest["methods"]]
    tables = FolderTables(Path(path), manifest)
    n_features = tuple(manifest["protocol"]["n_features"])
    signal = read_signal_test(Path(path))
    claims = read_claims(Path(path), manifest["data"]["features"])
    return Comparison(trials, methods, n_features, manifest, tables, signal, claims)


def writing(
    out_dir: str | os.PathLike[str] | None, manifest: dict[str, Any], names: list[str], resume: bool
) -> AbstractContextManager[Folder | None]:
    """Return the locked folder of a run, or None without ``out_dir``."""
    if out_dir is None:
        return nullcontext()
    return Folder.writing(Path(out_dir), manifest, names, resume=resume)


def keep_warnings(
    folder: Folder | None, manifest: dict[str, Any], issued: Sequence[FeatrankWarning]
) -> None:
    """Add new warnings of a run to its manifest, also in the folder."""
    if add_warnings(manifest, issued) and folder is not None:
        folder.write_manifest()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class _FitTask(Task):
    """The fit of a method to all rows; ``number`` is the index of the method."""


def _run_task(
    data: Data, methods: list[Entry], protocol: Protocol, limit: float | None, task: Task
) -> Trial | Fit:
    """Run a trial or a fit."""
    n, last = task.number, (limit, task.given_up)
    if isinstance(task, _FitTask):
        return fit_to_all(data, methods[n], protocol, n, *last)
    return run_trial(data, methods, protocol, n, *last)


@dataclass
class _Run:
    """The state of a comparison: finished trials and fits to all rows, also in the folder."""

    data: Data
    methods: list[Entry]
    protocol: Protocol
    time_limit: float | None
    folder: Folder | None
    trials: dict[int, Trial] = field(default_factory=dict)
    fits: dict[int, Fit] = field(default_factory=dict)
    signal: SignalRun = field(init=False)

    def __post_init__(self) -> None:
        if self.folder is not None:
            self.folder.fits.prepare()
            done = self.folder.trials.read(self.protocol.n_trials)
            self.trials = {trial.number: trial for trial in done}
            self.fits = {fit.place: fit for fit in self.folder.fits.read(len(self.methods))}
        plan = plan_signal_test(self.data, self.methods, self.protocol)
        files = None if self.folder is None else SignalFiles(self.folder.path / "signal", plan)
        self.signal = SignalRun(plan, files)

    def forecast(self, n_jobs: int, client: Client | None) -> str | None:
        """Return a sentence on the size of the run and the time left, or None if it is done."""
        trials = self.protocol.n_trials - len(self.trials)
        if trials == 0:
            return None
        trial = estimate_trial(self.data, self.methods, self.protocol)
        workers = count_workers(n_jobs, client)
        start = WORKER_START_SECONDS if client is None and workers > 1 else 0.0
        # The fits to all rows take about as long as one more trial.
        seconds = start + (math.ceil(trials / workers) + 1) * trial.seconds
        seconds += self.signal.plan.seconds / workers
        sizes = _count(len(self.protocol.feature_counts), "feature count")
        return (
            f"{_count(trials, 'random split')} × {_count(len(self.methods), 'method')} × {sizes}: "
            f"{'about' if trial.exact else 'more than'} {written_time(seconds)}."
        )

    def work(self, n_jobs: int, patience: int | None, client: Client | None) -> Iterator[None]:
        """Run what is left, in two waves if methods may be given up after the first."""
        count = self.protocol.n_trials if patience is None else patience
        numbers = [n for n in range(self.protocol.n_trials) if n not in self.trials]
        early, late = ([n for n in numbers if (n < count) == first] for first in (True, False))
        wave = self._trials(early, {}) + ([] if late else self._fits({}))
        yield from self._wave(wave, n_jobs, client)
        if late:
            lost = self._hopeless(count)
            yield from self._wave(self._trials(late, lost) + self._fits(lost), n_jobs, client)

    def test_signal(self, n_jobs: int, client: Client | None) -> Iterator[None]:
        """Run what is left of the permutation test."""
        return self.signal.work(self.data, self.methods, self.protocol, n_jobs, client)

    def _wave(self, tasks: list[Task], n_jobs: int, client: Client | None) -> Iterator[None]:
        work = partial(_run_task, self.data, self.methods, self.protocol, self.time_limit)
        limited = self.time_limit is not None
        return map(self._add, running(work, tasks, n_jobs, client, limited=limited))

    def _trials(self, numbers: list[int], given_up: Mapping[str, str]) -> list[Task]:
        return [Task(n, f"trial {n}", given_up) for n in numbers]

    def _fits(self, given_up: Mapping[str, str]) -> list[Task]:
        return [
            _FitTask(n, f"the fit of {entry.name!r} to all rows", given_up)
            for n, entry in enumerate(self.methods)
            if n not in self.fits
        ]

    def _add(self, done: Trial | Fit) -> None:
        if isinstance(done, Trial):
            self.trials[done.number] = done
            if self.folder is not None:
                self.folder.trials.write(done)
        else:
            self.fits[done.place] = done
            if self.folder is not None:
                self.folder.fits.write(done)

    def _hopeless(self, count: int) -> dict[str, str]:
        """Return the methods that exceeded the time limit in all first trials, with the reason."""
        reason = f"exceeded the time limit in each of the first {count} trials"
        rows = (self.trials[n].rows for n in range(count))
        each = [{row["method"] for row in own if row["status"] == OVER_TIME} for own in rows]
        return dict.fromkeys(set.intersection(*each) if each else (), reason)

    def outcome(self, names: list[str], manifest: dict[str, Any], n_jobs: int) -> Comparison:
        """Return the comparison and write its tables to the folder."""
        trials = [self.trials[number] for number in sorted(self.trials)]
        fits = [self.fits[place] for place in sorted(self.fits)]
        transformed = self.protocol.treatment.transformed(self.data.X)
        tables = {
            "correlations": correlation_table(transformed, names, fits),
            "edges": edge_table(names, fits),
        }
        if self.data.is_regression:
            tables["target"] = target_table(self.data, transformed, names, fits)
        else:
            tables["classes"] = class_table(self.data, names, fits)
        methods = [entry.name for entry in self.methods]
        stored = StoredTables(names, fits, tables)
        signal = self.signal.outcome(self.methods)
        result = Comparison(trials, methods, self.protocol.feature_counts, manifest, stored, signal)
        if self.folder is not None:
            signal.write(self.folder.path)
            roc = {"roc": result.roc()} if result.has_roc else {}
            self.folder.assemble(trials, methods, {**tables, "features": result.features(), **roc})
        return replace(result, claims=self._claims(result, n_jobs))

    def _claims(self, result: Comparison, n_jobs: int) -> FDRControl | None:
        """Return what the best method can claim, from the folder if it is known."""
        best, known = best_method(result), None
        if best is None:
            return None
        if self.folder is not None:
            known = read_claims(self.folder.path, self.data.X.shape[1])
        if known is not None and known.method == best:
            return known
        entry = next(entry for entry in self.methods if entry.name == best)
        found = find_claims(self.data, entry, self.protocol, n_jobs)
        if found is not None and self.folder is not None:
            write_claims(self.folder.path, found)
        return found
