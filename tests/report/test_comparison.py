"""A comparison for readers: what is best, what is marked, what is told."""

import json

import numpy as np
import polars as pl

from featrank.evaluation import Comparison
from featrank.report import Cell, Grid, Paragraph, comparison_report

from .harmless import AWKWARD, require_harmless

# Values that no test takes for anything but normal.
SPREAD = 0.02 * np.array([-1.5, -0.9, -0.5, -0.15, 0.15, 0.5, 0.9, 1.5])


def levels(*means):
    return np.stack([mean + SPREAD for mean in means], axis=1)


def grid_of(report):
    (grid,) = (block for block in report.shown if isinstance(block, Grid))
    return grid


def bold_of(report):
    """Return for each column the methods whose cell is bold."""
    lines = grid_of(report).rows
    return [
        [line[0] for line in lines if line[place].bold] for place in range(1, len(lines[0]) - 1)
    ]


class WithBaseline(Comparison):
    """A comparison along which a random ranking ran."""

    def baseline_row(self):
        return {"method": "random", 3: 0.9, 6: 0.5, "average": 0.7, "seconds": 0.1, "failed": 0}


def test_content_is_what_json_gets(compared, written):
    report = comparison_report(compared({"mi": levels(0.8, 0.7), "fisher": levels(0.6, 0.7)}))
    assert list(report.content)[:2] == ["schema", "version"]
    assert report.content["schema"] == "featrank/comparison"
    assert json.loads(written(report, "json")) == report.content
    first = report.content["methods"][0]
    assert (first["method"], round(first["3"], 9), round(first["average"], 9)) == ("mi", 0.8, 0.75)
    tests = report.content["significance"]
    assert [(test["method"], test["other"], test["k"]) for test in tests] == [
        ("mi", "fisher", 3),
        ("mi", "fisher", 6),
    ]


def test_rows_are_a_frame(compared):
    found = compared({"mi": levels(0.8, 0.7), "fisher": levels(0.6, 0.7)}, kind=WithBaseline)
    frame = pl.DataFrame(comparison_report(found).rows)
    assert frame.columns == ["method", "3", "6", "average", "seconds", "failed"]
    assert frame["method"].to_list() == ["mi", "fisher", "random"]


def test_the_best_of_a_column_is_bold_and_equals_share_it(compared):
    scores = {"mi": levels(0.8, 0.7), "fisher": levels(0.6, 0.70001), "relieff": levels(0.7, 0.1)}
    assert bold_of(comparison_report(compared(scores))) == [["mi"], ["mi", "fisher"], ["mi"]]


def test_the_best_loss_is_the_one_nearest_to_zero(compared):
    """Scores of scikit-learn's losses are negative: the largest is best all the same."""
    scores = {"mi": levels(-0.1, 0.2), "fisher": levels(-0.2, -0.3)}
    assert bold_of(comparison_report(compared(scores))) == [["mi"], ["mi"], ["mi"]]


def test_where_nothing_has_a_score_nothing_is_best(compared):
    report = comparison_report(compared({"mi": np.full((8, 2), np.nan)}))
    assert bold_of(report) == [[], [], []]
    assert report.notes == ["mi failed in 8 of 8 trials: it cannot"]


def test_marks_say_which_test_told_apart(compared):
    scores = {"ec-fs": levels(0.8, 0.8), "mi": levels(0.6, 0.8), "fisher": levels(0.8, 0.8)}
    # A difference of means that only a test which forgets that trials share rows believes in.
    scores["fisher"][:, 1] = (0.8 + SPREAD)[::-1] - 0.025
    lines = {line[0]: line for line in grid_of(comparison_report(compared(scores))).rows}
    assert [cell.mark for cell in lines["mi"][1:4]] == ["*†", "", ""]
    assert [cell.mark for cell in lines["fisher"][1:4]] == ["", "*", ""]
    assert [cell.mark for cell in lines["ec-fs"][1:4]] == ["", "", ""]


def test_the_baseline_comes_last_and_is_no_method(compared, written):
    scores = {"mi": levels(0.8, 0.7), "fisher": levels(0.6, 0.7)}
    report = comparison_report(compared(scores, kind=WithBaseline))
    assert [row["method"] for row in report.content["methods"]] == ["mi", "fisher"]
    assert report.content["baseline"]["method"] == "random"
    assert report.content["baseline"]["3"] == 0.9
    assert [row["method"] for row in report.rows] == ["mi", "fisher", "random"]
    grid = grid_of(report)
    assert (grid.rows[-1][0], grid.rules) == ("random", {2})
    # Bold is the best method, though chance did better.
    assert bold_of(report)[0] == ["mi"]
    assert written(report, "csv").splitlines()[-1] == "random,0.9,0.5,0.7,0.1,0"
    assert "random: random ranking" in written(report, "table")
    without = comparison_report(compared(scores))
    assert without.content["baseline"] is None
    assert "chance, to compare" not in written(without, "table")


def test_names_do_nothing_in_any_layout(compared, written):
    scores = {AWKWARD: levels(0.8, 0.7), "mi": levels(0.6, 0.7)}
    require_harmless(comparison_report(compared(scores, dataset=AWKWARD)), written)


def test_what_bold_means_is_said_where_there_is_bold(compared, written):
    report = comparison_report(compared({"mi": levels(0.8, 0.7), "fisher": levels(0.6, 0.7)}))
    assert Paragraph("Bold: best of its column.", of_bold=True) in report.shown
    assert "Bold" in written(report, "markdown")
    assert "Bold" not in written(report, "table")
    assert isinstance(grid_of(report).rows[0][1], Cell)
