"""Streams of Arrow batches: lazy frames, relations of databases, readers, frames in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError, missing_extra
from featrank.sources.chunking import most_items, ranges
from featrank.sources.frames import FrameSource, layout_of
from featrank.sources.source import Chunk, Source, reading, span_of
from featrank.tables.columns import PANDAS_INDEX, check_unique
from featrank.tables.options import ReadOptions

if TYPE_CHECKING:
    import polars as pl

    #: Given rows a batch and positions of columns, the frames one after another.
    Batches = Callable[[int, list[int]], Iterator[pl.DataFrame]]


class StreamSource(FrameSource):
    """Batches of named columns, one after another, whose rows are not counted beforehand."""

    held = True

    def __init__(
        self,
        name: str,
        schema: pl.DataFrame,
        batches: Batches,
        options: ReadOptions,
        *,
        again: bool,
    ):
        if options.labels is not None:
            raise UsageError(
                f"{name!r} is a stream, whose rows are not counted beforehand. Its labels must be "
                "a column: name it with target=."
            )
        all_names, all_types = schema.columns, schema.dtypes
        check_unique(all_names)
        hidden = [place for place, one in enumerate(all_names) if one == PANDAS_INDEX]
        layout, names = layout_of(all_names, options, hidden)
        types = [all_types[place] for place in layout.features(len(all_names))]
        super().__init__(name, None, names, types, layout)
        self.again = again
        self._batches = batches
        self._begun = False

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut each batch into ranges of rows, as they come."""
        require_another(self, self._begun)
        self._begun = True
        columns = span_of(columns, self.shape[1])
        most = most_items(most_bytes, (columns.stop - columns.start) * self._itemsize)
        return self._parts(most, columns)

    def _parts(self, most: int, columns: slice) -> Iterator[Chunk]:
        done = 0
        batches = iter(self._batches(most, self._layout.positions(columns)))
        while True:
            with reading(f"what follows row {done:,} of {self.name!r}"):
                batch = next(batches, None)
            if batch is None:
                return
            for some in ranges(0, batch.height, most):
                rows = slice(done + some.start, done + some.stop)
                # A stream cannot be read twice, so that its parts hold their rows.
                yield self._part(partial(_held, batch[some]), rows, columns)
            done += batch.height


def _held(frame: pl.DataFrame, _: Sequence[int]) -> list[pl.DataFrame]:
    return [frame]


def require_another(source: Source, begun: bool) -> None:
    """Raise an error if data that can be read only once is read again."""
    if begun and not source.again:
        raise UsageError(
            f"{source.name!r} can be read only once, and has been. Give what can be read again: a "
            "file, a lazy frame, or a function that returns a fresh iterator of blocks."
        )


def is_stream(data: Any) -> bool:
    """Whether something is a lazy frame of polars or has Arrow batches to give."""
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "collect_batches")


def stream_source(data: Any, options: ReadOptions) -> StreamSource:
    """Return the source of a lazy frame, a relation, or anything with ``__arrow_c_stream__``."""
    name = type(data).__name__
    if hasattr(data, "collect_batches"):
        return StreamSource(name, data.head(0).collect(), _lazy(data), options, again=True)
    if hasattr(data, "fetch_record_batch"):  # DuckDB, whose stream may hold all rows at once
        schema = _frame(_relation_reader(data.limit(0), 1).schema.empty_table())
        return StreamSource(name, schema, _relation(data), options, again=True)
    pyarrow = _pyarrow(name)
    if hasattr(data, "shape"):  # a table in memory, not a stream of it
        schema = _frame(pyarrow.RecordBatchReader.from_stream(data).schema.empty_table())
        return StreamSource(name, schema, _table(data), options, again=True)
    reader = pyarrow.RecordBatchReader.from_stream(data)
    schema = _frame(reader.schema.empty_table())
    return StreamSource(
        name, schema, lambda _, some: _of_reader(reader, some), options, again=False
    )


def stream_file(path: Path, options: ReadOptions) -> StreamSource:
    """Return the source of an Arrow stream in a file, which is read in order."""
    pyarrow = _pyarrow(path.name)

    def batches(_: int, positions: list[int]) -> Iterator[pl.DataFrame]:
        with pyarrow.memory_map(str(path)) as file, pyarrow.ipc.open_stream(file) as reader:
            yield from _of_reader(reader, positions)

    with pyarrow.memory_map(str(path)) as file:
        schema = _frame(pyarrow.ipc.open_stream(file).schema.empty_table())
    return StreamSource(path.name, schema, batches, options, again=True)


def _lazy(data: Any) -> Batches:
    import polars as pl

    def batches(rows: int, positions: list[int]) -> Iterator[pl.DataFrame]:
        some = data.select(pl.nth(*positions))
        frames: Iterator[pl.DataFrame] = some.collect_batches(chunk_size=rows, maintain_order=True)
        return frames

    return batches


def _relation(data: Any) -> Batches:
    return lambda rows, positions: _of_reader(_relation_reader(data, rows), positions)


def _relation_reader(data: Any, rows: int) -> Any:
    newer = getattr(data, "to_arrow_reader", None)
    return data.fetch_record_batch(rows) if newer is None else newer(rows)


def _table(data: Any) -> Batches:
    def batches(_: int, positions: list[int]) -> Iterator[pl.DataFrame]:
        return _of_reader(_pyarrow("table").RecordBatchReader.from_stream(data), positions)

    return batches


def _of_reader(reader: Any, positions: list[int]) -> Iterator[pl.DataFrame]:
    return (_frame(batch.select(positions)) for batch in reader)


def _frame(batch: Any) -> pl.DataFrame:
    import polars as pl

    frame = pl.from_arrow(batch)
    assert isinstance(frame, pl.DataFrame)
    return frame


def _pyarrow(name: str) -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError as error:
        raise missing_extra("pyarrow", "scale", f"Reading the stream {name!r}") from error
    return pyarrow
