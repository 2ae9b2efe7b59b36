"""Warnings about values that need a transform: raw counts, and intensities without logarithm."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import FeatrankWarning
from featrank.ranking.evidence import Evidence
from featrank.statistics.value_scales import FeatureFacts, spreads_with_mean
from featrank.values.transforms import step_names

Floats = NDArray[np.float64]

# Tables with fewer features are rarely measured by one device in one unit.
LEAST_FEATURES = 50
# Values that are read to recognise their kind, at most.
ROWS, COLUMNS = 2000, 1000
# Share of the features that have to look similar.
MOST = 0.95
# Measurements without an upper limit: the largest value is above LARGE, and above this multiple of
# the median of the features' largest values. Codes, marks and pixels have a limit.
LARGE, UNLIMITED = 100, 3
# Library sizes differ between classes if a Kruskal-Wallis test and the ratio of medians say so.
LEVEL, RATIO = 0.01, 1.2
# Steps after which a sample's total does not matter, and those that take logarithms or ranks.
NORMALISING = {"cpm", "clr"}
LOGARITHMS = {"log1p", "log2", "log10", "sqrt", "clr", "rank"}


def value_warning(
    X: Any, codes: NDArray[np.integer] | None, transform: str = "none"
) -> FeatrankWarning | None:
    """Return a warning about values in memory that need a transform.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The values, before they are transformed.
    codes : ndarray of shape (n_samples,) or None
        Class codes.
    transform : str
        How they are transformed.
    """
    steps, source = {*step_names(transform)}, Evidence(X, None)
    n_features = X.shape[1] if hasattr(X, "shape") else len(X[0])
    if n_features < LEAST_FEATURES:
        return None
    facts = _facts(source, n_features)
    some = facts.take(facts.varies)
    if len(some.low) < LEAST_FEATURES or (some.low >= 0).mean() < MOST or not _is_unlimited(some):
        return None
    if some.whole.mean() >= MOST:
        return None if steps & NORMALISING else _of_counts(source, n_features, codes)
    if steps & LOGARITHMS or not _are_intensities(some):
        return None
    return FeatrankWarning(
        "The values look like intensities without logarithm: their standard deviations grow with "
        "their means, so a few large values dominate means, variances and distances. Use "
        '`transform="log2"`, or `transform="floor:20,log2"` if low values are noise.',
        limitation="The intensities were used without a logarithm.",
    )


def _facts(source: Evidence, n_features: int) -> FeatureFacts:
    """Return what some of the features look like."""
    columns = np.unique(np.linspace(0, n_features - 1, min(COLUMNS, n_features)).astype(np.intp))
    values = source.values(columns)
    rows = np.unique(np.linspace(0, len(values) - 1, min(ROWS, len(values))).astype(np.intp))
    values = values[rows]
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    count = np.maximum(known.sum(axis=0), 1).astype(np.float64)
    mean = filled.sum(axis=0) / count
    deviations = np.where(known, values - mean, 0.0)
    return FeatureFacts(
        count,
        np.where(known, values, np.inf).min(axis=0),
        np.where(known, values, -np.inf).max(axis=0),
        mean,
        np.sqrt((deviations**2).sum(axis=0) / count),
        (filled == np.floor(filled)).all(axis=0),
    )


def _is_unlimited(some: FeatureFacts) -> bool:
    largest = some.high.max()
    return bool(largest >= LARGE and largest >= UNLIMITED * np.median(some.high))


def _are_intensities(some: FeatureFacts) -> bool:
    return bool(np.median(some.high) > LARGE and spreads_with_mean(some))


def _of_counts(
    source: Evidence, n_features: int, codes: NDArray[np.integer] | None
) -> FeatrankWarning:
    advice = 'Use `transform="cpm,log1p"`.'
    sizes = _library_sizes(source, n_features)
    difference = None if codes is None else _difference(sizes, codes)
    if difference is not None:
        return FeatrankWarning(
            f"The values look like raw counts, and the totals of the samples differ between the "
            f"classes (medians up to {difference:.1f} times apart), so that features differ by "
            f"sequencing depth alone. {advice}",
            "serious",
            "The counts were not normalised, and the totals of the samples differed between the "
            "classes.",
        )
    return FeatrankWarning(
        "The values look like raw counts, which depend on the total of each sample and are "
        f"skewed. {advice}",
        limitation="The counts were not normalised.",
    )


def _library_sizes(source: Evidence, n_features: int) -> Floats:
    """Return the total of each sample."""
    if hasattr(source.X, "tocsc"):
        return np.asarray(source.X.sum(axis=1), dtype=np.float64).reshape(-1)
    blocks = (
        np.arange(start, min(start + COLUMNS, n_features))
        for start in range(0, n_features, COLUMNS)
    )
    return np.sum([np.nansum(source.values(block), axis=1) for block in blocks], axis=0)


def _difference(sizes: Floats, codes: NDArray[np.integer]) -> float | None:
    """Return the ratio of the largest to the smallest median of the classes, if it matters."""
    from scipy.stats import kruskal

    each = [sizes[codes == code] for code in np.unique(codes)]
    medians = [float(np.median(own)) for own in each]
    if len(each) < 2 or min(medians) <= 0 or max(medians) < RATIO * min(medians):
        return None
    return max(medians) / min(medians) if kruskal(*each).pvalue < LEVEL else None
