"""``describe_file``: what a file contains, and the command to run next."""

from __future__ import annotations

import os
import re
import shlex
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import polars as pl

from featrank._utils.plain_text import one_line
from featrank.exceptions import DataError, FeatrankError, UsageError, counted
from featrank.files.columns import (
    ColumnInfo,
    describe_column,
    determined_columns,
    matrix_columns,
    numeric_targets,
    sample_columns,
    table_columns,
    target_candidates,
)
from featrank.files.parse import Content, count_missing, parse_content
from featrank.tables import read_file
from featrank.tables.format import Format, format_of, suffixes
from featrank.tables.options import ReadOptions
from featrank.tables.transposed import transposed_hint

# With this many numeric features, string columns are annotations of the samples, not features.
MANY_FEATURES = 50
# Features that the suggested command prints.
TOP = 20
# Columns that the suggested command drops by name.
_DROPPED_BY_NAME = 6
# Most different cells that the suggested command treats as missing values.
_ODD_CELLS = 5

_GENE = re.compile(r"[A-Z]{2,}[A-Z0-9]*(?:[-.][A-Z0-9]+)?")
_SAMPLE_WORD = re.compile(
    r"(?:sample|patient|subject|case|control|donor|id|obs|row)", re.IGNORECASE
)

# Names such as sample_1, P07, ctrl-2b and tumour3.
_NUMBERED_SAMPLE = re.compile(
    r"(?:sample|patient|subject|case|control|ctrl|donor|tumou?r|normal|(?:un)?treated|wt|ko|s|p|pt)"
    r"[ _.-]?\d+(?:[ _.-]?[a-z0-9]*)?",
    re.IGNORECASE,
)
# A table of numbers with this many named rows per column may be transposed.
_TALL = 3


@dataclass(frozen=True, eq=False)
class FileDescription:
    """What a file contains.

    Attributes
    ----------
    path : Path
        The file.
    format : str
        The name of its format.
    n_samples, n_columns : int
        Its size. If ``sampled``, the number of samples may be an estimate.
    sampled : bool
        Whether only the beginning of the file was read.
    transposed : bool
        Whether the file seems to have its features in rows. All other attributes describe it
        after transposing.
    columns : list of ColumnInfo
        Columns of the table, or of its first features.
    annotations : list of ColumnInfo
        Columns about the samples that are not features.
    candidates : list of ColumnInfo
        Columns that could be the target, best first.
    missing : tuple of int
        Number of missing cells, of columns with any, and of samples with any.
    leaks : dict of str to list of str
        Columns that match the classes of a candidate one to one, by candidate.
    options : dict
        Arguments of :func:`featrank.rank_file` that suit the file.
    notes : list of str
        Sentences on how the file was read.
    problem : str
        Why the suggested command would fail, if so.
    """

    path: Path
    format: str
    n_samples: int
    n_columns: int
    sampled: bool
    transposed: bool
    columns: list[ColumnInfo]
    annotations: list[ColumnInfo]
    candidates: list[ColumnInfo]
    missing: tuple[int, int, int]
    leaks: dict[str, list[str]]
    options: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problem: str = ""

    @property
    def command(self) -> str:
        """The command that ranks the features, quoted for a shell. Empty if there is a problem."""
        if self.problem:
            return ""
        words = ["featrank", "rank", str(self.path)]
        for name, value in self.options.items():
            words += _words(name, value)
        return shlex.join(words)

    def columns_of(self, kind: str) -> list[str]:
        """Return the names of the columns of a kind, such as "date"."""
        return [one.name for one in self.columns if one.kind == kind]


