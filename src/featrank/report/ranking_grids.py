"""The tables that readers are shown of a ranking."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from featrank.report.document import Column, Grid

BAR = 20
# Classes that a title names.
NAMED = 5

# The columns that readers see of those that a ranking may have: heading, and form of numbers.
COLUMNS = {
    "rank": ("rank", "d"),
    "feature": ("feature", ""),
    "second_name": ("second name", ""),
    "score": ("score", ".6g"),
    "criterion": ("criterion", ".6g"),
    "q_value": ("q", ".2g"),
    "claimed": ("claimed", ""),
    "decision": ("decision", ""),
    "direction": ("direction", ""),
    "high_in": ("high in", ""),
    "auc": ("AUC", ".3f"),
    "effect": ("effect", ".2f"),
    "pearson": ("r with target", "+.3f"),
    "spearman": ("ρ with target", "+.3f"),
    "most_correlated": ("most correlated", ""),
    "r": ("r", ".2f"),
    "log2_fold_change": ("log2 FC", "+.2f"),
    "mean_difference": ("difference", "+.3g"),
    "p_value": ("p", ".2g"),
    "p_adjusted": ("p adj.", ".2g"),
}

# Headings of columns without numbers. The last is that of the bars.
WORDS = {"feature", "second name", "claimed", "decision", "high in", "most correlated", "direction"}
WORDS |= {""}

# The names of the tests in the heading of their p-values.
TEST_NAMES = {"welch": "Welch", "moderated-t": "mod. t", "wilcoxon": "Wilcoxon"}

Features = list[dict[str, Any]]
# What the column "criterion" measures, and whether bars may show it; empty without this column.
Criterion = dict[str, Any]


def ranking_grids(content: dict[str, Any], left: int) -> list[Grid]:
    """Return a table, or one for each class. ``left`` features of each are not in it."""
    of_classes: dict[Any, Features] = {}
    test, criterion = content.get("test", {}).get("name", ""), content.get("criterion", {})
    for feature in content["features"]:
        of_classes.setdefault(feature.get("class"), []).append(feature)
    titles = {label: _class_title(content, label) for label in of_classes if label is not None}
    titles = titles or {None: ranking_title(content)}
    return [_grid(own, titles[label], left, test, criterion) for label, own in of_classes.items()]


def ranking_title(content: dict[str, Any]) -> str:
    """Return what was ranked, and how."""
    samples, classes = content["n_samples"], content["classes"]
    title = f"{content['n_features']:,} features"
    title += "" if samples is None else f" of {samples:,} samples"
    title += f" by {content['method']}"
    if classes:
        named = [f"{entry['label']} {entry['samples']:,}" for entry in classes[:NAMED]]
        title += f"; classes: {', '.join(named)}"
        title += f" and {len(classes) - NAMED} more" if len(classes) > NAMED else ""
    if content.get("target_range"):
        title += "; target from {min:.4g} to {max:.4g}".format(**content["target_range"])
    return title


def _class_title(content: dict[str, Any], label: Any) -> str:
    own = next(entry["samples"] for entry in content["classes"] if entry["label"] == label)
    return (
        f"{label}: {own:,} samples against {content['n_samples'] - own:,}, "
        f"{content['n_features']:,} features by {content['method']}"
    )


def _grid(features: Features, title: str, left: int, test: str, criterion: Criterion) -> Grid:
    details = "most_correlated" in features[0]
    cells: dict[str, list[str]] = {}
    for name, (head, form) in COLUMNS.items():
        if name in features[0] and name != _left_out(features):
            head = f"p ({TEST_NAMES[test]})" if name == "p_value" else head
            head = criterion["name"] if name == "criterion" else head
            cells[head] = [_cell(name, feature[name], form) for feature in features]
    if not details and not test:  # a table with a test has no room for bars
        column = "criterion" if criterion.get("comparable") else "score"
        cells |= {"": _bars([row[column] for row in features])} if column in features[0] else {}
    columns = [_column(head) for head in cells]
    rows = list(zip(*cells.values(), strict=True))
    caption = f"{left:,} more. Use `top=K`, or CSV for all." if left else ""
    # One table, whose names take several lines where it is too wide. Several with all columns.
    keys = 2 if details and test else len(columns)
    return Grid(columns, rows, title, caption, keys=keys, tight=details or bool(test))


def _left_out(features: Features) -> str:
    """Return the column that the table has no room for: fold changes and differences say the same.

    Differences are shown only without fold changes.
    """
    changes = [feature.get("log2_fold_change", np.nan) for feature in features]
    return "log2_fold_change" if np.isnan(changes).all() else "mean_difference"


def _column(head: str) -> Column:
    number = head not in WORDS
    whole = number or head in ("claimed", "decision", "direction", "")
    return Column(head, right=number, whole=whole, colour="" if head else "cyan")


def _cell(name: str, value: Any, form: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    blank = value is None or (value != value and name not in ("auc", "effect"))
    return "" if blank else format(value, form) if form else str(value)


def _bars(values: list[float]) -> list[str]:
    largest = max((value for value in values if isfinite(value)), default=0.0)
    shares = [
        value / largest if 0 < largest > value else float(value >= largest) for value in values
    ]
    return ["█" * round(BAR * share) for share in shares]
