import numpy as np
import pytest
from sklearn.linear_model import Lasso

from featrank.solvers.sparse_codes import code_costs, sparse_codes


def by_lasso(points, i, penalty):
    """Codes of one sample; scikit-learn halves the squares and divides them by their number."""
    others = np.arange(len(points)) != i
    lasso = Lasso(penalty / (2 * points.shape[1]), fit_intercept=False, tol=1e-12, max_iter=10**6)
    codes = np.zeros(len(points))
    codes[others] = lasso.fit(points[others].T, points[i]).coef_
    return codes


@pytest.mark.parametrize("n_columns", [1, 2, 5, 30])
@pytest.mark.parametrize("penalty", [0.5, 3.0])
def test_costs_are_those_of_the_lasso(n_columns, penalty):
    points = np.random.default_rng(0).normal(size=(12, n_columns))
    codes = sparse_codes(points, np.zeros((12, 12)), penalty, 6000)
    wanted = np.column_stack([by_lasso(points, i, penalty) for i in range(12)])
    costs = code_costs(points, codes, penalty)
    np.testing.assert_allclose(costs, code_costs(points, wanted, penalty), rtol=1e-5)
    assert (codes.diagonal() == 0).all()


def test_no_sample_gets_dearer_whatever_the_start():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(15, 3))
    for codes in rng.normal(size=(5, 15, 15)):
        np.fill_diagonal(codes, 0)
        before = codes.copy()
        for steps in (1, 2, 10):
            after = sparse_codes(points, codes, 0.3, steps)
            gained = code_costs(points, codes, 0.3) - code_costs(points, after, 0.3)
            assert (gained >= -1e-12).all()
            assert gained.sum() > 0
        assert np.array_equal(codes, before)


def test_samples_in_another_order_have_the_same_codes():
    rng = np.random.default_rng(0)
    points, order = rng.normal(size=(20, 2)), rng.permutation(20)
    codes = sparse_codes(points, np.zeros((20, 20)), 0.1, 7)
    moved = sparse_codes(points[order], np.zeros((20, 20)), 0.1, 7)
    np.testing.assert_allclose(moved, codes[np.ix_(order, order)], atol=1e-12)


def test_a_sample_at_the_origin_has_no_codes():
    points = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]])
    codes = sparse_codes(points, np.zeros((3, 3)), 0.1, 20)
    assert not codes[:, 0].any()
    assert not codes[0].any()
    assert codes[2, 1] > 0
