"""``compare_file`` is ``compare`` on what the file holds."""

import numpy as np
import pytest

from featrank import bin_target, tables
from featrank.evaluation import Protocol, compare
from featrank.exceptions import UsageError
from featrank.files.compare import compare_file

FAST = {"n_repeats": 2, "C": (0.1, 1.0), "inner_cv": 3}


@pytest.fixture
def made(tmp_path):
    """Values with missing values, a numeric target to be binned, and a column of batches."""
    rng = np.random.default_rng(0)
    X, dose = rng.normal(5, 1, size=(48, 9)), rng.normal(size=48)
    X[:, 3] += 2 * dose
    X[5, 0] = np.nan
    batch = np.arange(48) // 4
    names = [f"g{j}" for j in range(9)]
    whole = tables.Table(np.column_stack([X, batch]), [*names, "batch"], dose, "dose")
    tables.write_table(tmp_path / "made.csv", whole)
    return tmp_path / "made.csv", X, dose, batch


def test_the_same_scores_as_compare(made):
    path, X, dose, batch = made
    protocol = Protocol(n_features=(2, 4), **FAST)
    found = compare_file(path, "dose", ["fisher", "mi"], protocol, target_bins=2, groups="batch")
    y = bin_target(dose, 2)
    names = [f"g{j}" for j in range(9)]
    expected = compare(
        X, y, ["fisher", "mi"], protocol, groups=batch, dataset="made", feature_names=names
    )
    assert found.manifest["data"] == expected.manifest["data"]
    for method in ("fisher", "mi"):
        for k in (2, 4):
            np.testing.assert_array_equal(found.scores(method, k), expected.scores(method, k))


def test_a_small_table_has_its_own_numbers_of_features(made, tmp_path):
    path, *_ = made
    protocol = Protocol(n_features="auto", **FAST)
    out = tmp_path / "results"
    found = compare_file(
        path, -1, ["fisher"], protocol, target_bins=2, drop="g8,batch", out_dir=out
    )
    assert found.n_features == (1, 2, 5)
    assert (out / "results.csv").exists()


def test_other_data_without_numbers_of_features(made):
    """The default is the same for arrays and files."""
    _, X, dose, _ = made
    X = np.nan_to_num(X, nan=5.0)
    found = compare(X, bin_target(dose, 2), ["fisher"], Protocol(n_features="auto", **FAST))
    assert found.n_features == (1, 2, 5)


def test_a_file_without_labels(tmp_path):
    tables.write_table(tmp_path / "bare.npz", tables.Table(np.eye(4), list("abcd")))
    with pytest.raises(UsageError, match="A comparison needs a target"):
        compare_file(tmp_path / "bare.npz", None, ["fisher"])


def test_the_data_goes_by_the_name_of_the_file_without_its_suffixes(tmp_path):
    path = tmp_path / "a.b.csv.gz"
    X = np.random.default_rng(0).normal(size=(30, 4))
    tables.write_table(path, tables.Table(X, list("abcd"), np.arange(30) % 2, "y"))
    found = compare_file(path, "y", ["fisher"], Protocol(n_features=(2,), **FAST))
    assert found.manifest["data"]["name"] == "a.b"
