"""The paper's experiments on tables: which data sets, what stands in for a missing one, the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError, MissingExtraError, UsageError, unknown_name

if TYPE_CHECKING:
    from featrank.datasets import Dataset
    from featrank.evaluation import Comparison, Protocol


@dataclass(frozen=True)
class Experiment:
    """One of the paper's experiments.

    Attributes
    ----------
    title : str
        The paper's heading of the table.
    datasets : tuple of str
        The data sets in the paper's order.
    stand_ins : mapping
        Data set → another one, which is run under its own name where the first is missing.
    """

    title: str
    datasets: tuple[str, ...]
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    @property
    def known(self) -> tuple[str, ...]:
        """Every name that may be asked for."""
        return (*self.datasets, *self.stand_ins.values())


MICROARRAY = Experiment(
    "Microarray databases (Table 3)", ("colon", "leukemia", "lymphoma", "prostate")
)
CHALLENGE = Experiment(
    "FS challenge datasets (Table 4)", ("gina", "madelon"), {"gina": "gina_like_mnist"}
)


@dataclass(frozen=True, eq=False)
class Found:
    """The data sets of a run, and sentences on those that are missing."""

    datasets: list[Dataset]
    missing: dict[str, str]


def find(experiment: Experiment, names: Sequence[str] | None = None) -> Found:
    """Return the data sets of an experiment, or those of these names, that are to be had."""
    found = Found([], {})
    for name in names or experiment.datasets:
        if name not in experiment.known:
            raise UsageError(unknown_name("data set of this experiment", name, experiment.known))
        try:
            found.datasets.append(_load(name))
        except (DataError, MissingExtraError) as error:
            found.missing[name] = f"{_shown(name)} is missing: {error}"
            stand_in = None if names else experiment.stand_ins.get(name)
            if stand_in is not None:
                _add_stand_in(found, name, stand_in)
    if not found.datasets:
        raise DataError(" ".join(found.missing.values()))
    return found


def run(
    data: Dataset,
    methods: Mapping[str, Any],
    protocol: Protocol,
    *,
    out: Path | None = None,
    jobs: int = 1,
    resume: bool = False,
    time_limit: float | None = None,
    patience: int | None = None,
) -> Comparison:
    """Compare the methods on a data set; results go to ``out/NAME``."""
    from featrank.evaluation import compare

    return compare(
        data.X,
        data.y,
        methods,
        protocol,
        feature_names=data.feature_names,
        dataset=data.name,
        jobs=jobs,
        out=None if out is None else out / data.name,
        resume=resume,
        time_limit=time_limit,
        patience=patience,
    )


def require_empty(out: Path, names: Sequence[str]) -> None:
    """Refuse, before hours of work, folders that hold results already."""
    taken = [name for name in names if (out / name / "manifest.json").exists()]
    if taken:
        raise UsageError(
            f"{str(out)!r} already holds results on {', '.join(taken)}. Go on with them "
            "(--resume), or give another folder."
        )


def _add_stand_in(found: Found, name: str, stand_in: str) -> None:
    try:
        found.datasets.append(_load(stand_in))
    except (DataError, MissingExtraError):
        return
    found.missing[name] += (
        f" In its place {stand_in} is run. It is not {_shown(name)}, and its figures are not to "
        f"be compared with those published for {_shown(name)}."
    )


def _load(name: str) -> Dataset:
    from featrank.datasets import load

    return load(name)


def _shown(name: str) -> str:
    return {"gina": "GINA", "madelon": "MADELON"}.get(name, name.capitalize())
