"""Checkpoint files, from which interrupted runs resume: the merged state and the parts in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from featrank._utils import serialise
from featrank._utils.atomic_files import replacing
from featrank.exceptions import DataError, UsageError

KIND = "Checkpoint"
# Seconds between two writes, and how much longer than a write it is to the next.
PAUSE = 5.0
SHARE = 20


class Checkpoint:
    """What a run has merged so far, written now and then, whole or not at all.

    Parameters
    ----------
    path : path
        The file. If it exists, the run resumes from it.
    run : dict
        A description of the run. A file of another run is an error.
    """

    def __init__(self, path: str | os.PathLike[str], run: dict[str, Any]):
        self.path = Path(path)
        self._facts: dict[str, Any] = {"run": run, "kept": {}, "done": {}}
        self._blobs: dict[str, list[bytes]] = {}
        self._latest: dict[str, tuple[int, Callable[[], list[bytes]]]] = {}
        self._next = monotonic() + PAUSE
        if self.path.is_file():
            self._load(run)
        elif self.path.exists():
            raise UsageError(
                f"The checkpoint {str(self.path)!r} is not a regular file. Pass the path of a file."
            )
        elif not self.path.parent.is_dir():
            raise UsageError(
                f"The checkpoint {str(self.path)!r} cannot be written: its folder does not exist. "
                "Create it first."
            )

    def _load(self, run: dict[str, Any]) -> None:
        try:
            facts, arrays = serialise.unpack(self.path.read_bytes(), KIND)
            _require_facts(facts)
        except DataError as error:
            raise DataError(
                f"featrank cannot resume from the checkpoint {str(self.path)!r}: {error} Delete it "
                "to start again."
            ) from error
        except OSError as error:
            raise UsageError(
                f"The checkpoint {str(self.path)!r} cannot be read: {error.strerror}."
            ) from error
        differ = sorted(name for name in run if facts["run"].get(name) != run[name])
        if differ:
            raise UsageError(
                f"The checkpoint {str(self.path)!r} belongs to another run: "
                + "; ".join(f"{name} was {facts['run'].get(name)!r}" for name in differ)
                + ". Pass another file, or delete this one to start again."
            )
        self._facts = facts
        for name, array in arrays.items():
            key = name.rsplit("/", 1)[0]
            self._blobs.setdefault(key, []).append(array.tobytes())

    def kept(self, name: str, value: int) -> int:
        """Return a number that must be the same when the run resumes."""
        return int(self._facts["kept"].setdefault(name, value))

    def state(self, key: str) -> tuple[int, list[bytes]]:
        """Return of a pass how many parts are done, and the states."""
        return int(self._facts["done"].get(key, 0)), self._blobs.get(key, [])

    def save(self, key: str, done: int, state: Callable[[], list[bytes]]) -> None:
        """Record the progress of a pass and its state, which is serialised when it is time."""
        self._latest[key] = done, state
        if monotonic() < self._next:
            return
        for one, (number, make) in self._latest.items():
            self._facts["done"][one], self._blobs[one] = number, make()
        self._latest.clear()
        start = monotonic()
        self._write()
        now = monotonic()
        self._next = now + max(PAUSE, SHARE * (now - start))

    def forget(self, key: str) -> None:
        """Let go of a pass whose state is not needed any more."""
        for known in (self._latest, self._blobs, self._facts["done"]):
            known.pop(key, None)

    def _write(self) -> None:
        arrays = {
            f"{key}/{number}": np.frombuffer(blob, np.uint8)
            for key, blobs in self._blobs.items()
            for number, blob in enumerate(blobs)
        }
        try:
            with replacing(self.path) as temporary:
                temporary.write_bytes(serialise.pack(KIND, self._facts, arrays))
        except OSError as error:
            raise UsageError(
                f"The checkpoint {str(self.path)!r} cannot be written: {error.strerror or error}."
            ) from error

    def finish(self) -> None:
        """Remove the file: the run is complete."""
        self.path.resolve().unlink(missing_ok=True)


def _require_facts(facts: dict[str, Any]) -> None:
    for name in ("run", "kept", "done"):
        if not isinstance(facts.get(name), dict):
            raise DataError(f"Its entry {name!r} is missing or damaged.")
