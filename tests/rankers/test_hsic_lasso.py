import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import lars_path

from featrank import HSICLasso, LassoPath
from featrank._utils.progress import progress_to
from featrank.rankers import hsic_lasso
from featrank.solvers.hsic_factors import gaussian_factors
from featrank.solvers.hsic_pairs import blocks_of

from .selection import selected_criterion


def gaussian(x):
    x = x / x.std()
    return np.exp(-((x[:, None] - x) ** 2) / 2)


def delta(y):
    sizes = {label: np.sum(y == label) for label in y.tolist()}
    same = y[:, None] == y
    return same / np.array([sizes[label] for label in y.tolist()])


def vectors(matrix, blocks):
    """Return the blocks of a matrix of likenesses, centred, of length 1, and strung together."""
    found = []
    for block in blocks:
        part = matrix(block)
        centring = np.eye(len(block)) - 1 / len(block)
        part = centring @ part @ centring
        length = np.linalg.norm(part)
        found.append((part / length if length > 1e-9 else 0 * part).ravel())
    return np.concatenate(found) / np.sqrt(len(blocks))


def brute(X, y, task, blocks=None):
    """Return who enters, at which λ, and the HSIC of each, from matrices that are written out."""
    blocks = [np.arange(len(X))] if blocks is None else blocks
    whole = [gaussian(x) for x in X.T]
    table = np.column_stack(
        [vectors(lambda b, K=K: K[np.ix_(b, b)], blocks) for K in whole],
    )
    quantity = gaussian(y.astype(float)) if task == "regression" else None
    target = vectors(
        lambda b: delta(y[b]) if quantity is None else quantity[np.ix_(b, b)],
        blocks,
    )
    alphas, _, weights = lars_path(table, target, method="lasso", positive=True, max_iter=10**4)
    used = weights != 0
    first = np.where(used.any(axis=1), used.argmax(axis=1), len(alphas))
    order = np.argsort(first, kind="stable")[: used.any(axis=1).sum()]
    return order, len(table) * alphas[first[order] - 1], target @ table


def problem(task, n_samples=40, n_features=25, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) * np.geomspace(0.01, 100, n_features) + 5
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    y = z[:, 3] ** 2 + z[:, 8] + 0.3 * rng.normal(size=n_samples)
    return X, y if task == "regression" else np.digitize(y, [0.3, 1.2])


TASKS = ["classification", "regression"]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("shape", [(40, 25), (25, 90)])
def test_features_enter_as_with_matrices_written_out(task, shape):
    X, y = problem(task, *shape)
    order, penalties, relevance = brute(X, y, task)
    ranker = HSICLasso(task=task).fit(X, y)
    assert_same_path(ranker, order, penalties)
    np.testing.assert_allclose(ranker.relevance_, relevance, atol=1e-9)
    rest = ranker.order_[len(selected_criterion(ranker)) :]
    assert (np.diff(relevance[rest]) <= 1e-9).all()


def assert_same_path(ranker, order, penalties):
    """Scikit-learn ends its path a little above λ = 0."""
    found = ranker.order_[: len(selected_criterion(ranker))]
    np.testing.assert_array_equal(found[: len(order)], order)
    np.testing.assert_allclose(selected_criterion(ranker)[: len(order)], penalties, atol=1e-9)
    assert len(order) > 3
    assert (selected_criterion(ranker)[len(order) :] < 1e-3).all()


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(("n_samples", "block_size"), [(42, 10), (40, 20), (9, 4)])
def test_blocks_as_with_matrices_written_out(task, n_samples, block_size):
    X, y = problem(task, n_samples)
    y[:3] = y[:3].max()  # more than one sample a class
    settings = {"block_size": block_size, "n_permutations": 2, "random_state": 3}
    ranker = HSICLasso(task=task, **settings).fit(X, y)
    count = n_samples // block_size
    order, penalties, relevance = brute(
        X, y, task, blocks_of(n_samples, count, 2, np.random.RandomState(3))
    )
    np.testing.assert_allclose(ranker.relevance_, relevance, atol=1e-9)
    assert_same_path(ranker, order, penalties)


