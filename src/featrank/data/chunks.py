"""Out-of-core data: a source that is read in chunks, in as few passes as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from featrank._utils.budget import require
from featrank._utils.progress import pass_of
from featrank.data.cells import read_cells
from featrank.data.code_tables import COUNT_BYTES, STEPS, Room, code_tables
from featrank.data.folds import class_folds, masked_target
from featrank.data.passes import DescriptionSpec, describe_source
from featrank.data.protocol import Data, Fold, Rectangle, Vectors, View
from featrank.data.reader import Reader
from featrank.data.row_labels import KnownLabels, OwnLabels, RowLabels, all_labels, small_codes
from featrank.exceptions import DataError
from featrank.kernels.dense import float_type
from featrank.pairwise.pair_tables import PairTables
from featrank.sources import Source
from featrank.summaries.ranges import FeatureRanges
from featrank.values.classes import encode_labels, require_two_classes, warn_if_numeric


@dataclass(eq=False)
class Chunks(Data):
    """A source with the labels of its rows.

    Attributes
    ----------
    given : array-like or None
        Labels that do not come with the source.
    ranges : FeatureRanges or None
        The ranges of all features if they are known; then the source is read once.
    """

    source: Source
    given: Any
    reader: Reader
    missing: str = "error"
    ranges: FeatureRanges | None = None
    groups: Any = None
    classes: NDArray[Any] = field(init=False)
    class_sizes: NDArray[np.integer] = field(init=False)

    def __post_init__(self) -> None:
        self._labels: RowLabels = _row_labels(self.source, self.given)
        self._vectors: dict[int | None, Vectors] = {}
        self._n_columns_read = 0

    @property
    def once(self) -> str | None:
        """Why no folds can be read, if so."""
        rereadable = self.source.again and self.ranges is None
        return None if rereadable else "data that is read once"

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.source.shape[1]

    @property
    def _known(self) -> KnownLabels:
        if not isinstance(self._labels, KnownLabels):
            self._labels = all_labels(self.source, self.reader)
        return self._labels

    @property
    def y(self) -> NDArray[np.intp]:
        """Class codes of all rows."""
        return self._known.codes[0].astype(np.intp)

    @property
    def strata(self) -> NDArray[np.intp]:
        """Class codes of all rows."""
        return self.y

    def folds(self, random_state: Any) -> list[Fold]:
        """Return folds by class."""
        return class_folds(self.y, None, self.groups, random_state)

    def prefetch(self, method: Any, views: Sequence[View]) -> None:
        """Describe all rows, and each view, in one pass."""
        labels = self._labels
        if views:
            known, y = self._known, self.y
            targets = [known.codes[0], *(masked_target(y, view) for view in views)]
            labels = known.viewed([small_codes(codes, len(known.classes)) for codes in targets])
        fresh = clone(method)  # without fitted arrays, which would travel to the workers
        spec = DescriptionSpec(fresh._describe, fresh._bins, self.missing)
        found = describe_source(self.source, labels, spec, self.reader, self.ranges)
        self.classes, self.class_sizes = found.classes, found.sizes
        self._require_rows(int(found.sizes.sum()))
        keys = [None, *map(id, views)]
        self._vectors = dict(zip(keys, found.vectors, strict=True))

    def _require_rows(self, n_rows: int) -> None:
        if self.given is not None and n_rows != np.size(self.given):
            raise DataError(
                f"{self.source.name!r} has {n_rows:,} rows, but y has {np.size(self.given):,} "
                "labels. Pass one label per row."
            )
        require_two_classes(self.classes)
        if isinstance(self._labels, OwnLabels):  # known labels have been checked
            warn_if_numeric(self.classes, n_rows)

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes."""
        if not self._vectors:
            self.prefetch(method, [])
        return self._vectors[None if view is None else id(view)]

    def pair_tables(self, method: Any) -> PairTables:
        """Return contingency tables; bin codes stay where the chunks are."""
        counts = min(COUNT_BYTES, self.reader.memory // (2 * self.reader.n_resident))
        room = Room(
            self.reader.block_bytes(self.source),
            counts,
            self.reader.engine.room(self.reader.memory),
        )
        with pass_of(0, 2, STEPS):
            tables, self.classes = code_tables(
                self.source,
                self.reader.engine,
                bins=method.bins,
                binning=method.binning,
                labels=self._labels,
                room=room,
            )
        require_two_classes(self.classes)
        self.class_sizes = tables.class_sizes
        return tables

    def cells(self, rectangles: Sequence[Rectangle]) -> list[NDArray[Any]]:
        """Return the values of some rows and columns, from one pass."""
        ascending = [(np.sort(rows), columns) for rows, columns in rectangles]
        values = read_cells(self.source, ascending, self._known.starts, self.reader)
        return [
            block[np.searchsorted(ordered, rows)]
            for block, (ordered, _), (rows, _) in zip(values, ascending, rectangles, strict=True)
        ]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values that ``columns`` returns."""
        return float_type(self.source.dtype)

    def columns(self, features: NDArray[np.integer]) -> NDArray[Any]:
        """Return all values of some features, from one pass."""
        n_rows = len(self.y)
        self._n_columns_read += len(features)
        require(
            self.dtype.itemsize * n_rows * self._n_columns_read,
            lambda needed, limit: (
                f"{self._n_columns_read:,} candidate features of {self.source.name!r} need "
                f"{needed} of memory, but the limit is {limit}. Raise the limit with "
                "`memory=...`, or select fewer features."
            ),
            self.reader.memory,
        )
        ascending = np.sort(features)
        values = self.cells([(np.arange(n_rows), ascending)])[0]
        return values[:, np.searchsorted(ascending, features)].astype(self.dtype, copy=False)


def _row_labels(source: Source, y: Any) -> RowLabels:
    if y is None:
        return OwnLabels()
    classes, codes = encode_labels(y, source.shape[0] or np.size(y))
    return KnownLabels(classes, small_codes(codes, len(classes))[None], {})
