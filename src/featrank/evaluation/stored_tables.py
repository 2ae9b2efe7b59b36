"""The feature tables of a comparison, held in memory or read from a results folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from featrank.evaluation.feature_names import names_digest
from featrank.evaluation.folder.numbered_files import readable, writable
from featrank.evaluation.full_fits import Fit, FitFiles
from featrank.exceptions import DataError

NAMES = "names.parquet"
#: The tables, each in a file of its name, and what messages call them.
TABLES = {
    "features": "scores of the features on all rows",
    "classes": "class quantiles of the best features",
    "correlations": "correlations of the best features",
    "edges": "edges between features",
    "roc": "ROC curves",
    "target": "correlations of the best features with the target",
}
#: Tables of classification only, and of regression only.
CLASSIFICATION_ONLY, REGRESSION_ONLY = ("classes", "roc"), ("target",)

_AGAIN = "Run compare again with `resume=True`."


class StoredTables:
    """Feature names, fits to all rows and tables, as far as a comparison has them.

    Parameters
    ----------
    names : list of str or None
        Names of the features.
    fits : sequence of Fit or None
        The finished fits to all rows.
    tables : mapping of str to polars.DataFrame
        Tables by name.
    reason : str
        Why a table is missing.
    """

    def __init__(
        self,
        names: list[str] | None = None,
        fits: Sequence[Fit] | None = None,
        tables: Mapping[str, Any] | None = None,
        reason: str = "this one was made without. Run compare to get them",
    ):
        self._names, self._fits, self._tables, self._reason = names, fits, tables or {}, reason

    def names(self) -> list[str] | None:
        """Return the names of the features, or None if they are unknown."""
        return self._names

    def fits(self) -> Sequence[Fit] | None:
        """Return the finished fits to all rows, or None if there are none."""
        return self._fits

    def why_missing(self, name: str) -> str | None:
        """Return a sentence that explains why a table is missing, or None if it is there."""
        return None if name in self._tables else f"There are no {TABLES[name]}: {self._reason}."

    def table(self, name: str) -> Any:
        """Return a table, or raise an error that explains why it is missing."""
        reason = self.why_missing(name)
        if reason is not None:
            raise DataError(reason)
        return self._table(name)

    def _table(self, name: str) -> Any:
        return self._tables[name]


class FolderTables(StoredTables):
    """The tables in a results folder, each read when it is used."""

    def __init__(self, path: Path, manifest: dict[str, Any]):
        super().__init__()
        self.path, self.data = path, manifest["data"]
        self.files = FitFiles(path / "fits", [entry["name"] for entry in manifest["methods"]])

    def names(self) -> list[str]:
        """Return the names of the features."""
        if self._names is None:
            self._names = read_names(self.path / NAMES, self.data)
        return self._names

    def fits(self) -> Sequence[Fit] | None:
        """Return the finished fits to all rows, or None if there are none."""
        return self.files.read(len(self.files.methods)) or None

    def why_missing(self, name: str) -> str | None:
        """Return a sentence that explains why a table is missing, or None if it is there."""
        path = self.path / f"{name}.parquet"
        if path.exists():
            return None
        return (
            f"There are no {TABLES[name]}: {str(path)!r} is not there. It is written when a run "
            f"ends. {_AGAIN}"
        )

    def _table(self, name: str) -> Any:
        return read_parquet(self.path / f"{name}.parquet")


def names_only(names: list[str] | None) -> StoredTables:
    """Return feature names without tables, for comparisons on many labels."""
    reason = "comparisons on many labels keep none. Run compare on one of the labels to get them"
    return StoredTables(names, reason=reason)


def write_names(path: Path, names: Sequence[str]) -> None:
    """Write the names of the features."""
    import polars as pl

    write_parquet(path, pl.DataFrame({"feature": names}, schema={"feature": pl.String}))


def write_parquet(path: Path, frame: Any) -> None:
    """Write a frame atomically."""
    with writable(path) as temporary:
        frame.write_parquet(temporary)


def read_parquet(path: Path) -> Any:
    """Return a frame; the error for a damaged file names it."""
    import polars as pl

    # Opened here, because polars treats brackets in a path as a pattern.
    with readable(path, _AGAIN), path.open("rb") as file:
        return pl.read_parquet(file)


def read_names(path: Path, data: dict[str, Any]) -> list[str]:
    """Return the names of the features; raise an error if they belong to other data."""
    frame = read_parquet(path)
    names = frame["feature"].to_list() if frame.columns == ["feature"] else []
    if names_digest(names) != data["names_sha256"]:
        raise DataError(f"{str(path)!r} contains the feature names of other data. {_AGAIN}")
    return names
