"""The result of the permutation test, in memory and in the results folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from featrank._utils import strict_json
from featrank.evaluation.folder.numbered_files import readable, writable

FILE = "signal.json"
FIX = "Delete it, and use `resume=True` to write it again."


@dataclass(frozen=True)
class SignalTest:
    """A permutation test of whether the features predict the target.

    Attributes
    ----------
    p_value : float or None
        The share of permutations that score as well, or None if the test was not run.
    score : float or None
        The mean score of the true labels over the splits and numbers of features.
    permutations, exceeding : int
        Permutations that were run, and those that scored at least as well.
    planned : int
        Permutations that would have been run without an early stop.
    method : str
        The method that ranks in the test, the fastest one of the comparison.
    splits : int
        The number of splits.
    kind : str
        What was permuted: "rows", "within groups" or "whole groups".
    reason : str
        Why the test was not run.
    """

    p_value: float | None = None
    score: float | None = None
    permutations: int = 0
    exceeding: int = 0
    planned: int = 0
    method: str = ""
    splits: int = 0
    kind: str = ""
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the test as JSON can hold it."""
        return asdict(self)

    def write(self, folder: Path) -> None:
        """Write the test to a results folder."""
        with writable(folder / FILE) as temporary:
            content = strict_json.dumps(self.as_dict()) + "\n"
            temporary.write_text(content, encoding="utf-8", newline="\n")


def read_signal_test(folder: Path) -> SignalTest | None:
    """Return the test in a results folder, or None if it is not finished."""
    file = folder / FILE
    if not file.exists():
        return None
    with readable(file, FIX):
        stored = json.loads(file.read_text(encoding="utf-8"))
        test = SignalTest(**stored)
        _require_sound(test)
    return test


def _require_sound(test: SignalTest) -> None:
    """Raise an error if the values are not those of a test."""
    counts = (test.permutations, test.exceeding, test.planned, test.splits)
    strings = (test.method, test.kind, test.reason)
    numbers = [value for value in (test.p_value, test.score) if value is not None]
    sound = all(isinstance(value, int) for value in counts)
    sound &= all(isinstance(value, str) for value in strings)
    sound &= all(isinstance(value, int | float) for value in numbers)
    if not sound or not (test.p_value is None or 0 <= test.p_value <= 1):
        raise ValueError("its values are not those of a permutation test")
