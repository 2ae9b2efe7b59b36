"""On a terminal of 80 columns no name that one must type is cut or dropped."""

import numpy as np
import pytest

import featrank
import featrank.datasets
from featrank import FisherScore
from featrank.datasets import Dataset
from featrank.evaluation import Protocol, compare
from featrank.report.formats import text as output
from featrank.reproduction.methods import TOOLBOX

LABELS = (*featrank.methods(), TOOLBOX)


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setattr(output, "WIDTH", 80)


def words(result):
    """Return what is written, cell by cell, after looking for cuts."""
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in result.stdout
    # Columns are at least two blanks apart, and names have one at most.
    return {cell.strip() for line in lines for cell in line.split("  ")}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Results of every label on seven data sets with names as long as ours."""
    rng = np.random.default_rng(0)
    names = ("gina_like_mnist", "colon", "leukemia", "lymphoma", "prostate", "madelon", "iris")
    found = []
    for name in names:
        X, y = rng.normal(size=(30, 12)), np.arange(30) % 2
        folder = tmp_path_factory.mktemp("results") / name
        protocol = Protocol(n_repeats=5, n_features=(2, 4), C=(1.0,))
        compare(
            X, y, {label: FisherScore() for label in LABELS}, protocol, dataset=name, out_dir=folder
        )
        found.append(folder)
    return names, found


def test_methods(run):
    assert set(featrank.methods()) <= words(run("methods", "-f", "table"))


def test_datasets(run, tmp_path, monkeypatch):
    for name in featrank.datasets.REGISTRY:
        (tmp_path / f"{name}.npz").touch()
    monkeypatch.setenv("FEATRANK_DATA", str(tmp_path))
    assert set(featrank.datasets.list_datasets()) <= words(run("datasets", "-f", "table"))


@pytest.mark.parametrize("extra", [(), ("--measure", "nogueira"), ("--measure", "jaccard")])
def test_stability(run, folders, extra):
    result = run("stability", folders[1][0], "-f", "table", "--n-features", "2,4", *extra)
    assert set(LABELS) <= words(result)


def test_significance_on_one_data_set(run, folders):
    result = run("significance", folders[1][0], "-f", "table", "--against", TOOLBOX)
    assert set(LABELS) - {TOOLBOX} <= words(result)
    assert any("− other" in cell and TOOLBOX in cell for cell in words(result))


def test_significance_on_several_data_sets(run, folders):
    names, paths = folders
    found = words(run("significance", *paths, "-f", "table"))
    assert {*LABELS, *names} <= found


def test_compare_with_many_numbers_of_features(run, write_table):
    rng = np.random.default_rng(0)
    columns = {f"g{j}": rng.normal(size=30) for j in range(12)}
    path = write_table({**columns, "state": np.arange(30) % 2})
    ks = ",".join(map(str, range(1, 13)))
    chosen = ("dominant-set", "inf-fs-s", "fisher")
    call = ("compare", path, "-t", "state", "-m", ",".join(chosen), "--n-features", ks)
    found = words(run(*call, "--trials", 2, "--jobs", 1, "-f", "table"))
    assert {*chosen, "average", "time (s)", *map(str, range(1, 13))} <= found


def test_reproduce(run, monkeypatch):
    def load(name):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30, 205)), np.arange(30) % 2
        return Dataset(X, y, [f"g{j}" for j in range(205)], "class", name, "Made.")

    monkeypatch.setattr(featrank.datasets, "load", load)
    call = ("reproduce", "challenge", "--datasets", "gina_like_mnist,madelon", "--leaky")
    result = run(*call, "-m", "fisher,ec-fs-toolbox", "--trials", 1, "--jobs", 1, "-f", "table")
    assert {"fisher", TOOLBOX, "difference", "average", "time (s)"} <= words(result)
    assert "gina_like_mnist" in result.stdout


def test_classes_of_labels(run, tmp_path):
    rng = np.random.default_rng(0)
    names = ["diningtable", "pottedplant", "tvmonitor"]
    path = tmp_path / "labels.npz"
    Y = rng.integers(2, size=(40, 3))
    np.savez(path, X=rng.normal(size=(40, 10)), Y=Y, class_names=names)
    chosen = ("fisher", "ec-fs", "mi", "inf-fs-s", "laplacian", "relieff", "mrmr", "cmim")
    call = ("reproduce", "voc", path, "-m", ",".join((*chosen, "ec-fs-toolbox")))
    result = run(*call, "--n-features", "2", "--trials", 1, "--jobs", 1, "-f", "table")
    assert {*chosen, TOOLBOX, *names} <= words(result)
