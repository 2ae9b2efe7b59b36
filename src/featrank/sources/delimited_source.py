"""The source of a CSV or TSV file, and its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from featrank.sources.chunking import most_items, ranges
from featrank.sources.delimited_text import Piece, Survey, Text, survey_of, texts
from featrank.sources.frames import (
    ColumnIds,
    Layout,
    block_of,
    layout_of,
    require_features,
    without_ids,
)
from featrank.sources.labels import Labels, label_file, labels_of
from featrank.sources.source import Block, Part, Source, place_of, reading, shape_of, span_of
from featrank.tables.options import ReadOptions
from featrank.tables.prepare import number_type

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class DelimitedPart:
    """Some rows of a delimited file.

    Attributes
    ----------
    piece : Piece
        The rows that are parsed.
    within : slice
        Those of them that are wanted.
    held : bytes or None
        Their text, where the file is gzipped and cannot be entered half-way.
    """

    text: Text
    layout: Layout
    labels: Labels | None
    dtype: np.dtype
    piece: Piece
    within: slice
    rows: slice
    columns: slice
    held: bytes | None = None

    @property
    def place(self) -> str:
        """What to call it in messages."""
        return place_of("rows", self.rows, self.text.path.name)

    def read(self) -> Block:
        """Read it."""
        with reading(self.place):
            text = self.held
            if text is None:
                text = next(texts(self.text.path, [self.piece]))
            positions = self.layout.positions(self.columns)
            frame = self.text.frame(text, self.piece.n_rows, positions)
            if frame.height != self.piece.n_rows:
                raise EOFError(f"{frame.height} rows were found where {self.piece.n_rows} were")
            shape = shape_of(self.rows, self.columns)
            block = block_of([frame[self.within]], shape, self.layout, self.dtype, self.place)
            if self.labels is None:
                return block
            return Block(block.X, labels_of(self.labels, self.rows, self.place))


class DelimitedSource(Source):
    """A delimited file, whose types and rows are known."""

    def __init__(
        self,
        survey: Survey,
        names: Sequence[str],
        layout: Layout,
        labels: Labels | None,
    ):
        positions = layout.features(len(survey.header))
        types = survey.text.types(positions)
        require_features(names, types)
        self.name = survey.path.name
        self.names = names
        n_rows = sum(piece.n_rows for piece in survey.pieces)
        self.shape = (n_rows, len(names))
        gaps = [survey.gaps[place] for place in positions]
        self.dtype = np.result_type(*{number_type(*one) for one in zip(types, gaps, strict=True)})
        self.target = layout.target_name if labels is None else labels.name
        self.held = survey.path.suffix.lower() == ".gz"
        self._text = survey.text
        self._pieces = survey.pieces
        self._layout = layout
        self._labels = labels

    def parts(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Part]:
        """Join small pieces of the text and cut large ones, so that each part fits."""
        columns = span_of(columns, self.shape[1])
        width = columns.stop - columns.start
        if not width:
            return
        most = most_items(most_bytes, width * self.dtype.itemsize)
        joined = _joined(self._pieces, most)
        done = 0
        held_texts = self._held(joined)
        for piece in joined:
            with reading(f"what follows row {done:,} of {self.name!r}"):
                held = next(held_texts)
            for within in ranges(0, piece.n_rows, most):
                rows = slice(done + within.start, done + within.stop)
                yield self._part(piece, within, rows, columns, held)
            done += piece.n_rows

    def _held(self, joined: list[Piece]) -> Iterator[bytes | None]:
        path = self._text.path
        return texts(path, joined) if path.suffix.lower() == ".gz" else (None for _ in joined)

    def _part(
        self, piece: Piece, within: slice, rows: slice, columns: slice, held: bytes | None
    ) -> DelimitedPart:
        text, layout, labels = self._text, self._layout, self._labels
        return DelimitedPart(text, layout, labels, self.dtype, piece, within, rows, columns, held)


def delimited_source(path: Path, options: ReadOptions) -> DelimitedSource:
    """Return the source of a delimited file, which is read once."""
    survey = survey_of(path)
    header = survey.header
    row_names = not header[0]
    layout, _ = layout_of(header, options, (0,) if row_names else ())
    survey.take(layout.features(len(header)), layout.target)
    n_rows = sum(piece.n_rows for piece in survey.pieces)
    labels = None if options.labels is None else label_file(options.labels, n_rows, path)
    column = partial(_column, survey.text, tuple(survey.pieces))
    layout, ids = without_ids(header, survey.text.types(range(len(header))), layout, column)
    names = [header[place] for place in layout.features(len(header))]
    source = DelimitedSource(survey, names, layout, labels)
    if row_names or ids is not None:
        source.id_name, source.id_column = "" if row_names else header[ids or 0], not row_names
        source.ids = ColumnIds(source.id_name, partial(column, 0 if row_names else ids or 0))
    return source


def _column(text: Text, pieces: Sequence[Piece], place: int) -> pl.Series:
    """Return a column of a delimited file as a whole."""
    import polars as pl

    read = zip(texts(text.path, pieces), pieces, strict=True)
    parts = [text.frame(part, piece.n_rows, [place]).to_series(0) for part, piece in read]
    return pl.concat(parts)


def _joined(pieces: Sequence[Piece], most: int) -> list[Piece]:
    """Join neighbours that have at most so many rows together."""
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        if last.n_rows + piece.n_rows <= most:
            joined[-1] = Piece(last.start, piece.stop, last.n_rows + piece.n_rows)
        else:
            joined.append(piece)
    return joined
