"""``select_file``: one call from a file to a file with its best features."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from featrank import tables
from featrank._utils.progress import stage
from featrank.exceptions import UsageError
from featrank.files.rank import Paths, rank_request
from featrank.files.request import FileRequest
from featrank.formats import h5ad
from featrank.ranking import Ranking
from featrank.tables.format import format_of
from featrank.tables.options import Categorical, Duplicates, Missing
from featrank.values.usable_labels import MIN_CLASS_SIZE

# Ways to handle missing values that change the values to write.
FILLED = ("mean", "median", "knn")


@dataclass(frozen=True, eq=False)
class Selection:
    """The result of ``select_file``.

    Attributes
    ----------
    kept : list of str
        Names of the features that were written, in the order of the input.
    n_features, n_samples : int
        The size of the input.
    output : Path or None
        The file that was written. None if no feature can be claimed.
    lost : str
        What the output format cannot store ("no labels and no names"), or an empty string.
    ranking : Ranking
        The ranking of all features.
    """

    kept: list[str]
    n_features: int
    n_samples: int
    output: Path | None
    lost: str
    ranking: Ranking


def select_file(
    path: Paths,
    output: str | os.PathLike[str],
    target: str | int | None = None,
    method: str = "ec-fs-diverse",
    *,
    top: int | float | str | None = None,
    fdr: float | None = None,
    target_bins: int | None = None,
    groups: str | None = None,
    drop: str | Sequence[str] = (),
    missing: Missing | Literal["skip"] = "error",
    categorical: Categorical = "error",
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
    safe_csv: bool = False,
    **params: Any,
) -> Selection:
    """Write the best features of a file, and its target, to another: ``featrank select``.

    Only the samples that were ranked are written: those without a label, and those of small
    classes, are left out, with a warning. Filled-in missing values and encoded categorical columns
    are written as they were ranked, the target as it was read. Transformed values are not written.
    From h5ad to h5ad the whole object is kept: obs, obsm, obsp, uns, layers and raw. If raw is
    ranked by default, only the genes that X also has are candidates. With ``use_raw=True``, all
    genes of raw are, and raw becomes X, without layers.

    Parameters
    ----------
    path, target, method, target_bins, groups, drop, missing, categorical, n_jobs, **params
        As for :func:`rank_file`.
    transpose, keep, duplicates, names, symbols, max_missing, transform, layer, use_raw, labels, \
    id_column, sep, decimal, na_values, sheet, min_class_size
        As for :func:`rank_file`. Ids of the samples and columns to keep are written first.
    memory, workers, scheduler, checkpoint
        As for :func:`rank_file`. If the file is read in chunks, the selected features must fit
        into ``memory``.
    output : str or path
        The file to write, other than ``path``. Its extension determines the format.
    top : int, float, "auto" or None, default=None
        Number or share of the features to keep. "auto" keeps those that the method selects, for
        methods that select a subset. Required without ``fdr``.
    fdr : float or None, default=None
        Keep the features that can be claimed at this false discovery rate, as for
        :func:`featrank.rank`. If there are none, no file is written.
    safe_csv : bool, default=False
        Whether to make strings in a CSV or TSV file harmless for spreadsheets and terminals, as
        :func:`featrank.tables.write_table` does.

    Returns
    -------
    selection : Selection
        The selected features, and the ranking.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, small = f"{folder}/iris.csv", f"{folder}/small.parquet"
    ...     featrank.datasets.load("iris").write(path)
    ...     featrank.select_file(path, small, "species", "fisher", top=2).kept
    ['petal length (cm)', 'petal width (cm)']
    """
    if (top is None) == (fdr is None):
        raise UsageError("Give either `top`, the number of features to keep, or `fdr`.")
    request, output = FileRequest.of(locals()), Path(output)
    tables.require_writable(output)
    if output.exists() and any(output.samefile(one) for one in request.paths):
        raise UsageError(
            f"{str(output)!r} is the input itself. Choose another file with `output=...`."
        )
    keeps_object = _keeps_object(request, output)
    ranking, features = rank_request(_of_written_genes(request) if keeps_object else request)
    columns = np.flatnonzero(_kept(ranking)).tolist()
    if not columns:
        return Selection([], len(ranking), ranking.data.n_samples, None, "", ranking)
    ranking = _with_transform_note(ranking)
    with stage(f"Writing {output.name}"):
        table = features(columns)
        if keeps_object:
            X = _filled_values(request, table.feature_names) if missing in FILLED else None
            h5ad.write_subset(request.path, output, table, X, use_raw=use_raw is True)
        else:
            tables.write_table(output, table, safe_csv=safe_csv)
    written = format_of(output)
    had = ("labels", "names", *(() if table.ids is None else ("ids",)))
    lost = "" if written is None else written.losses_of(had)
    return Selection(table.feature_names, len(ranking), table.X.shape[0], output, lost, ranking)


def _with_transform_note(ranking: Ranking) -> Ranking:
    """Say that the values in the file are not the transformed ones that were ranked."""
    known = ranking.provenance
    steps = known.preprocessing.get("transform")
    if steps is None:
        return ranking
    note = (
        f"The features were ranked by transformed values ({steps}). The file has the original "
        "values."
    )
    return ranking.of_file(replace(known, notes=(*known.notes, note)))


def _kept(ranking: Any) -> Any:
    """Return which features to keep: those that can be claimed, or the best."""
    if ranking.fdr_control is None:
        return ranking.ranker.get_support()
    return ranking.fdr_control.support


def _of_written_genes(request: FileRequest) -> FileRequest:
    """Return a request without the genes that only raw has, unless raw is written."""
    options = request.options
    if options.use_raw is not None or not h5ad.ranks_raw(request.path, options):
        return request
    drop = (*options.drop, *h5ad.raw_only_genes(request.path))
    return replace(request, options=replace(options, drop=drop))


def _filled_values(request: FileRequest, names: list[str]) -> Any:
    """Return the filled-in values of the matrix that is written, whichever was ranked."""
    options = replace(request.options, layer=None, use_raw=request.options.use_raw is True)
    table = replace(request, options=options).read(options.missing)
    return table.features([table.feature_names.index(name) for name in names]).X


def _keeps_object(request: FileRequest, output: Path) -> bool:
    """Whether the output is a subset of the AnnData file that was read."""
    h5ads = [one.suffix.lower() for one in (*request.paths, output)] == [".h5ad", ".h5ad"]
    renamed = request.options.names is not None or request.options.duplicates != "error"
    return h5ads and not renamed
