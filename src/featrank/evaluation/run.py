"""``compare``: many methods, many trials, the same splits for all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.progress import report
from featrank.data.annotated import in_memory, obs_labels
from featrank.evaluation.data import Data
from featrank.evaluation.data_facts import data_facts
from featrank.evaluation.feature_names import feature_names_of, names_digest
from featrank.evaluation.feature_tables import (
    class_table,
    correlation_table,
    edge_table,
    target_table,
)
from featrank.evaluation.folder.manifest import make_manifest, read_manifest
from featrank.evaluation.folder.results import Folder
from featrank.evaluation.full_fits import Fit, fit_to_all
from featrank.evaluation.method_entries import Entry, entries
from featrank.evaluation.preflight import look_ahead
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.result import Comparison
from featrank.evaluation.stored_tables import KeptInFolder, KeptInMemory
from featrank.evaluation.trials import OVER_TIME, Trial, run_trial
from featrank.evaluation.workers import Task, check_jobs, running
from featrank.exceptions import UsageError
from featrank.values.containers import is_anndata, without_names

if TYPE_CHECKING:
    from distributed import Client


def compare(
    X: Any,
    y: Any,
    methods: Any,
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
    use_raw: bool = False,
) -> Comparison:
    """Compare ranking methods by what a model makes of their first features.

    The model is a linear SVM, or a ridge regression where the target is a quantity
    (``Protocol(task="regression")``).

    A random ranking runs along in every trial, as a baseline. Each method is also fitted once to
    all rows, for the scores that the comparison keeps beside the trials.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
        The samples; missing values may be NaN. Of an AnnData in memory, its X and ``var_names``.
    y : array-like of shape (n_samples,), or str
        Class labels, or numbers if the protocol says that they are a quantity; for an AnnData,
        also the name of a column of obs, as for ``groups``.
    methods : sequence of names or rankers, or mapping from name to either
        What to compare. The parameters that a method declares as ``tunable`` are chosen inside
        the training rows of each trial. For a quantity those that cannot rank for one are
        refused. Selectors of other packages and functions
        ``(X, y) -> scores`` are taken as :class:`featrank.SelectorRanker` explains.
    protocol : Protocol or None
        How; None is the EC-FS paper's protocol.
    groups : array-like of shape (n_samples,), optional
        Rows of one group, such as a patient or a batch, stay on one side of every split.
    feature_names : sequence of str, optional
        Names of the features, all different; by default a data frame's, else x0, x1, ...
    dataset : str
        Name for the results.
    n_jobs : int
        Processes; -1 is every core. The numbers do not depend on it.
    out_dir : path, optional
        Folder for the results; trials are written as they finish. One run at a time may write
        to it.
    resume : bool
        Go on with the trials that ``out_dir`` holds.
    time_limit : float, optional
        Seconds that a method may take for one trial, tuning included, and for its fit to all
        rows. The random ranking has no limit.
    patience : int, optional
        A method that is over time in all of the first ``patience`` trials is not tried in the
        others. By default every method is tried in every trial.
    client : distributed.Client, optional
        Run on the workers of this Dask cluster, in place of processes of this machine. The data
        is sent once to each worker, each runs one trial at a time, and ``out_dir`` is written here.
    layer, use_raw : str or None, and bool
        Of an AnnData: the layer to compare by in the place of X, or raw.

    Returns
    -------
    comparison : Comparison
        All rows, the table of means, and what is known of the features.

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
    ['method', 'feature', 'column', 'score', 'rank', 'trials', 'chosen_2', 'chosen_5']
    """
    protocol = protocol or Protocol()
    if is_anndata(X):
        y, groups = obs_labels(X, y), obs_labels(X, groups)
        X, names_of_genes = without_names(in_memory(X, layer, use_raw))
        if feature_names is None and names_of_genes is not None:
            feature_names = names_of_genes.tolist()
    elif layer is not None or use_raw:
        raise UsageError("layer= and use_raw= choose a matrix of an AnnData. Leave them out.")
    data = Data.of(X, y, groups, protocol.labelled(dataset), protocol.task)
    names = feature_names_of(X, feature_names, data.X.shape[1])
    protocol = protocol.sized(data.X.shape[1])
    check_jobs(n_jobs, client)
    chosen = entries(methods, protocol)
    manifest = make_manifest(data, chosen, protocol, names_digest(names))
    manifest["test_share"] = look_ahead(data, y, protocol, names)
    manifest["facts"] = data_facts(data.X, data.y)
    with writing(out_dir, manifest, names, resume) as folder:
        run = _Run(data, chosen, protocol, time_limit)
        if folder is not None:
            run.take_up(folder)
        for _ in run.work(n_jobs, patience, client):
            report(run.finished, run.planned)
        return run.outcome(names, manifest, folder)


def read_comparison(path: str | os.PathLike[str]) -> Comparison:
    """Return the comparison in a results folder, of a finished or an interrupted run."""
    manifest = read_manifest(Path(path))
    if "class_names" in manifest["data"]:
        raise UsageError(
            f"{str(path)!r} holds a comparison on many labels. Read it with "
            "featrank.evaluation.read_label_comparison."
        )
    folder = Folder(Path(path), manifest)
    trials = folder.read(manifest["trials"]) or folder.read_tables()
    methods = [entry["name"] for entry in manifest["methods"]]
    kept = KeptInFolder(Path(path), manifest)
    return Comparison(trials, methods, tuple(manifest["protocol"]["ks"]), manifest, kept)


def writing(
    out_dir: str | os.PathLike[str] | None, manifest: dict[str, Any], names: list[str], resume: bool
) -> AbstractContextManager[Folder | None]:
    """Hold the folder of a run, if it is to have one."""
    if out_dir is None:
        return nullcontext()
    return Folder.writing(Path(out_dir), manifest, names, resume=resume)


class _FitTask(Task):
    """The fit of a method to all rows, by its place among the methods."""


@dataclass(frozen=True)
class _Work:
    """Runs a trial or a fit; it holds the data, and goes once to each process or worker."""

    data: Data
    methods: list[Entry]
    protocol: Protocol
    time_limit: float | None

    def __call__(self, task: Task) -> Trial | Fit:
        n, last = task.number, (self.time_limit, task.given_up)
        if isinstance(task, _FitTask):
            return fit_to_all(self.data, self.methods[n], self.protocol, n, *last)
        return run_trial(self.data, self.methods, self.protocol, n, *last)


@dataclass
class _Run:
    """The trials of a comparison and the fits to all rows: those done, and those left."""

    data: Data
    methods: list[Entry]
    protocol: Protocol
    time_limit: float | None
    trials: dict[int, Trial] = field(default_factory=dict)
    fits: dict[int, Fit] = field(default_factory=dict)
    folder: Folder | None = None

    def take_up(self, folder: Folder) -> None:
        """Start from what a folder holds, and write there what is finished."""
        self.folder = folder
        folder.fits.prepare()
        self.trials = {done.number: done for done in folder.read(self.protocol.n_repeats)}
        self.fits = {done.place: done for done in folder.fits.read()}

    @property
    def finished(self) -> int:
        """How much is done."""
        return len(self.trials) + len(self.fits)

    @property
    def planned(self) -> int:
        """How much there is in all."""
        return self.protocol.n_repeats + len(self.methods)

    def work(self, n_jobs: int, patience: int | None, client: Client | None) -> Iterator[None]:
        """Do what is left, in one or two waves: who is given up is known after the first."""
        count = self.protocol.n_repeats if patience is None else patience
        numbers = [n for n in range(self.protocol.n_repeats) if n not in self.trials]
        early, late = ([n for n in numbers if (n < count) == first] for first in (True, False))
        wave = self._trials(early, {}) + ([] if late else self._fits({}))
        yield from self._wave(wave, n_jobs, client)
        if late:
            lost = self._hopeless(count)
            yield from self._wave(self._trials(late, lost) + self._fits(lost), n_jobs, client)

    def _wave(self, tasks: list[Task], n_jobs: int, client: Client | None) -> Iterator[None]:
        work = _Work(self.data, self.methods, self.protocol, self.time_limit)
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
        """Return the methods that were over time in all of the first trials, with the reason."""
        reason = f"was over time in each of the first {count} trials, and not tried again"
        each = [
            {row["method"] for row in self.trials[n].rows if row["status"] == OVER_TIME}
            for n in range(count)
        ]
        return dict.fromkeys(set.intersection(*each) if each else (), reason)

    def _transformed(self) -> Data:
        """Return the data with values as they were ranked, but for gaps."""
        return replace(self.data, X=self.protocol.treatment.transformed(self.data.X))

    def _of_target(self, transformed: Data, names: list[str], fits: list[Fit]) -> dict[str, Any]:
        """Return the table of the best features by class, or with the target."""
        if self.data.is_quantity:
            return {"target": target_table(self.data, transformed.X, names, fits)}
        return {"classes": class_table(self.data, names, fits)}

    def outcome(
        self, names: list[str], manifest: dict[str, Any], folder: Folder | None
    ) -> Comparison:
        """Return the comparison; assemble its folder."""
        trials = [self.trials[number] for number in sorted(self.trials)]
        fits = [self.fits[place] for place in sorted(self.fits)]
        transformed = self._transformed()
        tables = {
            **self._of_target(transformed, names, fits),
            "correlations": correlation_table(transformed, names, fits),
            "edges": edge_table(names, fits),
        }
        methods = [entry.name for entry in self.methods]
        kept = KeptInMemory(names, fits, tables)
        made = Comparison(trials, methods, self.protocol.feature_counts, manifest, kept)
        if folder is not None:
            further = {"features": made.features()} | ({"roc": made.roc()} if made.has_roc else {})
            folder.assemble(trials, methods, tables | further)
        return made
