"""Tables for mRMR and its kin of data in parts: codes stay where they are, counts come back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.engines.engine import Engine
from featrank.exceptions import UsageError
from featrank.kernels import BinArrays
from featrank.labels import block_labels, places_among
from featrank.pairwise import CodeBlock, RowBlockContingency
from featrank.sources import Part, Source
from featrank.summaries import Bins, Ranges, auto_bins
from featrank.values import require_usable

# Bytes of a block while it is read; its codes take one byte a value.
BLOCK_BYTES = 2**27


def code_tables(
    source: Source,
    engine: Engine,
    *,
    bins: int | str = "auto",
    most_bytes: int = BLOCK_BYTES,
    keep_bytes: float = math.inf,
) -> tuple[RowBlockContingency, NDArray[Any]]:
    """Return tables of a source for ``fit_tables``, and its classes.

    The source is read twice: for the ranges of the features, and for their codes, one byte a
    value, which stay on the workers (or, with a local engine, in memory). For each choice only
    the number of the chosen feature goes out, and counts come back, which workers add up. The
    ranking is that of a fit in memory, to the bit.

    Parameters
    ----------
    source : Source
        Data with labels that is read by rows.
    engine : Engine
        Where it is read and counted.
    bins : int or "auto", default="auto"
        Bins of equal width, as the rankers have them.
    most_bytes : int
        How large a block may be while it is read.
    keep_bytes : float
        What the codes of all rows may take; if they take more, the source is read and encoded
        again for each choice.

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
    if source.axis != "rows" or not (source.labelled and source.again):
        raise UsageError(
            f"Tables are counted by blocks of rows that have labels and can be read twice; "
            f"{source.name!r} is read by {source.axis} and has "
            f"{'labels' if source.labelled else 'no labels'}. Store it by rows, with labels."
        )
    ranges = engine.fold(_ranges, source.parts(most_bytes), Ranges.merge)
    assert ranges.n_rows is not None
    n_bins = auto_bins(ranges.n_rows) if bins == "auto" else int(bins)
    made = Bins.of(ranges.low, ranges.high, ranges.whole, ranges.dtype, n_bins)
    encode = Encode(ranges.classes, made.arrays)
    parts: Sequence[Any]
    if ranges.n_rows * ranges.n_features > keep_bytes:
        parts = [EncodedPart(part, encode) for part in source.parts(most_bytes)]
    else:
        parts = engine.keep(encode, source.parts(most_bytes))
    tables = RowBlockContingency.of(
        parts,
        engine,
        n_features=ranges.n_features,
        n_classes=len(ranges.classes),
        n_bins=n_bins,
    )
    return tables, ranges.classes


def _ranges(part: Part) -> Ranges:
    read = part.read()
    require_usable(read.X, None)
    return Ranges.of(read.X, read.y)


@dataclass(frozen=True, eq=False)
class EncodedPart:
    """A part of a source whose codes are made when they are read."""

    part: Part
    encode: Encode

    @property
    def rows(self) -> slice | None:
        """Place among the rows of the source."""
        return self.part.rows

    @property
    def columns(self) -> slice:
        """Place among the features."""
        return self.part.columns

    @property
    def place(self) -> str:
        """What to call it in messages."""
        return self.part.place

    def read(self) -> CodeBlock:
        """Read the part and put its values into bins."""
        return self.encode(self.part)


@dataclass(frozen=True, eq=False)
class Encode:
    """Puts the values of a part into bins that hold for all rows."""

    classes: NDArray[Any]
    bins: BinArrays

    def __call__(self, part: Part) -> CodeBlock:
        """Read the part."""
        read = part.read()
        own, codes = block_labels(read.y, read.X.shape[0])
        places = places_among(self.classes, own)
        y = places[codes].astype(np.intp) if len(own) else codes
        return CodeBlock.of(read.X, y, len(self.classes), self.bins)
