"""Contingency tables for greedy methods on out-of-core data: only counts leave the workers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import pass_of, progress_to
from featrank.data.bin_codes import Encode, EncodePanel, Look, Looked
from featrank.data.row_labels import OwnLabels, RowLabels
from featrank.engines.engine import Engine, made_part
from featrank.exceptions import DataError, UsageError
from featrank.pairwise.column_panels import ColumnPanelContingency
from featrank.pairwise.pair_tables import PairTables
from featrank.pairwise.row_blocks import RowBlockContingency
from featrank.sources import Chunk, Source
from featrank.sources.names import kept_names
from featrank.summaries.histogram import Bins, auto_bins
from featrank.values.numbers import Unusable

# Bytes of a block while it is read, and of the counts that come of it.
BLOCK_BYTES = 2**27
COUNT_BYTES = 2**26
# Steps in which progress is reported.
STEPS = 1000


@dataclass(frozen=True)
class Room:
    """How many bytes things may take.

    Attributes
    ----------
    block : int
        A block while it is read.
    counts : int
        The counts that come of a block; wider data is counted in several passes.
    codes : float
        The codes of all rows. If they take more, the source is read and encoded again for each
        choice.
    """

    block: int = BLOCK_BYTES
    counts: int = COUNT_BYTES
    codes: float = math.inf


def code_tables(
    source: Source,
    engine: Engine,
    *,
    bins: int | str = "auto",
    binning: str = "width",
    labels: RowLabels | None = None,
    room: Room | None = None,
) -> tuple[PairTables, NDArray[Any]]:
    """Return tables of a source for ``fit_tables``, and its classes.

    A source of rows is read twice: for the ranges of the features, and for their codes. Codes take
    one byte per value, or five bytes per nonzero entry of a sparse source. They stay on the workers
    (or in memory, with a local engine). At each step, workers receive the number of the chosen
    feature and return counts. A source of columns is read once. At each step, workers receive the
    codes of the chosen feature and return one sum per feature. The ranking is exactly that of a fit
    in memory.

    Parameters
    ----------
    source : Source
        The data, which can be read twice.
    engine : Engine
        Where it is read and counted.
    bins : int or "auto", default="auto"
        Bins, as the rankers have them.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or of about equal content, which need whole columns.
    labels : RowLabels, optional
        Labels of the rows; by default those of the source.
    room : Room, optional
        How many bytes things may take.

    Examples
    --------
    >>> import dask.array as da
    >>> from featrank import MRMR
    >>> from featrank.engines.local_engine import LocalEngine
    >>> from featrank.sources.dask_collections import DaskSource
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> source = DaskSource(da.from_array(X, chunks=(40, 4)), y)
    >>> MRMR().fit_tables(*code_tables(source, LocalEngine())).ranking_
    array([4, 3, 2, 1])
    """
    labels, room = labels or _own_labels(source), room or Room()
    if not source.again:
        raise UsageError(
            f"{source.name!r} can be read only once, and codes need the ranges of all rows first. "
            "Give something that can be read again, such as a function that returns the blocks."
        )
    if source.axis == "columns":
        return _of_columns(source, engine, EncodePanel(labels, bins, binning), room)
    if binning != "width":
        raise UsageError(
            "Bins of equal content need whole columns, and this data is read row by row. Use "
            'binning="width", or data that is stored by columns (Zarr in panels of columns, CSC).'
        )
    return _of_rows(source, engine, bins, labels, room)


def _own_labels(source: Source) -> RowLabels:
    if not source.labelled:
        raise DataError(
            f"{source.name!r} has no labels: name them when it is opened (target=), or pass y."
        )
    return OwnLabels()


def _of_rows(
    source: Source, engine: Engine, bins: int | str, labels: RowLabels, room: Room
) -> tuple[PairTables, NDArray[Any]]:
    with pass_of(0, 2, STEPS):
        looked = engine.fold(Look(labels), _parts(source, room), Looked.merge)
    if looked.unusable is not None:
        looked.unusable.raise_error(kept_names(source.names))
    ranges = looked.ranges
    assert ranges.n_rows is not None
    n_bins = auto_bins(ranges.n_rows) if bins == "auto" else int(bins)
    made = Bins.of(ranges.low, ranges.high, ranges.whole, ranges.dtype, n_bins)
    encode = Encode(labels, ranges.classes, made.arrays, ranges.dtype)
    with pass_of(1, 2, STEPS):
        parts, counting = _kept(source, engine, encode, looked.code_bytes, room)
    tables = RowBlockContingency.of(
        parts,
        counting,
        n_features=ranges.n_features,
        n_classes=len(ranges.classes),
        n_bins=n_bins,
        most_bytes=room.counts,
    )
    return tables, ranges.classes


def _of_columns(
    source: Source, engine: Engine, encode: EncodePanel, room: Room
) -> tuple[PairTables, NDArray[Any]]:
    n_rows, n_features = source.shape
    parts, counting = _kept(source, engine, encode, (n_rows or 0) * n_features, room)
    bad = np.zeros((2, n_features), np.int64)
    classes = np.empty(0)
    for part, (found, unusable) in counting.each(_facts, parts):
        classes = found
        if unusable is not None:
            bad[:, part.columns] = unusable.not_finite, unusable.too_large
    Unusable(bad[0], bad[1]).raise_error(kept_names(source.names))
    return ColumnPanelContingency.of(parts, counting, n_features=n_features), classes


def _kept(
    source: Source, engine: Engine, encode: Callable[[Chunk], Any], size: int, room: Room
) -> tuple[Sequence[Any], Counting]:
    """Return parts whose codes are kept if they have room, and how they are counted."""
    if size > room.codes:
        return _parts(source, room), Counting(engine, encode)
    return engine.keep(encode, _parts(source, room)), Counting(engine, None)


def _parts(source: Source, room: Room) -> list[Chunk]:
    return list(source.chunks(room.block))


@dataclass(frozen=True, eq=False)
class Counting:
    """An engine whose passes are steps of a longer way; it may make codes whenever it reads.

    Attributes
    ----------
    engine : Engine
        Who works.
    encode : callable or None
        Makes the codes of a part of the source; None where parts have them.
    """

    engine: Engine
    encode: Callable[[Chunk], Any] | None

    def fold(
        self, work: Callable[[Any], Any], parts: Iterable[Any], merge: Callable[[Any, Any], Any]
    ) -> Any:
        """Return what ``work`` makes of the codes of each part, merged."""
        with progress_to(_nobody):
            return self.engine.fold(self._coded(work), parts, merge)

    def each(self, work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield each part with what ``work`` makes of its codes."""
        with progress_to(_nobody):
            found = list(self.engine.each(self._coded(work), parts))
        return iter(found)

    def _coded(self, work: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return work if self.encode is None else OnCodes(self.encode, work)


def _nobody(done: int, total: int) -> None:
    """Ignore the progress of a pass."""


@dataclass(frozen=True, eq=False)
class OnCodes:
    """Makes the codes of a part and works on them."""

    encode: Callable[[Chunk], Any]
    work: Callable[[Any], Any]

    def __call__(self, part: Chunk) -> Any:
        """Read the part."""
        return self.work(made_part(part, self.encode(part)))


def _facts(part: Any) -> tuple[NDArray[Any], Unusable | None]:
    panel = part.read()
    return panel.classes, panel.unusable
