"""The classes of the rows of a block, from their own labels or from labels known beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.data.reader import Reader
from featrank.exceptions import DataError
from featrank.sources import Block, Chunk, Source
from featrank.values.classes import all_classes, block_labels, places_among, warn_if_numeric

Codes = NDArray[np.integer]


class RowLabels(Protocol):
    """Classes of rows, in one or several views. A view can leave out rows."""

    def views(self, part: Chunk, block: Block) -> tuple[NDArray[Any], list[Codes]]:
        """Return classes, and for each view the code of each row; -1 for rows left out."""


@dataclass(frozen=True)
class OwnLabels:
    """Labels that come with the blocks; one view of all rows."""

    def views(self, part: Chunk, block: Block) -> tuple[NDArray[Any], list[Codes]]:
        """Return the classes of the block and the code of each row."""
        assert block.y is not None
        classes, codes = block_labels(block.y, block.X.shape[0])
        return classes, [codes]


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """Codes of all rows of a dataset, for each view.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels in sorted order.
    codes : ndarray of shape (n_views, n_rows)
        The code of each row, -1 for rows left out.
    starts : mapping of str to int
        First row of the parts whose rows are unknown before they are read, by place.
    """

    classes: NDArray[Any]
    codes: Codes
    starts: Mapping[str, int]

    def views(self, part: Chunk, block: Block) -> tuple[NDArray[Any], list[Codes]]:
        """Return all classes and the codes of the block's rows."""
        height = block.X.shape[0]
        start = self.starts[part.place] if part.rows is None else part.rows.start
        if start + height > self.codes.shape[1]:
            raise DataError(
                f"There are {self.codes.shape[1]:,} labels, and more rows in {part.place}. Pass "
                "one label per row."
            )
        return self.classes, [view[start : start + height] for view in self.codes]

    def viewed(self, codes: list[Codes]) -> KnownLabels:
        """Return the same labels with other views of the rows."""
        return replace(self, codes=np.stack(codes))


def all_labels(source: Source, reader: Reader) -> KnownLabels:
    """Read the labels of all rows, and nothing else if the format allows it."""
    apart = source.labels_apart()
    if apart is not None:
        known, every = block_labels(apart, len(apart))
        warn_if_numeric(known, len(apart))
        return KnownLabels(known, small_codes(every, len(known))[None], {})
    reader.passes += 1
    found: dict[int, tuple[str, NDArray[Any], Codes]] = {}
    classes = np.empty(0)
    for number, part, (own, codes) in reader.numbered(_labels_of, source, slice(0, 1)):
        found[number] = part.place, own, codes
        classes = own if not len(classes) else all_classes(classes, own)
    if not found:
        raise DataError(f"{source.name!r} has no rows. Check the file.")
    start, pieces, starts = 0, [], {}
    for number in sorted(found):
        place, own, codes = found[number]
        starts[place] = start
        pieces.append(places_among(classes, own)[codes] if len(own) else codes)
        start += len(codes)
    warn_if_numeric(classes, start)
    return KnownLabels(classes, small_codes(np.concatenate(pieces), len(classes))[None], starts)


def small_codes(codes: Codes, n_classes: int) -> Codes:
    """Return class codes in the smallest suitable integer type."""
    return codes.astype(np.int8 if n_classes < 128 else np.int32)


def _labels_of(part: Chunk) -> tuple[NDArray[Any], Codes]:
    block = part.read()
    assert block.y is not None
    classes, codes = block_labels(block.y, len(block.y))
    return classes, small_codes(codes, len(classes))
