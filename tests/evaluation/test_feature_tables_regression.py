"""What is kept of a comparison for a quantity: the folder, its tables, and going on with it."""

import json
import shutil

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from featrank.evaluation import Protocol, compare, read_comparison
from featrank.exceptions import DataError, UsageError

PROTOCOL = Protocol(
    task="regression", n_repeats=3, n_features=(2, 4), inner_cv=3, penalties=(1.0, 0.01)
)
METHODS = ["relieff", "laplacian"]


@pytest.fixture(scope="module")
def dose():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 9))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 5] = 3.0
    return X, np.nan_to_num(X[:, 2]) * 4 + rng.normal(size=40)


@pytest.fixture(scope="module")
def written(dose, tmp_path_factory):
    folder = tmp_path_factory.mktemp("quantity") / "results"
    return compare(*dose, METHODS, PROTOCOL, out_dir=folder), folder


@pytest.fixture
def folder(written, tmp_path):
    return shutil.copytree(written[1], tmp_path / "results")


def test_a_folder_gives_back_what_was_found(written):
    found, folder = written
    again = read_comparison(folder)
    assert again.frame.equals(found.frame)
    assert (again.is_regression, again.scoring) == (True, "R²")
    assert again.values_with_target().equals(found.values_with_target())
    assert again.correlations().equals(found.correlations())
    assert again.missing_parts() == found.missing_parts() == []
    assert repr(again) == repr(found)
    assert {path.name for path in folder.iterdir()} == {
        *("manifest.json", "names.parquet", "trials", "fits", "signal.json", "claims.json"),
        *("results.csv", "results.parquet", "rankings.npz"),
        *("features.parquet", "target.parquet", "correlations.parquet", "edges.parquet"),
    }


def test_the_manifest_says_the_task(written):
    manifest = json.loads((written[1] / "manifest.json").read_text())
    protocol = manifest["protocol"]
    assert (protocol["task"], protocol["penalties"]) == ("regression", [1.0, 0.01])
    assert (protocol["estimator"], protocol["scoring"]) == ("ridge regression", "R²")
    assert "C" not in protocol
    assert not {"classes", "class_labels"} & set(manifest["data"])


def test_facts_of_the_target(dose, written):
    y = dose[1]
    target = written[0].manifest["facts"]["target"]
    assert "class_sizes" not in written[0].manifest["facts"]
    assert (target["min"], target["max"], target["values"]) == (y.min(), y.max(), 40)
    assert target["q25"] == pytest.approx(np.quantile(y, 0.25))
    assert (target["mean"], target["sd"]) == pytest.approx((y.mean(), y.std()))


def test_correlations_with_the_target(dose, written):
    X, y = dose
    table = written[0].values_with_target()
    assert table["feature"].to_list() == [f"x{j}" for j in range(9)]
    for j, row in enumerate(table.iter_rows(named=True)):
        known = ~np.isnan(X[:, j])
        assert (row["samples"], row["missing"]) == (40, 40 - known.sum())
        assert row["mean"] == pytest.approx(np.nanmean(X[:, j]))
        if j == 5:
            assert np.isnan([row["pearson"], row["spearman"]]).all()
            continue
        assert row["pearson"] == pytest.approx(pearsonr(X[known, j], y[known]).statistic)
        assert row["spearman"] == pytest.approx(spearmanr(X[known, j], y[known]).statistic)


def test_what_classes_have_is_refused_with_the_reason(written):
    found = written[0]
    for ask in (found.roc, found.values_by_class):
        with pytest.raises(DataError, match="A regression target has no"):
            ask()
    assert not found.has_roc


def test_classes_have_no_correlation_with_a_target(dose):
    X, y = dose
    found = compare(
        X, y > np.median(y), ["laplacian"], Protocol(n_repeats=1, n_features=(2,), C=(1.0,))
    )
    with pytest.raises(DataError, match="The target contains classes"):
        found.values_with_target()
    assert "task" not in found.manifest["protocol"]
    assert found.missing_parts() == []


def test_a_run_is_gone_on_with(dose, written, folder):
    more = Protocol(**{**vars(PROTOCOL), "n_repeats": 5})
    whole = compare(*dose, METHODS, more)
    resumed = compare(*dose, METHODS, more, out_dir=folder, resume=True)
    assert resumed.frame.drop("ranking_seconds").equals(whole.frame.drop("ranking_seconds"))
    assert len(read_comparison(folder).trials) == 5
    kept = resumed.frame.filter(resumed.frame["trial"] < 3)
    assert kept.equals(written[0].frame)


def test_another_task_or_scorer_is_another_run(dose, folder):
    X, y = dose
    with pytest.raises(UsageError, match=r"different .*protocol \(.*task"):
        compare(
            X,
            y > 0,
            METHODS,
            Protocol(n_repeats=3, n_features=(2, 4), inner_cv=3),
            out_dir=folder,
            resume=True,
        )
    other = Protocol(**{**vars(PROTOCOL), "scoring": "spearman"})
    with pytest.raises(UsageError, match=r"different protocol \(scoring\)"):
        compare(X, y, METHODS, other, out_dir=folder, resume=True)
    with pytest.raises(UsageError, match=r"different data \(sha256\)"):
        compare(X, y + 1, METHODS, PROTOCOL, out_dir=folder, resume=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task": "prediction"}, "'protocol.task' should be one of classification, regression"),
        ({"task": 3}, "'protocol.task' should be"),
        ({"task": "classification"}, "'protocol.C' is missing"),
        ({"penalties": None}, "'protocol.penalties' should be a list"),
    ],
)
def test_a_manifest_that_does_not_fit_is_named(folder, change, words):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["protocol"] |= change
    path.write_text(json.dumps(manifest))
    with pytest.raises(DataError, match="is not a manifest of results: ") as error:
        read_comparison(folder)
    assert words in str(error.value)
