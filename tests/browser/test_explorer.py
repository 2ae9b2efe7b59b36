"""The table of features in a browser: search, sort, filter, choose, page through."""

import polars as pl
import pytest

from tests.report.fakes import fake_results, gene_symbols

from .pages import column, head, names_in, status, write_page


@pytest.fixture(scope="module")
def results():
    return fake_results(gene_symbols(350), ("ec-fs", "fisher", "mi"), ks=(5, 10), trials=10)


@pytest.fixture(scope="module")
def file(results, tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("page") / "page.html", results)


@pytest.fixture
def page(opened, file):
    return opened(file)


def by_rank(results, method):
    return results.table.filter(pl.col("method") == method).sort("rank")


def test_it_begins_with_the_best_of_the_first_method(page, results):
    assert names_in(page) == by_rank(results, "ec-fs")["feature"].to_list()[:100]
    assert head(page, "rank ec-fs").get_attribute("aria-sort") == "ascending"
    assert status(page) == "350 of 350 features match."


def test_search_finds_parts_of_names_in_any_case(page, results):
    part = results.feature_names[200][1:3]
    page.get_by_role("searchbox").fill(part[0].lower() + part[1])
    expected = [n for n in by_rank(results, "ec-fs")["feature"] if part in n]
    assert expected
    assert names_in(page) == expected
    assert status(page) == f"{len(expected)} of 350 features match."


@pytest.mark.slow
def test_a_search_without_a_match_says_so(page):
    page.get_by_role("searchbox").fill("no such gene")
    assert names_in(page) == []
    assert status(page) == "0 of 350 features match."
    page.get_by_role("searchbox").fill("")
    assert len(names_in(page)) == 100


@pytest.mark.parametrize(
    ("text", "by", "first_down"),
    [
        ("rank fisher", "rank", False),
        ("score ec-fs", "score", True),
        ("in top 10 ec-fs", "chosen_10", True),
    ],
)
def test_columns_sort_both_ways(page, results, text, by, first_down):
    method = "fisher" if "fisher" in text else "ec-fs"
    ranks = dict(by_rank(results, method).select("feature", by).iter_rows())
    for down in (first_down, not first_down):
        head(page, text).get_by_role("button").click()
        found = [ranks[name] for name in names_in(page)]
        assert found == sorted(ranks.values(), reverse=down)[:100]
        expected = "descending" if down else "ascending"
        assert head(page, text).get_attribute("aria-sort") == expected
    assert page.locator("#explorer [aria-sort]").count() == 1


def test_names_sort_as_people_count(opened, tmp_path):
    names = [f"gene {number}" for number in (10, 9, 100, 1, 2)]
    page = opened(write_page(tmp_path / "page.html", fake_results(names, ks=(2,))))
    head(page, "feature").get_by_role("button").click()
    assert names_in(page) == ["gene 1", "gene 2", "gene 9", "gene 10", "gene 100"]


@pytest.mark.slow
def test_what_is_not_known_comes_last_both_ways(opened, tmp_path):
    results = fake_results(best=10)
    page = opened(write_page(tmp_path / "page.html", results))
    known = results.classes["feature"].n_unique()
    orders = []
    for _ in range(2):
        head(page, "effect").get_by_role("button").click()
        cells = column(page, "effect")
        assert cells[:known].count("–") == 0
        assert set(cells[known:]) == {"–"}
        orders.append(names_in(page)[known:])
    # Among themselves they keep the order of their best ranks.
    best = dict(results.table.group_by("feature").agg(pl.col("rank").min()).iter_rows())
    assert orders[0] == orders[1] == sorted(orders[0], key=best.get)


def test_choosing_a_method_shows_its_scores_and_sorts_by_its_ranks(page, results):
    page.get_by_label("Method").select_option("fisher")
    best = by_rank(results, "fisher").head(100)
    assert names_in(page) == best["feature"].to_list()
    shown = [float(text) for text in column(page, "score fisher")]
    assert shown == pytest.approx(best["score"].to_list(), rel=1e-3)


