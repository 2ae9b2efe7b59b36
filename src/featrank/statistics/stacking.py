"""Comparisons on several data sets, stacked into one table of mean scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError

__all__ = ["StackedScores", "stack_comparisons"]

Floats = NDArray[np.float64]


class Scored(Protocol):
    """A comparison of methods on one data set."""

    @property
    def methods(self) -> Sequence[str]:
        """Names of the methods."""

    @property
    def n_features(self) -> Sequence[int]:
        """The numbers of features."""

    @property
    def dataset(self) -> str:
        """The name of the data set."""

    @property
    def data_hash(self) -> str:
        """A hash of the data."""

    @property
    def scoring(self) -> str:
        """The name of the score."""

    def scores(self, method: str, k: int, /) -> Any:
        """Return the scores of a method at k, one per trial. NaN where it failed."""


@dataclass(frozen=True, eq=False)
class StackedScores:
    """Means over trials and numbers of features.

    Attributes
    ----------
    datasets : list of str
        Names of the rows.
    methods : list of str
        Names of the columns.
    table : ndarray of shape (n_datasets, n_methods)
        The means, as input for ``friedman``, ``nemenyi`` and ``wilcoxon_holm``.
    n_features : tuple of int
        The numbers of features that the means are taken over.
    left_out : list of str
        Methods without scores on some data set.
    """

    datasets: list[str]
    methods: list[str]
    table: Floats
    n_features: tuple[int, ...]
    left_out: list[str]


def stack_comparisons(
    comparisons: Sequence[Scored],
    n_features: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
) -> StackedScores:
    """Stack comparisons on different data sets into a table of data sets × methods.

    Parameters
    ----------
    comparisons : sequence of Comparison
        At least two, with the same kind of score. Other objects need ``methods``, ``n_features``,
        ``dataset``, ``data_hash``, ``scoring`` and ``scores(method, k)``.
    n_features : sequence of int or None, default=None
        The numbers of features to take the mean over. None uses all that the comparisons share.
    names : sequence of str or None, default=None
        Names of the comparisons, such as their folders, used if the names of their data are not
        unique.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.evaluation import Protocol, compare
    >>> from featrank.statistics import stack_comparisons, nemenyi
    >>> y, protocol = np.arange(40) % 2, Protocol(n_repeats=2, n_features=(2,), C=(1,))
    >>> data = {name: np.random.default_rng(len(name)).normal(size=(40, 5)) for name in ("a", "bc")}
    >>> found = stack_comparisons([compare(X, y, ["fisher", "mi"], protocol, dataset=name)
    ...               for name, X in data.items()])
    >>> found.datasets, found.methods, found.table.shape
    (['a', 'bc'], ['fisher', 'mi'], (2, 2))
    >>> nemenyi(found.table, found.methods).critical_difference
    1.386
    """
    called = _called(comparisons, names)
    _require_one_metric(comparisons)
    _require_different(comparisons, called)
    counts = _shared_counts(comparisons, n_features)
    means = [{name: _mean(each, name, counts) for name in each.methods} for each in comparisons]
    every = list(dict.fromkeys(name for each in means for name in each))
    shared = [name for name in every if not any(np.isnan(each.get(name, np.nan)) for each in means)]
    if len(shared) < 2:
        raise DataError("Fewer than two methods have scores in all these folders.")
    datasets = [each.dataset for each in comparisons]
    return StackedScores(
        datasets if len(set(datasets)) == len(datasets) else called,
        shared,
        np.array([[each[name] for name in shared] for each in means]),
        counts,
        [name for name in every if name not in shared],
    )


def _called(comparisons: Sequence[Scored], names: Sequence[str] | None) -> list[str]:
    if len(comparisons) < 2:
        raise UsageError(f"Ranks are over two data sets or more, got {len(comparisons)}.")
    if names is None:
        return [f"{each.dataset} ({number})" for number, each in enumerate(comparisons, 1)]
    if len(names) != len(comparisons):
        raise UsageError(f"names has {len(names)} names for {len(comparisons)} comparisons.")
    return list(names)


def _require_one_metric(comparisons: Sequence[Scored]) -> None:
    scorers = sorted({each.scoring for each in comparisons})
    if len(scorers) > 1:
        raise UsageError(f"Scores of different kinds have no common ranks: {', '.join(scorers)}.")


def _require_different(comparisons: Sequence[Scored], called: list[str]) -> None:
    seen: dict[str, str] = {}
    for each, name in zip(comparisons, called, strict=True):
        if each.data_hash in seen:
            raise UsageError(
                f"{seen[each.data_hash]!r} and {name!r} are of the same data. Name one folder "
                "for each data set, or a single one to compare methods over its trials."
            )
        seen[each.data_hash] = name


def _shared_counts(comparisons: Sequence[Scored], wanted: Sequence[int] | None) -> tuple[int, ...]:
    shared = set.intersection(*(set(each.n_features) for each in comparisons))
    ks = tuple(sorted(shared if wanted is None else set(wanted)))
    if not ks or not shared.issuperset(ks):
        known = ", ".join(map(str, sorted(shared))) or "none"
        raise UsageError(f"Numbers of features that all these results have: {known}.")
    return ks


def _mean(comparison: Scored, method: str, ks: tuple[int, ...]) -> float:
    values = np.concatenate([comparison.scores(method, k) for k in ks])
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
