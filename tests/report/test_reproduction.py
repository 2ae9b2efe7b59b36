"""Tables of our figures and the paper's, from plain cells."""

import json

import pytest

from featrank.report import areas_report, precisions_report

LAYOUTS = ("table", "html", "markdown")


def area(method, column, ours, paper, dataset="colon"):
    difference = None if None in (ours, paper) else ours - paper
    return {
        "dataset": dataset, "method": method, "column": column, "ours": ours, "paper": paper,
        "difference": difference, "deviation": None, "trials": 3,
    }  # fmt: skip


def precision(label, method, ours, paper=None):
    difference = None if None in (ours, paper) else ours - paper
    return {
        "k": 5, "kind": "11-point", "class": label, "method": method, "ours": ours,
        "paper": paper, "difference": difference,
    }  # fmt: skip


@pytest.fixture
def areas():
    return [
        area("fisher", "50", 81.5, 80.0),
        area("fisher", "seconds", 0.25, 0.5),
        area("mrmr", "50", 81.504, None),
        area("mrmr", "seconds", 0.125, None),
        area("mi", "50", None, 70.0),
        area("mi", "seconds", None, 1.0),
    ]


def cells(line):
    return [getattr(cell, "content", cell) for cell in line]


def test_three_lines_a_method_and_the_best_are_bold(areas, written):
    report = areas_report("Title", {"colon": areas}, missing={}, manifests={"colon": {"a": 1}})
    (grid,) = [block for block in report.shown if hasattr(block, "rows")]
    assert grid.title == "COLON, 3 trials"
    assert [cells(line) for line in grid.rows] == [
        ["fisher", "ours", "81.50", "0.25"],
        ["", "paper", "80.00", "0.5"],
        ["", "difference", "+1.50", "-0.25"],
        ["mrmr", "ours", "81.50", "0.125"],
        ["mi", "ours", "–", "–"],
        ["", "paper", "70.00", "1"],
        ["", "difference", "–", "–"],
    ]
    bold = [[cell.bold for cell in grid.rows[line][2:]] for line in (0, 3, 4)]
    # Equal as they are printed; and nobody is best at taking time.
    assert bold == [[True, False], [True, False], [False, False]]
    content = json.loads(written(report, "json"))
    assert (content["schema"], content["version"]) == ("featrank/reproduction", 1)
    assert content["cells"] == areas == list(report.rows)
    assert content["manifests"] == {"colon": {"a": 1}}


def test_what_the_paper_does_not_have_keeps_its_name():
    figures = [area("mi", "50", 60.0, None, "like_gina (LEAKY)")]
    report = areas_report("Title", {"like_gina": figures}, missing={}, manifests={})
    assert report.shown[-1].title == "like_gina (LEAKY), 3 trials"


def test_precisions_end_with_their_mean(written):
    figures = [
        precision(label, method, ours)
        for label in ("cat", "dog", "mAP")
        for method, ours in (("fisher", 50.0), ("mi", 40.0))
    ]
    report = precisions_report([figures], {"data": {"features": 20}}, notes=["A note."])
    title, grid = report.shown
    assert title.content == "Top 5 of 20 features: 11-point average precision (%)"
    assert [column.head for column in grid.columns] == ["class", "fisher", "mi"]
    assert [cells(line) for line in grid.rows] == [
        [label, "50.00", "40.00"] for label in ("cat", "dog", "mAP")
    ]
    assert grid.rules == {2}
    assert report.notes == ["A note."]
    assert json.loads(written(report, "json"))["cells"] == figures


def test_published_precisions_stand_below_ours():
    figures = [precision(label, "mi", 40.0, 50.0) for label in ("cat", "mAP")]
    grid = precisions_report([figures], {"data": {"features": 20}}).shown[1]
    assert [cells(line) for line in grid.rows[3:]] == [
        ["mAP", "ours", "40.00"],
        ["", "paper", "50.00"],
        ["", "difference", "-10.00"],
    ]
    assert (grid.rules, grid.keys) == ({3}, 2)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_names_from_data_do_nothing(written, harmless, layout):
    awkward = "a|b <script>alert(1)</script> $x$ \x1b[31m [red]bold[/red]"
    figures = [area(awkward, "50", 60.0, None, awkward)]
    report = areas_report("Title", {awkward: figures}, missing={}, manifests={})
    harmless(written(report, layout), layout)
    named = [precision(awkward, awkward, 60.0), precision("mAP", awkward, 60.0)]
    harmless(written(precisions_report([named], {"data": {"features": 9}}), layout), layout)
