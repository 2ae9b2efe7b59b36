"""The manifest of a run: data, protocol, methods and versions."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from featrank._utils import strict_json
from featrank._utils.warn import distinct_warnings
from featrank.evaluation.baseline import BASELINE
from featrank.evaluation.folder.manifest_schema import wrong_parts, wrong_start
from featrank.evaluation.method_entries import Entry
from featrank.evaluation.protocol import Protocol
from featrank.exceptions import DataError, FeatrankWarning, UsageError

MANIFEST = "manifest.json"

#: Increased whenever the meaning of a file in the folder changes.
LAYOUT_VERSION = 3

# What must be equal for the trials of two runs to belong together.
_IDENTITY = ("data", "protocol", "methods", "baseline")
_PACKAGES = ("featrank", "numpy", "scipy", "scikit-learn", "polars")


def make_manifest(
    data: dict[str, Any], methods: Sequence[Entry], protocol: Protocol, names_sha256: str
) -> dict[str, Any]:
    """Return the manifest of a run, for data as ``describe`` returns it."""
    return {
        "layout_version": LAYOUT_VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "versions": {"python": platform.python_version()}
        | {package: version(package) for package in _PACKAGES},
        "computer": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
        },
        "data": data | {"names_sha256": names_sha256},
        "protocol": protocol.describe(),
        "n_repeats": protocol.n_trials,
        "methods": [entry.describe() for entry in methods],
        "baseline": BASELINE,
        "warnings": [],
    }


def add_warnings(manifest: dict[str, Any], issued: Iterable[FeatrankWarning]) -> bool:
    """Add warnings to a manifest, each once; return whether there are new ones."""
    known = manifest.get("warnings", [])
    every = distinct_warnings([*map(FeatrankWarning.of, known), *issued])
    manifest["warnings"] = [warning.describe() for warning in every]
    return len(every) > len(known)


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a results folder."""
    file = path / MANIFEST
    if not file.exists():
        raise UsageError(f"{str(path)!r} is not a results folder: it has no manifest.json.")
    try:
        manifest: Any = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{str(file)!r} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise DataError(f"{str(file)!r} is not a manifest of results: {error}.") from error
    for wrong in wrong_start(manifest):
        raise DataError(f"{str(file)!r} is not a manifest of results: {wrong}.")
    if manifest["layout_version"] != LAYOUT_VERSION:
        versions = manifest.get("versions")
        writer = versions.get("featrank", "unknown") if isinstance(versions, dict) else "unknown"
        raise DataError(
            f"{str(path)!r} has results in format version {manifest['layout_version']}. This "
            f"featrank reads version {LAYOUT_VERSION}. Read them with the featrank that wrote "
            f"them: {writer}."
        )
    for wrong in wrong_parts(manifest):
        raise DataError(f"{str(file)!r} is not a manifest of results: {wrong}.")
    return dict(manifest)


def require_same(path: Path, manifest: dict[str, Any]) -> None:
    """Raise an error if a folder holds a run with other data, protocol or methods."""
    before, now = read_manifest(path), json.loads(strict_json.dumps(manifest))
    keys = [key for key in _IDENTITY if before[key] != now[key]]
    if keys:
        different = " and ".join(_with_names(key, before[key], now[key]) for key in keys)
        raise UsageError(
            f"{str(path)!r} contains a run with different {different}. Use the same settings, or "
            "another folder."
        )


def _with_names(key: str, before: Any, now: Any) -> str:
    """Return a key of the manifest with the names of its entries that are different."""
    if not isinstance(now, dict):
        return key
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    worded = ["feature names" if name == "names_sha256" else name for name in names]
    return f"{key} ({', '.join(worded)})"