def describe_file(
    path: str | os.PathLike[str],
    *,
    transpose: bool = False,
    labels: str | os.PathLike[str] | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
) -> FileDescription:
    """Describe a file: its columns, possible targets, missing values and problems.

    Parameters
    ----------
    path : path
        The file. Its extension determines the format, as for :func:`featrank.rank_file`. Only the
        beginning of a large file is read.
    transpose : bool, default=False
        Whether the file has features in rows. If False, it is detected where possible.
    labels, sep, decimal, sheet
        As for :func:`featrank.rank_file`.

    Returns
    -------
    description : FileDescription
        What the file contains. ``command`` is the command to run next, and
        ``featrank.rank_file(path, **description.options)`` does the same in Python.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     featrank.datasets.load("iris").write(f"{folder}/iris.csv")
    ...     found = featrank.describe_file(f"{folder}/iris.csv")
    >>> [candidate.name for candidate in found.candidates], found.options
    (['species'], {'target': 'species'})
    """
    path = Path(path)
    known = format_of(path)
    if known is None:
        raise UsageError(
            f"Cannot read {str(path)!r}: unknown file extension. Known extensions: "
            f"{', '.join(suffixes())}."
        )
    asked = {"labels": labels and Path(labels), "sep": sep, "decimal": decimal, "sheet": sheet}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    # Without a target, the sample sheet is read on its own.
    reading: dict[str, Any] = {name: given[name] for name in given if name != "labels"}
    options = ReadOptions(duplicates="mean", file_name=path.name, **reading)
    if not transpose and known.transposable:
        with parse_content(path, options) as content:
            transpose = _looks_transposed(content, options)
    with parse_content(path, replace(options, transpose=transpose)) as content:
        return _describe(path, known, content, transpose, given)


def _describe(
    path: Path, known: Format, content: Content, transposed: bool, given: dict[str, Any]
) -> FileDescription:
    parsed = content.parsed
    if parsed.columns is None:
        columns, annotations = (
            matrix_columns(parsed.names, parsed.X),
            sample_columns(parsed.samples),
        )
        if parsed.y is not None:
            others = [one for one in annotations if one.name != parsed.target_name]
            annotations = [_stored_labels(parsed), *others]
    else:
        columns, annotations = table_columns(parsed), sample_columns(parsed.samples)
    annotations += _sheet_columns(given.get("labels"))
    candidates = _candidates(parsed, columns, annotations)
    found = FileDescription(
        path=path,
        format=_format_name(path, known),
        n_samples=content.shape[0],
        n_columns=content.shape[1],
        sampled=content.sampled,
        transposed=transposed,
        columns=columns,
        annotations=annotations,
        candidates=candidates,
        missing=count_missing(parsed),
        leaks=_leaks(candidates, [*columns, *annotations]),
    )
    suggested = _suggest(found, parsed.target_name, len(set(parsed.names)))
    if "labels" in given and not candidates:
        suggested.pop("method", None)  # the sheet holds one label per line
    found = replace(found, options=given | suggested)
    notes, problem = _check(found, content)
    return replace(found, notes=[*_shape_notes(found, content), *notes], problem=problem)


def _sheet_columns(path: Path | None) -> list[ColumnInfo]:
    """Return the columns of a sample sheet. A file of one label per line has none."""
    if path is None or path.suffix == ".npy":
        return []
    with parse_content(path, ReadOptions(duplicates="mean", file_name=path.name)) as content:
        columns = [] if content.parsed.columns is None else table_columns(content.parsed)
    return columns if len(columns) > 1 else []


def _shape_notes(found: FileDescription, content: Content) -> list[str]:
    """Return a note if a table of numbers with named rows and no target may be transposed."""
    parsed = content.parsed
    if found.transposed or found.candidates or parsed.columns is None:
        return []
    ids, names, columns = _named_rows(parsed)
    numeric = all(column.dtype.is_numeric() for column in columns)
    if not numeric or ids is None or len(ids) < _TALL * len(names) or _are_samples(ids):
        return []
    return [
        f"The file may have its features in rows: it has {len(ids):,} named rows, {len(names):,} "
        "columns of numbers and no target. If so, use `transpose=True`."
    ]


