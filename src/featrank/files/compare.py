"""``compare_file``: one call from a file to a comparison."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from featrank._utils.progress import notify, stage
from featrank._utils.warn import collect_warnings
from featrank.evaluation.method_entries import entries
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.result import Comparison
from featrank.evaluation.run import compare
from featrank.exceptions import UsageError
from featrank.files.rank import warn_of_batches
from featrank.files.request import FileRequest
from featrank.tables.options import Categorical, Duplicates
from featrank.values.usable_labels import MIN_CLASS_SIZE

_NO_TARGET = "A comparison needs a target."


def compare_file(
    path: str | os.PathLike[str],
    target: str | int | None,
    methods: Any = None,
    protocol: Protocol | None = None,
    *,
    target_bins: int | None = None,
    groups: str | None = None,
    drop: str | Sequence[str] = (),
    categorical: Categorical = "error",
    transpose: bool = False,
    duplicates: Duplicates = "error",
    names: str | None = None,
    symbols: str | None = None,
    layer: str | None = None,
    use_raw: bool | None = None,
    labels: str | os.PathLike[str] | None = None,
    id_column: str | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    na_values: str | Sequence[str] = (),
    sheet: str | None = None,
    min_class_size: int | None = MIN_CLASS_SIZE,
    dataset: str | None = None,
    **running: Any,
) -> Comparison:
    """Compare ranking methods on a file: ``featrank compare`` in Python.

    Parameters
    ----------
    path : str or path
        The file, in a format that :func:`featrank.tables.read_table` reads.
    target : str, int or None
        Where the labels, or the regression target, are: in most files a column, by name or
        position (-1 is the last). None for a file that contains labels.
    methods : sequence of names or rankers, mapping from name to either, or None
        The methods to compare, as for :func:`compare`.
    protocol : Protocol or None, default=None
        How to evaluate. None is ``Protocol()``, which adapts to the size of the table. Missing
        values are imputed from training rows (``Protocol.imputer``).
    target_bins : int or None, default=None
        Number of classes to make of a numeric target; see ``featrank.bin_target``. Without it,
        ``Protocol(task="regression")`` uses the numeric target itself.
    groups : str or None, default=None
        Column whose equal values stay on one side of every split; it is not a feature.
    drop : str or sequence of str, default=()
        Columns to leave out.
    categorical : {"error", "ordinal", "onehot", "drop"}, default="error"
        How to handle features that are strings.
    transpose, duplicates, names, symbols, layer, use_raw, labels, id_column, sep, decimal, \
    na_values, sheet, min_class_size
        As for :func:`featrank.rank_file`.
    dataset : str or None, default=None
        Name of the data in the results; None is the file name.
    **running
        ``n_jobs``, ``out_dir``, ``resume``, ``time_limit``, ``patience`` and ``client``, as for
        :func:`compare`.

    Returns
    -------
    comparison : Comparison
        Scores of all trials, mean scores, and tables of the features.

    Examples
    --------
    >>> import tempfile
    >>> from featrank.datasets import load
    >>> from featrank import compare_file
    >>> from featrank.evaluation import Protocol
    >>> protocol = Protocol(n_repeats=2, C=(0.1, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load("wine").write(f"{folder}/wine.csv")
    ...     compare_file(f"{folder}/wine.csv", "cultivar", ["fisher", "mi"], protocol).n_features
    (1, 2, 5, 10)
    """
    protocol = protocol or Protocol()
    request = FileRequest.of(locals())
    n_methods = len(entries(methods, protocol))  # checks the methods before reading the file
    if protocol.is_regression and target_bins is not None:
        raise UsageError(
            '`target_bins` divides the target into classes, but `task="regression"` needs the '
            "target itself. Leave out `target_bins`."
        )
    with collect_warnings():  # those of the file belong to the result
        with request.listing_targets():
            request.require_labels(_NO_TARGET)
            table = request.read("keep", for_classes=not protocol.is_regression)
            if table.y is None:
                raise request.unlabelled_error(_NO_TARGET)
        for note in table.notes:
            notify(partial(str, note))
        y = table.y if protocol.is_regression else request.classes(table.y)
        if not protocol.is_regression:
            warn_of_batches(y, table)
        name = (
            request.path.name.removesuffix(".gz").rpartition(".")[0] if dataset is None else dataset
        )
        with stage(f"Comparing {n_methods} methods"):
            return compare(
                table.X,
                y,
                methods,
                protocol,
                groups=table.groups,
                dataset=name,
                feature_names=table.feature_names,
                min_class_size=None,  # the labels were checked where the file was read
                **running,
            )
