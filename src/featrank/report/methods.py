"""The ranking methods, described by their classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from featrank.report.document import Grid, Report, make_columns

if TYPE_CHECKING:
    from featrank.base.ranker import Ranker

__all__ = ["methods_report"]

FACTS = (
    "name",
    "kind",
    "family",
    "supervised",
    "multiclass",
    "tasks",
    "accepts_sparse",
    "accepts_nan",
    "stochastic",
    "complexity",
    "published_complexity",
    "reference",
)
SHAPES = ("wide", "tall")
HEADS = ("Method", "Type", "Class", "Complexity", "Published", "Reference")


def methods_report(uses: Iterable[str] = ()) -> Report:
    """Return the type, the complexity and the reference of each method.

    Parameters
    ----------
    uses : iterable of str, default=()
        Only methods for data that is "wide", "tall", "sparse" or "unlabelled", or for a
        "regression" target. Several conditions hold together. Wide and tall are decided by
        measured seconds, fastest first, the others by what the classes declare.

    Examples
    --------
    >>> {facts["name"]: facts["family"] for facts in methods_report().content}["ec-fs"]
    'graph'
    >>> "inf-fs" in [facts["name"] for facts in methods_report(["unlabelled"]).content]
    True
    """
    from featrank.base.registry import methods
    from featrank.base.suitability import suiting

    uses = list(uses)
    content = [_facts(cls) for cls in suiting(uses).values()]
    rows = [_row(entry) for entry in content]
    shown = _grids(content) if not uses else [_grid(content, _title(uses), uses)]
    columns = list(_row(_facts(next(iter(methods().values())))))  # the same for every method
    return Report(content, rows, shown, _notes(uses) if rows else _none_for(uses), columns)


def _facts(cls: type[Ranker]) -> dict[str, Any]:
    from featrank.base.ranker import settings_of
    from featrank.base.suitability import seconds_of

    return {
        **{fact: getattr(cls, fact) for fact in FACTS},
        "tasks": list(cls.tasks) if cls.supervised else [],
        "seconds": seconds_of(cls.name),
        "params": settings_of(cls()),
    }


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    own = {fact: entry[fact] for fact in FACTS} | {"tasks": " ".join(entry["tasks"])}
    return own | {f"{shape}_seconds": value for shape, value in entry["seconds"].items()}


def _title(uses: list[str]) -> str:
    from featrank.base.suitability import measured

    sizes = {shape: "{:,} × {:,}".format(*measured()["shapes"][shape]) for shape in SHAPES}
    kinds = [f"{use} ({sizes[use]})" if use in SHAPES else use for use in uses]
    return f"Methods for data: {', '.join(kinds)}"


def _notes(uses: list[str]) -> list[str]:
    from featrank.base.suitability import SOON, measured

    if not set(uses) & set(SHAPES):
        return []
    facts = measured()
    return [
        f"Seconds were measured with the defaults and {facts['chosen']} features uses for "
        f"({facts['made by']}); methods that took longer than {SOON:g} s are not listed. "
        "Yours will differ: Ranker.cost tells."
    ]


def _none_for(uses: list[str]) -> list[str]:
    """Return which kinds of data exclude each other, and which to leave out."""
    from featrank.base.suitability import excluding, suiting

    sets = [" and ".join(few) for few in excluding(uses)]
    freed = [use for use in dict.fromkeys(uses) if suiting([one for one in uses if one != use])]
    way = " or ".join(f"--for {use}" for use in freed) or "several of them"
    return [
        "No method suits all of these kinds of data: there is none for "
        f"{', nor for '.join(sets)}. Leave out {way}."
    ]


def _grids(content: list[dict[str, Any]]) -> list[Grid]:
    """Return a table for each family of methods."""
    from featrank.base.ranker import FAMILIES

    own = {family: [one for one in content if one["family"] == family] for family in FAMILIES}
    return [_grid(own[family], title) for family, title in FAMILIES.items() if own[family]]


def _grid(content: list[dict[str, Any]], title: str, uses: Sequence[str] = ()) -> Grid:
    shapes = [use for use in uses if use in SHAPES]
    # Names stay whole; formulas and references may take several lines.
    columns = [*make_columns(HEADS[:3], whole=True), *make_columns(HEADS[3:])]
    columns += make_columns((), [f"{shape.capitalize()}, s" for shape in shapes], whole=True)
    rows = [
        (
            entry["name"],
            entry["kind"],
            "supervised" if entry["supervised"] else "unsupervised",
            entry["complexity"],
            entry["published_complexity"],
            entry["reference"],
            *(f"{entry['seconds'][shape]:.2g}" for shape in shapes),
        )
        for entry in content
    ]
    return Grid(columns, rows, title, keys=len(columns))
