"""The page of a comparison for a quantity, in a browser: correlations in the place of effects."""

import io

import numpy as np
import polars as pl
import pytest

import featrank
from featrank.evaluation import Protocol, compare
from featrank.report import comparison_html_report, ranking_html_report, write

from .pages import HOSTILE, column
from .test_appearance import WAYS, overflow, serious_faults
from .test_export import exported


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, len(HOSTILE)))
    return X, X[:, 0] * 2 + rng.normal(size=50)


@pytest.fixture(scope="module")
def results(data):
    protocol = Protocol(task="regression", n_features=(2, 5), n_repeats=3, penalties=(1.0,))
    return compare(*data, ["relieff", "laplacian"], protocol, feature_names=HOSTILE)


@pytest.fixture(scope="module")
def file(data, results, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write(comparison_html_report(results, samples=data), to=path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_it_fits_its_window_and_axe_finds_nothing_serious(opened, file, way):
    page = opened(file, **WAYS[way])
    for details in page.locator("details").all():
        details.evaluate("node => { node.open = true; }")
    assert overflow(page) <= 0
    assert serious_faults(page) == []


@pytest.fixture
def ranked(data, tmp_path):
    """Return the page of a ranking for the quantity."""
    names = [f"gene {number}" for number in range(len(HOSTILE))]
    ranking = featrank.rank(*data, "fisher", task="regression", feature_names=names)
    write(ranking_html_report(ranking, points=True), to=tmp_path / "ranking.html")
    return tmp_path / "ranking.html"


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_so_does_the_page_of_a_ranking(opened, ranked, way):
    page = opened(ranked, shown="#look svg", **WAYS[way])
    for details in page.locator("details").all():
        details.evaluate("node => { node.open = true; }")
    assert overflow(page) <= 0
    assert serious_faults(page) == []


def test_a_phone_shows_titles_whole_and_letters_large_enough(opened, ranked):
    page = opened(ranked, shown="#look svg", **WAYS["phone"])
    title = page.locator("#features caption").bounding_box()
    assert title["x"] + title["width"] <= WAYS["phone"]["viewport"]["width"]
    name = page.locator("#look svg text.name").first.bounding_box()
    assert name["height"] >= 8


def test_a_phone_shows_how_it_was_made(opened, file):
    page = opened(file, **WAYS["phone"])
    tables = page.locator("#made .scroll")
    hidden = tables.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
    assert max(hidden) <= 0


def test_the_table_has_correlations_and_no_classes(opened, file, results):
    page = opened(file)
    assert "higher in" not in page.locator("#explorer thead").inner_text()
    known = results.values_with_target()["spearman"]
    shown = column(page, "ρ with target")
    assert sorted(shown) == sorted(f"{value:.2f}" for value in known)


def test_so_has_what_is_exported(opened, file):
    table = pl.read_csv(io.StringIO(exported(opened(file))))
    assert table.columns[-1] == "ρ with target"
    assert "higher in" not in table.columns
    assert table["ρ with target"].is_between(-1, 1).all()
