"""Tables and files show the criterion of methods whose scores only encode an order."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import featrank
from featrank import MRMR, SelectorRanker
from featrank.evaluation import Protocol, compare, read_comparison
from featrank.plots import ScoresDisplay
from featrank.report import ranking_report, write

BAR = "█"


@pytest.fixture(scope="module")
def data():
    return featrank.datasets.make_microarray(60, 120, random_state=0)


@pytest.fixture(scope="module")
def greedy(data):
    return featrank.rank(data.X, data.y, "mrmr", top=3, feature_names=data.feature_names)


def written(ranking, format, **options):
    stream = io.StringIO()
    write(ranking_report(ranking, **options), format, stream)
    return stream.getvalue()


def selected(ranking, k=3):
    return ranking.ranker.criterion_[ranking.order[:k]].tolist()


def test_scores_sort_the_features_and_are_not_what_is_shown(greedy):
    np.testing.assert_array_equal(np.argsort(-greedy.scores, kind="stable"), greedy.order)
    assert greedy.shown.name == "relevance − redundancy"
    assert not np.isin(greedy.scores[greedy.order[:3]], greedy.shown.values).any()


def test_columns_and_frames(greedy):
    frame = greedy.to_frame(5)
    assert frame.columns == ["rank", "feature", "criterion"]
    assert frame["criterion"].to_list()[:3] == selected(greedy)
    assert frame["criterion"].is_nan().to_list() == [False] * 3 + [True] * 2


@pytest.mark.parametrize("criterion", ["mid", "miq", "fcq"])
def test_the_heading_says_what_the_criterion_measures(data, criterion):
    heading = {
        "mid": "relevance − redundancy",
        "miq": "relevance / redundancy",
        "fcq": "F / correlation",
    }[criterion]
    ranking = featrank.rank(data.X, data.y, "mrmr", top=3, criterion=criterion)
    for text in (repr(ranking), ranking._repr_html_(), written(ranking, "table", top=3)):
        assert heading in text
        assert "score" not in text


def test_terminal_and_notebook_show_numbers_and_no_bars(greedy):
    for text in (repr(greedy), greedy._repr_html_(), written(greedy, "table", top=5)):
        assert all(f"{value:.6g}" in text for value in selected(greedy))
        assert BAR not in text
        assert "<rect" not in text
        assert "nan" not in text
    fisher = featrank.rank(*greedy_data(greedy), "fisher")
    assert BAR in written(fisher, "table", top=5)
    assert "<rect" in fisher._repr_html_()


def greedy_data(ranking):
    return ranking.data.X, ranking.data.classes.codes


def test_a_fitted_ranker_in_a_notebook(data):
    html = MRMR(3).fit(data.X, data.y)._best_html()
    assert "relevance − redundancy" in html
    assert "<rect" not in html


def test_csv_has_a_criterion_that_is_empty_for_features_not_selected(greedy):
    rows = list(csv.DictReader(io.StringIO(written(greedy, "csv"))))
    assert list(rows[0])[:3] == ["rank", "feature", "criterion"]
    assert [float(row["criterion"]) for row in rows[:3]] == selected(greedy)
    assert {row["criterion"] for row in rows[3:]} == {""}


def test_json_describes_the_criterion(greedy):
    content = json.loads(written(greedy, "json", top=4))
    assert content["criterion"] == {"name": "relevance − redundancy", "comparable": False}
    values = [feature["criterion"] for feature in content["features"]]
    assert values == [*selected(greedy), None]
    assert not any("score" in feature for feature in content["features"])


def test_rankings_with_scores_have_no_criterion(data):
    content = json.loads(written(featrank.rank(data.X, data.y, "fisher"), "json", top=2))
    assert "criterion" not in content
    assert set(content["features"][0]) >= {"rank", "feature", "score", "perfect_separation"}


def test_html_report_and_markdown(greedy):
    page = greedy.to_html(top=5)
    assert "<th" in page
    assert "relevance − redundancy" in page
    lines = written(greedy, "markdown", top=2).splitlines()
    assert "| rank | feature | relevance − redundancy |" in lines


def test_one_ranking_per_class(data):
    rankings = featrank.rank(data.X, data.y, "mrmr", top=2, per_class=True)
    assert rankings.to_frame(3).columns == ["class", "rank", "feature", "criterion", "direction"]
    assert "relevance − redundancy" in written(rankings, "table", top=2)


def test_comparable_criteria_have_bars(data):
    ranking = featrank.rank(data.X, data.y, "lasso", top=3)
    table = written(ranking, "table", top=5).splitlines()
    assert [BAR in line for line in table if "x" in line and "." in line] == [True] * 3


def test_boruta_shows_its_decision(data):
    ranking = featrank.rank(data.X[:, :40], data.y, "boruta", max_iter=20)
    frame = ranking.to_frame()
    assert frame.columns == ["rank", "feature", "criterion", "decision"]
    assert frame["decision"].to_list() == ranking.ranker.decision_[ranking.order].tolist()
    for text in (repr(ranking), written(ranking, "table", top=3)):
        assert "importance share" in text
        assert str(ranking.ranker.decision_[ranking.order[0]]) in text


@pytest.mark.parametrize(
    "selector",
    [
        RFE(LogisticRegression(), n_features_to_select=1, step=20),
        make_pipeline(StandardScaler(), RFE(LogisticRegression(), step=20)),
    ],
)
def test_selectors_with_ranks_only_show_nothing(data, selector):
    shown = SelectorRanker(selector).fit(data.X, data.y == data.y[0]).shown_values()
    assert shown.columns(np.arange(3)) == {}
    assert shown.bar_values(np.arange(3)) == []
    ranker = SelectorRanker(SelectKBest()).fit(data.X, data.y)
    np.testing.assert_array_equal(ranker.shown_values().values, ranker.scores_)


def test_display_of_a_criterion(greedy):
    display = ScoresDisplay.from_ranking(greedy, top=4)
    assert not display.ax_.patches
    frame = display.frame()
    assert frame.columns == ["rank", "feature", "criterion"]
    assert [text.get_text() for text in display.ax_.texts][3] == ""
    fitted = ScoresDisplay.from_estimator(greedy.ranker, top=4)
    assert fitted.frame()["criterion"].to_list()[:3] == selected(greedy)


def test_comparisons_keep_scores_and_criteria_apart(data, tmp_path):
    protocol = Protocol(n_repeats=2, n_features=(3,), C=(1.0,), inner_cv=2)
    ranks = RFE(LogisticRegression(), n_features_to_select=1, step=20)
    methods = {"mrmr": "mrmr", "fisher": "fisher", "rfe": ranks}
    compare(data.X, data.y, methods, protocol, out_dir=tmp_path / "run")
    results = read_comparison(tmp_path / "run")
    table = results.features()
    own = {name: table.filter(pl.col("method") == name).sort("rank") for name in methods}
    assert own["fisher"]["criterion"].is_null().all()
    assert not own["fisher"]["score"].is_null().any()
    assert own["mrmr"]["score"].is_null().all()
    assert own["mrmr"]["criterion"].is_null().to_list() == [False] * 3 + [True] * 117
    assert own["rfe"].select("score", "criterion").null_count().row(0) == (120, 120)
    display = ScoresDisplay.from_results(results, method="mrmr", top=4)
    assert not display.ax_.patches
    assert ScoresDisplay.from_results(results, method="fisher", top=4).ax_.patches
    unvalued = ScoresDisplay.from_results(results, method="rfe", top=4)
    assert unvalued.frame().columns == ["rank", "feature"]
    assert not unvalued.ax_.patches


def test_the_title_of_a_narrow_table_is_one_line(greedy):
    title = written(greedy, "table", top=2).splitlines()[0]
    assert title.rstrip() == "120 features of 60 samples by mrmr; classes: case 30, control 30"
