"""Delimited files as out-of-core datasets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from featrank.sources.chunking import most_items, ranges
from featrank.sources.delimited_text import Piece, Survey, TextFile, read_pieces, survey_of
from featrank.sources.frames import FrameSource, Layout, add_ids, layout_of, without_ids
from featrank.sources.labels import Labels, label_file
from featrank.sources.source import Chunk, reading, span_of
from featrank.tables.frames import number_type
from featrank.tables.options import ReadOptions

if TYPE_CHECKING:
    import polars as pl


class DelimitedSource(FrameSource):
    """A delimited file whose types and rows are known."""

    def __init__(self, survey: Survey, layout: Layout, labels: Labels | None):
        positions = layout.features(len(survey.header))
        survey.require_numbers(positions)
        types = survey.text_file.types(positions)
        n_rows = sum(piece.n_rows for piece in survey.pieces)
        names = [survey.header[place] for place in positions]
        super().__init__(survey.path.name, n_rows, names, types, layout, labels)
        missing = [survey.has_missing[place] for place in positions]
        dtypes = {number_type(*one) for one in zip(types, missing, strict=True)}
        self.dtype = np.result_type(*dtypes)
        self.notes = survey.dialect.notes
        # A gzipped file can only be read from its start, so its parts hold their content.
        self.held = survey.path.suffix.lower() == ".gz"
        self._file = survey.text_file
        self._pieces = survey.pieces

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Join small pieces of the file and cut large ones, so that each part fits."""
        columns = span_of(columns, self.shape[1])
        width = columns.stop - columns.start
        if not width:
            return
        most = most_items(most_bytes, width * self.dtype.itemsize)
        joined = _joined(self._pieces, most)
        done = 0
        held_contents = (
            read_pieces(self._file.path, joined) if self.held else (None for _ in joined)
        )
        for piece in joined:
            with reading(f"the rows after row {done:,} of {self.name!r}"):
                held = next(held_contents)
            for within in ranges(0, piece.n_rows, most):
                rows = slice(done + within.start, done + within.stop)
                frames = partial(_frames, self._file, piece, within, held)
                yield self._part(frames, rows, columns)
            done += piece.n_rows


def _frames(
    file: TextFile, piece: Piece, within: slice, held: bytes | None, positions: Sequence[int]
) -> list[pl.DataFrame]:
    """Parse a piece of the file, and return some of its rows."""
    content = next(read_pieces(file.path, [piece])) if held is None else held
    frame = file.frame(content, piece.n_rows, positions)
    if frame.height != piece.n_rows:
        raise EOFError(f"it has {frame.height} rows instead of {piece.n_rows}")
    return [frame[within]]


def delimited_source(path: Path, options: ReadOptions) -> DelimitedSource:
    """Open a delimited file, which is read once to find its types and rows."""
    survey = survey_of(path, options)
    header = survey.header
    hidden = None if header[0] else 0  # a column without a name holds row names
    layout, _ = layout_of(header, options, () if hidden is None else (hidden,))
    survey.take(layout.features(len(header)), layout.target)
    n_rows = sum(piece.n_rows for piece in survey.pieces)
    labels = None if options.labels is None else label_file(options.labels, n_rows, path)
    column = partial(_column, survey.text_file, tuple(survey.pieces))
    layout, ids = without_ids(header, survey.text_file.types(range(len(header))), layout, column)
    source = DelimitedSource(survey, layout, labels)
    add_ids(source, header, column, hidden, ids)
    return source


def _column(file: TextFile, pieces: Sequence[Piece], place: int) -> pl.Series:
    """Return a whole column of a delimited file."""
    import polars as pl

    read = zip(read_pieces(file.path, pieces), pieces, strict=True)
    parts = [file.frame(part, piece.n_rows, [place]).to_series(0) for part, piece in read]
    return pl.concat(parts)


def _joined(pieces: Sequence[Piece], most: int) -> list[Piece]:
    """Join neighbours that have at most ``most`` rows together."""
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        if last.n_rows + piece.n_rows <= most:
            joined[-1] = Piece(last.start, piece.stop, last.n_rows + piece.n_rows)
        else:
            joined.append(piece)
    return joined
