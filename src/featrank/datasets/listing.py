"""A table of all data sets, and a description of each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from featrank.datasets.bundled import BUNDLED, load_bundled
from featrank.datasets.dataset import Dataset
from featrank.datasets.places import cache_folder, find
from featrank.datasets.registry import REGISTRY, Source


def table() -> list[dict[str, Any]]:
    """Return one dict per data set: those of the paper, then the built-in ones.

    ``at_hand`` is the location: "FEATRANK_DATA", "in the cache", "missing", "missing, no public
    address" or "built-in". ``found`` is the path of the file on this computer, not yet verified,
    or None. ``paper_samples`` and ``paper_features`` are the sizes in Table 1 of the paper, or
    None.
    """
    return [*map(_of_source, REGISTRY.values()), *map(_of_bundled, BUNDLED)]


def describe(data: str | Dataset) -> dict[str, Any]:
    """Return a description of a data set. A name is loaded as by `load`.

    Examples
    --------
    >>> describe("iris")["class_sizes"]
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """
    if isinstance(data, str):
        from featrank.datasets import load

        data = load(data)
    source = REGISTRY.get(data.name)
    path = None if source is None else find(data.name)
    sizes = Counter(data.y.tolist())
    return {
        **_sizes(data),
        "class_sizes": {str(label): count for label, count in sizes.items()},
        "description": data.description,
        "file": None if path is None else str(path),
        "citation": None if source is None else source.citation,
        "licence": None if source is None else source.licence,
    }


def _of_source(source: Source) -> dict[str, Any]:
    path = find(source.name)
    paper = source.paper_shape or (None, None)
    return {
        "name": source.name,
        "samples": source.shape[0],
        "classes": len(source.classes),
        "features": source.shape[1],
        "paper_samples": paper[0],
        "paper_features": paper[1],
        "found": None if path is None else str(path),
        "address": source.address,
        "at_hand": _place(path, source.address),
    }


def _of_bundled(name: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("paper_samples", "paper_features", "found", "address"))
    return {**_sizes(load_bundled(name)), **nothing, "at_hand": "built-in"}


def _sizes(data: Dataset) -> dict[str, Any]:
    samples, features = data.X.shape
    classes = len(set(data.y.tolist()))
    return {"name": data.name, "samples": samples, "classes": classes, "features": features}


def _place(path: Path | None, address: str | None) -> str:
    if path is None:
        return "missing" if address else "missing, no public address"
    return "in the cache" if path.parent == cache_folder() else "FEATRANK_DATA"
