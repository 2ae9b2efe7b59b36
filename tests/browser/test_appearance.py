"""Pages in light, dark, on a phone, on paper, without scripts, and for screen readers."""

import pytest

from tests.report.fakes import TEN_METHODS, fake_results, gene_symbols

from .pages import HOSTILE, write_page

WAYS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True},
}


@pytest.fixture(scope="module")
def results():
    names = [*gene_symbols(200), "a name that is long " * 12, "unbroken" * 40]
    return fake_results(names, TEN_METHODS, (5, 10, 20), trials=20)


@pytest.fixture(scope="module")
def file(results, tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("page") / "page.html", results)


each_way = pytest.mark.parametrize(
    "way", ["light", *(pytest.param(way, marks=pytest.mark.slow) for way in ("dark", "phone"))]
)


def overflow(page):
    """Return by how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


@each_way
def test_pages_are_no_wider_than_the_window(opened, file, way):
    page = opened(file, **WAYS[way])
    page.get_by_role("button", name="Copy Python").click()
    assert overflow(page) <= 0
    page.get_by_role("searchbox").fill("unbroken")
    assert overflow(page) <= 0


@each_way
def test_serious_faults_that_axe_knows_are_none(opened, file, way):
    page = opened(file, **WAYS[way])
    page.get_by_role("button", name="Copy Python").click()
    assert serious_faults(page) == []


def serious_faults(page):
    """Return what axe holds to shut out some readers."""
    from axe_playwright_python.sync_playwright import Axe

    # All rules are tried; of what passes them, which is nearly all, no details are gathered.
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
    return [(fault["id"], fault["nodes"][0]["html"]) for fault in serious]


@pytest.mark.slow
def test_dark_is_dark_and_light_is_light(opened, file):
    light, dark = (lightness(opened(file, **WAYS[way])) for way in ("light", "dark"))
    assert light > 700
    assert dark < 120


def lightness(page, kind="backgroundColor"):
    """Return the sum of red, green and blue, 0 to 765."""
    colour = page.evaluate(f"getComputedStyle(document.body).{kind}")
    return sum(int(part) for part in colour[4:-1].split(","))


@pytest.mark.slow
def test_the_name_stays_in_view_where_the_table_is_wider(opened, file):
    page = opened(file, **WAYS["phone"])
    page.evaluate("document.querySelector('#explorer .scroll').scrollLeft = 500")
    box = page.locator("#explorer tbody th").first.bounding_box()
    assert 0 <= box["x"] < 40


@pytest.mark.slow
def test_the_headings_stay_in_view_while_rows_are_scrolled(opened, file):
    page = opened(file)
    page.evaluate("document.querySelector('#explorer .scroll').scrollTop = 900")
    head, region = (
        page.locator(f"#explorer {part}").first.bounding_box() for part in ("thead", ".scroll")
    )
    assert head["y"] == pytest.approx(region["y"], abs=2)


@pytest.mark.slow
def test_paper_has_the_rows_and_no_controls(opened, file):
    page = opened(file)
    page.emulate_media(media="print")
    assert not page.get_by_role("searchbox").is_visible()
    assert not page.get_by_role("button", name="Export CSV").is_visible()
    assert page.locator("#explorer tbody tr").count() == 100
    # Nothing is cut off: what does not fit beside each other is not hidden in a box that scrolls.
    assert page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == (
        "visible"
    )
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.slow
def test_paper_is_white_for_readers_of_dark_pages(opened, file):
    page = opened(file, **WAYS["dark"])
    page.emulate_media(media="print", color_scheme="dark")
    assert lightness(page, "backgroundColor") > 700
    assert lightness(page, "color") < 200


def test_without_scripts_the_answer_and_the_best_50_show(opened, results, file):
    page = opened(file, java_script_enabled=False)
    assert page.get_by_text("The answer is 10 features.").is_visible()
    rows = page.locator("#explorer tbody tr")
    assert rows.count() == 50
    assert rows.first.is_visible()
    best = results.table.filter(results.table["rank"] == 1)["feature"][0]
    assert rows.first.locator("td").first.inner_text() == best
    assert page.locator("#explorer input, #explorer button").count() == 0


@pytest.mark.slow
def test_an_old_browser_shows_the_best_50(file, browser):
    context = browser.new_context()
    context.add_init_script("delete window.DecompressionStream;")
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("#explorer tbody tr").count() == 50
    context.close()


def test_hostile_names_do_not_widen_the_page(opened, tmp_path):
    results = fake_results(HOSTILE, ks=(5,))
    page = opened(write_page(tmp_path / "page.html", results), **WAYS["phone"])
    assert overflow(page) <= 0
