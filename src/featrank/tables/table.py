"""``Table``: the data set that readers return and writers save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError, FeatrankError

if TYPE_CHECKING:
    import numpy as np

# Names for IDs without a name. The first one that is free is used.
IDS = ("sample", "sample_id", "row_id", "_sample_id_")


@dataclass(frozen=True, eq=False)
class Table:
    """A data set in memory.

    Attributes
    ----------
    X : numpy.ndarray or scipy.sparse matrix (CSR or CSC)
        Samples × features, finite numbers.
    feature_names : list of str
        One name per column of ``X``, all different.
    y : numpy.ndarray or None
        One label per sample, of any type, none missing.
    target_name : str or None
        The name of the labels in the file.
    ids : numpy.ndarray or None
        The IDs of the samples: row names, or an ID column, which is never a feature.
    id_name : str or None
        The name of the ID column. Empty for row names without one.
    kept : dict of str to numpy.ndarray
        Non-feature columns to keep, with one value per sample.
    groups : numpy.ndarray or None
        Which samples belong together, if a column was named.
    batches : dict of str to numpy.ndarray
        Non-feature columns whose names look like those of a batch, for warnings.
    symbols : list of str or None
        A second name of each feature, such as a symbol in addition to an ID.
    values : str
        The scale of the values if the file says ("log1p"), else "auto".
    notes : tuple of str
        Sentences on how the file was read.
    preprocessing : mapping of str to int
        What reading changed: ``samples_left_out``, ``features_above_max_missing``,
        ``merged_names`` and ``imputed_values``, where they are not 0.
    """

    X: Any
    feature_names: list[str]
    y: np.ndarray | None = None
    target_name: str | None = None
    ids: np.ndarray | None = None
    id_name: str | None = None
    kept: Mapping[str, np.ndarray] = field(default_factory=dict)
    groups: np.ndarray | None = None
    batches: Mapping[str, np.ndarray] = field(default_factory=dict)
    symbols: list[str] | None = None
    notes: tuple[str, ...] = ()
    values: str = "auto"
    preprocessing: Mapping[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Name for the labels in a file, even if they have none."""
        return self.target_name or "target"

    @property
    def sample_columns(self) -> dict[str, np.ndarray]:
        """The columns that are written with the samples: their IDs, then the columns to keep."""
        if self.ids is None:
            return dict(self.kept)
        taken = {*self.feature_names, *self.kept, self.label}
        free = next(name for name in IDS if name not in taken)
        return {self.id_name or free: self.ids, **self.kept}

    def features(self, chosen: Sequence[int]) -> Table:
        """Return the same samples with some of the features."""
        return replace(
            self,
            X=self.X[:, chosen],
            feature_names=[self.feature_names[place] for place in chosen],
            symbols=None if self.symbols is None else [self.symbols[place] for place in chosen],
        )


@contextmanager
def parsing(path: Path, kind: str) -> Iterator[None]:
    """Turn any error of a parser into a DataError that names the file and the format."""
    try:
        yield
    except FeatrankError:
        raise
    # Parsers of broken files raise nearly anything: struct.error, zlib.error, KeyError, and, from
    # Rust, a PanicException that is not an Exception.
    except BaseException as error:
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        if type(error).__name__ == "DuplicateError":  # of polars: a file as it was written
            raise DataError(
                f"{str(path)!r}: {str(error).strip().rstrip('.')}. Rename or remove the repeated "
                "columns."
            ) from error
        reason = reason_of(error)
        raise DataError(
            f"{str(path)!r} cannot be read as {kind}: {reason.rstrip('.')}. "
            "The file may be truncated, damaged or in another format."
        ) from error


def is_panic(error: BaseException) -> bool:
    """Whether a Rust library panicked, which raises something other than an Exception."""
    return type(error).__name__ == "PanicException"


def reason_of(error: BaseException) -> str:
    """Return in one line why something cannot be read, without the details of a panic."""
    if is_panic(error):
        return "its content is inconsistent"
    return (str(error).strip().splitlines() or [""])[0] or type(error).__name__