# By pyHSICLasso 1.4.2, in single precision: HSICLasso().input(X, y), then
# classification(5, B=0, M=1) or regression(4, B=0, M=1), get_index(), get_index_score(), lam.
PUBLISHED = {
    "wine": (
        [6, 12, 9, 0, 11],
        [0.232185, 0.134258, 0.081393, 0.043677, 0.025369],
        [0.604125, 0.494713, 0.409520, 0.361826, 0.319414, 0.282596],
    ),
    "diabetes": (
        [8, 2, 3, 6],
        [0.214602, 0.111628, 0.064229, 0.039873],
        [0.272846, 0.163401, 0.098740, 0.073404, 0.022670],
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_authors_package_agrees(name):
    """It ends where one more feature enters, and sorts by α."""
    index, weights, penalties = PUBLISHED[name]
    X, y = (load_wine if name == "wine" else load_diabetes)(return_X_y=True)
    X, y = (X, y) if name == "wine" else (X[:150], y[:150])
    task = "classification" if name == "wine" else "regression"
    ranker = HSICLasso(len(index) + 1, task=task).fit(X, y)
    np.testing.assert_allclose(ranker.coef_[index], weights, atol=2e-6)
    assert np.argsort(-ranker.coef_)[: len(index)].tolist() == index
    np.testing.assert_allclose(selected_criterion(ranker), penalties, atol=2e-6)


@pytest.mark.parametrize("block_size", [None, 10])
def test_features_are_looked_at_when_they_may_enter(monkeypatch, block_size):
    """A few features at first, more as λ falls: the same path."""
    X, y = problem("classification", 30, 80)
    whole = HSICLasso(block_size=block_size).fit(X, y)
    monkeypatch.setattr(hsic_lasso, "FEW", 0)
    monkeypatch.setattr(hsic_lasso, "FIRST", 8)
    for module in ("hsic_factors", "hsic_pairs"):
        monkeypatch.setattr(f"featrank.solvers.{module}.AT_ONCE", 1)
    for kept in (2**30, 2**17, 0):
        monkeypatch.setattr(hsic_lasso, "MOST_KEPT", kept)
        for count in (None, 4):
            ranker = HSICLasso(count, block_size=block_size).fit(X, y)
            chosen = len(selected_criterion(ranker))
            assert chosen == (count or len(selected_criterion(whole)))
            np.testing.assert_array_equal(ranker.order_[:chosen], whole.order_[:chosen])
            np.testing.assert_allclose(
                selected_criterion(ranker), selected_criterion(whole)[:chosen], atol=1e-12
            )
            np.testing.assert_allclose(ranker.relevance_, whole.relevance_, atol=1e-12)


def test_few_features_need_few_products(monkeypatch):
    X, y = problem("classification", 60, 3000)
    made = []
    plain = hsic_lasso.Panels.products

    def counted(self, matrix, start, stop):
        made.append(stop - start)
        return plain(self, matrix, start, stop)

    monkeypatch.setattr(hsic_lasso.Panels, "products", counted)
    HSICLasso(4).fit(X, y)
    assert 0 < sum(made) < 3000


@pytest.mark.parametrize("n_samples", [3, 60, 400])
def test_factors_give_the_matrices_back(n_samples):
    rng = np.random.default_rng(0)
    kinds = [
        rng.normal(size=n_samples),
        rng.standard_cauchy(n_samples),
        np.exp(3 * rng.normal(size=n_samples)),
        rng.integers(0, 2, n_samples),
        np.zeros(n_samples),
        np.eye(n_samples)[0],
        20.0 * np.arange(n_samples),
    ]
    factors = gaussian_factors(np.array(kinds))
    for factor, x in zip(factors, kinds, strict=True):
        wanted = np.exp(-((x[:, None] - x) ** 2) / 2)
        np.testing.assert_allclose(factor.T @ factor, wanted, atol=1e-11 * n_samples)


@pytest.mark.parametrize("block_size", [40, 21, 100])
def test_one_block_is_all_samples(block_size):
    X, y = problem("classification")
    ranker = HSICLasso(block_size=block_size).fit(X, y)
    np.testing.assert_array_equal(ranker.scores_, HSICLasso().fit(X, y).scores_)


def test_rows_columns_and_seeds_change_nothing_without_blocks():
    X, y = problem("classification")
    wanted = HSICLasso().fit(X, y).scores_
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    got = HSICLasso(random_state=7).fit(X[rows][:, columns], y[rows]).scores_
    np.testing.assert_allclose(got, wanted[columns], rtol=1e-9)


def test_relations_that_are_no_line_are_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 200))
    y = X[:, 20] ** 2 + np.cos(2 * X[:, 150])
    assert set(HSICLasso(2, task="regression").fit(X, y).order_[:2]) == {20, 150}
    assert set(LassoPath(2, task="regression").fit(X, y).order_[:2]) != {20, 150}


@pytest.mark.parametrize("block_size", [None, 20])
def test_duplicates_never_enter(block_size):
    X, y = problem("classification")
    X = np.column_stack([X, X[:, 8], -3 * X[:, 3] + 1, np.full(40, 0.1)])
    ranker = HSICLasso(block_size=block_size).fit(X, y)
    chosen = ranker.order_[: len(selected_criterion(ranker))]
    assert {3, 8} <= set(chosen)
    assert not {25, 26, 27} & set(chosen)
    assert ranker.relevance_[25] == ranker.relevance_[8]
    assert ranker.relevance_[26] == pytest.approx(ranker.relevance_[3], abs=1e-9)
    assert ranker.relevance_[27] == 0


def test_threads_change_nothing_and_seeds_draw_blocks():
    X, y = problem("classification", 40, 300)
    one = HSICLasso(block_size=10).fit(X, y)
    for n_jobs in (2, 4):
        other = HSICLasso(block_size=10, n_jobs=n_jobs).fit(X, y)
        np.testing.assert_array_equal(other.scores_, one.scores_)
    seed = HSICLasso(block_size=10, random_state=1).fit(X, y)
    assert not np.array_equal(seed.relevance_, one.relevance_)


@pytest.mark.parametrize("settings", [{}, {"n_features_to_select": 5}, {"block_size": 10}])
def test_progress_reaches_the_end(settings):
    X, y = problem("classification", 30, 400)
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        HSICLasso(**settings).fit(X, y)
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {totals[0]}
    assert done[-1] == totals[-1]
