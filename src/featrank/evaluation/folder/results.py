"""Results on disk: one file per finished trial or fit, and tables assembled from them.

Every file is written atomically, so an interrupted run leaves readable results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from featrank._utils import strict_json
from featrank._utils.atomic_files import meant_for
from featrank.evaluation.folder.locks import WRITER, locked
from featrank.evaluation.folder.manifest import MANIFEST, add_warnings, read_manifest, require_same
from featrank.evaluation.folder.numbered_files import arrays_in, usable, writable
from featrank.evaluation.folder.result_tables import as_csv, as_frame, stacked
from featrank.evaluation.folder.trial_files import TrialFiles, require_match
from featrank.evaluation.full_fits import FitFiles
from featrank.evaluation.stored_tables import (
    NAMES,
    TABLES,
    read_parquet,
    write_names,
    write_parquet,
)
from featrank.evaluation.trials import Trial
from featrank.exceptions import FeatrankWarning, UsageError, counted

RESULTS = ("results.csv", "results.parquet", "rankings.npz")
FILES = {MANIFEST, NAMES, WRITER, *RESULTS, *(f"{name}.parquet" for name in TABLES)}

AGAIN = "Use `resume=True` to write it again."


class Folder:
    """The folder of a comparison."""

    def __init__(self, path: Path, manifest: dict[str, Any]):
        self.path, self.manifest = path, manifest
        self.trials = TrialFiles(path / "trials", manifest)
        self.fits = FitFiles(path / "fits", [entry["name"] for entry in manifest["methods"]])

    @classmethod
    @contextmanager
    def writing(
        cls, path: Path, manifest: dict[str, Any], names: Sequence[str], *, resume: bool
    ) -> Iterator[Folder]:
        """Create a folder or resume the same run in it, and lock it for writing."""
        folder = cls(path, manifest)
        with usable(path):
            path.mkdir(parents=True, exist_ok=True)
        with locked(path):
            with usable(path):
                folder._begin(names, resume)
            yield folder

    def _begin(self, names: Sequence[str], resume: bool) -> None:
        if (self.path / MANIFEST).exists():
            if not resume:
                raise UsageError(
                    f"{str(self.path)!r} already contains results. Use `resume=True` to continue, "
                    "or another folder."
                )
            require_same(self.path, self.manifest)
            first = read_manifest(self.path).get("warnings", [])
            add_warnings(self.manifest, map(FeatrankWarning.of, first))
        elif numbers := self.trials.numbers():
            raise UsageError(
                f"{str(self.path)!r} contains {counted(len(numbers), 'trial')} but no "
                "manifest.json, so their run is unknown. Use another folder."
            )
        for path in self.path.iterdir():  # temporary files of a killed run
            if meant_for(path.name) in FILES and path.is_file():
                path.unlink(missing_ok=True)
        self.trials.prepare()
        write_names(self.path / NAMES, names)
        self.write_manifest()

    def write_manifest(self) -> None:
        """Write the manifest, which may have new warnings."""
        _write_text(self.path / MANIFEST, strict_json.dumps(self.manifest) + "\n")

    def read_tables(self) -> list[Trial]:
        """Return the trials from the assembled tables, for a folder without trial files."""
        path, rankings = self.path / "results.parquet", self.path / "rankings.npz"
        if not path.exists():
            return []
        rows = read_parquet(path).to_dicts()
        with arrays_in(rankings, AGAIN) as stored:
            orders = {name: stored[name] for name in stored if name != "trials"}
            trials = [
                Trial(
                    number,
                    [row for row in rows if row["trial"] == number],
                    {name: table[place] for name, table in orders.items() if table[place, 0] >= 0},
                )
                for place, number in enumerate(stored["trials"].tolist())
            ]
        for trial in trials:
            require_match(path, trial, self.manifest, AGAIN)
        return trials

    def assemble(
        self, trials: Sequence[Trial], methods: Sequence[str], tables: Mapping[str, Any]
    ) -> None:
        """Write the tables of all finished trials, and the feature tables."""
        rows = [row for trial in trials for row in trial.rows]
        _write_text(self.path / "results.csv", as_csv(rows))
        write_parquet(self.path / "results.parquet", as_frame(rows))
        rankings = stacked(trials, methods, self.manifest["data"]["features"])
        with writable(self.path / "rankings.npz") as temporary:
            np.savez_compressed(temporary, **rankings)
        for name, frame in tables.items():
            write_parquet(self.path / f"{name}.parquet", frame)


def _write_text(path: Path, content: str) -> None:
    with writable(path) as temporary:
        temporary.write_text(content, encoding="utf-8", newline="\n")
