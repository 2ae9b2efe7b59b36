"""Whether two answers are the same: each check returns a verdict and what it saw, in words."""

import numpy as np
from scipy.stats import kendalltau


def equal_scores(tolerance):
    """Scores differ by at most a share of the largest one."""

    def check(ours, theirs):
        gap = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
        return gap <= tolerance, f"scores differ by {gap:.0e} at most"

    return check


def equal_in_single(terms):
    """ReliefF scores are the same but for what a peer loses in single precision.

    It adds ``terms`` differences up. Each rounding is at most 2⁻²⁴ of the sum so far, and they
    add up like a random walk: √terms · 2⁻²⁴ of the largest score. Beside that, two samples at
    almost the same distance may change places as the k-th neighbour of one sample, which moves a
    score by at most one difference's weight, 2/terms. Features that lie nearer than this come in
    any order, so no correlation of ranks is asked for, though it is told.
    """

    def check(ours, theirs):
        largest, gap = np.abs(theirs).max(), np.abs(ours - theirs).max()
        allowed = np.sqrt(terms) * 2.0**-24 * largest + 2 / terms
        tau = float(kendalltau(ours, theirs).statistic)
        share = f"{gap / largest:.0e} at most, {allowed / largest:.0e} allowed"
        return gap <= allowed, f"scores differ by {share}; τ {_rounded_down(tau)}"

    return check


def same_ranking(least):
    """Kendall's τ of the scores is at least so large."""

    def check(ours, theirs):
        tau = float(kendalltau(ours, theirs).statistic)
        return tau >= least, f"τ of scores {_rounded_down(tau)}"

    return check


def same_order(least):
    """Kendall's τ of our scores and their order, best feature first."""

    def check(ours, theirs):
        places = np.empty(len(theirs))
        places[theirs] = np.arange(len(theirs))
        return same_ranking(least)(ours, -places)

    return check


def same_choice(least):
    """At least such a share of the chosen features is the same."""

    def check(ours, theirs):
        common, number = len(np.intersect1d(ours, theirs)), len(theirs)
        text = f"{common} of {number} the same"
        if np.array_equal(ours, theirs):
            text += ", in the same order"
        return common >= least * number, text

    return check


def _rounded_down(value, digits=6):
    """1 only if it is 1, but for the rounding of the value itself."""
    return f"{np.floor(round(value, 12) * 10**digits) / 10**digits:.{digits}f}"
