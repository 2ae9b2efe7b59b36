"""A ranking as people read it: tables that fit 80 columns."""

from math import isinf
from typing import TYPE_CHECKING, Any

from featrank.report.plain_text import one_line

from .ranking import class_sizes

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from featrank.ranking import ClassRankings, Ranking
    from featrank.tables import Table

# More rows than this scroll away; --top shows them, and a file holds them.
SHOWN = 50
SHOWN_PER_CLASS = 10
BAR = 20


def tables_of(
    table: "Table", result: "Ranking | ClassRankings", top: int | None, details: bool
) -> "list[RichTable]":
    """Return a table of the ranking, or one for each class."""
    from featrank.ranking import ClassRankings

    if not isinstance(result, ClassRankings):
        return [_table(result, _title(table, result), top, SHOWN, details)]
    return [
        _table(ranking, _class_title(table, label, ranking), top, SHOWN_PER_CLASS, details)
        for label, ranking in result.items()
    ]


def _table(
    ranking: "Ranking", title: str, top: int | None, shown: int, details: bool
) -> "RichTable":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    count = min(top or shown, len(ranking))
    columns = ranking.columns(count, details=details)
    left = len(ranking) - count if top is None else 0
    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0) if details else (0, 1),
        title=Text(one_line(title)),
        title_justify="left",
        caption=Text(f"{left:,} more: --top K shows K, --format csv all.") if left else None,
        caption_justify="left",
    )
    cells = {
        "rank": [str(rank) for rank in columns["rank"]],
        "feature": [Text(one_line(name)) for name in columns["feature"]],
        "score": [f"{score:.6g}" for score in columns["score"]],
        **_reasons(columns, details),
    }
    for name in cells:
        number = name not in ("feature", "high in", "most like", "direction", "")
        table.add_column(
            name,
            justify="right" if number else "left",
            overflow="fold",
            no_wrap=number or name in ("direction", ""),
            style="cyan" if name == "" else None,
        )
    for row in zip(*cells.values(), strict=True):
        table.add_row(*row)
    return table


def _reasons(columns: dict[str, Any], details: bool) -> dict[str, Any]:
    """Return the columns beside the scores: bars, or what people ask for first of the details."""
    from rich.text import Text

    direction = {"direction": columns["direction"]} if "direction" in columns else {}
    if not details:
        return {**direction, "": _bars(columns["score"])}
    found: dict[str, Any] = dict(direction)
    if "high_in" in columns:
        found["high in"] = [Text(one_line(str(label))) for label in columns["high_in"]]
    if "auc" in columns:
        found["AUC"] = [f"{value:.3f}" for value in columns["auc"]]
        found["effect"] = [f"{value:.2f}" for value in columns["effect"]]
    found["most like"] = [Text(one_line(name or "")) for name in columns["most_like"]]
    found["r"] = ["" if value != value else f"{value:.2f}" for value in columns["r"]]
    return found


def _title(table: "Table", ranking: "Ranking") -> str:
    title = f"{len(ranking):,} features of {table.X.shape[0]:,} samples by {ranking.method}"
    classes = class_sizes(ranking)
    if classes:
        shown = [f"{entry['label']} {entry['samples']:,}" for entry in classes[:5]]
        title += f"; classes: {', '.join(shown)}"
        title += f" and {len(classes) - 5} more" if len(classes) > 5 else ""
    return title


def _class_title(table: "Table", label: Any, ranking: "Ranking") -> str:
    sizes = {entry["label"]: entry["samples"] for entry in class_sizes(ranking)}
    own = sizes[label]
    return (
        f"{label}: {own:,} samples against {table.X.shape[0] - own:,}, "
        f"{len(ranking):,} features by {ranking.method}"
    )


def _bars(scores: list[float]) -> list[str]:
    largest = max((score for score in scores if not isinf(score)), default=0.0)
    return [_bar(score, largest) for score in scores]


def _bar(score: float, largest: float) -> str:
    if score >= largest:
        return "█" * BAR
    share = score / largest if largest > 0 else 0.0
    return "█" * round(BAR * share)
