"""Results on disk: a file a finished trial, and tables assembled of them.

Every file appears whole or not at all, so that whatever ends a run leaves readable results.
"""

from __future__ import annotations

import csv
import io
import json
import platform
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from featrank import strict_json
from featrank.exceptions import DataError, UsageError
from featrank.files import replacing

from .protocol import Described, Entry, Protocol
from .trial_files import TrialFiles, readable
from .trials import Trial

#: Changes whenever a file of the folder changes its meaning.
LAYOUT_VERSION = 1

COLUMNS = (
    "dataset",
    "trial",
    "method",
    "k",
    "score",
    "C",
    "params",
    "ranking_seconds",
    "status",
    "reason",
    "seed",
)

# Columns of text that some runs have beside these; others hold numbers.
TEXTS = ("label",)

# What must be equal for the trials of two runs to belong together.
_IDENTITY = ("layout_version", "data", "protocol", "methods")
_PACKAGES = ("featrank", "numpy", "scipy", "scikit-learn", "polars")


class Folder:
    """The folder of a comparison."""

    def __init__(self, path: Path, manifest: dict[str, Any]):
        self.path, self.manifest = path, manifest
        self._files = TrialFiles(path / "trials", manifest)

    @classmethod
    def open(cls, path: Path, manifest: dict[str, Any], resume: bool) -> Folder:
        """Start a folder, or go on with one that holds trials of the same run."""
        folder = cls(path, manifest)
        if (path / "manifest.json").exists():
            if not resume:
                raise UsageError(
                    f"{str(path)!r} already holds results. Go on with them (--resume, in Python "
                    "resume=True), or give another folder."
                )
            folder._require_same()
        else:
            folder._require_no_trials()
        folder._files.prepare()
        _write_text(path / "manifest.json", strict_json.dumps(manifest) + "\n")
        return folder

    def _require_same(self) -> None:
        before = read_manifest(self.path)
        now = json.loads(strict_json.dumps(self.manifest))
        different = [key for key in _IDENTITY if before.get(key) != now[key]]
        if different:
            raise UsageError(
                f"{str(self.path)!r} holds a run with other {_listed(different, before, now)}. "
                "Resume with what it was started with, or give another folder."
            )

    def _require_no_trials(self) -> None:
        found = self._files.numbers()
        if found:
            raise UsageError(
                f"{str(self.path)!r} holds {len(found)} trial(s) but no manifest.json, so it "
                f"cannot be told which run they are of. Put the manifest back, delete "
                f"{str(self._files.path)!r}, or give another folder."
            )

    def add(self, trial: Trial) -> None:
        """Write a finished trial."""
        self._files.write(trial)

    def read(self, count: int) -> list[Trial]:
        """Return the finished ones of the first ``count`` trials."""
        return [self._files.read(number) for number in self._files.numbers() if number < count]

    def read_tables(self) -> list[Trial]:
        """Return the trials of the assembled tables, for a folder that has no other files."""
        import polars as pl

        path = self.path / "results.parquet"
        if not path.exists():
            return []
        with readable(path, "Assemble it again with --resume (resume=True)."):
            rows = pl.read_parquet(path).to_dicts()
            with np.load(self.path / "rankings.npz") as stored:
                orders = {name: stored[name] for name in stored if name != "trials"}
                numbers = stored["trials"].tolist()
        return [
            Trial(
                number,
                [row for row in rows if row["trial"] == number],
                {label: table[place] for label, table in orders.items() if table[place, 0] >= 0},
            )
            for place, number in enumerate(numbers)
        ]

    def assemble(self, trials: Sequence[Trial], labels: Sequence[str]) -> None:
        """Write the tables of all finished trials."""
        rows = [row for trial in trials for row in trial.rows]
        _write_text(self.path / "results.csv", as_csv(rows))
        with replacing(self.path / "results.parquet") as temporary:
            as_frame(rows).write_parquet(temporary)
        rankings = stacked(trials, labels, self.manifest["data"]["features"])
        with replacing(self.path / "rankings.npz") as temporary:
            np.savez_compressed(temporary, **rankings)


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a folder of results."""
    file = path / "manifest.json"
    if not file.exists():
        raise UsageError(f"{str(path)!r} holds no results: there is no manifest.json in it.")
    try:
        manifest: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        layout = manifest["layout_version"]
        if layout == LAYOUT_VERSION:
            _ = [manifest[key] for key in (*_IDENTITY, "trials")]
    except OSError as error:
        raise DataError(f"{str(file)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{str(file)!r} is not a manifest of results: {error}.") from error
    if layout != LAYOUT_VERSION:
        raise DataError(
            f"{str(path)!r} has results of layout version {layout!r}, and this featrank reads "
            f"version {LAYOUT_VERSION}. Read them with the featrank that wrote them: "
            f"{manifest.get('versions', {}).get('featrank', 'unknown')}."
        )
    return manifest


def make_manifest(data: Described, methods: Sequence[Entry], protocol: Protocol) -> dict[str, Any]:
    """Return what a run is made of: versions, machine, command, data, protocol, methods."""
    return {
        "layout_version": LAYOUT_VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "versions": {"python": platform.python_version()}
        | {package: version(package) for package in _PACKAGES},
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
        },
        "data": data.describe(),
        "protocol": protocol.describe(),
        "trials": protocol.trials,
        "methods": [entry.describe() for entry in methods],
    }


def as_frame(rows: Iterable[dict[str, Any]]) -> Any:
    """Return the rows as a polars frame; beside the usual columns those that they have more."""
    import polars as pl

    kinds = dict.fromkeys(COLUMNS, pl.String) | {
        "trial": pl.Int64,
        "k": pl.Int64,
        "score": pl.Float64,
        "C": pl.Float64,
        "ranking_seconds": pl.Float64,
        "seed": pl.Int64,
    }
    table = list(rows)
    for column in _further(table):
        kinds[column] = pl.String if column in TEXTS else pl.Float64
        table = [{column: float("nan"), **row} for row in table]
    return pl.DataFrame(table, schema=kinds)


def as_csv(rows: Iterable[dict[str, Any]]) -> str:
    """Return the rows as CSV; what is missing is empty."""
    table = list(rows)
    columns = (*COLUMNS, *_further(table))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in table)
    return text.getvalue()


def stacked(trials: Sequence[Trial], labels: Sequence[str], n_features: int) -> dict[str, Any]:
    """Return ``trials``, and for each method an order a trial; -1 where it has none."""
    none = np.full(n_features, -1)
    table: dict[str, Any] = {"trials": np.array([trial.number for trial in trials])}
    for label in labels:
        orders = [trial.orders.get(label, none) for trial in trials]
        table[label] = np.array(orders, dtype=np.int32).reshape(len(trials), n_features)
    return table


def _further(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the columns that some rows have beside the usual ones."""
    return sorted({column for row in rows for column in row} - set(COLUMNS))


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value


def _listed(keys: list[str], before: dict[str, Any], now: dict[str, Any]) -> str:
    parts = []
    for key in keys:
        if isinstance(now[key], dict) and isinstance(before.get(key), dict):
            names = [name for name in now[key] if before[key].get(name) != now[key][name]]
            parts.append(f"{key} ({', '.join(names)})")
        else:
            parts.append(key)
    return " and ".join(parts)


def _write_text(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
