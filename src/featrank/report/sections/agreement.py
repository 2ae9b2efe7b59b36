"""Do methods agree? How many of their top features two methods share."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from featrank.plots.agreement import AgreementDisplay
from featrank.plots.rank_scatter import RankScatterDisplay
from featrank.report.document import Cell, Column, Grid, Paragraph, Plot, Section
from featrank.report.sections.drawing import draw_svg
from featrank.statistics import best_method, ranking_overlap

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

# Points of the scatter plot, those with the best rank by either method.
POINTS = 500


def facts(results: Comparison) -> dict[str, Any] | None:
    """Return overlaps of the top k features on all rows, and the ranks by two methods."""
    overlap = ranking_overlap(results)
    if len(overlap.methods) < 2:
        return None
    best = best_method(results)
    first = best if best in overlap.methods else overlap.methods[0]
    pair = [first, overlap.closest(first)]
    return {
        "k": overlap.k,
        "methods": overlap.methods,
        "overlaps": overlap.overlaps,
        "chance": overlap.chance,
        "pair": pair,
        "ranks": [list(point) for point in overlap.points(pair[0], pair[1], POINTS)],
        "features": overlap.n_features,
    }


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    k = facts["k"]
    title = f"Share of the top {k} features that two methods have in common, ranked on all rows"
    tiles = AgreementDisplay(facts["methods"], facts["overlaps"], k, facts["chance"]).describe()
    plot = Plot(draw_svg(tiles, title), title, _overlap_grid(facts))
    first, second = facts["pair"]
    note = ""
    if facts["features"] > len(facts["ranks"]):
        note = (
            f"Shown are the {len(facts['ranks'])} features with the best rank by either method. "
            "The table of features contains all."
        )
    scatter_title = f"Ranks by {first} and by {second} (1 is best, logarithmic scales)"
    svg = draw_svg(RankScatterDisplay(facts["ranks"], first, second).describe(), scatter_title)
    scatter = Plot(svg, scatter_title, _rank_grid(facts), note, facts["pair"])
    return Section("agree", "Do methods agree?", [_sentence(facts), plot, scatter])


def _sentence(facts: dict[str, Any]) -> Paragraph:
    methods, overlaps = facts["methods"], facts["overlaps"]
    pairs = list(combinations(range(len(methods)), 2))
    most = max(pairs, key=lambda pair: overlaps[pair[0]][pair[1]])
    least = min(pairs, key=lambda pair: overlaps[pair[0]][pair[1]])
    shares = (
        f"{methods[most[0]]} and {methods[most[1]]} share {_share(overlaps, most)} of their top "
        f"{facts['k']} features"
    )
    if least != most:
        shares += f", {methods[least[0]]} and {methods[least[1]]} {_share(overlaps, least)}"
    return Paragraph(f"{shares}. By chance, two methods share {100 * facts['chance']:.0f} %.")


def _share(overlaps: list[list[float]], pair: tuple[int, int]) -> str:
    return f"{100 * overlaps[pair[0]][pair[1]]:.0f} %"


def _overlap_grid(facts: dict[str, Any]) -> Grid:
    columns = [Column("method"), *(Column(name, right=True) for name in facts["methods"])]
    rows = [
        [name, *(Cell(f"{100 * share:.0f} %") for share in shares)]
        for name, shares in zip(facts["methods"], facts["overlaps"], strict=True)
    ]
    return Grid(columns, rows)


def _rank_grid(facts: dict[str, Any]) -> Grid:
    first, second = facts["pair"]
    columns = [Column("feature"), Column(first, right=True), Column(second, right=True)]
    shown = facts["ranks"][:50]
    left = len(facts["ranks"]) - len(shown)
    return Grid(
        columns,
        [[name, str(own), str(other)] for name, own, other in shown],
        caption=f"The plot shows {left} more." if left else "",
    )
