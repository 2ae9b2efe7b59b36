"""One call saves a ranking or a comparison, or returns its HTML report."""

import json

import numpy as np
import pytest

import featrank
from featrank.exceptions import UsageError
from featrank.report.formats import suffixes
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


@pytest.fixture(scope="module")
def results(ranking):
    X, codes = ranking.data.X, ranking.data.classes.codes
    return {
        "ranking": ranking,
        "per class": featrank.rank(X, codes, "fisher", per_class=True),
        "comparison": compared(),
        "without data": featrank.Ranking("mine", {}, ["a", "b"], np.array([1.0, 2.0])),
    }


# What cannot be saved, and the reason that the error gives.
REJECTED = {
    ("ranking", ".gmt"): "Use `per_class=True`",
    ("per class", ".rnk"): "Use `of_class=",
    ("per class", ".grp"): "Use `of_class=",
    ("comparison", ".rnk"): "not a ranking",
    ("comparison", ".grp"): "not a ranking",
    ("comparison", ".gmt"): "not a ranking",
    ("without data", ".rnk"): "needs the data",
    ("without data", ".gmt"): "Use `per_class=True`",
}


@pytest.mark.parametrize("suffix", suffixes())
@pytest.mark.parametrize("kind", ["ranking", "per class", "comparison", "without data"])
def test_every_format_works_or_is_rejected(results, kind, suffix, tmp_path):
    path = tmp_path / f"x{suffix}"
    if (kind, suffix) in REJECTED:
        with pytest.raises(UsageError, match=REJECTED[kind, suffix]):
            results[kind].save(path)
        assert not path.exists()
        return
    results[kind].save(path)
    text = path.read_text("utf-8")
    assert len(text) > 3
    if suffix in (".html", ".htm"):
        assert text.startswith("<!DOCTYPE html>")
        assert text == results[kind].to_html()


@pytest.mark.parametrize("name", ["x.xyz", "x.parquet", "x"])
@pytest.mark.parametrize("kind", ["ranking", "per class", "comparison"])
def test_unknown_extensions_are_rejected(results, kind, name, tmp_path):
    with pytest.raises(UsageError, match=r"extensions: \.txt, \.csv, \.gmt, \.grp, \.html"):
        results[kind].save(tmp_path / name)
    assert not (tmp_path / name).exists()
    results[kind].save(tmp_path / name, format="json")
    assert json.loads((tmp_path / name).read_text("utf-8"))


@pytest.mark.parametrize("kind", ["ranking", "per class", "comparison"])
@pytest.mark.parametrize("suffix", [".csv", ".html"])
def test_unknown_options_are_rejected(results, kind, suffix, tmp_path):
    with pytest.raises(UsageError, match="Unknown option of this report 'topp'"):
        results[kind].save(tmp_path / f"x{suffix}", topp=5)


@pytest.mark.parametrize("kind", ["ranking", "per class", "comparison"])
def test_every_result_has_a_methods_section(results, kind):
    assert results[kind].methods_section().startswith("The data set comprised")