def test_choosing_k_shows_other_shares(page, results):
    best = by_rank(results, "ec-fs").head(100)
    for k in (10, 5):
        page.get_by_label("Top k").select_option(str(k))
        cells = column(page, f"in top {k} ec-fs")
        assert [cell.split()[1] for cell in cells] == [str(n) for n in best[f"chosen_{k}"]]


@pytest.mark.slow
def test_features_chosen_in_some_trials_only(page, results):
    page.get_by_label("Present in at least").fill("3")
    best = by_rank(results, "ec-fs").filter(pl.col("chosen_10") >= 3)
    assert names_in(page) == best["feature"].to_list()
    assert len(best)


def test_dots_tell_their_share(page, results):
    best = by_rank(results, "ec-fs").head(100)
    expected = [f"in the top 10 of {chosen} of 10 trials" for chosen in best["chosen_10"] if chosen]
    cells = page.locator("#explorer tbody td.own[title]")
    assert [cell.get_attribute("title") for cell in cells.all()] == expected
    # The area is the share, so that a dot of all trials has ten times that of a tenth of them.
    width = "cell => parseFloat(getComputedStyle(cell, '::after').width)"
    areas = [cell.evaluate(width) ** 2 for cell in cells.all()]
    counts = [chosen for chosen in best["chosen_10"] if chosen]
    assert areas == pytest.approx([13**2 * chosen / 10 for chosen in counts], rel=0.05)


def test_never_more_than_100_rows_and_every_feature_on_some_page(page, results):
    found = []
    before, after = (page.get_by_role("button", name=name) for name in ("Previous", "Next"))
    for expected in (100, 100, 100, 50):
        rows = names_in(page)
        assert len(rows) == expected
        found += rows
        after.click(force=True)  # the last one too, which does nothing
    assert found == by_rank(results, "ec-fs")["feature"].to_list()
    assert page.get_by_text("301 to 350 of 350").is_visible()
    assert after.get_attribute("aria-disabled") == "true"
    before.click()
    assert page.get_by_text("201 to 300 of 350").is_visible()


def test_a_search_begins_on_the_first_page(page):
    page.get_by_role("button", name="Next").click()
    page.get_by_role("searchbox").fill("A")
    assert names_in(page)
    assert page.get_by_role("button", name="Previous").get_attribute("aria-disabled") == "true"


def test_everything_works_by_keyboard_alone(page, results):
    page.get_by_role("searchbox").focus()
    page.keyboard.type("b")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.selectedOptions[0].text") == "fisher"
    expected = [n for n in by_rank(results, "fisher")["feature"] if "B" in n]
    assert names_in(page) == expected[:100]
    tab_to(page, "feature")
    page.keyboard.press("Enter")
    assert head(page, "feature").get_attribute("aria-sort") == "ascending"
    assert focused(page) == "feature"
    first = names_in(page)[0]
    tab_to(page, f"Select {first}")
    page.keyboard.press("Space")
    assert focused(page) == f"Select {first}"
    assert status(page).endswith("1 selected.")


def focused(page):
    return page.evaluate(
        "(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()"
    )


def tab_to(page, name):
    for _ in range(60):
        if focused(page) == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name!r} cannot be reached by the Tab key.")


@pytest.mark.slow
def test_a_cap_is_told_beside_the_table(opened, results, tmp_path):
    page = opened(write_page(tmp_path / "page.html", results, max_features=30))
    assert status(page) == "30 of 30 features match."
    assert page.get_by_text("The table has 30 of 350 features").is_visible()


@pytest.mark.slow
def test_a_method_without_a_ranking_of_all_rows(opened, results, tmp_path):
    failed = pl.when(pl.col("method") == "mi").then(None)
    lacking = {name: failed.otherwise(pl.col(name)).alias(name) for name in ("rank", "score")}
    part = type(results)(**{**vars(results), "table": results.table.with_columns(**lacking)})
    page = opened(write_page(tmp_path / "page.html", part))
    page.get_by_label("Method").select_option("mi")
    assert set(column(page, "score mi")) == set(column(page, "rank mi")) == {"–"}
