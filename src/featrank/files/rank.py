"""``rank_file``: one call from a file to a ranking."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, cast, overload

import numpy as np

from featrank._utils.budget import at_most
from featrank._utils.progress import notify, stage
from featrank._utils.warn import collect_warnings, warn_user
from featrank.api import rank
from featrank.exceptions import DataError
from featrank.files.dataset import dataset_notes, read_features, use_labelled
from featrank.files.plan import Plan, fit_keywords, plan, require_size
from featrank.files.request import FileRequest
from featrank.ranking import ClassRankings, Provenance, Ranking
from featrank.ranking.design_warnings import batch_warnings
from featrank.sources import Blocks
from featrank.statistics.feature_tests import Values
from featrank.tables import Table
from featrank.tables.anndata_matrix import scaled_warning
from featrank.tables.format import format_of
from featrank.tables.options import Categorical, Duplicates, Missing
from featrank.values.transforms import NONE, CountTransform, scale_after, step_names
from featrank.values.usable_labels import MIN_CLASS_SIZE

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@overload
def rank_file(
    path: Paths,
    target: str | int | None = ...,
    method: str = ...,
    *,
    per_class: Literal[False] = ...,
    **options: Any,
) -> Ranking: ...


@overload
def rank_file(
    path: Paths,
    target: str | int | None = ...,
    method: str = ...,
    *,
    per_class: bool,
    **options: Any,
) -> Ranking | ClassRankings: ...


def rank_file(
    path: Paths,
    target: str | int | None = None,
    method: str = "ec-fs",
    *,
    top: int | float | str | None = None,
    target_bins: int | None = None,
    groups: str | None = None,
    drop: str | Sequence[str] = (),
    missing: Missing | Literal["skip"] = "error",
    categorical: Categorical = "error",
    per_class: bool = False,
    fdr: float | None = None,
    n_jobs: int | None = -1,
    transpose: bool = False,
    keep: str | Sequence[str] = (),
    duplicates: Duplicates = "error",
    names: str | None = None,
    symbols: str | None = None,
    max_missing: float = 1.0,
    transform: str = "none",
    layer: str | None = None,
    use_raw: bool | None = None,
    labels: str | os.PathLike[str] | None = None,
    id_column: str | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    na_values: str | Sequence[str] = (),
    sheet: str | None = None,
    min_class_size: int | None = MIN_CLASS_SIZE,
    memory: str | int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **params: Any,
) -> Ranking | ClassRankings:
    """Rank the features of a file: ``featrank rank`` in Python.

    Parameters
    ----------
    path : path or sequence of paths
        The file. Its extension determines the format, as for :func:`featrank.tables.read_table`
        and :func:`featrank.sources.open_dataset`. Several files are one table: the rows of the
        second follow those of the first.
    target : str, int or None, default=None
        Where the labels are: in most files a column, by name or position (-1 is the last).
    method : str, default="ec-fs"
        A name from ``featrank.methods()``.
    top : int, float, "auto" or None, default=None
        Number of features to select, as for :func:`featrank.rank`.
    target_bins : int or None, default=None
        Number of classes to make of a numeric target; see ``featrank.bin_target``. With
        ``task="regression"``, the number of bins for methods based on mutual information.
    groups : str or None, default=None
        Column whose equal values stay on one side of every split; it is not ranked.
    drop : str or sequence of str, default=()
        Columns to leave out.
    missing : {"error", "skip", "mean", "median", "knn", "keep"}, default="error"
        How to handle missing values. Methods that accept missing values get them.
        Single-pass methods can "skip" them, so that each feature is ranked by the values that it
        has, but not for regression or per class.
    categorical : {"error", "ordinal", "onehot", "drop"}, default="error"
        How to handle features that are strings.
    per_class : bool, default=False
        Whether to rank the features for each class against the rest.
    fdr : float or None, default=None
        A false discovery rate, such as 0.1: also find which features can be claimed at this level,
        as for :func:`featrank.rank`.
    n_jobs : int or None, default=-1
        Number of threads; -1 uses every core. The result does not depend on it.
    transpose : bool, default=False
        Whether the file has its features in rows.
    keep : str or sequence of str, default=()
        Non-feature columns to copy to the JSON of the ranking, and to the file that
        ``select_file`` writes.
    duplicates : {"error", "mean", "max", "first"}, default="error"
        How to handle several features of one name.
    names, symbols : str or None, default=None
        Where features are in rows: the columns of their names, and of their second names.
    max_missing : float, default=1.0
        Features with a larger share of missing values are left out.
    transform : str, default="none"
        Transform of the values: "log1p", "log2", "log10", "sqrt", "floor:20", "cpm", "clr", "rank",
        or several separated by commas; see :class:`featrank.values.transforms.CountTransform`.
    layer, use_raw : str or None, and bool or None
        For h5ad: the layer to rank, or whether to rank raw. By default raw is ranked if there is
        one and it does not hold counts, else X.
    labels : path or None, default=None
        A sample sheet in which ``target`` (and ``groups`` and ``keep``) are columns, matched by
        the IDs of the samples. Without a target: a label file (``.npy``, ``.cls``, or ``.csv`` or
        ``.txt`` with one label per line).
    id_column : str or None, default=None
        The ID column of the sample sheet.
    sep, decimal : str or None, default=None
        Separator and decimal mark of a delimited file. None detects them.
    na_values : str or sequence of str, default=()
        More cells and labels that mean a missing value, such as "-". Samples without a label are
        left out, with a warning.
    sheet : str or None, default=None
        The sheet of a workbook. None is the first one with data.
    min_class_size : int or None, default=3
        Classes with fewer samples are left out, as for :func:`featrank.rank`.
    memory : str, int or None, default=None
        Memory limit, such as "4GB", for blocks and summaries together if the file is read in
        chunks. By default a quarter of the free memory.
    workers : int or None, default=None
        Number of Dask processes to start on this computer, which read the chunks.
    scheduler : str or None, default=None
        Address of a Dask scheduler whose workers read the chunks.
    checkpoint : path or None, default=None
        A file from which an interrupted run resumes. It is removed at the end.
    **params
        The method's own parameters.

    Returns
    -------
    ranking : Ranking or ClassRankings
        As of :func:`featrank.rank`; its ``save`` method writes it.

    Notes
    -----
    :func:`featrank.tables.read_table` explains the options for tables in full. A file is opened as
    an out-of-core dataset if its format requires it (Zarr, HDF5, ``.bed``), if there are several
    files, or if one of ``memory``, ``workers``, ``scheduler`` and ``checkpoint`` is given. A method
    that can read it in chunks does so; others load it. A file larger than a quarter of the free
    memory is also read in chunks if the method can. The result is the same.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     featrank.datasets.load("iris").write(f"{folder}/iris.csv")
    ...     featrank.rank_file(f"{folder}/iris.csv", "species", "fisher").top(1)
    ['petal length (cm)']
    """
    ranking: Ranking | ClassRankings = rank_request(FileRequest.of(locals()))[0]
    return ranking


def rank_request(request: FileRequest) -> tuple[Any, Callable[[list[int]], Table]]:
    """Return a ranking, and a function that returns some of the features as a table."""
    with collect_warnings() as issued:
        ranking, features = _rank_request(request)
    return ranking.with_warnings(issued), features


def _rank_request(request: FileRequest) -> Any:
    ranker = request.ranker()
    with request.listing_targets():
        planned = plan(request, ranker)
        if planned.source is not None:
            ranking, features = _rank_dataset(request, planned)
        else:
            with at_most(request.options.memory):
                ranking, features = _rank_table(request, planned)
    if request.top == "auto" and not ranking.ranker.support_.any():
        raise DataError(
            f"{ranking.method} selects none of the {len(ranking)} features: none is informative "
            "about the target. Choose a number with `top=...`."
        )
    return ranking, features


def _rank_dataset(request: FileRequest, planned: Plan) -> Any:
    assert planned.source is not None
    with fit_keywords(request.options) as reading:
        source, y, groups = use_labelled(
            request, planned.source, planned.y, planned.groups, planned.ranker.supervised
        )
        given = {"groups": groups, **reading}
        ranking = _rank(request, planned, source, request.classes(y), source.shape, given)
    provenance = Provenance(
        notes=dataset_notes(request, source),
        values=cast(Values, source.value_scale),
        file_format=_format_name(request),
    )
    ranking = ranking.of_file(provenance)
    return ranking, lambda columns: read_features(request, source, y, columns)


def _rank_table(request: FileRequest, planned: Plan) -> Any:
    ranker, missing = planned.ranker, request.options.missing
    if ranker.supervised:
        request.require_labels()
    keeps = missing == "skip" or (ranker.accepts_nan and missing == "error")
    table = request.read("keep" if keeps else missing, ranker.supervised)
    if ranker.supervised and table.y is None:
        raise request.unlabelled_error()
    shape = table.X.shape[0], len(table.feature_names)
    require_size(*shape, request.top, request.path.name)
    given: dict[str, Any] = {"groups": table.groups, "feature_names": table.feature_names}
    X = table.X
    if missing == "skip" and not ranker.accepts_nan:
        if request.options.transform != NONE:
            X = CountTransform(request.options.transform).fit_transform(X)
        X, given["missing"] = Blocks([X], name=request.path.name), "skip"
    else:
        given["transform"] = request.options.transform
    if not isinstance(X, np.ndarray) and "transform" in given and not ranker.accepts_sparse:
        X = X.toarray()
    ranking = _rank(request, planned, X, request.classes(table.y), shape, given)
    scaled = scaled_warning(table.values, request.options.use_raw) if request.per_class else None
    if scaled is not None:
        warn_user(scaled)
    if ranker.supervised and not request.is_regression:
        warn_of_batches(request.classes(table.y), table)
    return ranking.of_file(_provenance(request, table)), table.features


def warn_of_batches(y: Any, table: Table) -> None:
    """Warn about columns such as a batch that go with the class, and are not features."""
    columns = {
        name: each for name, each in table.batches.items() if name not in table.feature_names
    }
    if columns:
        codes = np.unique(np.asarray(y).astype(str), return_inverse=True)[1]
        for warning in batch_warnings(codes, None, columns):
            if warning is not None:
                warn_user(warning)


def _rank(
    request: FileRequest,
    planned: Plan,
    X: Any,
    y: Any,
    shape: tuple[int | None, int],
    given: dict[str, Any],
) -> Any:
    """Rank, and report the cost if it takes long, and how the data is read."""
    n_samples, n_features = shape
    if not planned.in_chunks and n_samples is not None:
        n_fits = len(set(np.asarray(y).tolist())) if request.per_class and y is not None else 1
        notify(lambda: planned.ranker.estimate_cost(n_samples, n_features, n_fits))
    how = " in chunks" if planned.in_chunks else ""
    of_samples = "" if n_samples is None else f" of {n_samples:,} samples"
    doing = f"Ranking {n_features:,} features{how}"
    done = f"Ranked {n_features:,} features{of_samples} by {request.method}{how}"
    # The labels were checked where the file was read.
    params = {"min_class_size": None, **given, **request.rank_params(planned.ranker)}
    params["fdr"] = request.fdr
    with stage(doing, done):
        return rank(X, y, request.method, top=request.top, per_class=request.per_class, **params)


def _provenance(request: FileRequest, table: Table) -> Provenance:
    """Return what the ranking reports about its file."""
    options, steps = request.options, step_names(request.options.transform)
    done = table.preprocessing
    preprocessing = {
        **done,
        **({"max_missing": options.max_missing} if "features_above_max_missing" in done else {}),
        **({"duplicates": options.duplicates} if "merged_names" in done else {}),
        **({"imputation": options.missing} if "imputed_values" in done else {}),
        **({"transform": ",".join(steps)} if steps else {}),
    }
    columns = table.sample_columns if options.keep else {}
    return Provenance(
        table.symbols,
        {name: values.tolist() for name, values in columns.items()},
        preprocessing,
        table.notes,
        cast(Values, scale_after(steps)) if steps else cast(Values, table.values),
        _format_name(request),
        table.target_name or "",
    )


def _format_name(request: FileRequest) -> str:
    """Return the name of the file format, by the file extension if the format has several names."""
    known, name = format_of(request.path), request.path.name.lower().removesuffix(".gz")
    if known is None:
        return ""
    # The extension of a GEO series matrix is the end of its name.
    whole = [end for end in known.suffixes if not end.startswith(".") and name.endswith(end)]
    by_extension = {one.lower(): one for one in known.names}
    usual = known.names[0] if whole else known.names[-1]
    return by_extension.get(name.rpartition(".")[2], usual)
