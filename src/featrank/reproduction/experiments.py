"""The experiments of the paper on tables: data sets, replacements for missing ones, runs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.progress import stage
from featrank.exceptions import (
    DataError,
    FeatrankWarning,
    MissingExtraError,
    UsageError,
    unknown_name,
)
from featrank.reproduction.methods import methods_by_label

if TYPE_CHECKING:
    from featrank.datasets import Dataset
    from featrank.evaluation import Comparison, Protocol

__all__ = ["CHALLENGE", "MICROARRAY", "Experiment", "Reproduction", "reproduce"]

LEAKY = "LEAKY: features are ranked on all rows, including the test rows"


@dataclass(frozen=True)
class Experiment:
    """An experiment of the paper.

    Attributes
    ----------
    title : str
        The heading of the table in the paper.
    datasets : tuple of str
        The data sets in the order of the paper.
    stand_ins : mapping
        Data set → replacement, which is run under its own name if the data set is missing.
    """

    title: str
    datasets: tuple[str, ...]
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    @property
    def known(self) -> tuple[str, ...]:
        """The names of all data sets, including replacements."""
        return (*self.datasets, *self.stand_ins.values())


MICROARRAY = Experiment(
    "Microarray databases (Table 3)", ("colon", "leukemia", "lymphoma", "prostate")
)
CHALLENGE = Experiment(
    "FS challenge datasets (Table 4)", ("gina", "madelon"), {"gina": "gina_like_mnist"}
)


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The results of an experiment.

    Attributes
    ----------
    experiment : Experiment
        The experiment.
    comparisons : dict of str to Comparison
        The comparisons by data set.
    missing : dict of str to str
        One sentence per data set that is not available.
    leaky : bool
        Whether features were ranked on all rows, including the test rows.
    """

    experiment: Experiment
    comparisons: dict[str, Comparison]
    missing: dict[str, str]
    leaky: bool = False

    @property
    def title(self) -> str:
        """The heading of the paper, marked for a leaky run."""
        title = self.experiment.title
        return f"{LEAKY}\n{title}" if self.leaky else title


def reproduce(
    experiment: Experiment,
    methods: str | Mapping[str, Any] = "paper",
    protocol: Protocol | None = None,
    *,
    datasets: Sequence[str] | None = None,
    n_jobs: int = 1,
    out_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    time_limit: float | None = None,
    patience: int | None = None,
) -> Reproduction:
    """Run an experiment of the paper on the data sets that are available.

    Parameters
    ----------
    experiment : Experiment
        ``MICROARRAY`` or ``CHALLENGE``.
    methods : str or mapping, default="paper"
        Comma-separated names, or "paper", "main", "others" or "all" as in
        :func:`methods_by_label`; or a mapping of rankers by label.
    protocol : Protocol or None, default=None
        How to evaluate; None is the protocol of the paper.
    datasets : sequence of str or None, default=None
        Names; None uses all data sets of the experiment.
    n_jobs, resume, time_limit, patience
        As for :func:`featrank.evaluation.compare`.
    out_dir : path, optional
        Folder for the results, with one subfolder per data set.

    Returns
    -------
    done : Reproduction
        The comparisons and the missing data sets.

    Warns
    -----
    FeatrankWarning
        A data set is missing, or the protocol is leaky.
    """
    from featrank.evaluation import Protocol

    rankers = methods_by_label(methods) if isinstance(methods, str) else methods
    protocol = protocol or Protocol.paper()
    folder = None if out_dir is None else Path(out_dir)
    with stage("Loading the data sets"):
        found, missing = find(experiment, datasets)
    for sentence in missing.values():
        warnings.warn(sentence, FeatrankWarning, stacklevel=2)
    if folder is not None and not resume:
        require_empty(folder, [data.name for data in found])
    if protocol.leaky:
        sentence = f"{LEAKY}. These scores do not apply to new data."
        warnings.warn(sentence, FeatrankWarning, stacklevel=2)
    further = {"n_jobs": n_jobs, "resume": resume, "time_limit": time_limit, "patience": patience}
    done = {data.name: _run(data, rankers, protocol, folder, further) for data in found}
    return Reproduction(experiment, done, missing, protocol.leaky)


def find(
    experiment: Experiment, names: Sequence[str] | None = None
) -> tuple[list[Dataset], dict[str, str]]:
    """Return the data sets with these names, and one sentence per missing one."""
    found: list[Dataset] = []
    missing: dict[str, str] = {}
    for name in names or experiment.datasets:
        if name not in experiment.known:
            raise UsageError(unknown_name("data set of this experiment", name, experiment.known))
        try:
            found.append(_load(name))
        except (DataError, MissingExtraError) as error:
            missing[name] = f"{_shown(name)} is missing: {error}"
            stand_in = None if names else _stand_in(experiment, name)
            if stand_in is not None:
                found.append(stand_in)
                missing[name] += (
                    f" featrank runs {stand_in.name} instead. Do not compare its scores with those "
                    f"published for {_shown(name)}."
                )
    if not found:
        raise DataError(" ".join(missing.values()))
    return found, missing


def require_empty(out: Path, names: Sequence[str]) -> None:
    """Raise an error early if folders already contain results."""
    taken = [name for name in names if (out / name / "manifest.json").exists()]
    if taken:
        raise UsageError(
            f"{str(out)!r} already contains results on {', '.join(taken)}. Use `resume=True` or "
            "another folder."
        )


def _run(
    data: Dataset,
    methods: Mapping[str, Any],
    protocol: Protocol,
    folder: Path | None,
    further: Mapping[str, Any],
) -> Comparison:
    from featrank.evaluation import compare

    out = None if folder is None else folder / data.name
    what = f"{data.name}: {len(methods)} methods, {protocol.n_repeats} trials"
    with stage(what, f"{data.name}: done"):
        names: dict[str, Any] = {"dataset": data.name, "feature_names": data.feature_names}
        return compare(data.X, data.y, methods, protocol, out_dir=out, **names, **further)


def _stand_in(experiment: Experiment, name: str) -> Dataset | None:
    other = experiment.stand_ins.get(name)
    try:
        return None if other is None else _load(other)
    except (DataError, MissingExtraError):
        return None


def _load(name: str) -> Dataset:
    from featrank.datasets import load

    return load(name)


def _shown(name: str) -> str:
    return {"gina": "GINA", "madelon": "MADELON"}.get(name, name.capitalize())
