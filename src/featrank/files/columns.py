"""Columns of a file: what kind of values each contains, and which could be the target."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import polars as pl

from featrank.tables.ids import is_id
from featrank.tables.parsed import Parsed
from featrank.tables.samples import Samples

Kind = Literal[
    "id", "constant", "categories", "codes", "date", "string", "counts", "numeric", "odd"
]  # fmt: skip

# Most classes of a target, and most distinct values of a column of numeric codes.
MOST_CLASSES, MOST_CODES = 20, 10
# Number of values of a matrix that are read.
LOOKED_AT = 2**22
# With more columns of codes, these are features such as genotypes.
FEW_CODES = 10

_TARGET = re.compile(
    r"(?:.*[_. -])?(?:target|class|classes|label|labels|y|dx|diagnosis|disease|status|outcome|group"
    r"|condition|phenotype|response|cell[_. -]?type|subtype|species|treatment|genotype|cohort|event"
    r"|survived|died|relapse|case|type|grade|stage|category)(?:[_. -].*)?",
    re.IGNORECASE,
)
_NUISANCE = re.compile(
    r"(?:.*[_. -])?(?:sex|gender|batch|plate|site|cent(?:er|re)|run|lane|chip|array|date|time|day"
    r"|platform|channel_count|organism|molecule|protocol|contact|source|race|ethnicity|phase"
    r"|patient|donor|subject|smok\w*)(?:[_. -].*)?",
    re.IGNORECASE,
)
_NUMERIC_TARGET = re.compile(
    r"target|y|outcome|response|score|price|dose|yield|label|.*_target", re.IGNORECASE
)
# Share of the samples that are in classes of two or more, in a column that could be the target.
_MOST_USUAL = 0.8
_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%Y-%m-%d %H:%M:%S")


@dataclass(frozen=True, eq=False)
class ColumnInfo:
    """A column of a file, or an annotation of its samples.

    Attributes
    ----------
    name : str
        The name.
    kind : str
        "id", "constant", "categories", "codes" (a few whole numbers, which may be categories),
        "date", "string", "counts", "numeric", or "odd": numbers, but for some cells.
    n_distinct : int
        Number of different values.
    n_missing : int
        Number of missing values.
    classes : dict of str to int
        How often each category or code occurs, most frequent first. Empty for other kinds.
    is_feature : bool
        Whether it is ranked unless you drop it. Annotations are not.
    values : polars.Series
        The values.
    """

    name: str
    kind: Kind
    n_distinct: int
    n_missing: int
    classes: dict[str, int] = field(default_factory=dict)
    is_feature: bool = True
    values: Any = None

    @property
    def is_target_like(self) -> bool:
        """Whether it has a few classes, and nearly all samples are in classes of two or more.

        Stray labels of a single sample do not matter among names, but do among numbers.
        """
        sizes = list(self.classes.values())
        usual = [size for size in sizes if size >= 2]
        share = _MOST_USUAL if self.kind == "categories" else 1
        return 2 <= len(usual) <= len(sizes) <= MOST_CLASSES and sum(usual) >= share * sum(sizes)

    @property
    def odd_cells(self) -> list[str]:
        """The cells of a column of numbers that are not numbers."""
        if self.kind != "odd":
            return []
        odd = self.values.filter(self.values.cast(pl.Float64, strict=False).is_null())
        return list(odd.drop_nulls().unique(maintain_order=True))

    @property
    def sentence(self) -> str:
        """The classes and how often they occur: ``2 classes: ALL 47, AML 25``."""
        shown = [f"{label} {count:,}" for label, count in list(self.classes.items())[:5]]
        more = [f"{len(self.classes) - 5} more"] if len(self.classes) > 5 else []
        return f"{len(self.classes)} classes: {', '.join(shown + more)}"


def table_columns(parsed: Parsed) -> list[ColumnInfo]:
    """Return the columns of a table of typed columns, in its order."""
    has_ids = parsed.samples.ids is not None
    return [
        describe_column(name, column, first=place == 0 and not has_ids)
        for place, (name, column) in enumerate(zip(parsed.names, parsed.columns or (), strict=True))
    ]


def sample_columns(samples: Samples) -> list[ColumnInfo]:
    """Return the annotations of samples."""
    found = []
    for name in samples.names:
        values = pl.Series(name, [_plain(one) for one in samples.get(name).tolist()], strict=False)
        found.append(describe_column(name, values, first=False, is_feature=False))
    return found


def _plain(value: Any) -> Any:
    return None if value is None or value != value else value


def matrix_columns(names: Sequence[str], X: Any) -> list[ColumnInfo]:
    """Return the columns of a matrix, described by its first rows if it is large."""
    rows = max(2, LOOKED_AT // max(1, X.shape[1]))
    block = X[:rows]
    values = block if isinstance(block, np.ndarray) else block.toarray()
    return [
        describe_column(name, pl.Series(name, values[:, place]).fill_nan(None), first=False)
        if values.dtype.kind == "f"
        else describe_column(name, pl.Series(name, values[:, place]), first=False)
        for place, name in enumerate(names)
    ]


def describe_column(
    name: str, column: pl.Series, *, first: bool, is_feature: bool = True
) -> ColumnInfo:
    """Return what a column contains.

    Examples
    --------
    >>> import polars as pl
    >>> found = describe_column("dx", pl.Series(["AML", "ALL"] * 10), first=False)
    >>> found.kind, found.sentence
    ('categories', '2 classes: AML 10, ALL 10')
    """
    if column.dtype.is_float():
        column = column.fill_nan(None)
    known = column.drop_nulls()
    n_distinct = known.n_unique() if len(known) else 0
    kind = _kind(name, column, known, n_distinct, first)
    classes: dict[str, int] = {}
    if kind in ("categories", "codes"):
        counts = Counter(_label(one) for one in known.cast(pl.String).to_list())
        classes = dict(counts.most_common())
    return ColumnInfo(
        name, kind, n_distinct, column.null_count(), classes, is_feature, column.alias("values")
    )


def _label(value: Any) -> str:
    return str(value).removesuffix(".0")


def _kind(name: str, column: pl.Series, known: pl.Series, n_distinct: int, first: bool) -> Kind:
    if is_id(column, name, first=first):
        return "id"
    if n_distinct <= 1:
        return "constant"
    if column.dtype.is_temporal():
        return "date"
    if column.dtype == pl.Boolean:
        return "categories"
    if column.dtype.is_numeric():
        return _numeric_kind(known, n_distinct)
    strings = known.cast(pl.String)
    if 2 * strings.cast(pl.Float64, strict=False).null_count() <= len(strings):
        return "odd"
    if _are_dates(strings):
        return "date"
    is_coarse = n_distinct <= MOST_CLASSES and 2 * n_distinct <= len(known)
    return "categories" if is_coarse else "string"


def _numeric_kind(known: pl.Series, n_distinct: int) -> Kind:
    numbers = known.cast(pl.Float64)
    if not bool((numbers == numbers.floor()).all()):
        return "numeric"
    if n_distinct <= MOST_CODES and 3 * n_distinct <= len(known):
        return "codes"
    return "counts" if float(numbers.min() or 0) >= 0 else "numeric"  # type: ignore[arg-type]


def _are_dates(strings: pl.Series) -> bool:
    some = strings.head(100)
    return any(
        some.str.to_datetime(form, strict=False).null_count() == 0
        if "%H" in form
        else some.str.to_date(form, strict=False).null_count() == 0
        for form in _DATES
    )


def target_candidates(columns: Iterable[ColumnInfo]) -> list[ColumnInfo]:
    """Return the columns that could be the target, best first."""
    columns = list(columns)
    n_codes = sum(one.kind == "codes" for one in columns)
    last = next((one for one in reversed(columns) if one.is_feature), None)
    found = [
        one
        for one in columns
        if one.is_target_like
        and (
            one.kind != "codes"
            or n_codes <= FEW_CODES
            or one is last
            or _TARGET.fullmatch(one.name)
        )
    ]
    return sorted(found, key=lambda one: _order(one, one is last))


def _order(one: ColumnInfo, is_last: bool) -> tuple[int, bool, bool, bool, int]:
    """Return the place of a candidate: by name, then complete ones first, then kind and size."""
    named = bool(_TARGET.fullmatch(one.name))
    nuisance = bool(_NUISANCE.fullmatch(one.name)) and not named
    place = 0 if named else 2 if nuisance else 1
    incomplete = one.is_feature and one.n_missing > 0
    return place, incomplete, one.kind == "codes", not is_last, len(one.classes)


def numeric_targets(columns: Iterable[ColumnInfo]) -> list[ColumnInfo]:
    """Return the columns of numbers that are called like a regression target."""
    return [
        one
        for one in columns
        if one.kind in ("numeric", "counts")
        and not one.n_missing
        and _NUMERIC_TARGET.fullmatch(one.name)
    ]


def determined_columns(target: ColumnInfo, columns: Iterable[ColumnInfo]) -> list[str]:
    """Return the columns whose values match the classes of a target one to one."""
    return [
        one.name
        for one in columns
        if one.name != target.name
        and one.kind in ("categories", "codes")
        and len(one.classes) == len(target.classes)
        and _match(target.values, one.values)
    ]


def _match(first: pl.Series, second: pl.Series) -> bool:
    pairs = [
        pair
        for pair in zip(
            first.cast(pl.String).to_list(), second.cast(pl.String).to_list(), strict=True
        )
        if None not in pair
    ]
    left, right = {one for one, _ in pairs}, {other for _, other in pairs}
    return len(left) > 1 and len(set(pairs)) == len(left) == len(right)
