"""The page of a ranking, through the call and the command that write it."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import spearmanr

import featrank
from featrank.exceptions import UsageError
from featrank.report import ranking_html_report, write


@pytest.fixture
def ranking():
    rng = np.random.default_rng(0)
    y = np.array(["sick", "well"])[np.arange(40) % 2]
    X = rng.normal(5, 1, size=(40, 60))
    X[:, 7] += 3 * (y == "sick")
    X[:, 8] = 2 * X[:, 7] + 0.01 * rng.normal(size=40)
    names = [f"g{j}" for j in range(59)] + ["<script>alert(1)</script>"]
    return featrank.rank(X, y, "fisher", feature_names=names)


def page(report):
    stream = io.StringIO()
    write(report, "html", stream)
    return stream.getvalue()


def test_questions_and_facts(ranking):
    report = ranking_html_report(ranking)
    assert [section.key for section in report.shown] == [
        "answer", "fit", "features", "significant", "heat-map", "look", "redundant", "made",
    ]  # fmt: skip
    content = report.content
    assert content["schema"] == "featrank/ranking-page"
    best = content["distributions"]["features"][0]
    row = next(
        r
        for r in content["distributions"]["values"]
        if (r["feature"], r["class"]) == (best, "sick")
    )
    source = ranking.data
    own = source.X[source.classes.codes == 0, ranking.order[0]]
    assert row["q50"] == pytest.approx(np.median(own))
    assert row["sd"] == pytest.approx(own.std(ddof=1))
    assert sorted(content["redundant"]["groups"][0]) == ["g7", "g8"]
    assert content["data_quality"]["class_sizes"] == [20, 20]
    assert "points" not in content["distributions"]


def test_names_are_harmless_and_samples_only_on_request(ranking):
    plain, pointed = (page(ranking_html_report(ranking, 60, points=p)) for p in (False, True))
    assert "<script>alert" not in plain
    assert "&lt;script&gt;" in plain
    assert 'class="point"' not in plain
    assert 'class="point"' in pointed


def test_without_labels_there_are_no_classes():
    X = np.random.default_rng(1).normal(size=(30, 5))
    report = ranking_html_report(featrank.rank(X, method="laplacian"))
    assert [section.key for section in report.shown] == [
        "answer", "fit", "features", "redundant", "made",
    ]  # fmt: skip
    assert "Which features?" in page(report)


def test_what_is_told_of_data_of_any_kind():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 8)).round(1)
    X[3] = X[2]
    y = X[:, 0] + rng.normal(size=60)
    for target, options in ((None, {"method": "laplacian"}), (y, {"task": "regression"})):
        known = [
            ranking_html_report(featrank.rank(data, target, **options)).content["data_quality"]
            for data in (X, pd.DataFrame(X), X.tolist())
        ]
        assert known[0]["duplicate_rows"] == 1
        assert known[0] == known[1] == known[2]
        assert ("target" in known[0]) == (target is not None)
        assert "class_sizes" not in known[0]


def test_sparse_data_has_facts():
    X = sparse.random(40, 9, 0.4, random_state=0, format="csr")
    report = ranking_html_report(featrank.rank(X, np.arange(40) % 2, "fisher"))
    text = page(report)
    assert "no description of the data" not in text
    assert "0 20, 1 20" in text


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_ranking_was_not_tried_and_its_page_speaks_of_no_trials(task):
    X = np.random.default_rng(3).normal(size=(30, 4))
    X[1] = X[0]
    y = np.arange(30) % 3 if task == "classification" else np.arange(30) ** 4.0
    y[0] = 1e9 if task == "regression" else 0
    ranking = featrank.rank(X, y, "relieff", task=task)
    section = ranking_html_report(ranking).shown[1]
    text = section.blocks[0].content
    assert "There are only 30 samples" in text
    assert "1 sample is a duplicate." in text
    for word in ("interval", "split", "--metric", "R²", "scores", "training"):
        assert word not in text


def test_features_that_go_along_with_a_quantity():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(50, 15))
    X[:, 3] = 1.0
    y = 2 * X[:, 0] - X[:, 1]
    report = ranking_html_report(featrank.rank(X, y, "fisher", task="regression"), points=True)
    looks = report.content["distributions"]
    assert looks["features"][0] == "x0"
    assert looks["values"][0]["spearman"] == pytest.approx(spearmanr(X[:, 0], y).statistic)
    assert looks["values"][0]["q50"] == pytest.approx(np.median(X[:, 0]))
    assert looks["points"][0] == np.column_stack([X[:, 0], y]).tolist()


def test_one_ranking_a_class_is_refused(ranking):
    X, codes = ranking.data.X, ranking.data.classes.codes
    with pytest.raises(UsageError, match="needs one ranking"):
        ranking_html_report(featrank.rank(X, codes, "fisher", per_class=True))
