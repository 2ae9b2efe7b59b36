"""The data of a ranking, for details, plots and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.budget import memory_budget
from featrank.data.cells import read_cells
from featrank.data.opening import open_reader
from featrank.data.reader import Reader
from featrank.data.row_labels import KnownLabels, all_labels, small_codes
from featrank.exceptions import UsageError
from featrank.ranking.feature_details import Classes
from featrank.sources import Source
from featrank.summaries.regression import bin_regression_target
from featrank.tables.options import ReadOptions
from featrank.values.classes import encode_labels
from featrank.values.containers import dense_columns

# Number of groups into which plots split the samples by a regression target.
THIRDS = 3
# Values of a file that are read into memory for details and plots, at most.
FEW_VALUES = 2**26
# Arrays of this size that are in memory at the same time.
DOUBLES = 4


@dataclass(frozen=True, eq=False)
class Evidence:
    """The data of a ranking in memory, for details and plots.

    Attributes
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples, as passed by the user.
    classes : Classes or None
        Their classes, if there are labels.
    regression_target : ndarray of shape (n_samples,) or None
        The target of a regression.
    """

    X: Any
    classes: Classes | None
    regression_target: NDArray[np.float64] | None = None

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return int(self.X.shape[0]) if hasattr(self.X, "shape") else len(self.X)

    @property
    def class_sizes(self) -> list[int]:
        """Number of samples per class."""
        return [] if self.classes is None else np.bincount(self.classes.codes).tolist()

    @property
    def class_labels(self) -> Sequence[Any]:
        """The labels of the classes."""
        return () if self.classes is None else self.classes.labels

    @property
    def drawn_classes(self) -> Classes | None:
        """The classes that plots distinguish: for regression, thirds of the samples."""
        if self.regression_target is None:
            return self.classes
        codes = bin_regression_target(self.regression_target, THIRDS)
        parts = [self.regression_target[codes == code] for code in range(codes.max() + 1)]
        return Classes([f"target {_span(part)}" for part in parts], codes)

    @property
    def is_pandas(self) -> bool:
        """Whether the data came as a pandas frame."""
        return type(self.X).__module__.split(".")[0] == "pandas"

    def values(self, columns: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return some columns as floats."""
        return dense_columns(self._readable, columns)

    @cached_property
    def _readable(self) -> Any:
        """The data in a form from which single columns can be read."""
        return self.X.tocsc() if hasattr(self.X, "tocsc") else self.X


@dataclass(frozen=True, eq=False)
class SourceData:
    """The data of a ranking that was read in chunks. Only a few columns are read into memory.

    Attributes
    ----------
    X : Source
        The samples.
    y : array-like or None
        Labels that did not come with them.
    options : ReadOptions
        How it is read.
    class_labels : sequence
        Of the classes.
    sizes : ndarray of shape (n_classes,) or None
        Number of samples per class, if known.
    """

    X: Source
    y: Any
    options: ReadOptions
    class_labels: Sequence[Any]
    sizes: NDArray[np.integer] | None = None
    is_pandas: ClassVar[bool] = False
    regression_target: ClassVar[None] = None  # regression reads everything into memory

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return self.X.shape[0] or sum(self.class_sizes)

    @cached_property
    def class_sizes(self) -> list[int]:
        """Number of samples per class."""
        sizes = np.bincount(self._labels.codes[0]) if self.sizes is None else self.sizes
        return [int(size) for size in sizes]

    @property
    def classes(self) -> Classes:
        """The classes of the samples, read on demand."""
        return Classes(self.class_labels, self._labels.codes[0])

    @property
    def drawn_classes(self) -> Classes:
        """The classes that plots distinguish."""
        return self.classes

    @cached_property
    def _labels(self) -> KnownLabels:
        if self.y is not None:
            labels, codes = encode_labels(self.y, np.size(self.y))
            return KnownLabels(labels, small_codes(codes, len(labels))[None], {})
        with self._reader() as reader:
            return all_labels(self.X, reader)

    def _reader(self) -> AbstractContextManager[Reader]:
        return open_reader(self.options, self.X, -1, "")

    def is_small(self, n_columns: int) -> bool:
        """Whether this number of columns may be read into memory."""
        return self.X.again and self.n_samples * n_columns <= FEW_VALUES

    def is_cheap(self, n_columns: int) -> bool:
        """Whether this number of columns may be read without being asked to."""
        # Rows are always read as a whole.
        n_read = n_columns if self.X.axis == "columns" else self.X.shape[1]
        size = self.n_samples * n_columns * DOUBLES * 8
        return self.is_small(n_read) and size <= memory_budget(self.options.memory)

    def require_again(self, what: str) -> None:
        """Raise an error if the data cannot be read a second time."""
        if not self.X.again:
            raise UsageError(
                f"{what} would have to read {self.X.name!r} again, which can be read only once. "
                "Rank a file, or another dataset that can be read again."
            )

    def values(self, columns: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return some columns as floats."""
        self.require_again("A table with details, or a plot,")
        if not self.is_small(len(columns)):
            raise UsageError(
                f"Details and plots of {len(columns):,} features of {self.n_samples:,} samples "
                f"need {self.n_samples * len(columns):,} values in memory. The limit is "
                f"{FEW_VALUES:,}. Use fewer features: `top=...`."
            )
        places, back = np.unique(columns, return_inverse=True)
        starts = self._labels.starts if self.X.shape[0] is None else {}
        with self._reader() as reader:
            cells = read_cells(self.X, [(np.arange(self.n_samples), places)], starts, reader)[0]
        return cells[:, back]


def _span(values: NDArray[np.float64]) -> str:
    return f"{values.min():.4g} to {values.max():.4g}"
