"""Two latent factors against plain loops, and on counts that were drawn from two."""

import numpy as np
import pytest

from featrank._utils.progress import progress_to
from featrank.solvers.latent_factors import two_factors

OPTIONS = {"smoothing": 1.0, "tol": 1e-6, "max_iter": 500}


def drawn(seed=0, n_rows=300, n_samples=200):
    """Counts of rows that mix two distributions, and the shares of the first."""
    rng = np.random.default_rng(seed)
    tokens = np.array([[0.05, 0.05, 0.1, 0.2, 0.6], [0.2, 0.3, 0.4, 0.1, 0.0]])
    share = rng.random(n_rows) ** 2
    mixed = share[:, None] * tokens[0] + (1 - share)[:, None] * tokens[1]
    return np.array([rng.multinomial(n_samples, row) for row in mixed]), share


def plain_step(counts, share, tokens, start, smoothing):
    """One step of expectation and maximisation, one sum at a time."""
    n_rows, n_tokens = counts.shape
    chance = np.empty((2, n_rows, n_tokens))
    for f in range(n_rows):
        for t in range(n_tokens):
            both = [share[f] * tokens[0][t], (1 - share[f]) * tokens[1][t]]
            chance[:, f, t] = np.array(both) / sum(both)
    sums = [(counts * chance[z]).sum(axis=0) + smoothing * start[z] for z in range(2)]
    own = (counts * chance[0]).sum(axis=1) + smoothing
    return own / (counts.sum(axis=1) + 2 * smoothing), [s / s.sum() for s in sums]


def plain_objective(counts, share, tokens, start, smoothing):
    mixed = share[:, None] * tokens[0] + (1 - share)[:, None] * tokens[1]
    prior = np.log(share * (1 - share)).sum() + np.sum(np.array(start) * np.log(tokens))
    return (counts * np.log(mixed)).sum() + (smoothing * prior if smoothing else 0.0)


@pytest.mark.parametrize("smoothing", [0.0, 0.5, 1.0])
def test_steps_are_those_of_plain_loops(smoothing):
    counts = drawn(n_rows=40)[0] + 1
    ramp = np.arange(1, 6) / 15
    start = [ramp, ramp[::-1]]
    share, tokens = np.full(40, 0.5), start
    found = two_factors(counts, smoothing=smoothing, tol=0, max_iter=7)
    for step in range(7):
        share, tokens = plain_step(counts, share, tokens, start, smoothing)
        wanted = plain_objective(counts, share, tokens, start, smoothing)
        assert found.objective[step] == pytest.approx(wanted, rel=1e-12)
    np.testing.assert_allclose(found.share, share, rtol=1e-10)
    np.testing.assert_allclose(found.tokens, tokens, rtol=1e-10)
    assert not found.converged


@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_no_step_goes_back(smoothing):
    found = two_factors(drawn()[0], smoothing=smoothing, tol=0, max_iter=300)
    assert np.diff(found.objective).min() > -1e-9 * abs(found.objective[-1])


def test_shares_that_were_mixed_are_found():
    counts, share = drawn()
    found = two_factors(counts, **OPTIONS)
    assert found.converged
    assert np.corrcoef(found.share, share)[0, 1] > 0.97
    np.testing.assert_allclose(found.tokens.sum(axis=1), 1)
    assert np.arange(5) @ (found.tokens[0] - found.tokens[1]) > 1


def test_neither_order_nor_duplicates_change_a_bit():
    counts = drawn()[0]
    order = np.random.default_rng(1).permutation(300)
    found, moved = two_factors(counts, **OPTIONS), two_factors(counts[order], **OPTIONS)
    np.testing.assert_array_equal(found.share[order], moved.share)
    np.testing.assert_array_equal(found.objective, moved.objective)
    twice = two_factors(np.concatenate([counts, counts[:5]]), **OPTIONS)
    np.testing.assert_array_equal(twice.share[:5], twice.share[-5:])


def test_smoothing_keeps_shares_apart():
    """Rows of a token that only one factor has: without smoothing their shares are 1, all alike."""
    counts = np.array([[0, 0, 30], [1, 0, 29], [0, 3, 27], [15, 15, 0], [14, 16, 0], [20, 9, 1]])
    plain = two_factors(counts, smoothing=0.0, tol=0, max_iter=2000)
    smooth = two_factors(counts, smoothing=1.0, tol=0, max_iter=2000)
    assert plain.share[0] == 1
    assert np.all((smooth.share > 0) & (smooth.share < 1))
    assert np.all(np.diff(smooth.share[[3, 5, 2, 1, 0]]) > 0)


def test_tokens_that_never_occur_and_no_rows_at_all():
    counts = np.array([[0, 4, 0], [0, 1, 3]])
    for smoothing in (0.0, 1.0):
        found = two_factors(counts, smoothing=smoothing, tol=1e-6, max_iter=50)
        assert np.isfinite(found.share).all()
        assert np.isfinite(found.objective).all()
    none = two_factors(np.empty((0, 3), int), **OPTIONS)
    assert len(none.share) == len(none.objective) == 0
    assert none.converged


def test_progress_grows_to_its_end():
    seen = []
    with progress_to(lambda done, total: seen.append(done / total)):
        two_factors(drawn()[0], **OPTIONS)
    assert seen == sorted(seen)
    assert seen[-1] == 1
