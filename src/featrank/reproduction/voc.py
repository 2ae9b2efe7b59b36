"""Average precisions on the classes of a multi-label set, beside those published for VOC 2007."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .methods import TOOLBOX
from .published import VOC_FEATURES, precisions

if TYPE_CHECKING:
    from featrank.evaluation import LabelComparison

KINDS = ("usual", "11-point")


@dataclass(frozen=True)
class Precision:
    """One figure of a table, in percent; the last class of a table is "mAP".

    ``paper`` and ``difference`` (ours less the paper's) are None where the paper has no such
    figure, ``ours`` where the method has none. The paper does not say which kind of average
    precision it prints, so its figures stand beside both.
    """

    k: int
    kind: str
    label: str
    method: str
    ours: float | None
    paper: float | None
    difference: float | None


def default_features(n_features: int) -> tuple[int, ...]:
    """Return the paper's numbers of features; of fewer features the same shares, 3 % and 6 %.

    Examples
    --------
    >>> default_features(4096), default_features(64)
    ((128, 256), (2, 4))
    """
    if n_features > VOC_FEATURES[-1]:
        return VOC_FEATURES
    return tuple(sorted({max(1, n_features // part) for part in (32, 16)}))


def side_by_side(comparison: LabelComparison, k: int, kind: str) -> list[Precision]:
    """Return a table class by class; published figures only where the classes are VOC's."""
    published = _published(comparison.classes, k)
    cells = []
    for row in comparison.table(k, kind):
        theirs = published.get(row["class"].lower(), {})
        for method in comparison.methods:
            paper = theirs.get("ec-fs" if method == TOOLBOX else method)
            ours = None if row[method] != row[method] else 100 * row[method]
            difference = None if ours is None or paper is None else ours - paper
            cells.append(Precision(k, kind, row["class"], method, ours, paper, difference))
    return cells


def as_rows(cells: list[Precision]) -> list[dict[str, Any]]:
    """Return the cells as dicts, for CSV and JSON."""
    return [
        {("class" if key == "label" else key): v for key, v in asdict(c).items()} for c in cells
    ]


def losses(comparison: LabelComparison) -> list[str]:
    """Return sentences on what has no score: a class for all methods, or a method on a class."""
    rows = [row for part in comparison.parts for row in part.rows if row["k"] == comparison.ks[0]]
    lost = [row for row in rows if row["status"] != "ok" and row["method"] in comparison.methods]
    whole = Counter((row["label"], row["reason"]) for row in lost if row["status"] == "no score")
    single = Counter(
        (row["method"], row["label"], row["reason"]) for row in lost if row["status"] != "no score"
    )
    trials = len(comparison.parts) // len(comparison.classes)
    return [
        *(
            f"{label}: no score in {count // len(comparison.methods)} of {trials} trials: {reason}"
            for (label, reason), count in whole.items()
        ),
        *(
            f"{label}: {method} failed in {count} of {trials} trials: {reason}"
            for (method, label, reason), count in single.items()
        ),
    ]


def _published(classes: tuple[str, ...], k: int) -> dict[str, dict[str, float]]:
    table = precisions(k)
    mean = table.pop("mean", {})
    if {name.lower() for name in classes} != set(table):
        return {}
    return {**table, "map": mean}
