"""What every reader gives and every writer takes, and the choices of a call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..exceptions import DataError, FeatrankError

if TYPE_CHECKING:
    import numpy as np

Missing = Literal["error", "mean", "median", "keep"]
Categorical = Literal["error", "ordinal", "onehot", "drop"]

MISSING = get_args(Missing)
CATEGORICAL = get_args(Categorical)


@dataclass(frozen=True, eq=False)
class Table:
    """A data set in memory.

    Attributes
    ----------
    X : numpy.ndarray or scipy.sparse matrix (CSR or CSC)
        Samples × features, finite numbers.
    feature_names : list of str
        One name a column of ``X``, all different.
    y : numpy.ndarray or None
        One label a sample, of any type, none missing.
    target_name : str or None
        What the file calls the labels.
    """

    X: Any
    feature_names: list[str]
    y: np.ndarray | None = None
    target_name: str | None = None

    @property
    def label(self) -> str:
        """Name for the labels in a file, also where they came without one."""
        return self.target_name or "target"


@dataclass(frozen=True)
class Options:
    """The arguments of :func:`featrank.tables.read`, checked."""

    target: str | None = None
    drop: tuple[str, ...] = ()
    missing: str = "error"
    categorical: str = "error"


@contextmanager
def parsing(path: Path, kind: str) -> Iterator[None]:
    """Turn whatever a parser raises into a DataError that names the file and the format."""
    try:
        yield
    except FeatrankError:
        raise
    # Parsers of broken files raise nearly anything: struct.error, zlib.error, KeyError, and, from
    # Rust, a PanicException that is no Exception.
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = (str(error).strip().splitlines() or [""])[0] or type(error).__name__
        raise DataError(
            f"{str(path)!r} cannot be read as {kind}: {reason.rstrip('.')}. "
            "The file may be cut short, damaged or of another format."
        ) from error
