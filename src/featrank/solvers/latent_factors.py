"""Two latent factors of counts: each row is a mixture of two token distributions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from featrank._utils.progress import report
from featrank.kernels import Floats


@dataclass(frozen=True)
class TwoFactors:
    """A fitted mixture of two factors.

    Attributes
    ----------
    share : ndarray of shape (n_rows,)
        The share of the first factor in each row.
    tokens : ndarray of shape (2, n_tokens)
        The distribution of each factor.
    objective : ndarray of shape (n_iter,)
        The objective after each iteration.
    converged : bool
        Whether the last iteration raised the objective by at most the tolerance.
    """

    share: Floats
    tokens: Floats
    objective: Floats
    converged: bool


def two_factors(
    counts: NDArray[np.integer], *, smoothing: float, tol: float, max_iter: int
) -> TwoFactors:
    r"""Fit two factors by the EM algorithm.

    .. math::
        \sum_f \sum_t Q_{ft} \log\big(p_f P_{1t} + (1 - p_f) P_{2t}\big)
        + s \sum_f \log p_f (1 - p_f) + s \sum_{z,t} P^0_{zt} \log P_{zt}

    is maximised over the shares p and the distributions P. The first distribution starts as
    :math:`P^0_{1t} \propto t`, the second as its reverse, and all shares start at 1/2. With
    ``smoothing`` s = 0 the objective is the log-likelihood of probabilistic latent semantic
    analysis. s pseudo-samples of each factor are added to every row, and of its start to each
    factor.

    Equal rows are processed once, in a fixed order, so that neither duplicates nor the order of
    rows change the result.
    """
    rows, place, times = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
    problem = _Mixtures(rows.astype(np.float64), times.astype(np.float64), smoothing)
    share, tokens = np.full(len(rows), 0.5), problem.start
    objective, converged = [problem.objective(share, tokens)], not len(rows)
    while len(objective) <= max_iter and not converged:
        share, tokens = problem.improved(share, tokens)
        objective.append(problem.objective(share, tokens))
        converged = objective[-1] - objective[-2] <= tol * abs(objective[-1])
        report(max_iter if converged else len(objective) - 1, max_iter)
    return TwoFactors(share[place.ravel()], tokens, np.array(objective[1:]), converged)


@dataclass(frozen=True)
class _Mixtures:
    """Different rows of counts, and how often each occurs."""

    counts: Floats
    times: Floats
    smoothing: float

    @property
    def start(self) -> Floats:
        ramp = np.arange(1, self.counts.shape[1] + 1) / np.sum(np.arange(self.counts.shape[1] + 1))
        return np.stack([ramp, ramp[::-1]])

    def objective(self, share: Floats, tokens: Floats) -> float:
        likelihood = self.times @ xlogy(self.counts, _mixed(share, tokens)).sum(axis=1)
        shares = self.times @ (xlogy(self.smoothing, share) + xlogy(self.smoothing, 1 - share))
        return float(likelihood + shares + xlogy(self.smoothing * self.start, tokens).sum())

    def improved(self, share: Floats, tokens: Floats) -> tuple[Floats, Floats]:
        """Return the result of one EM step."""
        first = self.counts * _quotient(np.outer(share, tokens[0]), _mixed(share, tokens))
        totals = np.stack([self.times @ first, self.times @ (self.counts - first)])
        totals += self.smoothing * self.start
        samples = self.counts.sum(axis=1) + 2 * self.smoothing
        share = (first.sum(axis=1) + self.smoothing) / samples
        return share, _quotient(totals, totals.sum(axis=1, keepdims=True))


def _mixed(share: Floats, tokens: Floats) -> Floats:
    return np.outer(share, tokens[0]) + np.outer(1 - share, tokens[1])


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    """Return a quotient, or 0 if the denominator is 0."""
    nothing = np.zeros(np.broadcast_shapes(numerator.shape, denominator.shape))
    return np.divide(numerator, denominator, out=nothing, where=denominator > 0)
