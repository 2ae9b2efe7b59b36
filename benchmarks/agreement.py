"""Checks whether two results agree. Each check returns a verdict and a short description."""

import numpy as np
from scipy.stats import kendalltau


def equal_scores(tolerance):
    """Scores differ by at most a fraction of the largest score."""

    def check(ours, theirs):
        gap = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
        return gap <= tolerance, f"scores differ by at most {gap:.0e}"

    return check


def equal_in_single(terms):
    """ReliefF scores agree up to the rounding errors of single precision.

    The peer adds ``terms`` differences. Each rounding error is at most 2⁻²⁴ of the current sum, and
    the errors accumulate like a random walk, to √terms · 2⁻²⁴ of the largest score. In addition,
    two samples at almost the same distance may swap places as the k-th neighbour of one sample.
    That changes a score by at most the weight of one difference, 2/terms. The order of features
    with closer scores is arbitrary, so the rank correlation is shown but not required.
    """

    def check(ours, theirs):
        largest, gap = np.abs(theirs).max(), np.abs(ours - theirs).max()
        allowed = np.sqrt(terms) * 2.0**-24 * largest + 2 / terms
        tau = float(kendalltau(ours, theirs).statistic)
        share = f"{gap / largest:.0e} ({allowed / largest:.0e} allowed)"
        return gap <= allowed, f"scores differ by at most {share}, τ {_rounded_down(tau)}"

    return check


def same_ranking(least):
    """Kendall's τ of the scores is at least ``least``."""

    def check(ours, theirs):
        tau = float(kendalltau(ours, theirs).statistic)
        return tau >= least, f"τ of scores {_rounded_down(tau)}"

    return check


def same_order(least):
    """Kendall's τ of our scores and the peer's order, best feature first."""

    def check(ours, theirs):
        places = np.empty(len(theirs))
        places[theirs] = np.arange(len(theirs))
        return same_ranking(least)(ours, -places)

    return check


def same_choice(least):
    """At least a fraction ``least`` of the chosen features is the same."""

    def check(ours, theirs):
        common, number = len(np.intersect1d(ours, theirs)), len(theirs)
        text = f"{common} of {number} the same"
        if np.array_equal(ours, theirs):
            text += ", in the same order"
        return common >= least * number, text

    return check


def _rounded_down(value, digits=6):
    """Format a value so that only 1, up to its own rounding error, is shown as 1."""
    return f"{np.floor(round(value, 12) * 10**digits) / 10**digits:.{digits}f}"
