"""Ranking data frames of Spark: a state of bytes a partition, and only these come to the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from numpy.typing import NDArray

from featrank._utils.threads import blocks
from featrank.engines.spark_batches import (
    CELL,
    Layout,
    State,
    merged_state,
    opened,
    partition_state,
)
from featrank.exceptions import DataError, UsageError, missing_extra, unknown_name
from featrank.summaries import ClassSummary, FeatureRanges
from featrank.summaries.summary import summary_bins

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from featrank.base.summary import SummaryRanker

Found = TypeVar("Found", bound=State)
RankerOfSummaries = TypeVar("RankerOfSummaries", bound="SummaryRanker")

# States of partitions are merged in so many places before the driver gets them.
MERGERS = 4
# Bytes of a state: cells of Spark hold at most 2 GiB. Where there are too many features, the data
# is read again for each panel of them.
STATE_BYTES = 2**28


def fit(
    ranker: RankerOfSummaries,
    df: DataFrame,
    *,
    features: str | Sequence[str] | None = None,
    label: str,
    missing: str = "error",
) -> RankerOfSummaries:
    """Rank the features of a data frame of Spark.

    The data stays where it is. It is read twice: for the ranges of the features, and for their
    summary; each partition gives one cell of bytes, and only these come to the driver. The order
    of the rows and how they are partitioned do not matter to the bit. A frame that is not the same
    when it is made again, such as a sample without a seed, has to be cached first.

    Parameters
    ----------
    ranker : ECFS, FisherScore, MutualInformation or InfFSSupervised
        A method that works on summaries.
    df : pyspark.sql.DataFrame
        The data.
    features : str or sequence of str, optional
        Columns of numbers, or the one column of arrays or of ML vectors, dense or sparse. By
        default every column but the label.
    label : str
        The column of the labels.
    missing : {"error", "skip", "mean"}, default="error"
        What to do about missing values, as in ``fit_summary``.

    Returns
    -------
    ranker : the same
        It is fitted, as by ``fit_summary``.

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
            f"{type(ranker).__name__} needs the rows themselves. Methods that rank by summaries: "
            "ECFS, FisherScore, MutualInformation and InfFSSupervised."
        )
    frame, layout, names = selected(df, features, label)
    ranges = folded(frame, layout, FeatureRanges.of, FeatureRanges.from_bytes)
    parts = [
        folded(frame, layout, summary_of, ClassSummary.from_bytes)
        for summary_of in _panels(ranges, getattr(ranker, "bins", None))
    ]
    return ranker.fit_summary(ClassSummary.join(parts), feature_names=names, missing=missing)


def _require_spark() -> None:
    for package in ("pyarrow", "pandas", "pyspark"):
        if find_spec(package) is None:
            raise missing_extra(package, "spark", "Ranking a data frame of Spark")


def _panels(ranges: FeatureRanges, bins: int | str | None) -> Iterator[Callable[..., ClassSummary]]:
    """Yield functions that summarise blocks of rows: all features, or panel after panel."""
    counts = 4 * (summary_bins(bins, ranges) or 0)
    # The rest are sums of 128 bits, numbers of values, and the ranges.
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
    of: Callable[..., Found],
    from_bytes: Callable[[bytes], Found],
) -> Found:
    """Return the merged states of all partitions.

    Partitions of the driver's own iterator are made one after the other; behind a shuffle the
    work is done before, by all executors, and what remains is to merge a few cells.
    """
    cells = (
        frame.mapInArrow(partial(partition_state, layout=layout, of=of), CELL)
        .repartition(MERGERS)
        .mapInArrow(partial(merged_state, from_bytes=from_bytes), CELL)
    )
    found: Found | None = None
    for cell in cells.toLocalIterator(prefetchPartitions=True):
        state: Any = opened(
            None if cell.state is None else bytes(cell.state), cell.error, from_bytes
        )
        found = state if found is None else found.merge(state)
    if found is None:
        raise DataError("The data frame has no rows.")
    return found


def _chosen(frame: DataFrame, features: str | Sequence[str] | None, label: str) -> list[str]:
    """Return the columns of the features; unknown ones are refused."""
    known = frame.columns
    if features is None:
        features = [name for name in known if name != label]
    chosen = [features] if isinstance(features, str) else list(features)
    for name in [*chosen, label]:
        if name not in known:
            raise UsageError(unknown_name("column", name, known))
    if not chosen:
        raise UsageError("There are no features: give the names of columns.")
    if label in chosen:
        raise UsageError(f"The label {label!r} is among the features. Leave it out of them.")
    return chosen


def selected(
    frame: DataFrame, features: str | Sequence[str] | None, label: str
) -> tuple[DataFrame, Layout, list[str] | None]:
    """Return the columns that are needed, how batches are read, and the names of the features."""
    from pyspark.sql import functions as F

    chosen = _chosen(frame, features, label)
    kind, single = _kind(frame, chosen)
    columns = [F.col(_quoted(name)) for name in chosen]
    names: list[str] | None = chosen
    n_features = len(chosen)
    if kind != "vector":
        number = "float" if single else "double"
        as_numbers = number if kind == "columns" else f"array<{number}>"
        columns = [column.cast(as_numbers) for column in columns]
    if kind != "columns":
        n_features = _length(frame, chosen[0])
        names = _attribute_names(frame.schema[chosen[0]].metadata, n_features)
    layout = Layout(kind, n_features, "float32" if single else "float64", chosen[0], label)
    # They get names of their own: mapInArrow takes dots for the fields of structures.
    renamed = [column.alias(f"x{place}") for place, column in enumerate(columns)]
    return frame.select(*renamed, F.col(_quoted(label)).alias("label")), layout, names


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _kind(frame: DataFrame, chosen: Sequence[str]) -> tuple[Any, bool]:
    """Return how the features are held, and whether all of them are of single precision."""
    from pyspark.sql.types import ArrayType, BooleanType, FloatType, NumericType

    types = [frame.schema[name].dataType for name in chosen]
    if len(types) == 1 and type(types[0]).__name__ == "VectorUDT":
        return "vector", False
    if len(types) == 1 and isinstance(types[0], ArrayType):
        kind, types = "array", [types[0].elementType]
    else:
        kind = "columns"
    for name, one in zip(chosen, types, strict=True):
        if not isinstance(one, NumericType | BooleanType):
            raise DataError(
                f"Column {name!r} holds {one.simpleString()}. Expected numbers in each column, or "
                "one column of arrays of numbers or of ML vectors."
            )
    return kind, all(isinstance(one, FloatType) for one in types)


def _length(frame: DataFrame, name: str) -> int:
    row = frame.select(_quoted(name)).dropna().first()
    if row is None:
        raise DataError(f"The data frame has no rows with a value of {name!r}.")
    return len(row[0])


def _attribute_names(metadata: dict[str, Any], n_features: int) -> list[str] | None:
    """Return the names that a VectorAssembler wrote down, if they are complete."""
    kinds = metadata.get("ml_attr", {}).get("attrs", {}).values()
    names = {one["idx"]: one.get("name") for kind in kinds for one in kind}
    if len(names) != n_features or None in names.values():
        return None
    return [names[place] for place in range(n_features)]
