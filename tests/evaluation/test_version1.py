"""A folder that an earlier featrank wrote: it is read, and what it lacks is named."""

import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from featrank.evaluation import Protocol, compare, read_comparison
from featrank.exceptions import DataError, UsageError
from featrank.statistics import ranking_stability, selection_frequency

OLD = Path(__file__).parent / "data" / "version1"
METHODS = ["ec-fs", "fisher", "mi", "laplacian"]


@pytest.fixture
def old():
    return read_comparison(OLD)


def test_scores_and_rankings_are_those_of_its_tables(old):
    assert (old.methods, old.ks, len(old.trials)) == (METHODS, (3, 6), 6)
    assert [entry["name"] for entry in old.manifest["methods"]] == METHODS
    assert old.frame.equals(pl.read_parquet(OLD / "results.parquet"))
    with np.load(OLD / "rankings.npz") as stored:
        for name in METHODS:
            assert np.array_equal(old.rankings[name], stored[name])
    table = pl.read_csv(OLD / "results.csv").group_by("method", "k").agg(pl.mean("score"))
    means = {(method, k): score for method, k, score in table.rows()}
    for row in old.table():
        assert row[3] == pytest.approx(means[row["method"], 3])


def test_what_it_can_do_it_does(old):
    assert old.proposed() == "ec-fs"
    assert len(old.differences()) == len(old.tests()) == 6
    assert set(old.curves()["method"]) == set(METHODS)
    assert -1 <= ranking_stability(old.rankings["fisher"], 3) <= 1
    assert selection_frequency(old)["feature"].str.contains(r"^x\d+$").all()


def test_what_it_lacks_is_named(old):
    assert old.baseline is None
    assert old.baseline_row() is None
    assert old.feature_names is None
    lacks = old.lacks()
    assert lacks[:2] == [
        "No random ranking ran along as a baseline.",
        "The names of the features are not known.",
    ]
    assert len(lacks) == 7
    asked = {
        "scores of the features": old.features, "class quantiles": old.values_by_class,
        "correlations": old.correlations, "edges": old.edges, "ROC curves": old.roc,
    }  # fmt: skip
    for what, call in asked.items():
        assert sum(what in sentence for sentence in lacks) == 1
        with pytest.raises(DataError, match=f"There are no {what}.* layout version 1.*Run compare"):
            call()


def test_the_same_run_has_the_same_scores_today(old):
    """What runs along, and what is kept beside the trials, changes no figure of a method."""
    rng = np.random.default_rng(0)
    y = np.arange(36) % 2
    X = rng.normal(5, 1, size=(36, 30))
    X[:, :5] += 0.8 * y[:, None]
    protocol = Protocol(trials=6, ks=(3, 6), C=(0.1, 1.0), folds=3, grids={"ec-fs": {}})
    new = compare(X, y, METHODS, protocol)
    assert new.manifest["data"]["sha256"] == old.manifest["data"]["sha256"]
    for name in METHODS:
        same = (new.rankings[name] == old.rankings[name]).all(axis=1)
        # EC-FS judges alpha by the head of a list too since, and takes another in one trial.
        assert same.sum() == (5 if name == "ec-fs" else 6)
        for k in (3, 6):
            assert new.scores(name, k) == pytest.approx(old.scores(name, k), abs=1e-12)


def test_of_which_only_the_tables_are_left(old, tmp_path):
    shutil.copytree(OLD, tmp_path / "old")
    shutil.rmtree(tmp_path / "old" / "trials")
    again = read_comparison(tmp_path / "old")
    assert again.frame.equals(old.frame)
    assert again.lacks() == old.lacks()


def test_it_is_not_gone_on_with(tmp_path):
    folder = shutil.copytree(OLD, tmp_path / "old")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    X, y = np.random.default_rng(0).normal(size=(36, 30)), np.arange(36) % 2
    with pytest.raises(UsageError, match=r"layout version 1.*featrank that wrote it \(0.1.0\)"):
        compare(X, y, METHODS, Protocol(trials=6, ks=(3, 6)), out=folder, resume=True)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_manifest_of_version_2_has_names(tmp_path):
    """With labels in their place it is spoilt, and says so."""
    folder = shutil.copytree(OLD, tmp_path / "new")
    manifest = json.loads((folder / "manifest.json").read_text()) | {"layout_version": 2}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DataError, match=r"'methods\[0\]\.name' is missing"):
        read_comparison(folder)
