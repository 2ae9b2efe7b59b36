"""What readers take home from the table of features: a selection, a command, Python, CSV."""

import csv
import io

import pandas as pd
import polars as pl
import pytest

from tests.report.fakes import fake_results

from .pages import HOSTILE, names_in, status, write_page

CLIPBOARD = ("clipboard-read", "clipboard-write")


@pytest.fixture(scope="module")
def results():
    return fake_results(ks=(5, 10), params={"ec-fs": {"alpha": 0.3}})


@pytest.fixture(scope="module")
def file(results, tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("page") / "page.html", results)


@pytest.fixture
def page(opened, file):
    return opened(file, permissions=CLIPBOARD)


def copied(page, button):
    page.get_by_role("button", name=button).click()
    page.get_by_text("Copied:").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert page.get_by_label("Text to copy").input_value() == text
    return text


def exported(page):
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    assert download.value.suggested_filename == "features.csv"
    return download.value.path().read_bytes().decode("utf-8")


def selected_by_python(code, table):
    scope = {"table": table}
    exec(code, scope)
    return list(scope["selected"].columns)


def select(page, *names):
    for name in names:
        page.get_by_label(f"Select {name}", exact=True).check()


def best(results, method, k):
    part = results.table.filter((pl.col("method") == method) & (pl.col("rank") <= k))
    return part.sort("rank")["feature"].to_list()


def test_the_command_is_of_the_method_and_k_chosen(page):
    assert copied(page, "Copy featrank select") == (
        "featrank select FILE --target COL -m ec-fs --param alpha=0.3 --top 10 --output small.csv"
    )
    page.get_by_label("Method").select_option("fisher")
    page.get_by_label("Top k").select_option("5")
    assert copied(page, "Copy featrank select: top 5 of fisher") == (
        "featrank select FILE --target COL -m fisher --top 5 --output small.csv"
    )


@pytest.mark.slow
def test_a_method_without_a_command_offers_none(opened, tmp_path):
    page = opened(write_page(tmp_path / "page.html", fake_results(methods=("MyRanker", "mi"))))
    button = page.get_by_role("button", name="Copy featrank select")
    assert button.is_disabled()
    assert button.get_attribute("title")
    page.get_by_label("Method").select_option("mi")
    assert button.is_enabled()


@pytest.mark.parametrize("library", [pd, pl])
def test_python_selects_the_selected_columns(page, results, library):
    table = library.DataFrame({name: [0.0] for name in results.feature_names})
    chosen = names_in(page)[2:5]
    select(page, *chosen)
    assert selected_by_python(copied(page, "Copy Python: 3 selected"), table) == chosen


def test_python_without_a_selection_has_the_best_of_the_method(page, results):
    table = pd.DataFrame({name: [0.0] for name in results.feature_names})
    page.get_by_label("Method").select_option("fisher")
    found = selected_by_python(copied(page, "Copy Python: top 10 of fisher"), table)
    assert found == best(results, "fisher", 10)


@pytest.mark.slow
def test_a_browser_that_refuses_to_copy_shows_the_text(opened, results, tmp_path):
    refuses = "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
    page = opened(write_page(tmp_path / "page.html", results), before=refuses)
    page.get_by_role("button", name="Copy Python").click()
    page.get_by_text("blocks copying").wait_for()
    text = page.get_by_label("Text to copy").input_value()
    assert "selected = table[[" in text
    assert page.evaluate("getSelection().toString()") == text


@pytest.mark.slow
def test_a_selection_stays_through_searches_and_can_be_shown_alone(page):
    first = names_in(page)[:2]
    select(page, *first)
    page.get_by_role("searchbox").fill("gene 11")
    [found] = [name for name in names_in(page) if name == "gene 117"]
    select(page, found)
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Only selected").check()
    assert names_in(page) == [*first, found]
    assert status(page) == "3 of 120 features match, 3 selected."
    page.get_by_role("button", name="Clear selection").click()
    page.get_by_label("Only selected").uncheck()
    assert status(page) == "120 of 120 features match."
    assert page.locator("#explorer tbody input:checked").count() == 0


@pytest.mark.slow
def test_all_that_match_can_be_selected(page):
    page.get_by_role("searchbox").fill("gene 1")
    matching = names_in(page)
    page.get_by_role("button", name="Select all that match").click()
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Only selected").check()
    assert names_in(page) == matching


def test_the_exported_table_has_every_figure(page, results):
    table = pl.read_csv(io.StringIO(exported(page)))
    assert table["feature"].to_list() == best(results, "ec-fs", 120)
    for method in results.methods:
        own = results.table.filter(pl.col("method") == method)
        both = table.join(own, on="feature")
        assert both[f"rank {method}"].equals(both["rank"])
        assert both[f"score {method}"].to_list() == pytest.approx(both["score"].to_list(), rel=1e-6)
        shares = both[f"share in top 10 {method}"].to_list()
        assert shares == pytest.approx([chosen / 10 for chosen in both["chosen_10"]])


@pytest.mark.slow
def test_what_matches_or_is_selected_is_exported(page):
    page.get_by_role("searchbox").fill("gene 7")
    matching = names_in(page)
    assert pl.read_csv(io.StringIO(exported(page)))["feature"].to_list() == matching
    select(page, matching[3])
    assert pl.read_csv(io.StringIO(exported(page)))["feature"].to_list() == [matching[3]]


@pytest.mark.slow
def test_what_is_not_known_is_empty_in_the_export(opened, tmp_path):
    page = opened(write_page(tmp_path / "page.html", fake_results(best=3)))
    table = pl.read_csv(io.StringIO(exported(page)))
    unknown = table.filter(pl.col("effect").is_null())
    assert 0 < len(unknown) < len(table)
    assert unknown["higher in"].null_count() == len(unknown)


FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def test_no_exported_text_is_a_formula(opened, tmp_path):
    results = fake_results(HOSTILE, methods=("=evil()", "fisher"), ks=(5,))
    page = opened(write_page(tmp_path / "page.html", results))
    rows = list(csv.reader(io.StringIO(exported(page), newline="")))
    assert not [cell for row in rows for cell in row if cell.startswith(FORMULAS)]
    names = [row[0] for row in rows[1:]]
    assert sorted(names) == sorted(
        f"'{name}" if name.startswith(FORMULAS) else name for name in HOSTILE
    )
    assert all(float(row[1]) > 0 for row in rows[1:])


@pytest.mark.slow
def test_negative_scores_stay_numbers_in_the_export(opened, tmp_path):
    results = fake_results()
    results.table = results.table.with_columns(-pl.col("score"))
    page = opened(write_page(tmp_path / "page.html", results))
    assert pl.read_csv(io.StringIO(exported(page)))["score ec-fs"].max() < 0


def test_hostile_names_in_copied_python_are_the_names(opened, tmp_path):
    names = [name for name in HOSTILE if "\r" not in name]  # clipboards rewrite the ends of lines
    page = opened(
        write_page(tmp_path / "page.html", fake_results(names, ks=(5,))), permissions=CLIPBOARD
    )
    page.get_by_role("button", name="Select all that match").click()
    code = copied(page, "Copy Python")
    table = pd.DataFrame({name: [0.0] for name in names})
    assert sorted(selected_by_python(code, table)) == sorted(names)
    assert all(letter.isprintable() or letter == "\n" for letter in code)
