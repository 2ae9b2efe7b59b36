"""One call saves a ranking or a comparison, or returns its HTML report."""

import json

import pytest

import featrank
from tests.plots.results import compared


@pytest.fixture(scope="module")
def ranking():
    data = featrank.datasets.make_microarray(n_features=120, random_state=0)
    return featrank.rank(data.X, data.y, "fisher")


def test_html_of_a_ranking_is_the_complete_report(ranking, tmp_path):
    ranking.save(tmp_path / "x.html", top=5)
    page = (tmp_path / "x.html").read_text("utf-8")
    assert 'id="redundant"' in page
    assert page.startswith("<!DOCTYPE html>")
    assert 'id="redundant"' in ranking.to_html()


def test_other_formats_of_a_ranking_are_its_table(ranking, tmp_path):
    ranking.save(tmp_path / "x.csv", top=5)
    assert len((tmp_path / "x.csv").read_text("utf-8").splitlines()) == 6
    ranking.save(tmp_path / "x.txt", format="json")
    assert json.loads((tmp_path / "x.txt").read_text("utf-8"))["schema"] == "featrank/ranking"


def test_rankings_per_class(tmp_path):
    data = featrank.datasets.make_microarray(n_features=120, random_state=0)
    per_class = featrank.rank(data.X, data.y, "fisher", per_class=True)
    assert "<table" in per_class.to_html()
    per_class.save(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").stat().st_size > 0


def test_comparisons(tmp_path):
    results = compared()
    assert 'id="how-many"' in results.to_html()
    results.save(tmp_path / "x.json")
    content = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert content["schema"] == "featrank/comparison"
