"""Methods, data sets, and a ranking beside the truth: what their reports say."""

import json

import numpy as np
import pytest

import featrank
from featrank.datasets import describe, load, make_counts, make_microarray, table
from featrank.exceptions import UsageError
from featrank.report import dataset_report, datasets_report, methods_report, planted_report

LAYOUTS = ("table", "html", "markdown")


def test_methods_are_those_of_the_registry(written):
    report = methods_report(long=True)
    known = featrank.methods()
    assert [row["name"] for row in report.rows] == list(known)
    content = json.loads(written(report, "json"))
    for entry in content:
        cls = known[entry["name"]]
        assert (entry["kind"], entry["reference"]) == (cls.kind, cls.reference)
        assert set(entry["params"]) == {*cls().get_params()} - {"n_features_to_select", "n_jobs"}
    for layout in LAYOUTS:
        text = written(report, layout)
        assert "inf-fs-s" in text
        assert "Roffo and Melzi 2017" in text.replace("\n", " ")


def test_datasets_are_those_of_the_table(written):
    report = datasets_report()
    assert json.loads(written(report, "json")) == table()
    text = written(report, "markdown")
    assert "| prostate | 102 | 2 | 6,033 | 102 × 6,034 |" in text
    assert "| iris | 150 | 3 | 4 | – | built-in |" in text


def test_one_dataset(written):
    report = dataset_report(describe("iris"))
    assert json.loads(written(report, "json"))["class_sizes"]["setosa"] == 50
    assert "class_sizes" not in report.rows[0]
    assert "setosa 50, versicolor 50, virginica 50" in written(report, "table")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_texts_of_a_data_set_do_nothing(written, harmless, layout):
    awkward = "a|b <script>alert(1)</script> $x$ \x1b[31m [red]bold[/red]"
    made = {**describe("iris"), "description": awkward, "citation": awkward, "name": "a|\x1b[1m"}
    harmless(written(dataset_report(made), layout), layout)


def test_planted_features_are_told_from_noise(written):
    data = make_microarray(60, 400, n_informative=10, n_correlated=20, random_state=0)
    ranking = featrank.rank(data.X, data.y, "fisher", feature_names=data.feature_names)
    content = planted_report(data, ranking, top=40).content
    planted = np.concatenate([data.truth["informative"], data.truth["correlated"]])
    assert content["planted"] == 30
    assert content["found"] == len(np.intersect1d(ranking.order[:30], planted))
    for row, column in zip(content["features"], ranking.order, strict=False):
        assert column in data.truth[row["kind"]]
        assert row["feature"] == data.feature_names[column]
    report = planted_report(data, ranking, top=5, seconds=0.25)
    text = written(report, "table")
    assert "Ranked by fisher in 250 ms." in text
    assert len(report.rows) == 5
    assert "ms." not in written(planted_report(data, ranking), "table")


@pytest.mark.parametrize("data", [load("iris"), make_counts(40, 200, random_state=0)])
def test_other_data_have_no_such_truth(data):
    ranking = featrank.rank(data.X, data.y, "fisher")
    with pytest.raises(UsageError, match="make_microarray"):
        planted_report(data, ranking)
