import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score

from featrank import kernels

from . import twins


def random_counts(n_columns, n_classes, n_bins, seed):
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, n_classes * n_bins, (n_columns, 150)) // rng.integers(
        1, 4, (n_columns, 1)
    )
    counts = np.zeros((n_columns, n_classes * n_bins), np.int32)
    for row, cell in zip(counts, cells, strict=True):
        np.add.at(row, cell, 1)
    return counts.reshape(n_columns, n_classes, n_bins)


@pytest.mark.parametrize("n_classes", [1, 2, 5])
@pytest.mark.parametrize("n_bins", [1, 2, 10, 20])
def test_information_and_entropy(n_classes, n_bins):
    counts = random_counts(30, n_classes, n_bins, seed=n_bins)
    information, bin_entropy = kernels.information(counts)
    expected, expected_entropy = twins.information(counts)
    np.testing.assert_allclose(information, expected, atol=1e-13)
    np.testing.assert_allclose(bin_entropy, expected_entropy, atol=1e-13)


def test_agrees_with_scikit_learn_and_scipy():
    counts = random_counts(20, 3, 10, seed=0)
    information, bin_entropy = kernels.information(counts)
    for table, got, got_entropy in zip(counts, information, bin_entropy, strict=True):
        classes, bins = (
            np.repeat(index, table.ravel()) for index in np.indices(table.shape).reshape(2, -1)
        )
        assert got == pytest.approx(mutual_info_score(classes, bins), abs=1e-13)
        assert got_entropy == pytest.approx(entropy(table.sum(axis=0)), abs=1e-13)


def test_independence_is_exactly_nothing():
    by_class, by_bin = np.array([3, 7, 11]), np.array([1, 2, 0, 5])
    counts = np.multiply.outer(by_class, by_bin)[None].astype(np.int32)
    assert kernels.information(counts)[0] == 0


def test_a_feature_that_is_the_class_tells_all_of_it():
    counts = np.diag([5, 20, 75])[None].astype(np.int32)
    information, bin_entropy = kernels.information(counts)
    assert information[0] == pytest.approx(entropy([5, 20, 75]), abs=1e-14)
    assert information[0] == bin_entropy[0]


def test_large_samples():
    counts = np.array([[[10_000_000, 1], [2, 20_000_000]]], np.int32)
    information, bin_entropy = kernels.information(counts)
    expected, expected_entropy = twins.information(counts)
    np.testing.assert_allclose(information, expected, rtol=1e-12)
    np.testing.assert_allclose(bin_entropy, expected_entropy, rtol=1e-12)


def test_no_columns():
    assert kernels.information(np.empty((0, 2, 3), np.int32))[0].shape == (0,)


@pytest.mark.parametrize(
    "counts",
    [
        [[[1, 2], [3, 4]], [[1, 2], [3, 5]]],
        [[[1, 2], [3, 4]], [[-1, 4], [3, 4]]],
        [[[1, 2], [3, 4]], [[10, 10], [-10, 0]]],
        [[[0, 0], [0, 0]]],
    ],
)
def test_counts_beyond_the_total_are_rejected(counts):
    with pytest.raises(ValueError, match="featrank kernel"):
        kernels.information(np.array(counts, np.int32))


def test_columns_with_missing_values_have_totals_of_their_own():
    counts = np.array([[[1, 2], [3, 4]], [[1, 2], [3, 0]], [[0, 0], [0, 0]]], np.int32)
    together = np.array(kernels.information(counts))
    for j in range(2):
        np.testing.assert_array_equal(
            together[:, j], np.ravel(kernels.information(counts[j : j + 1]))
        )
    assert not together[:, 2].any()


def test_logarithms_are_the_same_looked_up_or_not():
    rng = np.random.default_rng(0)
    few = rng.integers(0, 50_000, (3, 2, 20)).astype(np.int32)
    many = np.repeat(few, 30_000, axis=0)
    most = int(few.sum(axis=(1, 2)).max())
    np.testing.assert_array_equal(
        kernels.information(few, most)[0], kernels.information(many, most)[0][::30_000]
    )
