"""Figures of what reports hold: each number where it belongs."""

import pytest

from featrank import plots

ROWS = [
    {"method": "mi", "k": 5, "stability": 0.5, "low": 0.4, "high": 0.6},
    {"method": "mi", "k": 10, "stability": 0.7, "low": 0.6, "high": 0.8},
    {"method": "$a{", "k": 5, "stability": 0.1, "low": 0.0, "high": 0.2},
    {"method": "$a{", "k": 10, "stability": 0.2, "low": 0.1, "high": 0.3},
]


def content(rows):
    about = {"dataset": "made", "trials": 7, "measure": "nogueira"}
    return {**about, "stability": rows}


def test_a_curve_a_method_with_its_band():
    figure = plots.stability_figure(content(ROWS))
    (axes,) = figure.axes
    first, second = axes.lines[:2]
    assert first.get_xydata().tolist() == [[5, 0.5], [10, 0.7]]
    assert second.get_xydata().tolist() == [[5, 0.1], [10, 0.2]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["mi", "$a{"]
    assert len(axes.collections) == 2
    ends = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert {0.4, 0.6, 0.8} <= set(ends.round(9))
    assert axes.get_title(loc="left") == "made, 7 trials"
    assert axes.get_ylabel() == "stability (nogueira)"


def test_without_intervals_there_are_no_bands():
    rows = [{key: row[key] for key in ("method", "k", "stability")} for row in ROWS]
    assert not plots.stability_figure(content(rows)).axes[0].collections


@pytest.mark.parametrize("groups", [[], [["a", "b"], ["b", "c"]]])
def test_a_bar_a_group(groups):
    ranks = {"c": 2.9, "a": 1.1, "b": 2.0}
    test = {"average_ranks": ranks, "critical_difference": 1.3, "groups": groups}
    (axes,) = plots.critical_difference_figure({"nemenyi": test}).axes
    bars = [each for each in axes.collections if each.get_linewidth()[0] == 3]
    ends = [sorted(bar.get_segments()[0][:, 0].round(2)) for bar in bars]
    assert ends == [[1.07, 2.03], [1.97, 2.93]][: len(groups)]
