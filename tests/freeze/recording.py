"""Run cases, and store what each gives: arrays, plain values, warnings and errors."""

from __future__ import annotations

import json
import re
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np

from tests.freeze import names

Case = Callable[[Path], Any]

# What differs from run to run: addresses, durations, free memory and temporary folders.
CHANGING = [
    (re.compile(r"0x[0-9a-f]{6,}"), "<address>"),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|µs|s|seconds?)\b"), "<duration>"),
    (re.compile(r"\b\d+(\.\d+)? ?[KMGT]i?B( of \S+)? (is|are) free\b"), "<memory> free"),
]
# A set of texts, which scikit-learn prints in an order that differs from run to run.
SET = re.compile(r"\{('[^'{}]*'(?:, '[^'{}]*')*)\}")
# Columns of results that hold durations.
DURATIONS = ("seconds", "time")


class Outcome:
    """What one case gave.

    ``arrays`` holds arrays of numbers, ``values`` other results, and ``texts`` what is worded:
    notes, printed text, and the messages of warnings and of an error.
    """

    def __init__(self, folder: Path):
        self.folder = str(folder)
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        self.values: dict[str, Any] = {}
        self.texts: dict[str, str] = {}

    def add(self, name: str, thing: Any) -> None:
        """Add a result under a name; results that have parts are added part by part."""
        if _is_ranker(thing):
            self._add_estimator(name, thing)
        elif _is_ranking(thing):
            self._add_ranking(name, thing)
        elif _is_comparison(thing):
            self._add_comparison(name, thing)
        elif isinstance(thing, Text):
            self.texts[name] = self.plain(thing)
        elif hasattr(thing, "items"):
            for key, value in thing.items():
                if not any(word in str(key) for word in DURATIONS):
                    self.add(f"{name}/{names.key(key)}", value)
        elif hasattr(thing, "columns") and hasattr(thing, "to_numpy"):
            self.add(name, {column: thing[column].to_numpy() for column in thing.columns})
        elif isinstance(thing, np.ndarray | np.generic):
            self._add_array(name, np.asarray(thing))
        elif isinstance(thing, list | tuple):
            self.values[f"{name}/length"] = len(thing)
            for place, value in enumerate(thing):
                self.add(f"{name}/{place}", value)
        elif isinstance(thing, str):
            self.values[name] = self.plain(thing)
        elif thing is None or isinstance(thing, bool | int):
            self.values[name] = thing
        elif isinstance(thing, float):
            self.values[name] = float(thing).hex()
        else:
            self.values[name] = self.plain(repr(thing))

    def plain(self, text: str) -> str:
        """Return a text without what differs from run to run."""
        text = text.replace(self.folder, "<folder>")
        for pattern, replacement in CHANGING:
            text = pattern.sub(replacement, text)
        for old, new in names.REPRS.items():
            text = text.replace(old, new)
        return SET.sub(_sorted, text)

    def _add_array(self, name: str, array: np.ndarray[Any, Any]) -> None:
        if array.dtype.kind in "biufc":
            self.arrays[name] = array
        else:
            self.values[name] = [str(array.dtype.kind), list(array.shape), _texts(array)]

    def _add_estimator(self, name: str, estimator: Any) -> None:
        for attribute, value in names.fitted(estimator).items():
            self.add(f"{name}.{attribute}", value)
        for attribute in ("tuned_params", "score_components"):
            if names.has(estimator, attribute) and hasattr(estimator, "scores_"):
                self.add(f"{name}.{attribute}", names.value(estimator, attribute))
        if names.has(estimator, "notes") and hasattr(estimator, "scores_"):
            self.add(f"{name}.notes", [Text(note) for note in names.value(estimator, "notes")])

    def _add_ranking(self, name: str, ranking: Any) -> None:
        self.add(f"{name}.scores", ranking.scores)
        self.add(f"{name}.order", ranking.order)
        self.add(f"{name}.names", [str(one) for one in ranking.feature_names])
        self.add(f"{name}.tuned_params", names.value(ranking, "tuned_params"))
        self.add(f"{name}.notes", [Text(note) for note in names.value(ranking, "notes")])
        if ranking.ranker is not None:
            self._add_estimator(f"{name}.ranker", ranking.ranker)

    def _add_comparison(self, name: str, comparison: Any) -> None:
        self.add(f"{name}.methods", list(comparison.methods))
        self.add(f"{name}.scores", names.value(comparison, "frame"))
        self.add(f"{name}.rankings", names.value(comparison, "rankings"))
        self.add(f"{name}.reference", names.value(comparison, "reference_method"))
        for attribute in ("missing_parts", "pairwise_tests"):
            self.add(f"{name}.{attribute}", list(names.value(comparison, attribute)))


