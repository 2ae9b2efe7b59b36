"""The experiments by one call in Python."""

import csv
import json
import sys

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification

import featrank.datasets
from featrank.datasets import Dataset
from featrank.evaluation import Protocol, compare, compare_labels
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.reproduction import (
    CHALLENGE,
    MICROARRAY,
    methods_by_label,
    reproduce,
    reproduce_voc,
    reproduction_report,
    voc_report,
    write_stability,
)
from featrank.reproduction.published import areas

FAST = Protocol(n_repeats=2, n_features=(50, 100, 150, 200), C=(0.1, 1.0), inner_cv=3)


def made(name):
    rng = np.random.default_rng(len(name))
    y = np.arange(36) % 2
    X = rng.normal(size=(36, 210))
    X[:, :20] += y[:, None]
    return Dataset(X, y, [f"g{j}" for j in range(210)], "class", name, "Made.")


@pytest.fixture(autouse=True)
def at_hand(monkeypatch):
    """Only some data sets are to be had."""

    def load(name):
        if name not in ("colon", "leukemia", "gina_like_mnist"):
            raise DataError(f"no file {name}.npz.")
        return made(name)

    monkeypatch.setattr(featrank.datasets, "load", load)


def test_an_experiment_and_its_report():
    done = reproduce(MICROARRAY, "fisher,mi", FAST, datasets=["colon", "leukemia"])
    assert list(done.comparisons) == ["colon", "leukemia"]
    assert done.missing == {}
    data = made("colon")
    alone = compare(data.X, data.y, methods_by_label("fisher,mi"), FAST, dataset="colon")
    report = reproduction_report(done)
    figures = {(row["dataset"], row["method"], row["column"]): row for row in report.rows}
    for k in FAST.feature_counts:
        row = figures["colon", "mi", str(k)]
        assert row["ours"] == pytest.approx(100 * alone.scores("mi", k).mean())
        assert row["paper"] == areas("colon")["mi"][str(k)]
    assert report.content["manifests"]["leukemia"]["data"]["name"] == "leukemia"
    assert report.shown[0].content == "Microarray databases (Table 3)"


def test_missing_data_sets_and_their_substitutes():
    with pytest.warns(FeatrankWarning) as told:
        done = reproduce(CHALLENGE, {"mine": featrank.FisherScore()}, FAST)
    assert list(done.comparisons) == ["gina_like_mnist"]
    assert set(done.missing) == {"gina", "madelon"}
    assert [str(one.message) for one in told] == list(done.missing.values())
    assert "Do not compare its scores with those published for GINA" in done.missing["gina"]
    assert "In its place" not in done.missing["madelon"]
    assert reproduction_report(done).content["missing"] == done.missing
    with pytest.raises(DataError, match="Lymphoma is missing"):
        reproduce(MICROARRAY, "mi", FAST, datasets=["lymphoma"])


def test_a_leaky_run_says_so_and_has_no_stability(tmp_path):
    leaky = Protocol(n_repeats=2, C=(1.0,), inner_cv=3, leaky=True)
    with pytest.warns(FeatrankWarning, match="do not apply to new data"):
        done = reproduce(MICROARRAY, "mi", leaky, datasets=["colon"])
    assert reproduction_report(done).shown[0].content.startswith("LEAKY")
    assert write_stability(done, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_results_go_to_a_folder_and_are_not_written_over(tmp_path):
    reproduce(MICROARRAY, "mi", FAST, datasets=["colon"], out_dir=tmp_path)
    assert (tmp_path / "colon" / "results.csv").exists()
    with pytest.raises(UsageError, match="already contains results on colon"):
        reproduce(MICROARRAY, "mi", FAST, datasets=["leukemia", "colon"], out_dir=tmp_path)
    assert not (tmp_path / "leukemia").exists()
    again = reproduce(MICROARRAY, "mi", FAST, datasets=["colon"], out_dir=tmp_path, resume=True)
    assert len(again.comparisons["colon"].trials) == 2


def test_stability_of_the_rankings(tmp_path, monkeypatch):
    done = reproduce(MICROARRAY, "mi", FAST, datasets=["colon"])
    assert write_stability(done, tmp_path) == []
    assert (tmp_path / "stability.png").exists()
    rows = list(csv.DictReader((tmp_path / "stability.csv").open()))
    assert [int(row["k"]) for row in rows] == list(range(10, 201, 10))
    first, second = done.comparisons["colon"].rankings["mi"][:, :10]
    shared = len({*first} & {*second})
    # Kuncheva's index of two lists.
    expected = (shared * 210 - 100) / (10 * (210 - 10))
    assert float(rows[0]["kuncheva"]) == pytest.approx(expected)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    (note,) = write_stability(done, tmp_path)
    assert "featrank[plot]" in note
    once = reproduce(MICROARRAY, "mi", Protocol(n_repeats=1, C=(1.0,)), datasets=["colon"])
    (note,) = write_stability(once, tmp_path)
    assert "Stability needs two trials" in note


@pytest.fixture
def labels(tmp_path):
    X, Y = make_multilabel_classification(90, 40, n_classes=3, random_state=0)
    np.savez(tmp_path / "small.npz", X=X, Y=Y, class_names=["cat", "dog", "cow"])
    return tmp_path / "small.npz", X, Y


def test_the_experiment_on_many_labels(labels, tmp_path):
    path, X, Y = labels
    found = reproduce_voc(path, "fisher,mi", n_features=(3, 5), trials=2)
    protocol = Protocol(n_repeats=2, n_features=(3, 5))
    expected = compare_labels(
        X, Y, methods_by_label("fisher,mi"), protocol, class_names=found.classes
    )
    report = voc_report(found, ["usual"])
    assert len(report.rows) == 2 * 4 * 2
    means = expected.mean_average_precision(k=5)
    for row in report.rows:
        if (row["k"], row["class"]) == (5, "mAP"):
            assert row["ours"] == pytest.approx(100 * means[row["method"]])
    assert {row["kind"] for row in voc_report(found).rows} == {"usual", "11-point"}
    json.dumps(report.content)
    assert reproduce_voc(path, "mi", trials=1).n_features == (1, 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"trials": 3}, "one trial, not 3"), ({"test_size": 0.2}, "Leave out `test_size`")],
)
def test_a_split_of_the_file_is_kept(labels, tmp_path, options, words):
    _, X, Y = labels
    path = tmp_path / "split.npz"
    np.savez(path, X=X, Y=Y, split=["train", "test"] * 45)
    with pytest.raises(UsageError, match=words):
        reproduce_voc(path, "mi", n_features=(3,), **options)
    assert len(reproduce_voc(path, "mi", n_features=(3,)).parts) == 3
