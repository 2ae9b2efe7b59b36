"""The ranking methods, as their classes describe themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .document import Column, Grid, Report

if TYPE_CHECKING:
    from featrank.base import Ranker

__all__ = ["methods_report"]

FACTS = (
    "name",
    "kind",
    "supervised",
    "multiclass",
    "accepts_sparse",
    "accepts_nan",
    "stochastic",
    "complexity",
    "published_complexity",
    "reference",
)
HEADS = ("Method", "Type", "Class", "Complexity", "Published", "Reference")


def methods_report() -> Report:
    """Return what each method is, what it costs for T samples and n features, and its source.

    Examples
    --------
    >>> [facts["name"] for facts in methods_report().content][:3]
    ['cmim', 'dominant-set', 'ec-fs']
    """
    from featrank.registry import methods

    content = [_facts(cls) for cls in methods().values()]
    rows = [{fact: entry[fact] for fact in FACTS} for entry in content]
    return Report(content, rows, [_grid(content)])


def _facts(cls: type[Ranker]) -> dict[str, Any]:
    from featrank.base import settings_of

    return {**{fact: getattr(cls, fact) for fact in FACTS}, "params": settings_of(cls())}


def _grid(content: list[dict[str, Any]]) -> Grid:
    # Names stay whole; formulas and references may take several lines.
    columns = [Column(head, whole=head in HEADS[:3]) for head in HEADS]
    rows = [
        (
            entry["name"],
            entry["kind"],
            "supervised" if entry["supervised"] else "unsupervised",
            entry["complexity"],
            entry["published_complexity"],
            entry["reference"],
        )
        for entry in content
    ]
    return Grid(columns, rows, keys=len(columns))
