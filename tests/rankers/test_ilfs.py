"""ILFS against its formulas written plainly, and against what the authors' toolbox answers."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm, spearmanr
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning

from featrank import ILFS, FisherScore
from featrank._utils.progress import progress_to
from featrank.rankers import ilfs
from featrank.solvers.latent_factors import two_factors
from featrank.summaries.columns import RowClasses, column_moments

GOLDEN = Path(__file__).parent / "golden"


def sample(n_classes=2, n_samples=80, n_features=12, seed=0):
    X, y = make_classification(
        n_samples,
        n_features,
        n_informative=4,
        n_redundant=2,
        n_classes=n_classes,
        n_clusters_per_class=1,
        random_state=seed,
    )
    return X, y


def plain_counts(X, y, n_tokens):
    """Tokens of each value from densities of normal distributions, one value at a time."""
    counts = np.zeros((X.shape[1], n_tokens), int)
    classes = np.unique(y)
    for j, x in enumerate(X.T):
        means = [x[y == c].mean() for c in classes]
        squares = sum(((x[y == c] - x[y == c].mean()) ** 2).sum() for c in classes)
        deviation = np.sqrt(squares / (len(y) - len(classes)))
        for value, own in zip(x, y, strict=True):
            densities = norm.pdf(value, means, deviation)
            counts[j, int(n_tokens * densities[own] / densities.sum())] += 1
    return counts


def counts_of(X, y, n_tokens):
    moments = column_moments(X, RowClasses(y, y.max() + 1))
    return ilfs.token_counts(X, y, moments, n_tokens, None)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_tokens", [2, 5, 6])
def test_tokens_are_those_of_normal_densities(n_classes, n_tokens):
    X, y = sample(n_classes)
    np.testing.assert_array_equal(counts_of(X, y, n_tokens), plain_counts(X, y, n_tokens))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("factor", [0.5, 0.99])
def test_scores_are_the_row_sums_of_the_resolvent(n_classes, factor):
    X, y = sample(n_classes)
    ranker = ILFS(factor=factor).fit(X, y)
    counts = plain_counts(X, y, 5)
    p = two_factors(counts, smoothing=1.0, tol=1e-6, max_iter=1000).share
    np.testing.assert_array_equal(ranker.relevancy_, p)
    A = np.outer(p, p)
    r = factor / np.linalg.eigvalsh(A)[-1]
    wanted = (np.linalg.inv(np.eye(len(p)) - r * A) - np.eye(len(p))).sum(axis=1)
    np.testing.assert_allclose(ranker.scores_, wanted, rtol=1e-8)
    np.testing.assert_allclose(ranker.graph_.to_dense(), A)
    assert ranker.eigenvalue_ == pytest.approx(p @ p)
    closed = factor / (p @ p) * p.sum() * p / (1 - factor)
    np.testing.assert_allclose(ranker.scores_, closed, rtol=1e-10)


def test_a_value_near_its_own_class_has_the_best_token():
    """The authors' code gives it the smallest share; here what is near is probable."""
    y = np.repeat([0, 1], 50)
    rng = np.random.default_rng(0)
    x = np.where(y, 10.0, 0.0) + rng.normal(size=100)
    counts = counts_of(np.column_stack([x, rng.normal(size=100)]), y, 5)
    assert counts[0].tolist() == [0, 0, 0, 0, 100]
    assert counts[1, 2] > 90  # of two classes, noise tells neither


def test_the_relevant_factor_has_the_better_tokens_and_the_better_features():
    X, y = sample(n_samples=200, n_features=60)
    ranker = ILFS().fit(X, y)
    relevant, other = ranker.token_probabilities_
    assert np.arange(5) @ (relevant - other) > 0.3
    fisher = FisherScore().fit(X, y).scores_
    assert spearmanr(ranker.scores_, fisher).statistic > 0.85
    np.testing.assert_array_equal(ranker.score_components()["relevancy"], ranker.relevancy_)


def test_the_objective_only_rises():
    ranker = ILFS(tol=0, max_iter=200)
    with pytest.warns(ConvergenceWarning, match="200 iterations"):
        ranker.fit(*sample())
    assert ranker.n_iter_ == len(ranker.objective_) == 200
    assert np.diff(ranker.objective_).min() > -1e-9 * abs(ranker.objective_[-1])
    assert ILFS().fit(*sample()).n_iter_ < 200


