"""Missing values filled by the nearest rows are scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.impute import KNNImputer

from featrank.exceptions import UsageError
from featrank.tables import read_table
from featrank.tables.missing import complete


def gappy(shape=(30, 12), seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)
    X[rng.random(shape) < 0.1] = np.nan
    return X


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_fill_is_scikit_learns(order):
    X = gappy()
    expected = KNNImputer().fit_transform(X)
    frozen = np.array(X, order=order)
    frozen.setflags(write=False)
    found = complete(frozen, [f"x{j}" for j in range(12)], "knn")
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(frozen, X)


def test_codes_of_categories_become_the_most_frequent_and_make_no_neighbours():
    X = gappy()
    X[:, 3] = 1e6 * (np.arange(30) % 3)  # would decide who is near
    X[[0, 3], 3] = np.nan
    expected = KNNImputer().fit_transform(np.delete(X, 3, axis=1))
    found = complete(X.copy(), [f"x{j}" for j in range(12)], "knn", {3})
    np.testing.assert_array_equal(np.delete(found, 3, axis=1), expected)
    assert found[[0, 3], 3].tolist() == [1e6, 1e6]


def test_only_categories_are_missing():
    X = np.array([[0.0, 1.0], [np.nan, 2.0], [0.0, 3.0]])
    found = complete(X, ["a", "b"], "knn", {0})
    assert found.tolist() == [[0, 1], [0, 2], [0, 3]]


def test_sparse_values_are_refused():
    X = sparse.csr_matrix(gappy())
    with pytest.raises(UsageError, match=r"Sparse data .*`missing="):
        complete(X, [f"x{j}" for j in range(12)], "knn")


def test_a_file_is_filled(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,10\n2,\n3,30\n")
    assert read_table(path, missing="knn").X.tolist() == [[1, 10], [2, 20], [3, 30]]
