"""Warnings about the design of a study: small classes, and batches associated with the class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import FeatrankWarning
from featrank.ranking.warnings import BATCHES_PER_CLASS, batch_is_class, serious

# Classes with fewer samples get a warning, which is serious if no test can be significant.
FEW_PER_CLASS, LEVEL = 5, 0.05
# Classes that a warning names.
NAMED = 5
# Batches are associated with the class if chance rarely gives such a table, and if it matters.
ASSOCIATION_LEVEL, ASSOCIATION = 0.01, 0.3
# The chi-squared distribution is used above this expected count, random tables below.
LEAST_EXPECTED, RANDOM_TABLES = 5, 1999

Codes = NDArray[np.integer]


def small_classes(sizes: Sequence[int], labels: Sequence[Any]) -> FeatrankWarning | None:
    """Return a warning if a class has few samples, with what can be concluded from them.

    Examples
    --------
    >>> print(small_classes([2, 2], ["sick", "well"]))
    Classes with fewer than 5 samples: 'sick' (2) and 'well' (2). With 2 against 2 samples, 33 % of
    all features without information separate the classes perfectly, and no rank or permutation
    test of a feature can give a p-value below 0.33. Add samples, or treat the result as a
    hypothesis.
    >>> small_classes([5, 5], ["sick", "well"])
    """
    small = {str(label): n for label, n in zip(labels, sizes, strict=True) if n < FEW_PER_CLASS}
    if not small or len(sizes) < 2:
        return None
    own, total = min(sizes), sum(sizes)
    # The most extreme table in either direction, of all ways to choose the samples of the class.
    least = min(1.0, 2 / comb(total, own))
    message = (
        f"Classes with fewer than {FEW_PER_CLASS} samples: {_listed(small)}. With {own} against "
        f"{total - own} samples, {_percent(least)} of all features without information separate "
        "the classes perfectly, and no rank or permutation test of a feature can give a p-value "
        f"below {least:.2g}. Add samples, or treat the result as a hypothesis."
    )
    limitation = f"The smallest class had only {own} sample{'' if own == 1 else 's'}."
    return FeatrankWarning(message, "serious" if least > LEVEL else "caution", limitation)


def _listed(sizes: Mapping[str, int]) -> str:
    named = [f"{label!r} ({size})" for label, size in sizes.items()]
    if len(named) > NAMED:
        return f"{', '.join(named[:NAMED])} and {len(named) - NAMED} more"
    return " and ".join(filter(None, [", ".join(named[:-1]), named[-1]]))


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def batch_warnings(
    codes: Codes, groups: Any, columns: Mapping[str, Any]
) -> list[FeatrankWarning | None]:
    """Return warnings about groups, and columns such as a batch, that go with the class.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Class codes 0, 1, ….
    groups : array-like of shape (n_samples,) or None
        The group of each sample.
    columns : mapping of str to array-like
        Further columns, by name, such as those that ``batch_columns`` chooses.
    """
    given = {"groups": groups} if groups is not None else {}
    found = [_of_batches(codes, each, "groups", "The groups were") for each in given.values()]
    for name, values in columns.items():
        what = f"values of {name!r}"
        found.append(_of_batches(codes, values, what, f"The values of {name!r} were"))
    return found


def _of_batches(codes: Codes, batches: Any, what: str, they_were: str) -> FeatrankWarning | None:
    batches = np.asarray(batches).astype(str)
    if len(batches) != len(codes):
        return None
    sentence = batch_is_class(codes, batches)
    if sentence is not None:
        number = len(np.unique(batches))
        sentence = sentence.replace(f"The {number} groups", f"The {number} {what}", 1)
        return serious(sentence, f"{they_were} nearly identical to the classes.")
    table = contingency_table(codes, batches)
    if len(table) > BATCHES_PER_CLASS * table.shape[1] or 1 in table.shape:
        return None
    association = cramers_v(table)
    if association < ASSOCIATION or (p := independence_p(table)) >= ASSOCIATION_LEVEL:
        return None
    return serious(
        f"The {len(table)} {what} are associated with the class (Cramér's V {association:.2f}, "
        f"p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}; 0 is independent, 1 is identical), so top "
        "features may reflect batch effects. Correct the values for the batches, or balance the "
        "classes across them.",
        f"{they_were} associated with the class (Cramér's V = {association:.2f}).",
    )


def contingency_table(codes: Codes, batches: Any) -> NDArray[np.int64]:
    """Return the number of samples per batch (rows) and class (columns), without empty ones."""
    classes, own = np.unique(codes, return_inverse=True)
    names, places = np.unique(np.asarray(batches), return_inverse=True)
    table = np.zeros((len(names), len(classes)), dtype=np.int64)
    np.add.at(table, (places.reshape(-1), own.reshape(-1)), 1)
    return table


def cramers_v(table: NDArray[np.integer]) -> float:
    r"""Return Cramér's V of a contingency table, corrected for bias (Bergsma 2013).

    .. math:: \sqrt{\frac{\max(0, \chi^2/n - (r-1)(c-1)/(n-1))}{\min(\tilde r, \tilde c) - 1}},
        \quad \tilde r = r - \frac{(r-1)^2}{n-1}

    Examples
    --------
    >>> cramers_v(np.array([[16, 4], [4, 16]]))
    0.59...
    >>> cramers_v(np.array([[10, 10], [10, 10]]))
    0.0
    """
    n, (rows, columns) = table.sum(), table.shape
    expected = (rows - 1) * (columns - 1) / (n - 1)
    excess = max(0.0, _chi_squared(table) / n - expected)
    sides = [side - (side - 1) ** 2 / (n - 1) for side in (rows, columns)]
    return float(np.sqrt(min(1.0, excess / (min(sides) - 1)))) if min(sides) > 1 else 0.0


def independence_p(table: NDArray[np.integer]) -> float:
    """Return the p-value of the chi-squared test, by random tables if counts are small."""
    from scipy.stats import chi2, random_table

    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed = _chi_squared(table)
    if np.outer(rows, columns).min() >= LEAST_EXPECTED * table.sum():
        return float(chi2.sf(observed, (len(rows) - 1) * (len(columns) - 1)))
    drawn = random_table.rvs(rows, columns, size=RANDOM_TABLES, random_state=0)
    as_large = sum(_chi_squared(one) >= observed * (1 - 1e-9) for one in drawn)
    return float(1 + as_large) / (1 + RANDOM_TABLES)


def _chi_squared(table: NDArray[Any]) -> float:
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())