def _format_name(path: Path, known: Format) -> str:
    plain = path.name.lower().removesuffix(".gz")
    is_second = plain.endswith((".tsv", ".txt")) and "series_matrix" not in plain
    return known.names[-1 if is_second else 0]


def _stored_labels(parsed: Any) -> ColumnInfo:
    labels = pl.Series(str(parsed.target_name), list(parsed.y), strict=False)
    return describe_column(labels.name, labels, first=False, is_feature=False)


def _candidates(
    parsed: Any, columns: list[ColumnInfo], annotations: list[ColumnInfo]
) -> list[ColumnInfo]:
    # Columns of a matrix are features, unless the file has nothing else to offer.
    own = columns if parsed.columns is not None or not annotations else []
    stored = [one for one in annotations if one.name == parsed.target_name and one.is_target_like]
    others = [*own, *(one for one in annotations if one not in stored)]
    return [*stored, *target_candidates(others)]


def _leaks(candidates: list[ColumnInfo], columns: list[ColumnInfo]) -> dict[str, list[str]]:
    found = {one.name: determined_columns(one, columns) for one in candidates}
    return {name: others for name, others in found.items() if others}


def _looks_transposed(content: Content, options: ReadOptions) -> bool:
    parsed = content.parsed
    if parsed.columns is None or len(parsed.columns) < 2:
        return False
    ids, names, others = _named_rows(parsed)
    if transposed_hint(names, ids, content.shape[0], False, options):
        return True
    if ids is None:
        return False
    if _have_text_rows(others):
        return True
    if not all(column.dtype.is_numeric() for column in others):
        return False
    if _are_samples(names) and not _are_samples(ids):
        return True
    return content.shape[0] > len(names) and _are_genes(ids) and not _are_genes(names)


def _named_rows(parsed: Any) -> tuple[Any, list[str], list[pl.Series]]:
    """Return the names of the rows, or None, and the names and values of the other columns."""
    ids, first = parsed.samples.ids, 0
    if ids is None and table_columns(parsed)[0].kind == "id":
        ids, first = parsed.columns[0].cast(pl.String).to_list(), 1
    return ids, list(parsed.names)[first:], parsed.columns[first:]


def _have_text_rows(columns: Sequence[pl.Series]) -> bool:
    """Whether all columns are numbers except for the same few rows, such as one of classes."""
    if any(column.dtype != pl.String for column in columns):
        return False
    masks = [column.cast(pl.Float64, strict=False).is_null() for column in columns]
    return all(mask.sum() * 2 < len(mask) for mask in masks)


def _are_genes(names: Any) -> bool:
    some = [str(name) for name in list(names)[:200]]
    genes = [name for name in some if _GENE.fullmatch(name) and not _SAMPLE_WORD.match(name)]
    return 2 * len(genes) > len(some)


def _are_samples(names: Any) -> bool:
    some = [str(name) for name in list(names)[:200]]
    return 2 * sum(bool(_NUMBERED_SAMPLE.fullmatch(name)) for name in some) > len(some)


def _suggest(found: FileDescription, stored: str | None, n_names: int) -> dict[str, Any]:
    """Return the arguments of ``rank_file`` for the best candidate."""
    options: dict[str, Any] = {"transpose": True} if found.transposed else {}
    target = next(iter(found.candidates), None)
    numeric = numeric_targets([*found.columns, *found.annotations]) if target is None else []
    if target is not None or numeric:
        name = (target or numeric[0]).name
        options |= {} if name == stored else {"target": name}
        options |= {} if target is not None else {"task": "regression"}
    else:
        name, options["method"] = "", "laplacian"
    features = [one for one in found.columns if one.name != name and one.kind != "id"]
    drop = [*_text_to_drop(features), *(one for one in found.leaks.get(name, []))]
    features_left = [one for one in features if one.name not in drop]
    own = {one.name for one in found.columns}
    dropped = [one for one in dict.fromkeys(drop) if one in own]
    options |= _treatment(found, features_left, dropped, n_names)
    if len(features_left) > TOP:
        options["top"] = TOP
    return options


