"""The table of features: what it says, in what order, and how large it is."""

import json
from importlib.resources import files

import numpy as np
import polars as pl
import pytest

from featrank._utils.strict_json import dumps
from featrank.exceptions import DataError
from featrank.report import Explorer, Paragraph, Report, write
from featrank.report.sections.features import facts, section

from .fakes import TEN_METHODS, fake_results, gene_symbols
from .unpacking import unpack


def explorer_of(told):
    [explorer] = [block for block in section(told).blocks if isinstance(block, Explorer)]
    return explorer


def column_of(explorer, head):
    number = [column.head for column in explorer.grid.columns].index(head)
    return [row[number] for row in explorer.grid.rows]


@pytest.fixture(scope="module")
def results():
    return fake_results(ks=(5, 10), trials=7)


@pytest.fixture(scope="module")
def told(results):
    return facts(results)


def test_every_feature_has_the_figures_of_the_results(results, told):
    for row in results.table.iter_rows(named=True):
        place = told["features"].index(row["feature"])
        assert told["ranks"][row["method"]][place] == row["rank"]
        assert told["values"][row["method"]][place] == row["score"]
        for k in results.n_features:
            assert told["chosen"][row["method"]][str(k)][place] == row[f"chosen_{k}"]


def test_a_method_without_scores_shows_its_criterion():
    results = fake_results(ks=(5, 10), trials=7)
    selected = (pl.col("method") == "fisher") & (pl.col("rank") <= 20)
    results.table = results.table.with_columns(
        pl.when(selected).then(0.5 - 0.01 * pl.col("rank")).alias("criterion"),
        pl.when(pl.col("method") != "fisher").then(pl.col("score")).alias("score"),
    )
    told = facts(results, method="fisher")
    assert told["value_names"] == {"ec-fs": "score", "fisher": "criterion"}
    about, columns = unpack(explorer_of(told).data)
    assert about["value_names"] == told["value_names"]
    assert np.isnan(columns["value 1"]).sum() == len(columns["value 1"]) - 20
    assert column_of(explorer_of(told), "criterion\nfisher")[:2] == ["0.4900", "0.4800"]
    assert "criterion instead of a score" in section(told).blocks[0].content


def test_facts_are_plain_values(told):
    assert json.loads(dumps(told)) == json.loads(json.dumps(told))


def test_packed_columns_are_the_facts(told):
    about, columns = unpack(explorer_of(told).data)
    assert (about["methods"], about["n_features"]) == (["ec-fs", "fisher"], [5, 10])
    assert about["trials"] == {"ec-fs": 7, "fisher": 7}
    assert columns["feature"] == told["features"]
    for number, method in enumerate(told["methods"]):
        assert columns[f"rank {number}"] == told["ranks"][method]
        assert columns[f"value {number}"] == pytest.approx(told["values"][method], rel=1e-6)
        assert columns[f"chosen {number} 5"] == told["chosen"][method]["5"]
    classes = [None, *about["classes"]]
    assert [classes[place] for place in columns["direction"]] == told["direction"]


def test_the_plain_table_has_the_best_50_of_the_method_in_order(results):
    explorer = explorer_of(facts(results, method="fisher"))
    best = results.table.filter(pl.col("method") == "fisher").sort("rank").head(50)
    assert column_of(explorer, "feature") == best["feature"].to_list()
    assert column_of(explorer, "rank\nfisher") == [str(rank) for rank in range(1, 51)]
    assert [len(row) for row in explorer.grid.rows] == [len(explorer.grid.columns)] * 50


def test_without_scores_dots_are_of_the_largest_k():
    results = fake_results(ks=(5, 10), trials=10)
    best = results.table.filter(pl.col("method") == "ec-fs").sort("rank").head(50)
    found = column_of(explorer_of(facts(results)), "in top 10\nec-fs")
    full = [chosen // 2 for chosen in best["chosen_10"]]
    assert [cell.split()[0] for cell in found] == ["●" * n + "○" * (5 - n) for n in full]
    assert [cell.split()[1] for cell in found] == [str(chosen) for chosen in best["chosen_10"]]


def test_directions_and_effects_where_they_are_known(results, told):
    known = set(results.classes["feature"])
    for name, direction, effect in zip(
        told["features"], told["direction"], told["effect"], strict=True
    ):
        assert (direction is not None) == (effect is not None) == (name in known)


def test_a_cap_keeps_the_best_by_any_method_and_says_so(results):
    told = facts(results, max_features=20)
    best = results.table.group_by("feature").agg(pl.col("rank").min()).sort("rank")
    worst_kept = best["rank"][19]
    certain = set(best.filter(pl.col("rank") < worst_kept)["feature"])
    assert len(told["features"]) == 20
    assert certain <= set(told["features"])
    assert explorer_of(told).note == (
        "The table has 20 of 120 features, those with the best ranks by any method."
    )


def test_nothing_is_said_of_a_cap_that_cuts_nothing(told):
    assert explorer_of(told).note == ""


def test_a_method_without_a_ranking_of_all_rows(results):
    failed = pl.when(pl.col("method") == "fisher").then(None)
    table = results.table.with_columns(
        failed.otherwise(pl.col("rank")).alias("rank"),
        failed.otherwise(pl.col("score")).alias("score"),
    )
    told = facts(fake_results_with(results, table=table))
    explorer = explorer_of(told)
    assert column_of(explorer, "rank\nfisher") == ["–"] * 50
    _, columns = unpack(explorer.data)
    assert set(columns["rank 1"]) == {0}
    assert np.isnan(columns["value 1"]).all()
    assert columns["rank 0"] == list(range(1, 121))


def fake_results_with(results, **changes):
    return type(results)(**{**vars(results), **changes})


def test_an_infinite_score_is_shown_as_one(results):
    table = results.table.with_columns(
        pl.when(pl.col("rank") == 1).then(np.inf).otherwise(pl.col("score")).alias("score")
    )
    told = facts(fake_results_with(results, table=table))
    assert column_of(explorer_of(told), "score\nec-fs")[0] == "∞"


def test_results_without_features_say_why():
    class Nothing:
        methods = ("ec-fs",)
        n_features = (5,)

        def features(self):
            raise DataError("There are no scores of the features on all rows.")

    found = section(facts(Nothing()))
    assert found.blocks == [Paragraph("There are no scores of the features on all rows.")]


def test_results_without_classes_have_no_directions(results):
    class NoClasses(type(results)):
        def values_by_class(self):
            raise DataError("There are no class quantiles.")

    told = facts(NoClasses(**vars(results)))
    assert set(told["direction"]) == set(told["effect"]) == {None}
    assert set(column_of(explorer_of(told), "higher in")) == {"–"}


def test_ten_methods_and_ten_thousand_features_fit_into_a_page_of_a_megabyte_and_a_half(tmp_path):
    results = fake_results(gene_symbols(10_000), TEN_METHODS, (5, 10, 20, 50, 100, 200), trials=100)
    page = tmp_path / "page.html"
    write(Report({"title": "Large"}, [], [section(facts(results))]), to=page)
    # What the other questions add is small beside the table: a few figures each.
    assert page.stat().st_size <= 1_200_000


def test_the_script_is_small_and_makes_no_markup_of_texts():
    script = files("featrank.report").joinpath("assets", "page.js").read_text("utf-8")
    assert 0 < len(script.encode()) <= 40_000
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "</")
    assert [word for word in forbidden if word in script] == []
