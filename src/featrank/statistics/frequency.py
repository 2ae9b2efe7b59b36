"""How often each feature was among the top k, with a confidence interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import UsageError
from featrank.statistics.subsets import Subsets, checked_ks

Floats = NDArray[np.float64]


def selection_frequency(results: Any, k: int | None = None, confidence: float = 0.95) -> Any:
    r"""Return in how many trials each feature was among the top k, most frequent first.

    The interval is Wilson's [1]_. With the share :math:`\hat p` of M trials and the quantile z
    of the normal distribution, it is

    .. math:: \frac{1}{1 + z^2/M} \left(\hat p + \frac{z^2}{2M} \pm
        z \sqrt{\frac{\hat p (1 - \hat p)}{M} + \frac{z^2}{4M^2}}\right)

    It assumes independent trials. Trials of one data set share rows, so the interval shows the
    precision of this number of trials, not what to expect on other data.

    Parameters
    ----------
    results : Comparison, or any object with ``rankings``, ``n_features`` and ``feature_names``
        Feature orders of each method over trials. If ``feature_names`` is None, features are
        named x0, x1, …
    k : int or None, default=None
        Number of top features. None uses each of ``results.n_features``.
    confidence : float, default=0.95
        Confidence level of the interval.

    Returns
    -------
    frame : polars.DataFrame
        Columns method, k, feature, chosen, trials, share, low and high. Features that were never
        selected are omitted. Ties are in the order of the data.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
       Journal of the American Statistical Association 22 (1927).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from featrank.statistics import selection_frequency
    >>> orders = np.array([[2, 0, 1], [2, 1, 0], [0, 2, 1]])
    >>> results = SimpleNamespace(
    ...     rankings={"mi": orders}, n_features=(2,), feature_names=["a", "b", "c"])
    >>> selection_frequency(results).select("feature", "chosen", "trials").rows()
    [('c', 3, 3), ('a', 2, 3), ('b', 1, 3)]
    """
    import polars as pl

    if not 0 < confidence < 1:
        raise UsageError(f"confidence must lie between 0 and 1, got {confidence}.")
    ks = list(results.n_features) if k is None else [k]
    largest = checked_ks(ks)
    names = results.feature_names
    parts = []
    for method, orders in results.rankings.items():
        _require_long(orders, largest)
        parts += [_part(method, size, np.asarray(orders), names, confidence) for size in ks]
    return pl.concat(parts) if parts else _frame("", 0, np.empty(0, int), [], 0, confidence)


def wilson_interval(chosen: Any, trials: int, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of Wilson's interval of shares.

    Examples
    --------
    >>> low, high = wilson_interval([0, 5, 10], 10)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.237, 0.722], [0.278, 0.763, 1.0])
    """
    from scipy.special import ndtri

    share = np.asarray(chosen) / max(trials, 1)
    z = float(ndtri((1 + confidence) / 2))
    slack = z**2 / max(trials, 1)
    centre = share + slack / 2
    margin = z * np.sqrt((share * (1 - share) + slack / 4) / max(trials, 1))
    # Rounding errors must not leave [0, 1].
    low = np.where(share == 0, 0.0, (centre - margin) / (1 + slack))
    return low, np.where(share == 1, 1.0, (centre + margin) / (1 + slack))


def _part(
    method: str, k: int, orders: NDArray[Any], names: Sequence[str] | None, confidence: float
) -> Any:
    trials, n_features = orders.shape
    counts = Subsets.first(orders, k, n_features).counts()
    columns = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    shown = [f"x{j}" if names is None else names[j] for j in columns.tolist()]
    return _frame(method, k, counts[columns], shown, trials, confidence)


def _frame(
    method: str, k: int, chosen: NDArray[Any], names: list[str], trials: int, confidence: float
) -> Any:
    import polars as pl

    low, high = wilson_interval(chosen, trials, confidence)
    columns = {
        "method": pl.Series([method] * len(names), dtype=pl.String),
        "k": np.full(len(names), k, dtype=np.int64),
        "feature": pl.Series(names, dtype=pl.String),
        "chosen": chosen.astype(np.int64),
        "trials": np.full(len(names), trials, dtype=np.int64),
        "share": chosen / max(trials, 1),
        "low": low,
        "high": high,
    }
    return pl.DataFrame(columns)


def _require_long(orders: Any, k: int) -> None:
    n_features = np.shape(orders)[1]
    if k > n_features:
        raise UsageError(f"k = {k} is more than the {n_features} features. Lower k.")
