"""The files of finished trials: one a trial, named by its number."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from featrank.exceptions import DataError, FeatrankWarning
from featrank.files import replacing

from .protocol import Protocol
from .trials import Trial

WAY_OUT = "Delete it, and run this trial again with --resume (resume=True)."

# What a run that was killed leaves of a file that it was writing.
_HALF_WRITTEN = re.compile(r"\.[0-9a-f]+\.\d{5,}\.npz")


class TrialFiles:
    """The folder ``trials`` of a run. Whatever else lies there does not count."""

    def __init__(self, path: Path, manifest: dict[str, Any]):
        self.path, self.manifest = path, manifest

    def prepare(self) -> None:
        """Make the folder; remove what a run that was killed left behind."""
        self.path.mkdir(parents=True, exist_ok=True)
        for path in self.path.iterdir():
            if _HALF_WRITTEN.fullmatch(path.name) and path.is_file():
                path.unlink(missing_ok=True)

    def numbers(self) -> list[int]:
        """Return the numbers of the finished trials; tell of files that are of none."""
        found, others = [], []
        for path in self.path.iterdir() if self.path.is_dir() else ():
            if path.stem.isdecimal() and path == self._file(int(path.stem)) and path.is_file():
                found.append(int(path.stem))
            elif not path.name.startswith("."):
                others.append(path.name)
        if others:
            warnings.warn(
                f"{str(self.path)!r} holds what is no file of a trial and does not count: "
                f"{', '.join(map(repr, sorted(others)[:5]))}.",
                FeatrankWarning,
                stacklevel=2,
            )
        return sorted(found)

    def write(self, trial: Trial) -> None:
        """Write a finished trial."""
        with replacing(self._file(trial.number)) as temporary:
            rows = np.array(json.dumps(trial.rows))
            orders: dict[str, Any] = {
                f"order {label}": order for label, order in trial.orders.items()
            }
            np.savez_compressed(temporary, rows=rows, **orders)

    def read(self, number: int) -> Trial:
        """Return a finished trial."""
        path = self._file(number)
        with readable(path, WAY_OUT), np.load(path) as stored:
            orders = {
                name.removeprefix("order "): stored[name] for name in stored if name != "rows"
            }
            trial = Trial(number, json.loads(str(stored["rows"])), orders)
            found = {(row["trial"], row["seed"], row.get("label")) for row in trial.rows}
        self._require_own(path, number, found)
        return trial

    def _require_own(
        self, path: Path, number: int, found: set[tuple[int, int, str | None]]
    ) -> None:
        """Refuse a file that was copied from another trial or another run."""
        trial, label = number, None
        classes = self.manifest["data"].get("class_names")
        if classes is not None:
            trial, place = divmod(number, len(classes))
            label = classes[place]
        seed = Protocol(seed=self.manifest["protocol"]["seed"]).trial_seed(trial)
        if found != {(trial, seed, label)}:
            shown = ", ".join(_described(*each) for each in sorted(found, key=str)) or "nothing"
            raise DataError(
                f"{str(path)!r} should hold {_described(trial, seed, label)}; it holds {shown}. It "
                f"may be a copy of another trial or of another run. {WAY_OUT}"
            )

    def _file(self, number: int) -> Path:
        return self.path / f"{number:05d}.npz"


def _described(trial: int, seed: int, label: str | None) -> str:
    of_label = "" if label is None else f" of {label!r}"
    return f"trial {trial}{of_label} (seed {seed})"


@contextmanager
def readable(path: Path, way_out: str) -> Iterator[None]:
    """Turn whatever goes wrong with a file into an error that names it."""
    try:
        yield
    # Damaged archives raise nearly anything: BadZipFile, zlib.error, EOFError, KeyError, ...
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise DataError(f"{str(path)!r} cannot be read: {reason}. {way_out}") from error
