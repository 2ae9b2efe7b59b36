"""The tables that readers are shown of a ranking."""

from __future__ import annotations

from math import isinf
from typing import Any

from featrank.report.document import Column, Grid

BAR = 20
# Classes that a title names.
NAMED = 5

Features = list[dict[str, Any]]


def ranking_grids(content: dict[str, Any], left: int) -> list[Grid]:
    """Return a table, or one for each class; ``left`` features of each are not in it."""
    of_classes: dict[Any, Features] = {}
    test = content.get("test", {}).get("name", "")
    for feature in content["features"]:
        of_classes.setdefault(feature.get("class"), []).append(feature)
    return [
        _grid(
            own,
            ranking_title(content) if label is None else _class_title(content, label),
            left,
            test,
        )
        for label, own in of_classes.items()
    ]


def ranking_title(content: dict[str, Any]) -> str:
    """Return what was ranked, and how."""
    samples = content["n_samples"]
    title = f"{content['n_features']:,} features"
    title += "" if samples is None else f" of {samples:,} samples"
    title += f" by {content['method']}"
    classes = content["classes"]
    if classes:
        named = [f"{entry['label']} {entry['samples']:,}" for entry in classes[:NAMED]]
        title += f"; classes: {', '.join(named)}"
        title += f" and {len(classes) - NAMED} more" if len(classes) > NAMED else ""
    if content.get("quantity"):
        title += "; target from {lowest:.4g} to {highest:.4g}".format(**content["quantity"])
    return title


def _class_title(content: dict[str, Any], label: Any) -> str:
    own = next(entry["samples"] for entry in content["classes"] if entry["label"] == label)
    return (
        f"{label}: {own:,} samples against {content['n_samples'] - own:,}, "
        f"{content['n_features']:,} features by {content['method']}"
    )


def _grid(features: Features, title: str, left: int, test: str) -> Grid:
    details, second = "most_like" in features[0], "second_name" in features[0]
    cells: dict[str, list[str]] = {
        "rank": [str(feature["rank"]) for feature in features],
        "feature": [feature["feature"] for feature in features],
        **({"second name": [feature["second_name"] for feature in features]} if second else {}),
        "score": [f"{feature['score']:.6g}" for feature in features],
        **_reasons(features, details, bool(test)),
        **(_tested(features, test) if test else {}),
    }
    columns = [_column(name) for name in cells]
    caption = f"{left:,} more: --top K shows K, --format csv all." if left else ""
    # One table, whose names take several lines where it is too wide; several with all columns.
    return Grid(
        columns,
        list(zip(*cells.values(), strict=True)),
        title,
        caption,
        keys=2 if details and test else len(columns),
        tight=details or bool(test),
    )


def _column(name: str) -> Column:
    number = name not in ("feature", "second name", "high in", "most like", "direction", "")
    whole = number or name in ("direction", "")
    return Column(name, right=number, whole=whole, colour="" if name else "cyan")


def _reasons(features: Features, details: bool, tested: bool) -> dict[str, list[str]]:
    """Return the columns beside the scores: bars, or what people ask for first of the details.

    Where a test follows, there is no room for bars.
    """
    first = features[0]
    found: dict[str, list[str]] = {}
    if "direction" in first:
        found["direction"] = [feature["direction"] for feature in features]
    if not details:
        bars = {} if tested else {"": _bars([feature["score"] for feature in features])}
        return {**found, **bars}
    if "high_in" in first:
        found["high in"] = [str(feature["high_in"]) for feature in features]
    if "auc" in first:
        found["AUC"] = [f"{feature['auc']:.3f}" for feature in features]
        found["effect"] = [f"{feature['effect']:.2f}" for feature in features]
    for head, name in (("r with target", "pearson"), ("ρ with target", "spearman")):
        if name in first:
            found[head] = [_number(feature[name], "+.3f") for feature in features]
    found["most like"] = [feature["most_like"] or "" for feature in features]
    found["r"] = [_number(feature["r"], ".2f") for feature in features]
    return found


def _tested(features: Features, test: str) -> dict[str, list[str]]:
    """Return the columns of a test, under headings that tell them from the ranking."""
    columns = {
        "log2 FC": ("log2_fold_change", "+.2f"),
        f"p ({test.capitalize()})": ("p_value", ".2g"),
        "p adj.": ("p_adjusted", ".2g"),
    }
    return {
        head: [_number(feature[name], form) for feature in features]
        for head, (name, form) in columns.items()
    }


def _number(value: float, form: str) -> str:
    return "" if value != value else format(value, form)


def _bars(scores: list[float]) -> list[str]:
    largest = max((score for score in scores if not isinf(score)), default=0.0)
    return [_bar(score, largest) for score in scores]


def _bar(score: float, largest: float) -> str:
    if score >= largest:
        return "█" * BAR
    share = score / largest if largest > 0 else 0.0
    return "█" * round(BAR * share)
