"""Features by how often they were chosen: counted by hand, capped for readers alone."""

import json
import re

import numpy as np
import pytest

from featrank.evaluation import Comparison
from featrank.exceptions import DataError, UsageError
from featrank.report import Grid, selection_report, stability_report

from .harmless import AWKWARD, require_harmless

TRIALS = 7


class Named(Comparison):
    """A comparison that knows the names of its features."""

    feature_names = [f"gene {j}" for j in range(11)] + [AWKWARD]


@pytest.fixture
def results(compared):
    rng = np.random.default_rng(0)
    scores = {name: np.full((TRIALS, 2), 0.5) for name in ("mi", "fisher")}
    orders = {
        name: np.array([[11, *rng.permutation(11)] for _ in range(TRIALS)]) for name in scores
    }
    return compared(scores, orders=orders, kind=Named)


def test_rows_are_counts_over_the_trials(results, written):
    report = selection_report(results, n_features=[5, 2])
    assert list(dict.fromkeys((row["k"], row["method"]) for row in report.rows)) == [
        (2, "mi"),
        (2, "fisher"),
        (5, "mi"),
        (5, "fisher"),
    ]
    for row in report.rows:
        number = Named.feature_names.index(row["feature"])
        chosen = sum(number in order[: row["k"]] for order in results.rankings[row["method"]])
        assert (row["chosen"], row["trials"]) == (chosen, TRIALS)
        assert row["share"] == chosen / TRIALS
        assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
        assert chosen > 0
    assert json.loads(written(report, "json")) == report.content
    assert report.content["selection"] == report.rows
    assert report.notes == []


def test_by_default_k_is_the_recommended_one(results):
    assert {row["k"] for row in selection_report(results).rows} == {3}


def test_readers_are_shown_the_most_often_chosen_and_told_of_the_rest(results, written):
    report = selection_report(results, top=3)
    (grid,) = (block for block in report.shown if isinstance(block, Grid))
    assert [line[:2] for line in grid.rows] == [
        ["mi", "3"], ["", ""], ["", ""], ["fisher", "3"], ["", ""], ["", ""],
    ]  # fmt: skip
    assert grid.rules == {3}
    assert [line[2] for line in grid.rows[:3]] == [
        row["feature"] for row in report.rows if row["method"] == "mi"
    ][:3]
    left = len(report.rows) - 6
    assert (
        f"The 3 most often selected features of each method. {left} more are not shown"
        in grid.caption
    )
    assert len(re.findall("^(?:mi|fisher),", written(report, "csv"), re.M)) == len(report.rows)
    (whole,) = (b for b in selection_report(results, top=12).shown if isinstance(b, Grid))
    assert (len(whole.rows), whole.caption) == (len(report.rows), "")


def test_names_do_nothing_in_any_layout(results, written):
    assert any(row["feature"] == AWKWARD for row in selection_report(results).rows)
    require_harmless(selection_report(results), written)


def test_features_without_names_have_numbers(compared):
    orders = {"mi": [np.arange(12), np.arange(12)[::-1]]}
    report = selection_report(compared({"mi": np.zeros((2, 2))}, orders=orders), n_features=[6])
    assert [row["feature"] for row in report.rows] == [f"x{j}" for j in range(12)]
    assert "x0, x1, … are the positions" in report.notes[0]


def test_more_features_than_the_run_asked_for_get_a_note(results):
    (note,) = selection_report(results, n_features=[9]).notes
    assert "The comparison ranked for 6 features." in note


def test_a_method_without_rankings_is_named(compared):
    scores = {name: np.zeros((2, 2)) for name in ("mi", "fisher")}
    found = compared(scores, orders={"mi": [np.arange(12), np.arange(12)]})
    report = selection_report(found)
    assert {row["method"] for row in report.rows} == {"mi"}
    assert report.notes[-1] == "fisher has no ranking and is left out."
    with pytest.raises(DataError, match="No method has a ranking"):
        selection_report(compared(scores))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"n_features": [13]}, "more than the 12 features"),
        ({"n_features": []}, "No number of features"),
        ({"top": 0}, "top must be 1 or more, got 0"),
    ],
)
def test_refusals(results, call, words):
    with pytest.raises(UsageError, match=words):
        selection_report(results, **call)


def test_stability_of_awkward_names(compared, written):
    rng = np.random.default_rng(0)
    orders = {name: [rng.permutation(12) for _ in range(3)] for name in (AWKWARD, "mi")}
    scores = {name: np.zeros((3, 2)) for name in orders}
    report = stability_report(compared(scores, dataset=AWKWARD, orders=orders), [3, 6])
    require_harmless(report, written)
    with pytest.raises(UsageError, match="No number of features"):
        stability_report(compared(scores, orders=orders), [])
