"""Contingency tables of features in panels of columns, each counted where it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.kernels.contingency import Indices, Integers
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.pair_tables import Column, NLogN, PairTables
from featrank.pairwise.sparse_contingency import SparseContingency
from featrank.values.numbers import Unusable


@dataclass(frozen=True, eq=False)
class CodePanel:
    """The bins of all rows, for some features.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels in sorted order.
    unusable : Unusable or None
        Values that cannot be binned. If there are any, tables are not available.
    found : Contingency, SparseContingency or None
        The features.
    """

    classes: NDArray[Any]
    unusable: Unusable | None
    found: Contingency | SparseContingency | None

    @property
    def tables(self) -> Contingency | SparseContingency:
        """The tables of a panel whose values are all usable."""
        assert self.found is not None
        return self.found


class PanelChunk(Protocol):
    """Location of the tables of some columns."""

    @property
    def columns(self) -> slice:
        """Slice of the features."""

    def read(self) -> CodePanel:
        """Return the panel."""


class Each(Protocol):
    """The engine's method used here."""

    def each(self, work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield each part with the result of ``work``, in any order."""


def own_sums(part: PanelChunk) -> tuple[Integers, Integers, Integers]:
    """Return the sizes of the classes, and the sums over the features' own tables."""
    panel = part.read().tables
    return panel.class_sizes, panel.marginal, panel.by_class


def column_at(place: int, part: PanelChunk) -> Column:
    """Return a feature of a panel by its index there."""
    return part.read().tables.column(place)


def sums_with(column: Column, with_class: bool, part: PanelChunk) -> Integers:
    """Count the features of a panel against a given one, and return one sum per feature."""
    return part.read().tables.sums_with(column, with_class)


@dataclass(frozen=True)
class ColumnPanelContingency(PairTables):
    """Features in panels of whole columns, in files or on the workers of a cluster.

    To choose a feature, the bins of the last chosen one are sent to all panels, one byte per row.
    Each panel returns one sum per feature, identical to that of :class:`Contingency`.

    Attributes
    ----------
    engine : Each
        Where the panels are counted.
    parts : sequence of PanelChunk
        The panels.
    """

    engine: Each
    parts: Sequence[PanelChunk]

    @classmethod
    def of(
        cls, parts: Sequence[PanelChunk], engine: Each, *, n_features: int
    ) -> ColumnPanelContingency:
        """Count each feature alone and with the class."""
        marginal, by_class = np.empty((2, n_features), np.int64)
        sizes = np.empty(0, np.int64)
        for part, found in engine.each(own_sums, parts):
            sizes, marginal[part.columns], by_class[part.columns] = found
        return cls(NLogN(int(sizes.sum())), sizes, marginal, by_class, engine, parts)

    def _sums(self, chosen: int, candidates: Indices, with_class: bool) -> Integers:
        sums, work = np.empty(self.n_features, np.int64), partial(sums_with, self._column(chosen))
        for part, found in self.engine.each(partial(work, with_class), self.parts):
            sums[part.columns] = found
        return sums[candidates]

    def _column(self, feature: int) -> Column:
        part = next(p for p in self.parts if p.columns.start <= feature < p.columns.stop)
        [(_, column)] = self.engine.each(partial(column_at, feature - part.columns.start), [part])
        return column
