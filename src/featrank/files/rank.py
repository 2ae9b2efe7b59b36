"""From a file to a ranking, or to a file of the best features: one call each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, overload

from featrank import tables
from featrank._utils.progress import stage
from featrank.exceptions import UsageError
from featrank.files.chunked import FilesInParts, PartOptions, TableOptions
from featrank.files.request import Question
from featrank.formats import h5ad
from featrank.ranking import ClassRankings, Ranking
from featrank.tables.format import format_of
from featrank.tables.table import Categorical, Duplicates, Missing

# What takes the place of missing values in the file that is written.
FILLED = ("mean", "median", "knn")

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
    n_jobs: int | None = -1,
    transpose: bool = False,
    keep: str | Sequence[str] = (),
    duplicates: Duplicates = "error",
    names: str | None = None,
    symbols: str | None = None,
    max_missing: float = 1.0,
    transform: str = "none",
    layer: str | None = None,
    use_raw: bool = False,
    labels: str | os.PathLike[str] | None = None,
    labels_key: str | None = None,
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
        The file; its suffix names its format, as for :func:`featrank.tables.read` and
        :func:`featrank.sources.open_dataset`. Several files are one table, the rows of the second
        below those of the first.
    target : str, int or None, default=None
        Where the labels are: in most files a column, by name or position (-1 is the last).
    method : str, default="ec-fs"
        A name from ``featrank.methods()``.
    top : int, float, "auto" or None, default=None
        How many features are wanted, as for :func:`featrank.rank`.
    target_bins : int or None, default=None
        How many classes to make of a target that is a quantity; see ``featrank.bin_target``. With
        ``task="regression"`` into how many bins methods on mutual information cut it.
    groups : str or None, default=None
        Column whose equal values stay on one side of every split; it is not ranked.
    drop : str or sequence of str, default=()
        Columns to leave out.
    missing : {"error", "skip", "mean", "median", "knn", "keep"}, default="error"
        What to do about missing values. Methods that take them get them; methods on summaries
        can "skip" them, so that each feature is ranked by the values that it has, but not in a
        ranking for a quantity or for each class.
    categorical : {"error", "ordinal", "onehot", "drop"}, default="error"
        What to do about features that are text.
    per_class : bool, default=False
        Whether to rank the features for each class, against the rest.
    n_jobs : int or None, default=-1
        Threads, for methods that have them; -1 is every core. The result does not depend on it.
    transpose : bool, default=False
        Whether the file has its features in rows.
    keep : str or sequence of str, default=()
        Columns that are no features and travel along: into the JSON of the ranking, and into the
        file that ``select_file`` writes.
    duplicates : {"error", "mean", "max", "first"}, default="error"
        What becomes of several features of one name.
    names, symbols : str or None, default=None
        Where features are in rows: the columns of their names, and of their second names.
    max_missing : float, default=1.0
        Features of which a larger share is missing are left out.
    transform : str, default="none"
        What is done to the values: "log1p", "cpm", "clr", "rank", or several with commas between
        them; see :class:`featrank.values.transforms.CountTransform`.
    layer, use_raw : str or None, and bool
        Of h5ad: the layer to rank in the place of X, or raw.
    labels : path or None, default=None
        A sheet about the samples in which ``target`` (and ``groups`` and ``keep``) are columns,
        matched by the ids of the samples; or, without a target, a file of labels (``.npy``, or
        ``.csv`` or ``.txt`` with one a line).
    labels_key : str or None, default=None
        The column of ids in that sheet.
    memory : str, int or None, default=None
        What blocks and summaries may take together where the file is read in parts, such as
        "4GB"; by default a quarter of what is free.
    workers : int or None, default=None
        Processes of Dask to start on this machine, which read the parts.
    scheduler : str or None, default=None
        Address of a Dask scheduler, whose workers read the parts.
    checkpoint : path or None, default=None
        A file that a run which was stopped goes on from; it is removed at the end.
    **params
        The method's own parameters.

    Returns
    -------
    ranking : Ranking or ClassRankings
        As of :func:`featrank.rank`; its ``save`` method writes it.

    Notes
    -----
    What is said of tables here is said in full by :func:`featrank.tables.read`. A file is read in
    parts if its format is only read so (Zarr, HDF5, ``.bed``), if several files or one of
    ``memory``, ``workers``, ``scheduler`` and ``checkpoint`` are given, or if it is larger than a
    quarter of the free memory and the method can rank it so. The result is the same.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     featrank.datasets.load("iris").write(f"{folder}/iris.csv")
    ...     featrank.rank_file(f"{folder}/iris.csv", "species", "fisher").top(1)
    ['petal length (cm)']
    """
    question = Question(_files(locals()), method, missing, n_jobs, params)
    return question.ranked(top, per_class)[0]


