"""Formulas over moments and histograms that several methods share."""

from __future__ import annotations

import numpy as np

from featrank.kernels import Floats
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.moments import Moments


def fisher_score(moments: Moments) -> Floats:
    r"""Return the separation of the class means over the variance within classes.

    .. math::
        f = \frac{(\mu_1 - \mu_2)^2}{s_1^2 + s_2^2} \mathrm{ for two classes, else }
        \frac{\sum_c (\mu_c - \mu)^2}{\sum_c s_c^2}

    with sample variances (ddof 1). 0/0 is 0. A feature with perfect separation scores ``inf``.
    """
    within = moments.class_variance().sum(axis=0)
    if len(moments.count) == 2:
        between = (moments.mean[0] - moments.mean[1]) ** 2
        between = np.where(moments.counts.min(axis=0) > 0, between, 0.0)
    else:
        distances = (moments.mean - moments.overall_mean()) ** 2
        # A class with only missing values has no mean.
        between = np.where(moments.counts > 0, distances, 0.0).sum(axis=0)
    score = np.zeros_like(between)
    with np.errstate(divide="ignore"):
        return np.divide(between, within, out=score, where=between > 0)


def weighted_fisher_score(moments: Moments) -> Floats:
    r"""Return the Fisher score with classes weighted by their size.

    .. math:: f = \frac{\sum_c n_c (\mu_c - \mu)^2}{\sum_c (n_c - 1)\, s_c^2}
    """
    between, within = scatters(moments)
    score = np.zeros_like(between)
    with np.errstate(divide="ignore"):
        return np.divide(between, within, out=score, where=between > 0)


def scatters(moments: Moments) -> tuple[Floats, Floats]:
    r"""Return the scatter between classes, and within classes.

    .. math:: \sum_c n_c (\mu_c - \mu)^2, \qquad \sum_c (n_c - 1)\, s_c^2
    """
    between = moments.over_classes((moments.mean - moments.overall_mean()) ** 2)
    return between, moments.m2.sum(axis=0)


def mutual_information(digest: ColumnStats, normalized: bool = False) -> Floats:
    r"""Return the mutual information of binned feature and class, in nats.

    ``normalized`` gives the symmetric uncertainty :math:`2 I / (H(x) + H(y))`.
    """
    assert digest.histogram is not None
    information, entropy = digest.histogram.information()
    if not normalized:
        return information
    count = digest.moments.count
    share = count / np.maximum(count.sum(axis=0), 1)
    logarithm = np.log(share, out=np.zeros_like(share), where=share > 0)
    total = entropy - (share * logarithm).sum(axis=0)
    return np.divide(2 * information, total, out=np.zeros_like(entropy), where=total > 0)


def spreads(moments: Moments, normalize: str | None) -> dict[str, Floats]:
    """Return the standard deviation (ddof 1) and the spread.

    The spread is the standard deviation or, with ``normalize="l1"``, that of the feature scaled so
    that its absolute values sum to 1.
    """
    deviation = np.sqrt(moments.overall_variance())
    if normalize is None:
        return {"deviation": deviation, "spread": deviation}
    total = moments.absolute_sum
    share = np.divide(deviation, total, out=np.zeros_like(total), where=total > 0)
    return {"deviation": deviation, "spread": share}
