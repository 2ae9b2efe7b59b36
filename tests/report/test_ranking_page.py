"""The page of a ranking, through the call and the command that write it."""

import io

import numpy as np
import pytest

import featrank
from featrank.exceptions import UsageError
from featrank.report import ranking_page_report, write


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
    report = ranking_page_report(ranking)
    assert [section.key for section in report.shown] == [
        "answer", "fit", "features", "look", "redundant", "made",
    ]  # fmt: skip
    content = report.content
    assert content["schema"] == "featrank/ranking-page"
    best = content["look"]["features"][0]
    row = next(r for r in content["look"]["values"] if (r["feature"], r["class"]) == (best, "sick"))
    source = ranking.source
    own = source.X[source.classes.codes == 0, ranking.order[0]]
    assert row["q50"] == pytest.approx(np.median(own))
    assert row["sd"] == pytest.approx(own.std(ddof=1))
    assert sorted(content["redundant"]["groups"][0]) == ["g7", "g8"]
    assert content["fit"]["class_sizes"] == [20, 20]
    assert "points" not in content["look"]


def test_names_are_harmless_and_samples_only_on_request(ranking):
    plain, pointed = (page(ranking_page_report(ranking, 60, points=p)) for p in (False, True))
    assert "<script>alert" not in plain
    assert "&lt;script&gt;" in plain
    assert 'class="point"' not in plain
    assert 'class="point"' in pointed


def test_without_labels_there_are_no_classes():
    X = np.random.default_rng(1).normal(size=(30, 5))
    report = ranking_page_report(featrank.rank(X, method="laplacian"))
    assert [section.key for section in report.shown] == [
        "answer", "fit", "features", "redundant", "made",
    ]  # fmt: skip
    assert "Which features?" in page(report)


def test_one_ranking_a_class_is_refused(ranking):
    X, codes = ranking.source.X, ranking.source.classes.codes
    with pytest.raises(UsageError, match="of one ranking"):
        ranking_page_report(featrank.rank(X, codes, "fisher", per_class=True))
