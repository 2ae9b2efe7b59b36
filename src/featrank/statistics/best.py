"""The best method, and the smallest sufficient number of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from featrank.statistics.verdicts import SMALL_DIFFERENCE

__all__ = ["best_method", "recommended_k", "recommended_number"]

# Differences of scores are not exact.
ROUNDING = 1e-9


def best_method(results: Any) -> str | None:
    """Return the method with the best average score, or None if no method has one.

    Parameters
    ----------
    results : Comparison, or any object with ``table()``
        The table has one mapping per method, with ``method`` and ``average``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> rows = [{"method": "mi", "average": 0.8}, {"method": "fisher", "average": 0.9}]
    >>> best_method(SimpleNamespace(table=lambda: rows))
    'fisher'
    """
    rows = [row for row in results.table() if row["average"] == row["average"]]
    return None if not rows else str(max(rows, key=lambda row: row["average"])["method"])


def recommended_k(curve: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the smallest k whose mean score is within 0.01 of the best one.

    Parameters
    ----------
    curve : sequence of mapping
        ``k`` and ``mean`` of a method, as ``Comparison.curves`` has them. Points without a mean
        (NaN) are ignored.

    Examples
    --------
    >>> curve = [{"k": 5, "mean": 0.80}, {"k": 10, "mean": 0.892}, {"k": 20, "mean": 0.90}]
    >>> recommended_k(curve)
    10
    """
    known = [point for point in curve if point["mean"] == point["mean"]]
    if not known:
        return None
    enough = max(point["mean"] for point in known) - SMALL_DIFFERENCE - ROUNDING
    return min(int(point["k"]) for point in known if point["mean"] >= enough)


def recommended_number(results: Any, method: str | None = None) -> int:
    """Return the recommended number of features of a comparison, or the largest without scores.

    Parameters
    ----------
    results : Comparison, or any object with ``curves()``, ``table()`` and ``ks``
        The result of a comparison.
    method : str or None, default=None
        The method; None is the one with the best average score.
    """
    name = method or best_method(results)
    curve = [point for point in results.curves().to_dicts() if point["method"] == name]
    return recommended_k(curve) or int(results.n_features[-1])
