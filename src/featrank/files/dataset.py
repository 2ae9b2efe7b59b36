"""The files of a request as an out-of-core dataset, with labels and groups for its samples."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.budget import require
from featrank.data.cells import read_cells
from featrank.data.opening import open_reader
from featrank.data.used_rows import use_labelled_rows
from featrank.data.whole_table import stored_labels
from featrank.exceptions import FeatrankError, UsageError, unknown_name
from featrank.files.request import FileRequest
from featrank.sources import Source, open_dataset
from featrank.tables import Table
from featrank.tables.ids import ids_note
from featrank.tables.labels import checked_groups, checked_labels
from featrank.tables.missing import complete
from featrank.tables.options import ReadOptions, SampleSheet
from featrank.tables.sample_sheet import joined, key_of, read_sheet
from featrank.tables.samples import Samples
from featrank.values.usable_labels import LabelRule

# Options that out-of-core datasets have in common with tables.
_SAME = ("layer", "use_raw", "sep", "decimal", "na_values")


def open_files(request: FileRequest) -> Source:
    """Open the files without the columns that are not features."""
    options = request.options
    if not request.uses_sheet:
        groups = [] if options.groups is None else [options.groups]
        return _opened(request, options.target, options.labels, [*options.drop, *groups])
    source = _opened(request, drop=options.drop)
    if request.path.suffix.lower() == ".h5ad":  # genes may have the names of columns of obs
        return source
    in_sheet = {_sheet_and_key(request)[1], options.target, options.groups}
    repeated = [name for name in source.names if name in in_sheet]
    return _opened(request, drop=[*options.drop, *repeated]) if repeated else source


def read_sheet_labels(request: FileRequest, source: Source) -> NDArray[Any] | None:
    """Return labels from a sample sheet; None without a sheet."""
    if not request.uses_sheet:
        return None
    return _sheet_column(request, source, request.options.target)


def use_labelled(
    request: FileRequest, source: Source, y: Any, groups: Any, for_classes: bool
) -> tuple[Source, Any, Any]:
    """Return the dataset with the samples that take part, their labels and their groups."""
    options = request.options
    name = options.target if request.uses_sheet else source.target
    rule = LabelRule(name, options.na_values, request.min_class_size(for_classes))
    source, y, rows = use_labelled_rows(source, y, rule, options)
    if groups is not None:
        groups = groups if rows is None else groups[rows]
        groups = checked_groups(groups, len(groups), str(options.groups))
    return source, y, groups


def dataset_notes(request: FileRequest, source: Source) -> tuple[str, ...]:
    """Return sentences on how the files were read."""
    ids = (ids_note(source.id_name),) if source.id_name and source.id_column else ()
    sheet = read_sheet(_sheet_and_key(request)[0])[1] if request.uses_sheet else ()
    return (*source.notes, *sheet, *ids)


def read_groups(request: FileRequest, source: Source) -> NDArray[Any] | None:
    """Return the groups of the rows, if a column is named."""
    groups, drop = request.options.groups, request.options.drop
    if groups is None:
        return None
    if request.uses_sheet:
        return _sheet_column(request, source, groups)
    try:
        target = [] if source.target is None else [source.target]
        column = _opened(request, groups, drop=[*drop, *target])
    except UsageError:  # the labels are not a column of this file
        column = _opened(request, groups, drop=drop)
    return _stored_labels(request, column)


def read_features(request: FileRequest, source: Source, y: Any, columns: list[int]) -> Table:
    """Return some features and the labels, as the whole table would have them."""
    names = [source.names[column] for column in columns]
    target = (request.options.target if request.uses_sheet else None) or source.target
    with _reader(request, source) as reader:
        n_rows = source.shape[0] if y is None else len(y)
        assert n_rows is not None
        require(
            n_rows * len(columns) * 8,
            lambda size, limit: (
                f"{len(columns):,} features of {n_rows:,} samples need {size} of memory, and the "
                f"limit is {limit}. Raise the limit with `memory=...`."
            ),
            reader.memory,
        )
        places = np.asarray(columns, dtype=np.intp)
        X = read_cells(source, [(np.arange(n_rows), places)], {}, reader)[0]
    if request.options.missing == "mean":
        X = complete(X, names, "mean")
    # Integers with missing values are floats, whatever the source declares.
    values = X if np.isnan(X).any() else X.astype(source.dtype, copy=False)
    return Table(values, names, y, target, _ids(source, n_rows), source.id_name)


def _sheet_column(request: FileRequest, source: Source, column: str | None) -> NDArray[Any]:
    """Return a column of the sample sheet for all rows, matched by ids; None for missing."""
    sheet, key = _sheet_and_key(request)
    samples = Samples(
        [key] if _has_column(request, key) else [],
        lambda name: _stored_labels(request, _opened(request, name, drop=request.options.drop)),
        _ids(source, source.shape[0]),
        source.id_name,
    )
    known = joined(samples, sheet, source.name)
    if column is None or column not in known.names:
        raise UsageError(unknown_name("column", column, known.names))
    values = known.get(column)
    return checked_labels(values, len(values), column)


def _sheet_and_key(request: FileRequest) -> tuple[SampleSheet, str]:
    options = request.options
    assert options.labels is not None
    sheet = SampleSheet(options.labels, options.sheet_options, options.id_column)
    return sheet, key_of(read_sheet(sheet)[0], sheet)


def _has_column(request: FileRequest, name: str) -> bool:
    try:
        _opened(request, name, drop=request.options.drop)
    except FeatrankError:
        return False
    return True


def _opened(
    request: FileRequest,
    target: str | None = None,
    labels: os.PathLike[str] | None = None,
    drop: Sequence[str] = (),
) -> Source:
    paths: Any = request.paths if len(request.paths) > 1 else request.path
    same = {name: getattr(request.options, name) for name in _SAME}
    return open_dataset(paths, target=target, labels=labels, drop=drop, **same)


def _reader(request: FileRequest, source: Source) -> Any:
    return open_reader(ReadOptions(memory=request.options.memory), source, request.n_jobs, "")


def _stored_labels(request: FileRequest, source: Source) -> NDArray[Any]:
    with _reader(request, source) as reader:
        return stored_labels(source, reader)


def _ids(source: Source, n_rows: int | None) -> Any:
    return None if source.ids is None else source.ids.read(slice(0, n_rows))
