"""``open_dataset``: the source of a file, of several files as one table, or of a stream."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from featrank.exceptions import UsageError
from featrank.sources.concatenated import ConcatenatedSource
from featrank.sources.labels import label_file
from featrank.sources.source import Source
from featrank.sources.streams import is_stream, stream_source
from featrank.tables.format import module_of, require_options, suffixes
from featrank.tables.options import ReadOptions


def open_dataset(
    data: Any,
    *,
    target: str | int | None = None,
    labels: str | os.PathLike[str] | None = None,
    drop: str | Sequence[str] = (),
    layer: str | None = None,
    use_raw: bool | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    na_values: str | Sequence[str] = (),
) -> Source:
    """Open data that may be larger than memory. Only the description of a file is read.

    Parameters
    ----------
    data : path, sequence of paths, lazy frame, or anything with ``__arrow_c_stream__``
        A file, or a Zarr folder, whose suffix names its format; several files as one table, which
        need the same columns in the same order; or batches of Arrow: a lazy frame of polars, a
        relation of DuckDB, a reader of pyarrow.
    target : str or int, optional
        Where the labels are, as in :func:`featrank.tables.read_table`: a column by name or position
        (in h5ad of obs), the name of an array, or a file of labels.
    labels : path, optional
        A file of labels (``.npy``, or ``.csv`` or ``.txt`` with one per line), for any format. For
        several files, it holds the labels of all rows.
    drop : str or sequence of str
        Names of columns to leave out. A string may hold several, separated by commas.
    layer : str, optional
        For an AnnData file (``.h5ad``), the layer that is read instead of X.
    use_raw : bool or None, default=None
        For an AnnData file, whether ``raw`` is read, with its own names. By default it is, if
        there is one and it does not hold counts.
    sep, decimal, na_values
        For delimited files, as in :func:`featrank.tables.read_table`.

    Returns
    -------
    Source
        What the parts are read from. CSV and TSV files are read once beforehand, so that the
        types of columns do not change from part to part; gzipped ones are read in order.

    Raises
    ------
    UsageError
        The file, its suffix, the target or a column to drop is unknown.
    DataError
        The file is broken or its data cannot be used as it is.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from featrank.sources import open_dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(f"{folder}/big.npy", np.arange(12.0).reshape(4, 3))
    ...     source = open_dataset(f"{folder}/big.npy", target=-1)
    ...     blocks = [part.read() for part in source.chunks(most_bytes=32)]
    >>> source.shape, source.axis, list(source.names)
    ((4, 2), 'rows', ['x0', 'x1'])
    >>> [block.X.shape for block in blocks], blocks[0].y
    ([(2, 2), (2, 2)], array([2., 5.]))
    """
    if target is not None and labels is not None:
        raise UsageError("Labels are given both by target and by labels. Choose one.")
    given: dict[str, Any] = {"target": target, "labels": labels, "drop": drop}
    cells: dict[str, Any] = {"sep": sep, "decimal": decimal, "na_values": na_values}
    options = ReadOptions(**given, **cells, layer=layer, use_raw=use_raw)
    if isinstance(data, str | os.PathLike):
        return _of_file(Path(data), options)
    if is_stream(data):
        _require_main_matrix(options, type(data).__name__)
        return stream_source(data, options)
    if isinstance(data, Sequence) and all(isinstance(one, str | os.PathLike) for one in data):
        return _of_files([Path(one) for one in data], options)
    raise UsageError(
        f"{type(data).__name__!r} cannot be read in chunks. Pass a file, a list of files, a lazy "
        "frame, a stream of Arrow batches, or `featrank.sources.Blocks` of blocks (X, y)."
    )


def _of_file(path: Path, options: ReadOptions) -> Source:
    module = module_of(path, "open")
    if module is None:
        raise UsageError(
            f"Cannot read {str(path)!r} in chunks: its file extension is unknown. Use one of: "
            f"{', '.join(suffixes('open'))}."
        )
    if not path.exists():
        raise UsageError(f"The file {str(path)!r} does not exist. Check the path.")
    require_options(module.FORMAT, options, path.name)
    if "h5ad" not in module.FORMAT.names:
        _require_main_matrix(options, path.name)
    source: Source = module.open(path, options)
    source.files = (path,)
    return source


def _require_main_matrix(options: ReadOptions, name: str) -> None:
    if options.picks_matrix:
        raise UsageError(
            f"`layer` and `use_raw` choose a matrix of an AnnData file (.h5ad), but {name!r} is "
            "not one. Leave them out."
        )


def _of_files(paths: Sequence[Path], options: ReadOptions) -> Source:
    if not paths:
        raise UsageError("No files are given. At least one was expected.")
    if len(paths) == 1:
        return _of_file(paths[0], options)
    sources = [_of_file(path, replace(options, labels=None)) for path in paths]
    _require_same_matrix(sources)
    labels = None
    if options.labels is not None:
        n_rows = sum(source.shape[0] or 0 for source in sources)
        labels = label_file(options.labels, n_rows, paths[0])
    source = ConcatenatedSource(sources, labels)
    source.files = tuple(paths)
    source.matrix, source.notes = sources[0].matrix, sources[0].notes
    source.value_scale = sources[0].value_scale
    return source


def _require_same_matrix(sources: Sequence[Source]) -> None:
    matrices = sorted({str(source.matrix) for source in sources})
    if len(matrices) > 1:
        raise UsageError(
            f"The files are one table, but {' and '.join(matrices)} would be mixed. Use "
            "`use_raw=False` to read X of every file."
        )
