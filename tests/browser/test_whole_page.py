"""The page of a real comparison, whose names are hostile, with every question on it."""

import re

import numpy as np
import pytest

from featrank._utils.plain_text import one_line
from featrank.evaluation import Protocol, compare
from featrank.report import comparison_html_report, write

from .pages import HOSTILE
from .test_appearance import WAYS, overflow, serious_faults


@pytest.fixture(scope="module")
def results():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, len(HOSTILE)))
    X[:, :4] += 2 * y[:, None]
    labels = np.array(["<i>low</i>", "</script>", '" onload="'])[y]
    protocol = Protocol(n_features=(2, 5, 10), n_repeats=4)
    return compare(X, labels, ["ec-fs", "fisher", "mrmr"], protocol=protocol, feature_names=HOSTILE)


@pytest.fixture(scope="module")
def file(results, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write(comparison_html_report(results), to=path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_it_fits_its_window_and_axe_finds_nothing_serious(opened, file, way):
    page = opened(file, **WAYS[way])
    for details in page.locator("details").all():
        details.evaluate("node => { node.open = true; }")
    assert overflow(page) <= 0
    assert serious_faults(page) == []


def test_nothing_of_the_data_becomes_markup(opened, file):
    page = opened(file)
    assert page.locator("img, i, b, [onload], [onerror]").count() == 0
    assert page.locator("script").count() == 2
    shown = page.locator("#explorer tbody th").all_text_contents()
    assert sorted(shown) == sorted(map(one_line, HOSTILE))


def test_without_scripts_the_answer_and_the_figures_show(opened, file):
    page = opened(file, java_script_enabled=False)
    assert page.locator("#answer p").first.is_visible()
    assert page.locator("figure svg").count() >= 4
    assert page.locator("#explorer tbody tr").count() == len(HOSTILE)


def test_every_figure_has_its_numbers_and_a_name(opened, file):
    page = opened(file)
    for figure in page.locator("figure").all():
        numbers = figure.locator("xpath=following-sibling::details[1]").locator("table")
        assert numbers.count() >= 1
        assert figure.locator("svg[role=img]").first.get_attribute("aria-label")


def test_links_to_questions_lead_to_them(opened, file):
    page = opened(file)
    links = page.locator("nav a").all()
    assert links
    for link in links:
        target = page.locator(link.get_attribute("href"))
        heading = target.locator("h2, summary.question").first
        assert heading.text_content() == link.text_content()


def test_it_names_no_place_of_this_machine(file, tmp_path):
    text = re.sub(r'id="explorer-data">[^<]*', "", file.read_text("utf-8"))
    assert str(tmp_path.parent) not in text
    assert not re.search(r"/(?:home|root|tmp|Users)/", text)


def test_the_reader_chooses_which_ranks_to_compare(opened, file, results):
    page = opened(file)
    choosers = page.locator("#agree figure[data-methods] select")
    choosers.first.select_option(label="ec-fs")
    choosers.last.select_option(label="mrmr")
    figure = page.locator("#agree figure[data-methods]")
    assert "Ranks by ec-fs and by mrmr" in figure.locator("figcaption").text_content()
    ranks = {
        method: dict(part.select("feature", "rank").iter_rows())
        for (method,), part in results.features().group_by("method")
    }
    titles = set(figure.locator("svg title").all_text_contents())
    assert titles == {
        f"{one_line(name)}: {ranks['ec-fs'][name]} and {ranks['mrmr'][name]}" for name in HOSTILE
    }
    page.locator("#agree details").last.evaluate("node => { node.open = true; }")
    numbers = page.locator("#agree details").last.locator("tbody tr td:nth-child(2)")
    listed = [int(text) for text in numbers.all_text_contents()]
    assert sorted(listed) == sorted(ranks["ec-fs"].values())
