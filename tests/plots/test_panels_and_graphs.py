"""Panels of stability and planar graphs: what is drawn is what was given."""

import warnings

import numpy as np
import pytest
from matplotlib.colors import to_hex

from featrank.plots import planar_graphs_figure, stability_panels_figure
from featrank.plots.style import ACCENT, COLOURS

KS = range(10, 201, 10)


def curves(*methods):
    rng = np.random.default_rng(0)
    return {method: np.sort(rng.random(len(KS))) for method in methods}


def look(line):
    return to_hex(line.get_color()), line.get_linestyle(), line.get_linewidth()


def test_lines_are_the_curves_of_each_data_set():
    sets = {"colon": curves("a", "b"), "$x$": curves("b", "c"), "none": {}}
    figure = stability_panels_figure(sets, KS, measure="Kuncheva's index")
    assert [axes.get_title("left") for axes in figure.axes] == list(sets)
    for axes, found in zip(figure.axes, sets.values(), strict=True):
        drawn = [line.get_ydata().tolist() for line in axes.get_lines()]
        assert drawn == [values.tolist() for values in found.values()]
    of_b = [
        look(axes.get_lines()[place]) for axes, place in zip(figure.axes[:2], (1, 0), strict=True)
    ]
    assert of_b[0] == of_b[1]
    assert figure.get_supylabel() == "Kuncheva's index"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b", "c"]


def test_many_methods_are_told_apart_and_the_leading_stand_out():
    leading, dashed = ["ours", "ours too", "absent"], [f"other {j}" for j in range(10)]
    paper = [f"paper {j}" for j in range(9)]
    sets = {"one": curves(*dashed, *paper, *leading[:2])}
    figure = stability_panels_figure(sets, KS, leading=leading, dashed=dashed)
    (axes,) = figure.axes
    looks = dict(zip(sets["one"], map(look, axes.get_lines()), strict=True))
    assert len(set(looks.values())) == 21
    assert {looks[name][0] for name in leading[:2]} == {ACCENT}
    assert {looks[name][0] for name in (*dashed, *paper)} == set(COLOURS[1:])
    assert min(looks[name][2] for name in leading[:2]) > looks["paper 0"][2]
    assert not {looks[name][1] for name in dashed} & {looks[name][1] for name in paper}
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == [*leading[:2], *paper, *dashed]


@pytest.mark.parametrize(("count", "labelled"), [(1, [0]), (2, [0, 1]), (3, [1, 2]), (4, [2, 3])])
def test_the_lowest_panel_of_each_column_has_numbers_below(count, labelled):
    figure = stability_panels_figure({str(j): curves("a") for j in range(count)}, KS)
    figure.draw_without_rendering()
    below = [
        j
        for j, axes in enumerate(figure.axes)
        if any(label.get_visible() and label.get_text() for label in axes.get_xticklabels())
    ]
    assert below == labelled
    assert figure.axes[0].get_xticks().tolist() == [10, 50, 100, 150, 200]


def test_one_number_of_features_and_values_below_zero():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = stability_panels_figure({"a": {"m": [0.5]}}, [7])
        figure.draw_without_rendering()
    (line,) = figure.axes[0].get_lines()
    assert line.get_marker() == "o"  # a line through one point would not be seen
    below = stability_panels_figure({"a": {"m": [-0.3, np.nan]}}, [7, 9])
    assert below.axes[0].get_ylim()[0] < -0.3


def test_nodes_and_edges_are_those_of_the_graph():
    rng = np.random.default_rng(0)
    points, centrality = rng.normal(size=(30, 2)), rng.random(30)
    edges = rng.integers(0, 30, (50, 2))
    figure = planar_graphs_figure(
        {"a": (points, edges, centrality), "b": (points, edges, centrality)}
    )
    lines, dots = figure.axes[0].collections
    np.testing.assert_array_equal(lines.get_segments(), points[edges])
    order = np.argsort(centrality)
    np.testing.assert_array_equal(dots.get_offsets(), points[order])
    np.testing.assert_allclose(dots.get_array(), centrality[order] / centrality.max())
    assert [axes.get_title("left") for axes in figure.axes[:2]] == ["a", "b"]
    low, high = zip(figure.axes[0].get_xlim(), figure.axes[0].get_ylim(), strict=True)
    assert (points.min(axis=0) >= low).all()
    assert (points.max(axis=0) <= high).all()
