"""EC-FS against the paper's formulas written out; its parameters; its path over alpha."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import mutual_info_score

from featrank import ECFS

from .ec_fs_data import KERNELS, make_data


def fisher_by_hand(x, y):
    parts = [x[y == c] for c in np.unique(y)]
    within = sum(part.var(ddof=1) for part in parts)
    if len(parts) == 2:
        between = (parts[0].mean() - parts[1].mean()) ** 2
    else:
        between = sum((part.mean() - x.mean()) ** 2 for part in parts)
    return between / within


def information_by_hand(x, y, n_bins, normalized):
    """Plug-in estimate over equal widths; normalized by the mean of both entropies."""
    edges = x.min() + np.arange(1, n_bins) * ((x.max() - x.min()) / n_bins)
    joint = np.zeros((n_bins, y.max() + 1))
    np.add.at(joint, (np.searchsorted(edges, x, side="right"), y), 1 / len(x))
    p, q = joint.sum(axis=1), joint.sum(axis=0)
    z, c = np.nonzero(joint)
    information = np.sum(joint[z, c] * np.log(joint[z, c] / (p[z] * q[c])))
    if not normalized:
        return information
    entropies = -sum(np.sum(r[r > 0] * np.log(r[r > 0])) for r in (p, q))
    return 2 * information / entropies


def scaled(values):
    return (values - values.min()) / (values.max() - values.min())


def adjacency_by_hand(X, y, alpha, kernel, normalize, n_bins=10):
    f = np.array([fisher_by_hand(x, y) for x in X.T])
    m = np.array([information_by_hand(x, y, n_bins, kernel == "toolbox") for x in X.T])
    unit = np.abs(X).sum(axis=0) if normalize == "l1" else 1.0
    s = (X / unit).std(axis=0, ddof=1)
    if kernel != "toolbox":
        f, m, s = scaled(f), scaled(m), scaled(s)
    k = {
        "product": np.outer(f, m),
        "symmetric": (np.outer(f, m) + np.outer(m, f)) / 2,
        "toolbox": np.outer((f + m) / 2, (f + m) / 2),
    }[kernel]
    sigma = np.maximum.outer(s, s)
    if kernel == "toolbox":
        k, sigma = scaled(k), scaled(sigma)
    return alpha * k + (1 - alpha) * sigma


def leading(A):
    values, vectors = np.linalg.eig(A)
    best = np.argmax(np.abs(values))
    vector = np.abs(vectors[:, best])
    return values[best].real, vector / np.linalg.norm(vector)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("normalize", ["l1", None])
@pytest.mark.parametrize("alpha", [0, 0.3, 1])
@pytest.mark.parametrize(("n_classes", "n_features"), [(2, 60), (3, 25)])
def test_agrees_with_the_paper_written_out(kernel, normalize, alpha, n_classes, n_features):
    X, y = make_data(n_features=n_features, n_classes=n_classes)
    A = adjacency_by_hand(X, y, alpha, kernel, normalize)
    eigenvalue, vector = leading(A)
    ranker = ECFS(alpha=alpha, kernel=kernel, normalize=normalize).fit(X, y)
    np.testing.assert_allclose(ranker.graph_.to_dense(), A, atol=1e-11)
    np.testing.assert_allclose(ranker.scores_, vector, atol=1e-9)
    assert ranker.eigenvalue_ == pytest.approx(eigenvalue, rel=1e-9)
    np.testing.assert_array_equal(ranker.order_, np.argsort(-vector, kind="stable"))


@pytest.mark.parametrize("kernel", KERNELS)
def test_agrees_with_the_paper_on_more_features_and_bins(kernel):
    X, y = make_data(n_samples=250, n_features=300, seed=1)
    _, vector = leading(adjacency_by_hand(X, y, 0.3, kernel, "l1", n_bins=20))
    ranker = ECFS(alpha=0.3, kernel=kernel).fit(X, y)
    np.testing.assert_allclose(ranker.scores_, vector, atol=1e-9)
    np.testing.assert_array_equal(ranker.order_, np.argsort(-vector, kind="stable"))


def test_reports_what_enters_the_graph():
    X, y = make_data()
    ranker = ECFS(alpha=0.3).fit(X, y)
    np.testing.assert_allclose(
        ranker.fisher_, scaled(np.array([fisher_by_hand(x, y) for x in X.T]))
    )
    for vector in (ranker.fisher_, ranker.information_, ranker.spread_):
        assert vector.min() == 0
        assert vector.max() == 1
    assert 1 <= ranker.n_iter_ < 100
    product = ranker.graph_.product(ranker.scores_)
    np.testing.assert_allclose(product, ranker.eigenvalue_ * ranker.scores_, atol=1e-10)


def test_says_when_the_eigenvector_is_not_reached():
    X, y = make_data()
    with pytest.warns(ConvergenceWarning, match=r"did not converge.* instead of 1\.0e-300"):
        ECFS(tol=1e-300).fit(X, y)


@pytest.mark.parametrize("kernel", KERNELS)
def test_units_do_not_matter(kernel):
    X, y = make_data()
    powers = 2.0 ** np.random.default_rng(0).integers(-20, 20, X.shape[1])
    scores = ECFS(alpha=0.5, kernel=kernel).fit(X, y).scores_
    np.testing.assert_allclose(
        ECFS(alpha=0.5, kernel=kernel).fit(X * powers, y).scores_, scores, rtol=1e-12
    )
    plain = ECFS(alpha=0.5, kernel=kernel, normalize=None)
    assert np.any(plain.fit(X * powers, y).order_ != plain.fit(X, y).order_)


@pytest.mark.parametrize("kernel", KERNELS)
def test_single_precision_gives_the_scores_of_the_same_numbers(kernel):
    X, y = make_data(n_features=70)
    single = ECFS(kernel=kernel).fit(X.astype(np.float32), y)
    double = ECFS(kernel=kernel).fit(X.astype(np.float32).astype(np.float64), y)
    np.testing.assert_allclose(single.scores_, double.scores_, rtol=1e-10)
    np.testing.assert_array_equal(single.ranking_, double.ranking_)
    assert single.scores_.dtype == np.float64


@pytest.mark.parametrize("n_samples", [60, 150, 300])
def test_auto_bins(n_samples):
    X, y = make_data(n_samples=n_samples)
    n_bins = {60: 10, 150: 15, 300: 20}[n_samples]
    auto, given = ECFS().fit(X, y), ECFS(bins=n_bins).fit(X, y)
    np.testing.assert_array_equal(auto.scores_, given.scores_)
    assert np.any(ECFS(bins=n_bins + 1).fit(X, y).information_ != given.information_)


def test_quantile_bins_hold_equally_many():
    X, y = make_data(n_features=8)
    ranker = ECFS(binning="quantile", bins=5).fit(X, y)
    edges = np.quantile(X, np.arange(1, 5) / 5, axis=0)
    bins = [np.searchsorted(edges[:, j], X[:, j], side="right") for j in range(8)]
    by_hand = [mutual_info_score(y, column) for column in bins]
    np.testing.assert_allclose(ranker.information_, scaled(np.array(by_hand)), atol=1e-12)


@pytest.mark.parametrize(
    "params",
    [
        {"alpha": 1.1},
        {"alpha": -0.1},
        {"kernel": "cubic"},
        {"normalize": "l2"},
        {"bins": 1},
        {"bins": "many"},
        {"binning": "random"},
        {"tol": 0},
        {"n_jobs": 0.5},
    ],
)
def test_parameters_out_of_range_are_rejected(params):
    X, y = make_data()
    with pytest.raises(ValueError, match=f"'{next(iter(params))}' parameter of ECFS"):
        ECFS(**params).fit(X, y)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_pass_gives_the_orders_of_separate_fits(kernel, n_classes):
    X, y = make_data(n_classes=n_classes)
    X[:, 9], X[:, 10], X[:, 11] = 1.0, y, X[:, 12]
    alphas = [0, 0.25, 0.5, 0.9, 1]
    orders = ECFS(kernel=kernel).rank_candidates(X, y, [{"alpha": alpha} for alpha in alphas])
    for order, alpha in zip(orders, alphas, strict=True):
        expected = ECFS(alpha=alpha, kernel=kernel).fit(X, y).order_
        np.testing.assert_array_equal(order, expected)
