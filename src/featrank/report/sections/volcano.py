"""Which features differ significantly? A volcano plot of all features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils.plain_text import shortened
from featrank.ranking import Ranking
from featrank.report.document import Column, Grid, Paragraph, Plot, Section
from featrank.report.significant import LEVEL, notes_on_test, significant_counts
from featrank.report.svg import Axes, Drawing, Scale, text_width
from featrank.sources.names import taken
from featrank.statistics.feature_tests import TESTS, Test, Values

Floats = NDArray[np.float64]

# Features in the table of numbers.
NAMED = 12
# Features with a name on each side of the plot, and features that are tried for it.
NAMED_PER_SIDE, TRIED = 8, 30
# Width of small letters, in units of the usual ones.
SMALL = 0.85
# Dots that are closer than this many pixels are drawn once.
RASTER = 2.0
# Dots with a tooltip. Others would make the report too large.
TITLED = 1000
# p-values of 0 are drawn at this factor times the smallest other one.
BELOW = 0.1
LETTERS = 22


def facts(ranking: Ranking, test: Test, values: Values) -> dict[str, Any]:
    """Return the test, the number of significant features and the best ones."""
    tested, row = ranking.tested(test, values), ranking.tested_class()
    compared = ranking.compared_classes()
    assert row is not None
    assert compared is not None
    best = np.argsort(np.nan_to_num(tested.p_value[row], nan=2.0), kind="stable")[:NAMED]
    columns = {
        "feature": taken(ranking.feature_names, best),
        "log2_fold_change": tested.log2_fold_change[row, best].tolist(),
        "mean_difference": tested.mean_difference[row, best].tolist(),
        "p_value": tested.p_value[row, best].tolist(),
        "p_adjusted": tested.p_adjusted[row, best].tolist(),
    }
    counts = significant_counts(ranking, test, values)
    return {
        "name": test,
        "class": compared[0],
        "compared_with": compared[1],
        "level": LEVEL,
        "features": len(ranking),
        "significant": counts[compared[0]],
        "value_scale": tested.scales.usual,
        "smallest_p": [
            dict(zip(columns, each, strict=True)) for each in zip(*columns.values(), strict=True)
        ],
    }


def section(facts: dict[str, Any], ranking: Ranking, test: Test, values: Values) -> Section:
    """Return the section of the report."""
    points = _Points.of(ranking, test, values)
    own, rest = facts["class"], facts["compared_with"]
    title = (
        f"Volcano plot: {points.label} of {own} against {rest}, and p of {TESTS[test]}. Coloured "
        f"features are significant at a false discovery rate of {100 * LEVEL:.0f} %"
    )
    drawing = _draw(points, f"{points.label} ({own} against {rest})")
    note = "The table contains the smallest p-values."
    notes = Paragraph(" ".join(notes_on_test(ranking, test, values, with_hint=False)))
    plot = Plot(drawing.svg(title), title, _numbers(facts), note)
    return Section("significant", "Which features differ significantly?", [notes, plot])


class _Points(NamedTuple):
    """The features that are drawn: smallest p-value first."""

    label: str
    changes: Floats
    heights: Floats
    adjusted: Floats
    names: Sequence[str]

    @classmethod
    def of(cls, ranking: Ranking, test: Test, values: Values) -> _Points:
        """Return the fold changes, or the differences of means if there are none."""
        tested, row = ranking.tested(test, values), ranking.tested_class()
        changes, label = tested.log2_fold_change[row], "log2 fold change"
        if np.isnan(changes).all():
            changes, label = tested.mean_difference[row], "difference of means"
        p = tested.p_value[row]
        places = np.flatnonzero(np.isfinite(changes) & ~np.isnan(p))
        places = places[np.argsort(p[places], kind="stable")]
        names = taken(ranking.feature_names, places[:TITLED])
        adjusted = tested.p_adjusted[row][places]
        return cls(label, changes[places], _heights(p[places]), adjusted, names)


def _draw(points: _Points, label: str) -> Drawing:
    axes = _axes(points.changes, points.heights)
    axes.frame(label, "−log10 p")
    axes.drawing.line(axes.x(0), axes.y.start, axes.x(0), axes.y.end, "mark")
    xs = np.array([axes.x(value) for value in points.changes.tolist()])
    ys = np.array([axes.y(value) for value in points.heights.tolist()])
    n_significant = int(np.count_nonzero(points.adjusted <= LEVEL))
    if 0 < n_significant < len(xs):
        limit = float(points.heights[n_significant - 1])
        axes.curve((axes.x.low, axes.x.high), (limit, limit), "chance")
    _draw_cloud(axes.drawing, xs[n_significant:], ys[n_significant:], "cloud")
    titled = min(n_significant, TITLED)
    for sign, klass in ((1, "warm"), (-1, "cool")):
        own = titled + np.flatnonzero(np.sign(points.changes[titled:n_significant]) == sign)
        _draw_cloud(axes.drawing, xs[own], ys[own], f"cloud {klass}")
    for place in range(titled)[::-1]:
        _draw_dot(axes.drawing, points, place, (float(xs[place]), float(ys[place])))
    _write_names(axes, xs[:titled], ys[:titled], points.names[:titled])
    return axes.drawing


def _draw_dot(drawing: Drawing, points: _Points, place: int, at: tuple[float, float]) -> None:
    change = points.changes[place]
    title = f"{points.names[place]}: {change:+.3g}, FDR {points.adjusted[place]:.2g}"
    drawing.titled(*at, 3, "dot warm" if change > 0 else "dot cool", title)


def _heights(p: Floats) -> Floats:
    """Return -log10 p, finite for p = 0."""
    positive = p[p > 0]
    lowest = positive.min() if len(positive) else 1.0
    return np.asarray(-np.log10(np.where(p > 0, p, BELOW * lowest))) + 0.0


def _axes(changes: Floats, heights: Floats) -> Axes:
    width = 1.08 * float(np.abs(changes).max(initial=0.0)) or 1.0
    height = 1.08 * float(heights.max(initial=0.0)) or 1.0
    drawing = Drawing(720, 420)
    return Axes(drawing, Scale(-width, width, 52, 700), Scale(0.0, height, 378, 26))


def _draw_cloud(drawing: Drawing, xs: Floats, ys: Floats, klass: str) -> None:
    """Draw many dots as one path, each pixel once."""
    cells = np.unique(np.column_stack([xs, ys]) // RASTER, axis=0) * RASTER
    if len(cells):
        steps = "".join(f"M{x:g} {y:g}h0" for x, y in cells.tolist())
        drawing.add("path", d=steps, klass=klass)


def _write_names(axes: Axes, xs: Floats, ys: Floats, names: Sequence[str]) -> None:
    """Write names next to the best dots of each side, where they cover no name and no dot."""
    middle, boxes = axes.x(0), [(x - 4, y, x + 4) for x, y in zip(xs, ys, strict=True)]
    for side in (-1, 1):
        own = [place for place in range(len(names)) if side * (xs[place] - middle) > 0]
        written = 0
        for place in own[:TRIED]:
            x, y, shown = float(xs[place]), float(ys[place]), shortened(names[place], LETTERS)
            width = SMALL * text_width(shown)
            left = x + 6 if x + 6 + width < axes.x.end else x - 6 - width
            if not any(abs(y - b) < 10 and left < d and a < left + width for a, b, d in boxes):
                boxes.append((left, y, left + width))
                axes.drawing.label(left, y + 4, shown, klass="tick small")
                written += 1
            if written == NAMED_PER_SIDE:
                break


def _numbers(facts: dict[str, Any]) -> Grid:
    forms = {
        "log2_fold_change": "+.2f",
        "mean_difference": "+.3g",
        "p_value": ".2g",
        "p_adjusted": ".2g",
    }
    heads = ("log2 FC", "difference", "p", "FDR")
    columns = [Column("feature"), *(Column(head, right=True) for head in heads)]
    rows = [
        [
            row["feature"],
            *(
                "" if row[key] != row[key] else format(row[key], form)
                for key, form in forms.items()
            ),
        ]
        for row in facts["smallest_p"]
    ]
    return Grid(columns, rows)