def test_exact_separation_and_constants():
    X, y = sample()
    X[:, 3], X[:, 5], X[:, 8] = y, 0.1 + 0.7 * y, 0.1
    ranker = ILFS().fit(X, y)
    counts = counts_of(X, y, 5)
    assert counts[3].tolist() == counts[5].tolist() == [0, 0, 0, 0, 80]
    assert ranker.order_[:2].tolist() == [3, 5]
    assert ranker.scores_[3] == ranker.scores_[5] > np.delete(ranker.scores_, [3, 5]).max()
    assert ranker.order_[-1] == 8
    assert ranker.scores_[8] == ranker.relevancy_[8] == 0


def test_constants_take_no_part():
    X, y = sample()
    wanted = ILFS().fit(X, y)
    ranker = ILFS().fit(np.column_stack([np.ones(80), X, np.zeros(80)]), y)
    np.testing.assert_array_equal(ranker.relevancy_[1:-1], wanted.relevancy_)
    alone = ILFS().fit(np.ones((80, 3)), y)
    np.testing.assert_array_equal(alone.scores_, 0)
    assert alone.n_iter_ == 0


def test_one_sample_a_class():
    ranker = ILFS().fit([[0.0, 1.0], [1.0, 1.0]], [0, 1])
    assert ranker.order_.tolist() == [0, 1]


def test_bits_do_not_depend_on_orders_and_names():
    X, y = load_iris(return_X_y=True)
    wanted = ILFS().fit(X, y).scores_
    rows = np.random.default_rng(0).permutation(150)
    np.testing.assert_array_equal(ILFS().fit(X[rows], y[rows]).scores_, wanted)
    np.testing.assert_array_equal(ILFS().fit(X[:, ::-1], 7 - y).scores_[::-1], wanted)
    np.testing.assert_array_equal(ILFS().fit(X * 0.1 + 1000, y).scores_, wanted)


def test_sparse_data_ranks_as_dense(monkeypatch):
    X, y = sample(n_features=60)
    X[np.abs(X) < 1] = 0
    wanted = ILFS().fit(X, y).scores_
    monkeypatch.setattr(ilfs, "BLOCK_VALUES", 500)
    for storage in (sparse.csr_array, sparse.csc_matrix):
        np.testing.assert_array_equal(ILFS(n_jobs=2).fit(storage(X), y).scores_, wanted)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("exponent", [-1000, -600, -340, 450])
def test_powers_of_two_as_units_change_no_bit(storage, exponent):
    X, y = sample(n_classes=3)
    X[np.abs(X) < 0.5] = 0
    wanted = ILFS().fit(X, y).scores_
    own = np.where(np.arange(12) % 3, exponent, 0)
    for units in (exponent, own):
        got = ILFS().fit(storage(np.ldexp(X, units)), y).scores_
        np.testing.assert_array_equal(got, wanted)


def test_the_order_is_the_same_in_tiny_units():
    X, y = sample()
    wanted = ILFS().fit(X, y).order_
    for unit in (1e-300, 1e-170, 1e-30):
        np.testing.assert_array_equal(ILFS().fit(X * unit, y).order_, wanted)


def test_progress_grows_to_its_end():
    seen = []
    with progress_to(lambda done, total: seen.append(done / total)):
        ILFS().fit(*sample())
    assert seen == sorted(seen)
    assert seen[-1] > 0.9


@pytest.mark.parametrize("case", ["rand60x200", "corr100x2000"])
def test_another_order_than_that_of_the_toolbox(case):
    """Its scores tell features less apart, and follow the Fisher score less."""
    with np.load(GOLDEN / f"{case}.npz") as data:
        X, y = data["X"], data["y"].ravel()
    with np.load(GOLDEN / "ilfs.npz") as data:
        theirs = data[case]
    ours, fisher = ILFS().fit(X, y).scores_, FisherScore().fit(X, y).scores_
    assert spearmanr(ours, fisher).statistic > 0.94
    assert spearmanr(theirs, fisher).statistic < 0.7
    assert np.quantile(theirs, 0.05) > 0.98 * theirs.max()
