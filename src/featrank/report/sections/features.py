"""Which features? A table of all methods, to search, sort, filter, select and export."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from featrank.exceptions import DataError
from featrank.report.document import Column, Explorer, Grid, Paragraph, Section
from featrank.report.effects import effects_by_feature
from featrank.report.packing import counts, pack
from featrank.report.phrases import number_or_dash
from featrank.report.select_commands import select_command
from featrank.statistics import recommended_number

#: Number of features in the table by default.
MAX_FEATURES = 10_000
#: Rows for browsers without JavaScript.
PLAIN_ROWS = 50
#: Heading of the effect for regression.
CORRELATION = "ρ with target"
_QUESTION = "Which features?"
_DOTS = 5
_UNKNOWN = "–"


def facts(
    results: Any, max_features: int = MAX_FEATURES, method: str | None = None
) -> dict[str, Any]:
    """Return details of the features as plain values.

    Parameters
    ----------
    results : Comparison
        Returned by ``compare`` or ``read_comparison``.
    max_features : int, default=10000
        Number of features, those with the best ranks by any method.
    method : str or None, default=None
        The method that readers see first; None is the first one.

    Returns
    -------
    dict
        Lists with one entry per feature (``features``, ``direction``, ``effect``), dicts of such
        lists by method (``ranks``, ``values``) and by method and k (``chosen``). Unknown values
        are None. The values of a method are its scores, or its criterion if its scores only
        encode an order, as ``value_names`` says. For regression (``regression``) the effect is
        Spearman's ρ with the target, without a direction. If there are no details at all,
        ``lack`` says why.
    """
    try:
        table = results.features()
    except DataError as error:
        return {"lack": str(error)}
    ks = [int(k) for k in results.n_features]
    tables = {name: _own_table(table, name) for name in results.methods}
    order = _best_first([own["rank"] for own in tables.values()])
    shown = {name: own[order[:max_features]] for name, own in tables.items()}
    names = next(iter(shown.values()))["feature"].to_list()
    value_names = {name: _value_name(own) for name, own in tables.items()}
    return {
        "methods": list(shown),
        "method": method or next(iter(shown)),
        "n_features": ks,
        "k": recommended_number(results, method or next(iter(shown))),
        "total": len(order),
        "trials": {name: own["trials"][0] for name, own in shown.items()},
        "commands": _commands(results),
        "features": names,
        "ranks": {name: own["rank"].to_list() for name, own in shown.items()},
        "value_names": value_names,
        "values": {name: own[value_names[name]].to_list() for name, own in shown.items()},
        "chosen": {
            name: {str(k): own[f"chosen_{k}"].to_list() for k in ks} for name, own in shown.items()
        },
        **_effects(results, names),
    }


def _value_name(own: Any) -> str:
    return "score" if own["criterion"].is_null().all() else "criterion"


def _own_table(table: Any, method: str) -> Any:
    import polars as pl

    return table.filter(pl.col("method") == method).sort("column")


def _best_first(ranks: Sequence[Any]) -> list[int]:
    """Return the features ordered by best rank, then by mean rank; unranked ones come last."""
    table = np.array([rank.cast(float).fill_null(math.inf).to_numpy() for rank in ranks])
    return [int(j) for j in np.lexsort((table.mean(axis=0), table.min(axis=0)))]


def _commands(results: Any) -> dict[str, list[str] | None]:
    entries = {entry["name"]: entry for entry in results.manifest["methods"]}
    return {name: select_command(entries[name]) for name in results.methods}


def _effects(results: Any, names: Sequence[str]) -> dict[str, Any]:
    if getattr(results, "is_regression", False):
        return _correlations(results, names)
    try:
        known: dict[str, Any] = effects_by_feature(results.values_by_class())
    except DataError:
        known = {}
    pairs = [known.get(name, (None, None)) for name in names]
    return {"direction": [pair[0] for pair in pairs], "effect": [pair[1] for pair in pairs]}


def _correlations(results: Any, names: Sequence[str]) -> dict[str, Any]:
    try:
        table = results.values_with_target()
    except DataError:
        return {"regression": True, "direction": [None] * len(names), "effect": [None] * len(names)}
    known = dict(zip(table["feature"], table["spearman"], strict=True))
    effect = [known.get(name) for name in names]
    return {"regression": True, "direction": [None] * len(names), "effect": effect}


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    if "lack" in facts:
        return Section("features", _QUESTION, [Paragraph(facts["lack"])])
    explorer = Explorer(_grid(facts), _packed(facts), _note(facts))
    return Section("features", _QUESTION, [Paragraph(_intro(facts)), explorer])


def _intro(facts: dict[str, Any]) -> str:
    intro = (
        "Ranks and scores come from all rows, and rank 1 is best. Dots show the share of trials "
        "with the feature in the method's top k."
    )
    if "criterion" in facts["value_names"].values():
        intro += (
            " Some methods have a criterion instead of a score: its value when the feature was "
            "selected, which does not determine the order."
        )
    if any(facts["direction"]):
        intro += (
            " “Higher in” is the class with the highest mean, and the effect is Cohen's d of that "
            "class against all other classes. Both are computed for the top features only."
        )
    elif facts.get("regression"):
        intro += (
            f" “{CORRELATION}” is Spearman's rank correlation of the feature with the target, "
            "computed for the top features only."
        )
    return intro


def _note(facts: dict[str, Any]) -> str:
    shown, total = len(facts["features"]), facts["total"]
    if shown >= total:
        return ""
    return (
        f"The table has {shown:,} of {total:,} features, those with the best ranks by any method."
    )


def _packed(facts: dict[str, Any]) -> bytes:
    columns: dict[str, Any] = {"feature": facts["features"]}
    for number, name in enumerate(facts["methods"]):
        ranks = [0 if rank is None else rank for rank in facts["ranks"][name]]
        columns[f"rank {number}"] = counts(ranks)
        columns[f"value {number}"] = _floats(facts["values"][name])
        for k in facts["n_features"]:
            columns[f"chosen {number} {k}"] = counts(facts["chosen"][name][str(k)])
    classes = sorted({name for name in facts["direction"] if name is not None})
    places = {None: 0} | {name: place for place, name in enumerate(classes, 1)}
    columns["direction"] = counts([places[name] for name in facts["direction"]])
    columns["effect"] = _floats(facts["effect"])
    known = ("methods", "method", "value_names", "n_features", "k", "trials", "commands")
    about = {key: facts[key] for key in known}
    heading = {"effect": CORRELATION} if facts.get("regression") else {}
    return pack(columns, about | {"classes": classes} | heading)


def _floats(values: Sequence[float | None]) -> Any:
    with np.errstate(over="ignore"):  # numbers beyond float32 are shown as infinite
        return np.array(values, dtype=np.float64).astype(np.float32)


def _grid(facts: dict[str, Any]) -> Grid:
    """Return the best features of one method."""
    method, k = facts["method"], facts["k"]
    ranks = facts["ranks"][method]
    rows = sorted(range(len(ranks)), key=lambda row: ranks[row] or math.inf)[:PLAIN_ROWS]
    columns = [
        Column("feature", whole=True),
        *(Column(f"rank\n{name}", right=True) for name in facts["methods"]),
        Column(f"{facts['value_names'][method]}\n{method}", right=True),
        Column(f"in top {k}\n{method}", whole=True),
        *([] if facts.get("regression") else [Column("higher in")]),
        Column(CORRELATION if facts.get("regression") else "effect", right=True),
    ]
    title = f"The top {len(rows)} features of {method}"
    return Grid(columns, [_row(facts, row, k) for row in rows], title=title)


def _row(facts: dict[str, Any], row: int, k: int) -> list[str]:
    method = facts["method"]
    ranks = (facts["ranks"][name][row] for name in facts["methods"])
    return [
        facts["features"][row],
        *(_UNKNOWN if rank is None else str(rank) for rank in ranks),
        number_or_dash(facts["values"][method][row], "#.4g"),
        _share(facts["chosen"][method][str(k)][row], facts["trials"][method]),
        *([] if facts.get("regression") else [facts["direction"][row] or _UNKNOWN]),
        number_or_dash(facts["effect"][row], ".2f"),
    ]


def _share(chosen: int, trials: int) -> str:
    full = _DOTS * chosen // trials if trials else 0
    return "●" * full + "○" * (_DOTS - full) + f" {chosen} of {trials}"