class Text(str):
    """A text that may be reworded: notes, messages, what a command prints."""


def outcome(function: Case) -> Outcome:
    """Run one case in a new folder."""
    with tempfile.TemporaryDirectory(prefix="freeze-") as made:
        folder = Path(made).resolve()
        found = Outcome(folder)
        with chdir(folder), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found.add("result", function(folder))
            except Exception as error:
                found.values["error"] = names.type_name(type(error))
                found.texts["error"] = found.plain(str(error))
        found.values["warnings"] = [names.type_name(one.category) for one in caught]
        for number, one in enumerate(caught):
            found.texts[f"warning {number}"] = found.plain(str(one.message))
    return found


def record(cases: dict[str, Case], folder: Path, say: Callable[[str], None]) -> None:
    """Run cases and write what they give to a folder."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    written: dict[str, Any] = {}
    seconds: dict[str, float] = {}
    for name, function in cases.items():
        start = time.perf_counter()
        found = outcome(function)
        seconds[name] = time.perf_counter() - start
        arrays |= {f"{name}|{part}": array for part, array in found.arrays.items()}
        written[name] = {
            "arrays": sorted(found.arrays),
            "values": found.values,
            "texts": found.texts,
        }
    folder.mkdir(parents=True, exist_ok=True)
    numbered = {str(number): array for number, array in enumerate(arrays.values())}
    np.savez_compressed(folder / "arrays.npz", **numbered)
    text = json.dumps({"arrays": list(arrays), "cases": written}, indent=1, ensure_ascii=False)
    (folder / "cases.json").write_text(text, encoding="utf-8")
    slowest = sorted(seconds, key=seconds.get, reverse=True)[:5]
    say(f"{len(cases)} cases in {sum(seconds.values()):.0f} seconds")
    say("Slowest: " + ", ".join(f"{name} ({seconds[name]:.1f} s)" for name in slowest))


def load(folder: Path) -> dict[str, dict[str, Any]]:
    """Return a recording: case → arrays, values and texts."""
    stored = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz", allow_pickle=False) as file:
        arrays = {name: file[str(number)] for number, name in enumerate(stored["arrays"])}
    return {
        name: {**case, "arrays": {part: arrays[f"{name}|{part}"] for part in case["arrays"]}}
        for name, case in stored["cases"].items()
    }


def recorded(functions: dict[str, Case]) -> dict[str, dict[str, Any]]:
    """Run cases and return what `load` would."""
    found = {name: outcome(function) for name, function in functions.items()}
    return {
        name: {"arrays": one.arrays, "values": one.values, "texts": one.texts}
        for name, one in found.items()
    }


def _sorted(found: re.Match[str]) -> str:
    return "{" + ", ".join(sorted(found[1].split(", "))) + "}"


def _texts(array: np.ndarray[Any, Any]) -> list[str]:
    return [str(one) for one in array.ravel().tolist()]


def _is_ranker(thing: Any) -> bool:
    return hasattr(thing, "get_params") and hasattr(thing, "fit")


def _is_ranking(thing: Any) -> bool:
    return hasattr(thing, "feature_names") and hasattr(thing, "order")


def _is_comparison(thing: Any) -> bool:
    return hasattr(thing, "manifest") and hasattr(thing, "methods")


def chosen(cases: dict[str, Case], patterns: Iterable[str]) -> dict[str, Case]:
    """Return the cases whose names match a pattern, or all if there is none."""
    from fnmatch import fnmatchcase

    patterns = list(patterns)
    return {
        name: case
        for name, case in cases.items()
        if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
    }
