"""Validation of manifests: which entries a results folder needs, and their types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from featrank.base.ranker import TASKS
from featrank.evaluation.protocol import SCALE
from featrank.exceptions import SEVERITIES
from featrank.solvers.preprocessing import IMPUTE

_ABSENT = object()
_KINDS = {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}
_KINDS |= {list: "a list", dict: "an object"}
# What every manifest must hold, in the order of the checks; a dot leads into an object.
_REQUIRED: dict[str, type] = {
    **dict.fromkeys(("data", "protocol", "versions", "computer"), dict),
    **dict.fromkeys(("methods", "command", "protocol.n_features"), list),
    **dict.fromkeys(("created", "baseline", "versions.python", "versions.featrank"), str),
    **dict.fromkeys(("data.name", "data.sha256", "data.names_sha256"), str),
    **dict.fromkeys(("n_repeats", "data.samples", "data.features"), int),
    **dict.fromkeys(("protocol.scoring", "protocol.estimator", "protocol.cv"), str),
    "protocol.imputer": str,
    "protocol.random_state": int,
    "protocol.inner_cv": int,
    "protocol.test_size": float,
    "protocol.leaky": bool,
}
_OPTIONAL: dict[str, type] = {"test_size": float, "data.classes": int, "protocol.task": str}
_OPTIONAL |= {"protocol.transform": str, "protocol.max_missing": float}
_OPTIONAL |= {"protocol.scale": str, "protocol.n_random": int}
# Lists and the type of their items; checked where a manifest has them.
_LISTS: dict[str, type] = {"methods": dict, "command": str, "protocol.n_features": int}
_LISTS |= {"protocol.C": float, "protocol.penalties": float}
_LISTS |= {"data.class_names": str, "data.class_labels": str}
_METHOD: dict[str, type] = {"name": str, "method": str, "params": dict, "candidates": list}
_LEAST = dict.fromkeys(("n_repeats", "data.samples", "data.features", "data.classes"), 1)
_LEAST |= {"protocol.random_state": 0}


def wrong_start(manifest: Any) -> Iterator[str]:
    """Yield what prevents the version from being read."""
    if not isinstance(manifest, dict):
        yield f"it should be an object and is {_shown(manifest)}"
    else:
        yield from _mistyped(manifest, {"layout_version": int})


def wrong_parts(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield what is missing or wrong, in the order in which readers need it."""
    yield from _mistyped(manifest, _REQUIRED)
    yield from _wrong_task(manifest["protocol"])
    yield from _wrong_choices(manifest["protocol"])
    yield from _mistyped(manifest, _OPTIONAL, required=False)
    yield from _wrong_lists(manifest, _LISTS)
    for place, entry in enumerate(manifest["methods"]):
        yield from _mistyped(entry, _METHOD, f"methods[{place}].")
        yield from _wrong_lists(entry, {"candidates": dict}, f"methods[{place}].")
    yield from _wrong_warnings(manifest.get("warnings", []))
    yield from _wrong_numbers(manifest)
    yield from _wrong_names(manifest)


def _wrong_task(protocol: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the task and its tuning grid."""
    task = protocol.get("task", TASKS[0])
    if task not in TASKS:
        yield f"'protocol.task' should be one of {', '.join(TASKS)} and is {_shown(task)}"
    if "C" not in protocol and (task == TASKS[0] or "penalties" not in protocol):
        yield "'protocol.C' is missing, which should be a list"


def _wrong_choices(protocol: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the preprocessing."""
    for name, known in (("imputer", IMPUTE), ("scale", SCALE)):
        value = protocol.get(name)
        if value is not None and value not in known:
            listed = ", ".join(map(repr, known))
            yield f"'protocol.{name}' should be one of {listed} and is {_shown(value)}"


def _mistyped(
    part: dict[str, Any], shape: dict[str, type], where: str = "", *, required: bool = True
) -> Iterator[str]:
    for place, kind in shape.items():
        value = _value(part, place)
        if value is not _ABSENT and not _is(value, kind):
            yield f"'{where}{place}' should be {_KINDS[kind]} and is {_shown(value)}"
        elif value is _ABSENT and required:
            yield f"'{where}{place}' is missing, which should be {_KINDS[kind]}"


def _value(part: dict[str, Any], place: str, default: Any = _ABSENT) -> Any:
    """Return the value at a place such as ``data.name``, or the default."""
    *parents, key = place.split(".")
    for parent in parents:
        part = part[parent]
    return part.get(key, default)


def _wrong_lists(part: dict[str, Any], shape: dict[str, type], where: str = "") -> Iterator[str]:
    for place, kind in shape.items():
        values = _value(part, place, [kind()])
        if not isinstance(values, list) or not values or not all(_is(v, kind) for v in values):
            yield f"'{where}{place}' should be a list, each {_KINDS[kind]}, and is {_shown(values)}"


def _wrong_numbers(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield numbers that are out of range."""
    for place, least in _LEAST.items():
        value = _value(manifest, place, least)
        if value < least:
            yield f"'{place}' should be {least} or more and is {_shown(value)}"
    most, counts = manifest["data"]["features"], manifest["protocol"]["n_features"]
    if counts[0] < 1 or counts[-1] > most or sorted(set(counts)) != counts:
        yield (
            f"'protocol.n_features' should ascend from 1 to {most} at most and is {_shown(counts)}"
        )
    for place in ("test_size", "protocol.test_size"):
        share = _value(manifest, place, 0.5)
        if not 0 < share < 1:
            yield f"'{place}' should lie between 0 and 1 and is {_shown(share)}"


def _wrong_names(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield ambiguous names, and class labels that do not match the number of classes."""
    data = manifest["data"]
    methods = [entry["name"] for entry in manifest["methods"]]
    for where, names in (("methods", methods), ("data.class_names", data.get("class_names", []))):
        for name in names:
            if names.count(name) > 1:
                yield f"'{where}' has {_shown(name)} twice"
    labels, classes = data.get("class_labels"), data.get("classes")
    is_regression = manifest["protocol"].get("task") == "regression"
    if classes is None and "class_names" not in data and not is_regression:
        yield "'data.classes' is missing, which should be a whole number"
    if labels is not None and len(labels) != classes:
        yield f"'data.class_labels' should name {classes} classes and is {_shown(labels)}"


def _wrong_warnings(warnings: Any) -> Iterator[str]:
    """Yield what is wrong with the warnings of a run. There may be none."""
    if not isinstance(warnings, list) or not all(isinstance(one, dict) for one in warnings):
        yield f"'warnings' should be a list of objects and is {_shown(warnings)}"
        return
    for place, one in enumerate(warnings):
        yield from _mistyped(one, {"message": str, "severity": str}, f"warnings[{place}].")
        yield from _mistyped(one, {"limitation": str}, f"warnings[{place}].", required=False)
        if one.get("severity") not in SEVERITIES:
            yield f"'warnings[{place}].severity' should be one of {', '.join(SEVERITIES)}"


def _is(value: Any, kind: type) -> bool:
    allowed = (int, float) if kind is float else kind
    return isinstance(value, allowed) and (kind is bool or not isinstance(value, bool))


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