def _text_to_drop(features: list[ColumnInfo]) -> list[str]:
    """Return string columns that are not ranked: dates, notes, and annotations of many genes."""
    n_numeric = sum(one.kind in ("numeric", "counts", "codes") for one in features)
    kinds = ["date", "string"] + (["categories"] if n_numeric >= MANY_FEATURES else [])
    return [one.name for one in features if one.kind in kinds and not _is_boolean(one)] + [
        one.name for one in features if one.kind == "constant" and not one.values.dtype.is_numeric()
    ]


def _is_boolean(one: ColumnInfo) -> bool:
    return bool(one.values.dtype == pl.Boolean)


def _treatment(
    found: FileDescription, features: list[ColumnInfo], dropped: list[str], n_names: int
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    has_text = any(one.kind == "categories" and not _is_boolean(one) for one in features)
    if len(dropped) <= _DROPPED_BY_NAME:
        options |= {"drop": tuple(dropped)} if dropped else {}
        options |= {"categorical": "onehot"} if has_text else {}
    else:
        leaks = tuple(one for names in found.leaks.values() for one in names if one in dropped)
        options |= {"drop": leaks} if leaks else {}
        options["categorical"] = "drop"
    odd = dict.fromkeys(cell for one in features for cell in one.odd_cells)
    if odd and len(odd) <= _ODD_CELLS and not any("," in cell for cell in odd):
        options["na_values"] = tuple(odd)
    height = max((len(one.values) for one in features), default=0)
    if any(one.n_missing or one.odd_cells for one in features):
        options["missing"] = "median"
        if any(2 * one.n_missing > height for one in features):
            options["max_missing"] = 0.5
    if n_names < len(found.columns):
        options["duplicates"] = "mean"
    if len(features) >= MANY_FEATURES and _are_counts(features):
        options["transform"] = "cpm,log1p"
    return options


def _are_counts(features: list[ColumnInfo]) -> bool:
    """Whether all features are counts, not codes: whole numbers that vary widely."""
    kinds = [one.kind for one in features]
    n_counts = kinds.count("counts")
    return n_counts + kinds.count("codes") + kinds.count("constant") == len(kinds) and (
        2 * n_counts >= len(kinds)
    )


def _check(found: FileDescription, content: Content) -> tuple[list[str], str]:
    """Read the file as suggested, and return the notes and what is still wrong."""
    reading = {one.name for one in fields(ReadOptions)}
    own = {name: value for name, value in found.options.items() if name in reading}
    notes: list[str] = []
    problem = ""
    if content.parsed.columns is None and content.sampled:
        return notes, problem
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            notes = list(read_file(content.path, ReadOptions(**own)).notes)
        except (DataError, UsageError) as error:
            problem = str(error)
    notes += [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    return notes, problem


def _words(name: str, value: Any) -> list[str]:
    """Return an argument of ``rank_file`` as words of the command line."""
    option = f"--{name.replace('_', '-')}"
    if value is True:
        return [option]
    if not isinstance(value, tuple):
        word = str(value)
        return [f"{option}={word}"] if word.startswith("-") else [option, word]
    plain = [one for one in value if "," not in one and one == one.strip()]
    others = [one for one in value if one not in plain]
    words = [option, ",".join(plain)] if plain else []
    return words + [word for one in others for word in (option, one)]


def target_hint(path: Path) -> str:
    """Return a sentence that lists the possible targets of a file, or an empty string."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = describe_file(path)
    except (FeatrankError, OSError):
        return ""
    if not found.candidates:
        return ""
    shown = [f"{one_line(one.name)} ({one.sentence})" for one in found.candidates[:8]]
    more = len(found.candidates) - len(shown)
    rest = f" and {counted(more, 'more column')}" if more else ""
    best = found.candidates[0].name
    return f"Candidates in {path.name!r}: {', '.join(shown)}{rest}. Use `target={best!r}`."
