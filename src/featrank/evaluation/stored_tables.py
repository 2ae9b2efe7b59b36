"""What a comparison has beside its trials: in memory, in a folder, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from featrank.evaluation.feature_names import names_digest
from featrank.evaluation.folder.numbered_files import readable, writable
from featrank.evaluation.full_fits import Fit, FitFiles
from featrank.exceptions import DataError

NAMES = "names.parquet"
#: Tables that are kept, each in a file of its name, and what messages call them.
TABLES = {
    "features": "scores of the features on all rows",
    "classes": "class quantiles of the best features",
    "correlations": "correlations of the best features",
    "edges": "edges between features",
    "roc": "ROC curves",
    "target": "correlations of the best features with the target",
}
#: What only classes have, and only quantities.
OF_CLASSES, OF_QUANTITIES = ("classes", "roc"), ("target",)

_AGAIN = "Run compare again with --resume (resume=True)."


class Kept:
    """Nothing: comparisons of another kind, or of another time."""

    def __init__(self, why: str = "this one was made without. Run compare to get them"):
        self.why = why

    def names(self) -> list[str] | None:
        """Return the names of the features, if they are known."""
        return None

    def fits(self) -> Sequence[Fit] | None:
        """Return the fits to all rows that are finished; None where there are none to be had."""
        return None

    def lack(self, name: str) -> str | None:
        """Return a sentence on a table that is not there; None for one that is."""
        return f"There are no {TABLES[name]}: {self.why}."

    def table(self, name: str) -> Any:
        """Return a table, or say why there is none."""
        lack = self.lack(name)
        if lack is not None:
            raise DataError(lack)
        return self._table(name)

    def _table(self, name: str) -> Any:
        raise NotImplementedError


class KeptInMemory(Kept):
    """What a run has just made."""

    def __init__(self, names: list[str], fits: Sequence[Fit], tables: Mapping[str, Any]):
        super().__init__()
        self._names, self._fits, self.tables = names, fits, tables

    def names(self) -> list[str]:
        """Return the names of the features."""
        return self._names

    def fits(self) -> Sequence[Fit]:
        """Return the fits to all rows."""
        return self._fits

    def lack(self, name: str) -> str | None:
        """Return a sentence on a table that is not there; None for one that is."""
        return None if name in self.tables else super().lack(name)

    def _table(self, name: str) -> Any:
        return self.tables[name]


class KeptInFolder(Kept):
    """What lies in a folder, read when it is asked for."""

    def __init__(self, path: Path, manifest: dict[str, Any]):
        super().__init__()
        self.path, self.data = path, manifest["data"]
        self.files = FitFiles(path / "fits", [entry["name"] for entry in manifest["methods"]])
        self._names: list[str] | None = None

    def names(self) -> list[str]:
        """Return the names of the features."""
        if self._names is None:
            self._names = read_names(self.path / NAMES, self.data)
        return self._names

    def fits(self) -> Sequence[Fit] | None:
        """Return the fits to all rows that are finished; None without their files."""
        return self.files.read() or None

    def lack(self, name: str) -> str | None:
        """Return a sentence on a table that is not there; None for one that is."""
        path = self.path / f"{name}.parquet"
        if path.exists():
            return None
        return (
            f"There are no {TABLES[name]}: {str(path)!r} is not there. It is written when a run "
            f"ends. {_AGAIN}"
        )

    def _table(self, name: str) -> Any:
        return read_parquet(self.path / f"{name}.parquet")


class NamesOnly(Kept):
    """Names of the features and no tables: comparisons on many labels."""

    def __init__(self, names: list[str] | None):
        super().__init__(
            "comparisons on many labels keep none. Run compare on one of the labels to get them"
        )
        self._names = names

    def names(self) -> list[str] | None:
        """Return the names of the features."""
        return self._names


def write_names(path: Path, names: Sequence[str]) -> None:
    """Write the names of the features."""
    import polars as pl

    write_parquet(path, pl.DataFrame({"feature": names}, schema={"feature": pl.String}))


def write_parquet(path: Path, frame: Any) -> None:
    """Write a frame, whole or not at all."""
    with writable(path) as temporary:
        frame.write_parquet(temporary)


def read_parquet(path: Path) -> Any:
    """Return a frame; a damaged file is named."""
    import polars as pl

    # Opened here, since polars would take brackets in a path for a pattern.
    with readable(path, _AGAIN), path.open("rb") as file:
        return pl.read_parquet(file)


def read_names(path: Path, data: dict[str, Any]) -> list[str]:
    """Return the names of the features; refuse those of other data."""
    frame = read_parquet(path)
    names = frame["feature"].to_list() if frame.columns == ["feature"] else []
    if names_digest(names) != data.get("names_sha256"):
        raise DataError(f"{str(path)!r} holds the names of other features. {_AGAIN}")
    return names
