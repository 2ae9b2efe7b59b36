"""All rows of an out-of-core dataset, in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.budget import require
from featrank.data.reader import Reader
from featrank.sources import Block, Chunk, Source
from featrank.tables.labels import checked_labels


def whole_table(source: Source, reader: Reader, most_bytes: int) -> Block:
    """Return all values and labels of a dataset; sparse blocks stay sparse.

    Raise an error as soon as they take more than ``most_bytes``.
    """
    found: dict[int, Block] = {}
    taken = 0
    for number, _, block in reader.numbered(_read, source):
        taken += block.nbytes
        require(
            taken,
            lambda _, limit: (
                f"{source.name!r} does not fit into the memory limit of {limit}. Raise the limit "
                "with `memory=...`."
            ),
            most_bytes,
        )
        found[number] = block
    blocks = [found.pop(number) for number in sorted(found)]
    y = blocks[0].y if source.axis == "columns" else _joined_labels(blocks, source)
    return Block(_joined([block.X for block in blocks], source.axis), y)


def stored_labels(
    source: Source, reader: Reader, starts: dict[str, int] | None = None
) -> NDArray[Any]:
    """Return the labels of all rows as they are stored; a missing one is None or NaN.

    If the rows of parts are unknown before they are read, ``starts`` is filled with the first
    row of each part.
    """
    apart = source.labels_apart()
    if apart is not None and source.shape[0] is not None:
        return apart
    reader.passes += 1
    found = {number: (part, y) for number, part, y in reader.numbered(_labels, source, slice(0, 1))}
    if source.axis == "columns":
        return found[0][1]
    pieces, start = [], 0
    for number in sorted(found):
        part, y = found[number]
        if part.rows is None and starts is not None:
            starts[part.place] = start
        pieces.append(y)
        start += len(y)
    return _together(pieces, source)


def _read(part: Chunk) -> Block:
    block = part.read()
    return Block(block.X.toarray(), block.y) if hasattr(block.X, "packed") else block


def _labels(part: Chunk) -> NDArray[Any]:
    y = part.read().y
    assert y is not None
    return y


def _joined(blocks: list[Any], axis: str) -> Any:
    across = 0 if axis == "rows" else 1
    if all(hasattr(block, "indptr") for block in blocks):
        from scipy.sparse import hstack, vstack

        join = vstack if axis == "rows" else hstack
        return join(blocks, format=blocks[0].format)
    dense = [block.toarray() if hasattr(block, "indptr") else block for block in blocks]
    return dense[0] if len(dense) == 1 else np.concatenate(dense, axis=across)


def _joined_labels(blocks: list[Block], source: Source) -> NDArray[Any] | None:
    if not source.labelled:
        return None
    return _together([block.y for block in blocks if block.y is not None], source)


def _together(pieces: list[NDArray[Any]], source: Source) -> NDArray[Any]:
    """Concatenate the labels of parts; numbers stay numbers if others are strings."""
    if len({piece.dtype.kind for piece in pieces}) == 1:
        return np.concatenate(pieces)
    labels = [label for piece in pieces for label in piece.tolist()]
    return checked_labels(labels, len(labels), str(source.target))
