"""Rank Spark data frames: executors summarise their partitions, the driver merges the summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from numpy.typing import NDArray

from featrank._utils.threads import blocks
from featrank.base.registry import methods
from featrank.engines.spark_batches import (
    CELL,
    Layout,
    State,
    merged_state,
    opened,
    partition_state,
)
from featrank.exceptions import DataError, UsageError, missing_extra, unknown_name
from featrank.summaries.ranges import FeatureRanges
from featrank.summaries.summary import ClassSummary, summary_bins

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from featrank.base.summary import SummaryRanker

StateType = TypeVar("StateType", bound=State)
SinglePassRanker = TypeVar("SinglePassRanker", bound="SummaryRanker")

# Number of tasks that merge the states of the partitions before the driver receives them.
MERGERS = 4
# Largest state in bytes: a Spark cell holds at most 2 GiB. With too many features for that, the
# data is read once per panel of features.
STATE_BYTES = 2**28


def fit(
    ranker: SinglePassRanker,
    df: DataFrame,
    *,
    features: str | Sequence[str] | None = None,
    label: str,
    missing: str = "error",
) -> SinglePassRanker:
    """Rank the features of a Spark data frame.

    The rows stay on the executors. featrank reads them twice: once for the ranges of the features
    and once for their summaries. Each partition returns one cell of bytes, and only these cells
    reach the driver. The result is bit-identical for any row order and any partitioning. If a frame
    changes when it is recomputed, such as a sample without a seed, cache it first.

    Parameters
    ----------
    ranker : SummaryRanker
        A single-pass method: one with a ``fit_summary`` method, such as ECFS or FisherScore.
    df : pyspark.sql.DataFrame
        The data.
    features : str or sequence of str, optional
        Numeric columns, or one column of arrays or ML vectors, dense or sparse. By default every
        column except the label.
    label : str
        The column with the class labels.
    missing : {"error", "skip", "mean"}, default="error"
        How to handle missing values, as in ``fit_summary``.

    Returns
    -------
    ranker : SummaryRanker
        The ranker that was passed in, fitted as by ``fit_summary``.

    Examples
    --------
    >>> from featrank import FisherScore, spark
    >>> frame = session.read.parquet("cells.parquet")  # doctest: +SKIP
    >>> ranker = spark.fit(FisherScore(), frame, label="cell_type")  # doctest: +SKIP
    >>> ranker.get_feature_names_out()  # doctest: +SKIP
    """
    _require_spark()
    if not hasattr(ranker, "fit_summary"):
        raise UsageError(
            f"{type(ranker).__name__} needs the rows on one computer. Use a single-pass method: "
            f"{', '.join(_single_pass_classes())}."
        )
    frame, layout, names = selected(df, features, label)
    ranges = folded(frame, layout, FeatureRanges.of, FeatureRanges.from_bytes)
    parts = [
        folded(frame, layout, summary_of, ClassSummary.from_bytes)
        for summary_of in _panels(ranges, getattr(ranker, "bins", None))
    ]
    return ranker.fit_summary(ClassSummary.join(parts), feature_names=names, missing=missing)


def _single_pass_classes() -> list[str]:
    return [cls.__name__ for cls in methods().values() if hasattr(cls, "fit_summary")]


def _require_spark() -> None:
    for package in ("pyarrow", "pandas", "pyspark"):
        if find_spec(package) is None:
            raise missing_extra(package, "spark", "Ranking a Spark data frame")


def _panels(ranges: FeatureRanges, bins: int | str | None) -> Iterator[Callable[..., ClassSummary]]:
    """Yield one function per panel of features. Each function summarises a block of rows."""
    counts = 4 * (summary_bins(bins, ranges) or 0)
    # The other 80 bytes are 128-bit sums, the number of values, and the range.
    width = max(1, STATE_BYTES // (len(ranges.classes) * (counts + 80)))
    for columns in blocks(ranges.n_features, width):
        yield partial(_summary, ranges=ranges.columns(columns), columns=columns, bins=bins)


def _summary(
    X: Any, y: NDArray[Any], ranges: FeatureRanges, columns: slice, bins: int | str | None
) -> ClassSummary:
    return ClassSummary.of(
        X if ranges.n_features == X.shape[1] else X[:, columns], y, ranges, bins=bins
    )


def folded(
    frame: DataFrame,
    layout: Layout,
    of: Callable[..., StateType],
    from_bytes: Callable[[bytes], StateType],
) -> StateType:
    """Return the merged states of all partitions.

    The driver's iterator computes partitions one at a time. The shuffle makes the executors do
    the work before that, so that only a few cells are left to merge.
    """
    cells = (
        frame.mapInArrow(partial(partition_state, layout=layout, of=of), CELL)
        .repartition(MERGERS)
        .mapInArrow(partial(merged_state, from_bytes=from_bytes), CELL)
    )
    merged: StateType | None = None
    for cell in cells.toLocalIterator(prefetchPartitions=True):
        state: Any = opened(
            None if cell.state is None else bytes(cell.state), cell.error, from_bytes
        )
        merged = state if merged is None else merged.merge(state)
    if merged is None:
        raise DataError("The data frame has no rows.")
    return merged


def _feature_columns(
    frame: DataFrame, features: str | Sequence[str] | None, label: str
) -> list[str]:
    """Return the names of the feature columns. Unknown names raise an error."""
    known = frame.columns
    if features is None:
        features = [name for name in known if name != label]
    columns = [features] if isinstance(features, str) else list(features)
    for name in [*columns, label]:
        if name not in known:
            raise UsageError(unknown_name("column", name, known))
    if not columns:
        raise UsageError("There are no features. Pass the names of columns as `features=...`.")
    if label in columns:
        raise UsageError(f"The label {label!r} is among the features. Remove it from `features`.")
    return columns


def selected(
    frame: DataFrame, features: str | Sequence[str] | None, label: str
) -> tuple[DataFrame, Layout, list[str] | None]:
    """Return a frame of features and label, the layout of its batches, and the feature names."""
    from pyspark.sql import functions as F

    own = _feature_columns(frame, features, label)
    kind, single = _kind(frame, own)
    columns = [F.col(_quoted(name)) for name in own]
    names: list[str] | None = own
    n_features = len(own)
    if kind != "vector":
        number = "float" if single else "double"
        as_numbers = number if kind == "columns" else f"array<{number}>"
        columns = [column.cast(as_numbers) for column in columns]
    if kind != "columns":
        n_features = _length(frame, own[0])
        names = _attribute_names(frame.schema[own[0]].metadata, n_features)
    layout = Layout(kind, n_features, "float32" if single else "float64", own[0], label)
    # Columns are renamed because mapInArrow interprets a dot in a name as a field of a struct.
    renamed = [column.alias(f"x{place}") for place, column in enumerate(columns)]
    return frame.select(*renamed, F.col(_quoted(label)).alias("label")), layout, names


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _kind(frame: DataFrame, columns: Sequence[str]) -> tuple[Any, bool]:
    """Return how the features are stored, and whether all features are single precision."""
    from pyspark.sql.types import ArrayType, BooleanType, FloatType, NumericType

    types = [frame.schema[name].dataType for name in columns]
    if len(types) == 1 and type(types[0]).__name__ == "VectorUDT":
        return "vector", False
    if len(types) == 1 and isinstance(types[0], ArrayType):
        kind, types = "array", [types[0].elementType]
    else:
        kind = "columns"
    for name, one in zip(columns, types, strict=True):
        if not isinstance(one, NumericType | BooleanType):
            raise DataError(
                f"Column {name!r} holds {one.simpleString()}. Expected numbers in each column, or "
                "one column of arrays of numbers or of ML vectors."
            )
    return kind, all(isinstance(one, FloatType) for one in types)


def _length(frame: DataFrame, name: str) -> int:
    row = frame.select(_quoted(name)).dropna().first()
    if row is None:
        raise DataError(f"The data frame has no row with a value in {name!r}.")
    return len(row[0])


def _attribute_names(metadata: dict[str, Any], n_features: int) -> list[str] | None:
    """Return the names that a VectorAssembler recorded, or None if some are missing."""
    kinds = metadata.get("ml_attr", {}).get("attrs", {}).values()
    names = {one["idx"]: one.get("name") for kind in kinds for one in kind}
    if len(names) != n_features or None in names.values():
        return None
    return [names[place] for place in range(n_features)]
