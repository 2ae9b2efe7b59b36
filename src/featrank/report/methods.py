"""The ranking methods, described by their classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from featrank.report.document import Block, Column, Grid, Paragraph, Report, make_columns

if TYPE_CHECKING:
    from featrank.base.ranker import Ranker

__all__ = ["methods_report"]

FACTS = (
    "name",
    "purpose",
    "kind",
    "family",
    "supervised",
    "multiclass",
    "tasks",
    "accepts_sparse",
    "accepts_nan",
    "handles_missing",
    "redundancy_aware",
    "stochastic",
    "speed",
    "complexity",
    "published_complexity",
    "reference",
)
SHAPES = ("wide", "tall")
# The tables, by the tasks of their methods.
TITLES = {
    ("classification", "regression"): "Classification and regression",
    ("classification",): "Classification",
    (): "Without a target (unsupervised)",
}
LEGEND = """\
missing: can rank without filling in missing values.
sparse: reads sparse data without making it dense.
diverse: a feature ranks lower if a better one has the same information.
"""


def methods_report(uses: Iterable[str] = (), *, long: bool = False) -> Report:
    """Return what each method does, what data it handles and how fast it is.

    Parameters
    ----------
    uses : iterable of str, default=()
        Only methods for data that is "wide", "tall", "sparse" or "unlabelled", or for a
        "regression" target. Several conditions are combined. Wide and tall are decided by
        measured seconds, fastest first, the others by what the classes declare.
    long : bool, default=False
        Whether readers also see the complexity and the reference. Rows and content contain all.

    Examples
    --------
    >>> {facts["name"]: facts["redundancy_aware"] for facts in methods_report().content}["mrmr"]
    True
    >>> "inf-fs" in [facts["name"] for facts in methods_report(["unlabelled"]).content]
    True
    """
    from featrank.base.registry import methods
    from featrank.base.suitability import suiting

    uses = list(uses)
    content = [_facts(cls) for cls in suiting(uses).values()]
    rows = [_row(entry) for entry in content]
    shown: list[Block] = [*_grids(content, uses), Paragraph(LEGEND + _timing())] if rows else []
    if long and rows:
        shown.append(_sources(content))
    columns = list(_row(_facts(next(iter(methods().values())))))  # the same for every method
    return Report(content, rows, shown, () if rows else _none_for(uses), columns)


def _facts(cls: type[Ranker]) -> dict[str, Any]:
    from featrank._utils.method_lists import SINGLE_PASS
    from featrank.base.ranker import settings_of
    from featrank.base.suitability import seconds_of, speed_of

    computed = {
        "tasks": list(cls.tasks) if cls.supervised else [],
        "handles_missing": cls.accepts_nan or cls.name in SINGLE_PASS,
        "speed": speed_of(cls.name),
    }
    return {
        **{fact: computed[fact] if fact in computed else getattr(cls, fact) for fact in FACTS},
        "seconds": seconds_of(cls.name),
        "params": settings_of(cls()),
    }


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    own = {fact: entry[fact] for fact in FACTS} | {"tasks": " ".join(entry["tasks"])}
    return own | {f"{shape}_seconds": value for shape, value in entry["seconds"].items()}


def _timing() -> str:
    from featrank.base.suitability import FAST, SOON, measured

    wide, tall = ("{:,} × {:,}".format(*measured()["shapes"][shape]) for shape in SHAPES)
    return (
        f"speed: fast (up to {FAST:g} s), medium (up to {SOON:g} s) or slow, on wide data\n"
        f"({wide}) and tall data ({tall}). Your times will differ.\n"
    )


def _none_for(uses: list[str]) -> list[str]:
    """Return which kinds of data exclude each other, and which to leave out."""
    from featrank.base.suitability import excluding, suiting

    sets = [" and ".join(few) for few in excluding(uses)]
    freed = [use for use in dict.fromkeys(uses) if suiting([one for one in uses if one != use])]
    fix = " or ".join(f"`for={use}`" for use in freed) or "two or more"
    return [
        f"No method suits all these kinds of data: none is for {', or for '.join(sets)}. Leave out "
        f"{fix}."
    ]


def _grids(content: list[dict[str, Any]], uses: list[str]) -> list[Grid]:
    """Return a table for each kind of target."""
    shapes = [use for use in dict.fromkeys(uses) if use in SHAPES]
    own = {tasks: [one for one in content if (*one["tasks"],) == tasks] for tasks in TITLES}
    return [_grid(own[tasks], title, shapes) for tasks, title in TITLES.items() if own[tasks]]


def _grid(content: list[dict[str, Any]], title: str, shapes: list[str]) -> Grid:
    traits = ("handles_missing", "accepts_sparse", "redundancy_aware")
    columns = [Column("method", whole=True), Column("ranks by")]
    columns += make_columns(("missing", "sparse", "diverse"), whole=True)
    columns += make_columns(
        () if shapes else ("speed",), [f"{one}, s" for one in shapes], whole=True
    )
    rows = [
        (
            entry["name"],
            entry["purpose"],
            *("yes" if entry[trait] else "" for trait in traits),
            *([f"{entry['seconds'][one]:.2g}" for one in shapes] or [entry["speed"]]),
        )
        for entry in content
    ]
    return Grid(columns, rows, title, keys=len(columns), tight=True, bold_title=True)


def _sources(content: list[dict[str, Any]]) -> Grid:
    columns = [Column("method", whole=True)]
    columns += make_columns(("complexity", "in the publication", "reference"))
    facts = ("name", "complexity", "published_complexity", "reference")
    rows = [[entry[fact] for fact in facts] for entry in content]
    title = "Complexity for T samples and n features, and references"
    return Grid(columns, rows, title, keys=len(columns), tight=True, bold_title=True)
