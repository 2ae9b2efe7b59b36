"""The best method, and the smallest sufficient number of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["best_method", "one_standard_error_k"]


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


def one_standard_error_k(curve: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the smallest k whose mean is within one standard error of the best one.

    Parameters
    ----------
    curve : sequence of mapping
        ``k``, ``mean`` and standard ``error`` of a method, as ``Comparison.curves`` has them.
        Points without a mean (NaN) are ignored.

    Examples
    --------
    >>> curve = [{"k": 5, "mean": 0.80, "error": 0.01}, {"k": 10, "mean": 0.89, "error": 0.02}]
    >>> one_standard_error_k([*curve, {"k": 20, "mean": 0.90, "error": 0.02}])
    10
    """
    known = [point for point in curve if point["mean"] == point["mean"]]
    if not known:
        return None
    best = max(known, key=lambda point: point["mean"])
    error = best["error"] if best["error"] == best["error"] else 0.0
    return min(int(point["k"]) for point in known if point["mean"] >= best["mean"] - error)
