"""Features that duplicate the target are reported, and features that only look so are not."""

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import featrank
from featrank.evaluation import Protocol, compare
from featrank.exceptions import FeatrankWarning
from featrank.statistics.target_copies import class_copies, regression_copies

DATA = Path(os.environ.get("FEATRANK_DATA", "/nonexistent"))


def table(n_samples=40, n_classes=2, n_features=30):
    rng = np.random.default_rng(0)
    codes = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, 3] += 2 * codes
    return X, codes


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_recoded_classes(n_classes):
    X, codes = table(60, n_classes)
    X[:, 7] = np.array([4.0, -1.0, 0.5, 9.0, 2.0])[codes]
    assert class_copies(X, codes, 30).tolist() == [7]
    X[5, 7] = np.nan
    assert class_copies(X, codes, 30).tolist() == [7]
    X[6, 7] += 1e-9
    assert class_copies(X, codes, 30).tolist() == []
    X[:, 7] = codes == 0
    assert class_copies(X, codes, 30).tolist() == ([7] if n_classes == 2 else [])


def test_separation_is_not_a_copy():
    X, codes = table()
    X[:, 4] += 100 * codes
    assert class_copies(X, codes, 30).size == 0


def test_copies_of_a_regression_target():
    X, _ = table(40)
    y = np.random.default_rng(1).normal(size=40)
    assert regression_copies(X, y, 30).size == 0
    X[:, 2], X[:, 5], X[:, 6], X[:, 9] = 3 - 2 * y, np.exp(y), 1e200 * y, y
    X[3, 2] = np.nan
    X[:, 11] = y + np.random.default_rng(2).normal(0, 0.1, 40)
    X[:, 12] = 1.0
    assert regression_copies(X, y, 30).tolist() == [2, 5, 6, 9]


@pytest.mark.parametrize("n_samples", [6, 8, 12, 16])
@pytest.mark.parametrize("n_features", [5, 100, 1000])
def test_chance_copies_are_rarely_reported(n_samples, n_features):
    rng = np.random.default_rng(n_samples + n_features)
    n_runs, reported = 100, 0
    codes = np.arange(n_samples) % 2
    for _ in range(n_runs):
        X = rng.integers(0, 2, (n_samples, n_features)).astype(float)
        reported += class_copies(X, rng.permutation(codes), n_features).size > 0
    assert reported <= 4  # expected: 1 of 100 at most


@pytest.mark.parametrize("n_samples", [3, 5, 7])
def test_chance_copies_of_a_regression_target(n_samples):
    rng = np.random.default_rng(n_samples)
    for _ in range(10):
        y = rng.integers(0, 3, n_samples).astype(float)
        y[:2] = 0, 1
        X = rng.integers(0, 3, (n_samples, 100)).astype(float)
        assert regression_copies(X, y, 100).size == 0


def test_chance_needs_few_samples_only():
    codes = np.arange(30) % 2
    X = codes[:, np.newaxis].astype(float)
    assert class_copies(X, codes, 100_000).tolist() == [0]
    assert class_copies(X[:6], codes[:6], 1).tolist() == []


@pytest.fixture
def leaky(tmp_path):
    X, codes = table()
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(30)])
    frame["coded"] = 5.0 - codes
    return frame, np.array(["sick", "well"])[codes]


def test_rank_warns(leaky, tmp_path):
    frame, y = leaky
    frame.assign(status=y).to_csv(tmp_path / "d.csv", index=False)
    frame.assign(status=y).to_parquet(tmp_path / "d.parquet")
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1,))
    for call in (
        lambda: featrank.rank(frame, y),
        lambda: featrank.rank(frame, y, "mrmr", top=5),
        lambda: featrank.rank(frame, y, per_class=True),
        lambda: featrank.rank_file(tmp_path / "d.csv", "status"),
        lambda: featrank.rank_file(tmp_path / "d.parquet", "status", memory="1GB"),
        lambda: compare(frame, y, ["fisher"], protocol),
    ):
        with pytest.warns(FeatrankWarning, match=r"'coded' is a copy of the target.*\['coded'"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        featrank.rank_file(tmp_path / "d.csv", "status", drop="coded")


def test_regression_and_several_copies(leaky):
    frame, _ = leaky
    y = frame["g0"].to_numpy()
    protocol = Protocol(n_repeats=2, n_features=(2,), task="regression")
    frame["log"] = np.log(y - y.min() + 1)
    told = (
        r"'g0', 'log' are each a copy of the target \(correlation of 0.9999 or more\).*'g0', 'log'"
    )
    with pytest.warns(FeatrankWarning, match=told):
        compare(frame, y, ["mi"], protocol)
    with pytest.warns(FeatrankWarning, match="are each a copy of the target"):
        featrank.rank(frame, y, "mi", task="regression")


def test_one_class_against_the_rest():
    X, codes = table(60, 3)
    frame = pd.DataFrame(X).assign(is_b=(codes == 1).astype(float), code=codes)
    frame.columns = [str(name) for name in frame.columns]
    with pytest.warns(FeatrankWarning, match=r"Class 'b'.*: 'is_b' is a copy of the target"):
        featrank.rank(frame.drop(columns="code"), np.array(list("abc"))[codes], per_class=True)
    with pytest.warns(FeatrankWarning, match="'code' is a copy of the target"):
        featrank.rank(
            frame.drop(columns="is_b"), np.array(list("abc"))[codes], "fisher", per_class=True
        )


def test_methods_without_a_target_do_not_warn(leaky):
    frame, y = leaky
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        featrank.rank(frame, y, "laplacian")


@pytest.mark.skipif(not DATA.exists(), reason="needs FEATRANK_DATA")
@pytest.mark.parametrize("name", ["colon", "leukemia", "lymphoma", "prostate"])
def test_genes_are_not_copies(name):
    stored = np.load(DATA / f"{name}.npz", allow_pickle=True)
    codes = np.unique(stored["y"], return_inverse=True)[1].ravel()
    assert class_copies(stored["X"].astype(float), codes, stored["X"].shape[1]).size == 0
