"""The shape of a manifest: what must be there, and of which kind, for a folder to be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from featrank.base.ranker import TASKS

_KINDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
_PARTS: dict[str, type] = {
    "data": dict,
    "protocol": dict,
    "methods": list,
    "trials": int,
    "versions": dict,
    "created": str,
    "command": list,
}
_INNER: dict[str, dict[str, type]] = {
    "data": {"name": str, "samples": int, "features": int, "sha256": str},
    "protocol": {
        "ks": list,
        "seed": int,
        "test_share": float,
        "scorer": str,
        "classifier": str,
        "folds": int,
        "impute": str,
        "splitter": str,
        "leaky": bool,
    },
    "versions": {"python": str, "featrank": str},
}
_ENTRY: dict[str, type] = {"name": str, "method": str, "params": dict, "candidates": list}
# What some runs have and others not.
_FURTHER: dict[str, dict[str, type]] = {
    "": {"baseline": str, "test_share": float, "machine": dict},
    "data": {"names_sha256": str, "classes": int},
    "protocol": {"transform": str, "max_missing": float, "task": str},
}
_LISTS: dict[str, dict[str, type]] = {
    "": {"methods": dict, "command": str},
    "data": {"class_names": str, "class_labels": str, "feature_names": str},
    "protocol": {"ks": int, "C": float, "penalties": float},
}
_LEAST = {"trials": 1, "data.samples": 1, "data.features": 1, "data.classes": 1, "protocol.seed": 0}


def wrong_start(manifest: Any) -> Iterator[str]:
    """Give what keeps the version from being read."""
    if not isinstance(manifest, dict):
        yield f"it should be an object and is {_shown(manifest)}"
    else:
        yield from _mistyped(manifest, {"layout_version": int}, "")


def wrong_parts(manifest: dict[str, Any]) -> Iterator[str]:
    """Give what is not as it should be, in the order in which it is needed."""
    yield from _mistyped(manifest, _PARTS, "")
    for part, shape in _INNER.items():
        yield from _mistyped(manifest[part], shape, f"{part}.")
    yield from _wrong_task(manifest["protocol"])
    for part in _LISTS:
        inner, where = (manifest[part], f"{part}.") if part else (manifest, "")
        there = {key: kind for key, kind in _FURTHER[part].items() if key in inner}
        yield from _mistyped(inner, there, where)
        yield from _wrong_lists(inner, _LISTS[part], where)
    for place, entry in enumerate(manifest["methods"]):
        yield from _mistyped(entry, _ENTRY, f"methods[{place}].")
        yield from _wrong_lists(entry, {"candidates": dict}, f"methods[{place}].")
    yield from _wrong_numbers(manifest)
    yield from _wrong_names(manifest)


def _wrong_task(protocol: dict[str, Any]) -> Iterator[str]:
    """Give what is wrong with the kind of target, and with what was tuned for it."""
    task = protocol.get("task", TASKS[0])
    if task not in TASKS:
        yield f"'protocol.task' should be one of {', '.join(TASKS)} and is {_shown(task)}"
    if "C" not in protocol and (task == TASKS[0] or "penalties" not in protocol):
        yield "'protocol.C' is missing, which should be a list"


def _mistyped(part: dict[str, Any], shape: dict[str, type], where: str) -> Iterator[str]:
    for key, kind in shape.items():
        if key not in part:
            yield f"'{where}{key}' is missing, which should be {_KINDS[kind]}"
        elif not _is(part[key], kind):
            yield f"'{where}{key}' should be {_KINDS[kind]} and is {_shown(part[key])}"


def _wrong_lists(part: dict[str, Any], shape: dict[str, type], where: str) -> Iterator[str]:
    for key, kind in shape.items():
        if key not in part:
            continue
        values = part[key]
        if not isinstance(values, list) or not values or not all(_is(v, kind) for v in values):
            yield f"'{where}{key}' should be a list, each {_KINDS[kind]}, and is {_shown(values)}"


def _wrong_numbers(manifest: dict[str, Any]) -> Iterator[str]:
    """Give numbers that no run has."""
    for place, least in _LEAST.items():
        part, _, key = place.rpartition(".")
        inner = manifest[part] if part else manifest
        value = inner.get(key)
        if value is not None and value < least:
            yield f"'{place}' should be {least} or more and is {_shown(value)}"
    most, ks = manifest["data"]["features"], manifest["protocol"]["ks"]
    if ks[0] < 1 or ks[-1] > most or sorted(set(ks)) != ks:
        yield f"'protocol.ks' should ascend from 1 to {most} at most and is {_shown(ks)}"
    for where, inner in (("", manifest), ("protocol.", manifest["protocol"])):
        share = inner.get("test_share")
        if share is not None and not 0 < share < 1:
            yield f"'{where}test_share' should lie between 0 and 1 and is {_shown(share)}"


def _wrong_names(manifest: dict[str, Any]) -> Iterator[str]:
    """Give names that stand for two things, and labels of another number of classes."""
    data = manifest["data"]
    names = {
        "methods": [entry["name"] for entry in manifest["methods"]],
        "data.class_names": data.get("class_names") or [],
    }
    for where, found in names.items():
        for name in found:
            if found.count(name) > 1:
                yield f"'{where}' has {_shown(name)} twice"
    labels, classes = data.get("class_labels"), data.get("classes")
    quantity = manifest["protocol"].get("task") == "regression"
    if classes is None and "class_names" not in data and not quantity:
        yield "'data.classes' is missing, which should be a whole number"
    if labels is not None and len(labels) != classes:
        yield f"'data.class_labels' should name {classes} classes and is {_shown(labels)}"


def _is(value: Any, kind: type) -> bool:
    allowed = (int, float) if kind is float else kind
    return isinstance(value, allowed) and (kind is bool or not isinstance(value, bool))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
