"""Tables of the features: scores, selection counts, distributions, correlations and edges.

No table holds the values of single rows, only counts, means, quantiles and correlations.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.base.ranker import Floats
from featrank.evaluation.data import Data
from featrank.evaluation.full_fits import Fit
from featrank.ranking.feature_details import correlation, dependence

QUANTILES = {"min": 0.0, "q05": 0.05, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q95": 0.95, "max": 1.0}


def feature_table(
    names: Sequence[str],
    ks: Sequence[int],
    fits: Mapping[str, Fit],
    rankings: Mapping[str, NDArray[np.integer]],
) -> Any:
    """Return one row per method and feature, in the order of the data.

    ``score``, ``criterion`` and ``rank`` come from the fit to all rows and are null if it failed.
    A method whose scores only encode an order has a ``criterion`` instead of a ``score``, for the
    features that it selected. ``chosen_K`` is the number of ``trials`` in which the feature was
    among the method's top K.
    """
    import polars as pl

    shared = pl.Series("feature", names, dtype=pl.String)
    parts = []
    for method, orders in rankings.items():
        columns = {
            "method": pl.repeat(method, len(names), dtype=pl.String, eager=True),
            "feature": shared,
            "column": np.arange(len(names)),
            **_ranked(fits.get(method), len(names)),
            "trials": np.full(len(names), len(orders)),
        }
        for k in ks:
            columns[f"chosen_{k}"] = np.bincount(orders[:, :k].ravel(), minlength=len(names))
        parts.append(pl.DataFrame(columns))
    return pl.concat(parts)


def _ranked(fit: Fit | None, n_features: int) -> dict[str, Any]:
    import polars as pl

    nothing = pl.repeat(None, n_features, dtype=pl.Float64, eager=True)
    columns = {"score": nothing, "criterion": nothing}
    if fit is None or not len(fit.order):
        return columns | {"rank": pl.repeat(None, n_features, dtype=pl.Int64, eager=True)}
    if fit.column:
        columns[fit.column] = pl.Series(fit.values).fill_nan(None)
    ranks = np.empty(n_features, dtype=np.int64)
    ranks[fit.order] = np.arange(1, n_features + 1)
    return columns | {"rank": ranks}


def class_table(data: Data, names: Sequence[str], fits: Sequence[Fit]) -> Any:
    """Return one row per class and feature, for the best features of any method.

    ``missing`` and ``zeros`` count samples; the other columns ignore missing values.
    """
    import polars as pl

    columns = _best_columns(fits)
    parts = [
        pl.DataFrame(
            {
                "feature": [names[j] for j in columns],
                "class": [label] * len(columns),
                "column": columns,
                "place": np.full(len(columns), code),
                **summary_columns(data.X[data.y == code][:, columns].astype(np.float64)),
            },
            schema_overrides={"feature": pl.String, "class": pl.String},
        )
        for code, label in enumerate(data.classes)
    ]
    return pl.concat(parts).sort("column", "place").drop("column", "place")


def _best_columns(fits: Sequence[Fit]) -> NDArray[np.integer]:
    """Return the columns of the best features of any method, in the order of the data."""
    return np.unique(np.concatenate([np.empty(0, int), *(fit.best for fit in fits)]))


def target_table(
    data: Data, transformed: NDArray[Any], names: Sequence[str], fits: Sequence[Fit]
) -> Any:
    """Return one row per feature, for the best features of any method in regression.

    ``pearson`` and ``spearman`` correlate the transformed values with the target, ignoring missing
    values, and are NaN for a constant. The other columns describe the original values.
    """
    import polars as pl

    columns = _best_columns(fits)
    ranked = transformed[:, columns].astype(np.float64)
    return pl.DataFrame(
        {
            "feature": pl.Series([names[j] for j in columns], dtype=pl.String),
            **dependence(ranked, ~np.isnan(ranked), data.y),
            **summary_columns(data.X[:, columns].astype(np.float64)),
        }
    )


def summary_columns(values: Floats) -> dict[str, Any]:
    """Return counts, mean, standard deviation and quantiles of each column without NaN."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    with warnings.catch_warnings():
        # With one known value or none, some results are NaN.
        warnings.simplefilter("ignore", RuntimeWarning)
        quantile = np.quantile if known.all() else np.nanquantile
        quantiles = quantile(values, list(QUANTILES.values()), axis=0)
        mean, sd = np.nanmean(values, axis=0), np.nanstd(values, axis=0, ddof=1)
    # The standard deviation of a constant is 0, despite rounding of its mean.
    constant = quantiles[0] == quantiles[-1]
    return {
        "samples": np.full(values.shape[1], len(values)),
        "missing": len(values) - counts,
        "zeros": (values == 0).sum(axis=0),
        "mean": np.where(constant, quantiles[0], mean),
        "sd": np.where(constant & (counts > 1), 0.0, sd),
        **dict(zip(QUANTILES, quantiles, strict=True)),
    }


def correlation_table(X: NDArray[Any], names: Sequence[str], fits: Sequence[Fit]) -> Any:
    """Return Pearson's r of each pair of a method's best features, over rows that have both.

    ``feature`` is the one with the better rank. r is NaN if either is constant.
    """
    import polars as pl

    parts = [pl.DataFrame(schema=_pair_schema("r"))]
    for fit in fits:
        values = X[:, fit.best].astype(np.float64)
        first, second = np.triu_indices(len(fit.best), 1)
        if len(first):
            r = correlation(values, ~np.isnan(values))[first, second]
            parts.append(_pairs(fit, names, fit.best[first], fit.best[second], "r", r))
    return pl.concat(parts)


def edge_table(names: Sequence[str], fits: Sequence[Fit]) -> Any:
    """Return the strongest edges of the methods with a graph, largest weight first."""
    import polars as pl

    parts = [pl.DataFrame(schema=_pair_schema("weight"))]
    for fit in fits:
        ends = fit.edges["source"], fit.edges["target"]
        parts.append(_pairs(fit, names, *ends, "weight", fit.edges["weight"]))
    return pl.concat(parts)


def _pair_schema(column: str) -> dict[str, Any]:
    import polars as pl

    return {"method": pl.String, "feature": pl.String, "other": pl.String, column: pl.Float64}


def _pairs(
    fit: Fit, names: Sequence[str], first: Any, second: Any, column: str, values: Any
) -> Any:
    import polars as pl

    columns = {
        "method": [fit.method] * len(first),
        "feature": [names[j] for j in first],
        "other": [names[j] for j in second],
        column: np.asarray(values, dtype=np.float64),
    }
    return pl.DataFrame(columns, schema=_pair_schema(column))
