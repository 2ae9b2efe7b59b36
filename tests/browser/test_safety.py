"""Names that would be markup, code or another order of letters are shown as the texts they are.

That no page asks for anything, says anything or breaks its policy is held for every test here, by
the fixture that opens pages.
"""

import re

import pytest

from featrank._utils.plain_text import one_line
from tests.report.fakes import fake_results

from .pages import HOSTILE, VIOLATIONS, Watched, write_page


@pytest.fixture
def hostile(tmp_path):
    names = fake_results(HOSTILE, methods=("<b>x</b>", "</script>"), ks=(5,))
    names.classes = names.classes.with_columns(("<i>" + names.classes["class"]).alias("class"))
    return write_page(tmp_path / "page.html", names)


def test_names_are_shown_as_they_are(opened, hostile):
    page = opened(hostile)
    shown = page.locator("#explorer tbody th").all_text_contents()
    assert sorted(shown) == sorted(map(one_line, HOSTILE))
    assert page.locator("img, i, b").count() == 0
    assert page.title() == "Features of fake data"


def test_names_without_scripts_are_shown_as_they_are(opened, hostile):
    page = opened(hostile, java_script_enabled=False)
    shown = page.locator("#explorer tbody td:first-child").all_text_contents()
    assert sorted(shown) == sorted(map(one_line, HOSTILE))
    assert page.locator("img, i, b").count() == 0


def test_every_name_can_be_searched_for(opened, hostile):
    page = opened(hostile)
    for name in HOSTILE:
        # A field of one line cannot hold the rest.
        page.get_by_role("searchbox").fill(max(re.split(r"[\r\n]", name), key=len))
        shown = page.locator("#explorer tbody th").all_text_contents()
        assert one_line(name) in shown
        assert len(shown) < len(HOSTILE) or not name.strip()


def test_a_script_of_someone_else_does_not_run(browser, hostile):
    context = browser.new_context()
    context.add_init_script(VIOLATIONS)
    page = context.new_page()
    page.goto(hostile.as_uri())
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
        }"""
    )
    assert page.evaluate("[window.ran, window.violations.length]") == [None, 1]
    context.close()


def test_what_watches_the_pages_sees_what_is_wrong(browser, tmp_path):
    file = tmp_path / "bad.html"
    file.write_text("<img src='missing.png'><script>console.log('talk')</script>", "utf-8")
    context = browser.new_context()
    page = context.new_page()
    watched = Watched(page, file)
    page.goto(file.as_uri())
    assert file.with_name("missing.png").as_uri() in watched.requests
    assert "talk" in watched.said
    with pytest.raises(AssertionError):
        watched.check()
    context.close()
