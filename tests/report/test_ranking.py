"""A ranking as a report: what each layout holds of it, against the ranking itself."""

import csv
import io
import json

import numpy as np
import pytest

import featrank
from featrank.base.ranker import best_first
from featrank.ranking import Ranking
from featrank.report import ranking_report, write

LAYOUTS = ("table", "html", "markdown")


@pytest.fixture
def ranking(data, names):
    return featrank.rank(*data, "fisher", feature_names=names)


@pytest.fixture
def long():
    """A ranking of more features than a page shows."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 64)), np.arange(20) % 2
    return featrank.rank(X, y, "fisher")


def test_content_is_the_ranking(ranking, written):
    content = json.loads(written(ranking_report(ranking, top=3), "json"))
    assert (content["schema"], content["version"]) == ("featrank/ranking", 1)
    assert (content["n_samples"], content["n_features"]) == (60, 12)
    assert content["classes"] == [{"label": 0, "samples": 30}, {"label": 1, "samples": 30}]
    assert [entry["feature"] for entry in content["features"]] == ranking.top(3)
    scores = [entry["score"] for entry in content["features"]]
    assert scores == ranking.scores[ranking.order[:3]].tolist()


def test_parameters_are_told_whether_given_or_not(data):
    told = ranking_report(featrank.rank(*data, alpha=0.3)).content["params"]
    assert told == {
        name: value
        for name, value in featrank.ECFS(alpha=0.3).get_params().items()
        if name not in ("n_features_to_select", "n_jobs")
    }


@pytest.mark.parametrize("details", [False, True])
def test_rows_are_what_the_frame_has(ranking, written, details):
    report = ranking_report(ranking, details=details)
    rows = list(csv.DictReader(io.StringIO(written(report, "csv"))))
    frame = ranking.to_frame(details=details, test=ranking.default_test())
    assert list(rows[0]) == frame.columns
    assert [row["feature"] for row in rows] == frame["feature"].to_list()
    assert [float(row["score"]) for row in rows] == frame["score"].to_list()


def test_readers_are_shown_the_first_fifty_unless_all_are_asked_for(long, written):
    for layout in LAYOUTS:
        text = written(ranking_report(long), layout)
        assert "14 more" in text
        assert long.top(50)[-1] in text.replace("\\_", "_")
        whole = written(ranking_report(long, whole=True), layout)
        assert "more" not in whole
        assert whole.count("x") >= text.count("x") + 14
        assert written(ranking_report(long, top=64), layout) == whole
    assert len(ranking_report(long).rows) == 64


def test_details_are_of_the_best_and_a_note_says_so(long):
    report = ranking_report(long, details=True)
    assert len(report.rows) == 50
    assert any("best 50" in note for note in report.notes)
    assert not ranking_report(long, top=60, details=True, test=None).notes


def test_no_more_is_looked_at_than_is_shown(long, written, monkeypatch):
    """A terminal shows 50 features of what may be a million."""
    asked = []
    columns = Ranking.columns

    def spy(self, top=None, **options):
        asked.append(top)
        return columns(self, top, **options)

    monkeypatch.setattr(Ranking, "columns", spy)
    report = ranking_report(long)
    assert repr(report) == "<Report: 64 features of 20 samples by fisher; classes: 0 10, 1 10>"
    assert asked == [0]
    written(report, "table")
    assert asked == [0, 50]


def test_a_ranking_for_each_class(written):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 15))
    X[:, :3] += 3 * np.eye(3)[y]
    rankings = featrank.rank(X, y, "fisher", per_class=True)
    report = ranking_report(rankings, top=4)
    assert [(row["class"], row["rank"]) for row in report.rows] == [
        (label, rank) for label in range(3) for rank in range(1, 5)
    ]
    for label, grid in enumerate(report.shown):
        assert grid.title == f"{label}: 20 samples against 40, 15 features by fisher"
        assert grid.rows[0][1] == f"x{label}"
        assert grid.rows[0][3] == "higher"
    assert "5 more" in written(ranking_report(rankings), "table")


@pytest.mark.parametrize("per_class", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("details", [False, True])
def test_names_from_data_do_nothing(awkward, written, harmless, per_class, layout, details):
    X, y, names = awkward
    ranking = featrank.rank(X, y, "fisher", feature_names=names, per_class=per_class)
    harmless(written(ranking_report(ranking, details=details), layout), layout)


@pytest.mark.parametrize(("layout", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_programs_get_the_names_as_they_are(awkward, written, layout, delimiter):
    X, y, names = awkward
    ranking = featrank.rank(X, y, "fisher", feature_names=names)
    text = written(ranking_report(ranking), layout)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert {row["feature"] for row in rows} == set(names)


@pytest.mark.filterwarnings("ignore:.*(copy|copies) of the target")
def test_an_exact_separator(written):
    y = np.arange(20) % 2
    X = np.column_stack([y, np.random.default_rng(0).normal(size=20)])
    report = ranking_report(featrank.rank(X, y, "fisher"))
    first, second = json.loads(written(report, "json"))["features"]
    assert (first["score"], first["perfect_separation"], second["perfect_separation"]) == (
        None,
        True,
        False,
    )
    assert written(report, "csv").splitlines()[1] == "1,x0,inf,,none,1.0,0.0,0.0"
    bars = [row[-1] for row in report.shown[0].rows]
    assert bars == ["█" * 20] * 2


def test_a_ranking_without_its_data(written):
    scores = np.array([0.5, 2.0, 1.0])
    report = ranking_report(Ranking("mine", {"a": 1}, ["x", "y", "z"], scores))
    content = report.content
    assert (content["params"], content["n_samples"], content["classes"]) == ({"a": 1}, None, [])
    order = [("x", "y", "z")[j] for j in best_first(scores)]
    assert [row["feature"] for row in report.rows] == order
    assert written(report, "table").strip().startswith("3 features by mine")


def test_a_file_has_the_layout_of_its_suffix(ranking, tmp_path):
    for name in ("r.html", "r.md", "r.csv"):
        write(ranking_report(ranking), to=tmp_path / name)
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "| rank | feature |" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert (tmp_path / "r.csv").read_text(encoding="utf-8").startswith("rank,feature,score,")
