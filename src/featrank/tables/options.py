"""``ReadOptions``: how data is read, for tables, for out-of-core datasets and for rankers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from featrank._utils.plain_text import split_names
from featrank.exceptions import UsageError

if TYPE_CHECKING:
    from featrank.summaries import FeatureRanges
    from featrank.tables.parsed import Parsed

Missing = Literal["error", "mean", "median", "knn", "keep"]
Categorical = Literal["error", "ordinal", "onehot", "drop"]
Duplicates = Literal["error", "mean", "max", "first"]

MISSING = get_args(Missing)
CATEGORICAL = get_args(Categorical)
DUPLICATES = get_args(Duplicates)

#: Extensions of workbooks, which hold several tables.
WORKBOOKS = (".xlsx", ".ods")

# The options that need the whole table in memory.
_WHOLE_TABLE = (
    "categorical", "transpose", "keep", "duplicates", "names", "symbols", "max_missing", "transform"
)  # fmt: skip

#: The options that ``fit`` takes for out-of-core data.
FIT_OPTIONS = ("memory", "missing", "engine", "client", "checkpoint", "ranges")


@dataclass(frozen=True)
class SampleSheet:
    """A table about the samples, such as clinical data, matched by the IDs of the samples.

    Attributes
    ----------
    path : Path
        The file, with one row per sample.
    options : ReadOptions
        How the file is read.
    key : str or None
        Its ID column. None means the column that holds IDs, or else the first one.
    target : str or None
        Its label column. None if only other columns are used.
    """

    path: Path
    options: ReadOptions
    key: str | None = None
    target: str | None = None


@dataclass(frozen=True)
class ReadOptions:
    """How data is read. Every reader receives this object and uses the options that apply to it.

    Attributes
    ----------
    target, drop, missing, categorical, transpose, keep, groups, duplicates, names, symbols, \
    labels, id_column, max_missing, layer, use_raw, sep, decimal, na_values, sheet
        As in :func:`featrank.tables.read_table`. ``missing`` can also be "skip": single-pass
        methods then rank each feature by the values that it has, but not for regression or per
        class.
    na_values : sequence of str
        Labels that mean missing, or a string with commas between them.
    min_class_size : int or None
        Classes with fewer samples are left out. None if the target does not contain classes.
    transform : str
        The count transform, as in :class:`featrank.values.transforms.CountTransform`.
    memory : str, int or None
        Memory limit for blocks and summaries together, such as "4GB". By default a quarter of the
        free memory.
    workers : int or None
        Number of Dask processes to start on this computer.
    scheduler : str or None
        Address of a Dask scheduler whose workers read the chunks.
    checkpoint : path or None
        A file from which an interrupted run resumes.
    engine : Engine or None
        Where chunks are read. By default on threads, or on Dask's client for its collections.
    client : distributed.Client or None
        The Dask client to use.
    ranges : FeatureRanges or None
        The ranges of all features, if they are known. The data is then read only once.
    file_name : str
        The name of the file in messages.
    on_parsed : callable or None
        Called with what the file contains before the table is made.
    """

    target: str | None = None
    drop: Sequence[str] = ()
    missing: str = "error"
    categorical: str = "error"
    transpose: bool = False
    keep: Sequence[str] = ()
    groups: str | None = None
    duplicates: str = "error"
    names: str | None = None
    symbols: str | None = None
    labels: Path | None = None
    id_column: str | None = None
    max_missing: float = 1.0
    transform: str = "none"
    layer: str | None = None
    use_raw: bool | None = None
    sep: str | None = None
    decimal: str | None = None
    na_values: Sequence[str] = ()
    sheet: str | None = None
    min_class_size: int | None = None
    memory: str | int | None = None
    workers: int | None = None
    scheduler: str | None = None
    checkpoint: Any = None
    engine: Any = None
    client: Any = None
    ranges: FeatureRanges | None = None
    file_name: str = "the table"
    on_parsed: Callable[[Parsed], None] | None = None

    def __post_init__(self) -> None:
        """Accept what the public functions accept: one name or several, numbers, and strings."""
        for name in ("drop", "keep"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        object.__setattr__(self, "na_values", split_names(self.na_values))
        if self.target is not None:
            object.__setattr__(self, "target", str(self.target))
        if self.labels is not None:
            object.__setattr__(self, "labels", Path(self.labels))
        if self._is_class_file and (self.target is not None or self.id_column is not None):
            raise UsageError(
                f"{str(self.labels)!r} holds one class per sample and has no columns. Leave out "
                f"`{'id_column' if self.target is None else 'target'}`."
            )

    @property
    def sample_sheet(self) -> SampleSheet | None:
        """The sample sheet, unless ``labels`` is a file with nothing but labels."""
        wanted = (self.target, self.id_column, self.groups, *self.keep)
        if self.labels is None or self._is_class_file or all(name is None for name in wanted):
            return None
        return SampleSheet(self.labels, self.sheet_options, self.id_column, self.target)

    @property
    def sheet_options(self) -> ReadOptions:
        """How the sample sheet is read: its separator and decimal mark are always detected."""
        in_table = self.file_name.lower().endswith(WORKBOOKS)
        return ReadOptions(na_values=self.na_values, sheet=None if in_table else self.sheet)

    @property
    def _is_class_file(self) -> bool:
        return self.labels is not None and self.labels.suffix.lower() == ".cls"

    @property
    def label_file(self) -> Path | None:
        """The file with one label per line, unless ``labels`` is a sample sheet."""
        return self.labels if self.sample_sheet is None else None

    @property
    def file_target(self) -> str | None:
        """The target in the file itself. None if a sample sheet has it."""
        return self.target if self.sample_sheet is None else None

    @property
    def picks_matrix(self) -> bool:
        """Whether a matrix of an AnnData file is named."""
        return self.layer is not None or self.use_raw is not None

    @property
    def whole_table_options(self) -> list[str]:
        """The options that were given and need the whole table in memory."""
        return [name for name in _WHOLE_TABLE if getattr(self, name) != getattr(ReadOptions, name)]