@dataclass(frozen=True, eq=False)
class Selection:
    """What ``select_file`` kept.

    Attributes
    ----------
    kept : list of str
        Names of the features that were written, in the order of the input.
    n_features, n_samples : int
        The size of the input.
    output : Path
        The file that was written.
    lost : str
        What a file of its format does not hold ("no labels and no names"), or nothing.
    ranking : Ranking
        By which they were chosen.
    """

    kept: list[str]
    n_features: int
    n_samples: int
    output: Path
    lost: str
    ranking: Ranking


def select_file(
    path: Paths,
    output: str | os.PathLike[str],
    target: str | int | None = None,
    method: str = "ec-fs",
    *,
    top: int | float | str,
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
    use_raw: bool = False,
    labels: str | os.PathLike[str] | None = None,
    labels_key: str | None = None,
    memory: str | int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    safe_csv: bool = False,
    **params: Any,
) -> Selection:
    """Write the best features of a file, and its target, to another: ``featrank select``.

    Values that ``missing`` filled in and columns that ``categorical`` encoded are written as they
    were ranked, the target as it was read, and what ``transform`` made of values is not written.
    From h5ad to h5ad the whole object is kept: obs, obsm, obsp, uns, layers and raw; with
    ``use_raw=True`` raw becomes X, and there are no layers.

    Parameters
    ----------
    path, target, method, target_bins, groups, drop, missing, categorical, n_jobs, **params
        As for :func:`rank_file`.
    transpose, keep, duplicates, names, symbols, max_missing, transform, layer, use_raw, labels, \
    labels_key
        As for :func:`rank_file`. Ids of the samples and columns to keep are written first.
    memory, workers, scheduler, checkpoint
        As for :func:`rank_file`. Of a file that is read in parts, the chosen features have to fit
        into ``memory``.
    output : str or path
        The file to write, another one than ``path``; its suffix names the format.
    top : int, float or "auto"
        How many features to keep, a number, a share of all, or as many as the method itself keeps,
        if it can say.
    safe_csv : bool, default=False
        Whether texts in a CSV or TSV file are made harmless for spreadsheets and terminals, as
        :func:`featrank.tables.write` does it.

    Returns
    -------
    selection : Selection
        The features kept, and the ranking.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, small = f"{folder}/iris.csv", f"{folder}/small.parquet"
    ...     featrank.datasets.load("iris").write(path)
    ...     featrank.select_file(path, small, "species", "fisher", top=2).kept
    ['petal length (cm)', 'petal width (cm)']
    """
    files, output = _files(locals()), Path(output)
    tables.require_writable(output)
    if output.exists() and any(output.samefile(one) for one in files.paths):
        raise UsageError(
            f"{str(output)!r} is the input itself. Give another name (--output, in Python output=)."
        )
    ranking, chosen = Question(files, method, missing, n_jobs, params).ranked(top)
    kept = ranking.ranker.get_support(indices=True).tolist()
    with stage(f"Writing {output.name}"):
        table = chosen(kept)
        if _keeps_object(files, output):
            filled = missing in FILLED
            h5ad.write_subset(files.paths[0], output, table, filled=filled, use_raw=use_raw)
        else:
            tables.write(output, table, safe_csv=safe_csv)
    written = format_of(output)
    had = ("labels", "names", *(() if table.ids is None else ("ids",)))
    lost = "" if written is None else written.losses_of(had)
    return Selection(table.feature_names, len(ranking), table.X.shape[0], output, lost, ranking)


def _keeps_object(files: FilesInParts, output: Path) -> bool:
    """Whether what is written is a part of the AnnData that was read."""
    h5ads = [one.suffix.lower() for one in (*files.paths, output)] == [".h5ad", ".h5ad"]
    renamed = files.table.names is not None or files.table.duplicates != "error"
    return h5ads and not renamed


def _files(asked: Mapping[str, Any]) -> FilesInParts:
    """Return the files and how they are read, from the arguments of a function by name."""
    path, drop = asked["path"], asked["drop"]
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    if not paths:
        raise UsageError("No files are given. At least one was expected.")
    return FilesInParts(
        tuple(Path(one) for one in paths),
        asked["target"],
        asked["target_bins"],
        asked["groups"],
        (drop,) if isinstance(drop, str) else tuple(drop),
        PartOptions(**{one.name: asked[one.name] for one in fields(PartOptions)}),
        TableOptions(**{one.name: asked[one.name] for one in fields(TableOptions)}),
    )
