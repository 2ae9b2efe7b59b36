"""Figures of rankings: everything is in them, and nothing is cut."""

import warnings
from itertools import pairwise

import numpy as np
import pytest

import featrank
from featrank.datasets import make_counts
from featrank.plots import ranking_figure, save

LONG = "the expression of a gene whose name is longer than any column that a figure could have"


def drawn(figure):
    """Return where the names lie once the figure is laid out."""
    figure.draw_without_rendering()
    axes = figure.axes[0]
    return [label.get_window_extent() for label in axes.get_yticklabels()]


@pytest.fixture
def ranking():
    data = make_counts(80, 60, n_classes=5, n_informative=20, random_state=0)
    names = [LONG, "x" * 90, "cost $a_b$", "$\\broken{"] + [f"gene {j}" for j in range(56)]
    order = [*data.truth["informative"], *data.truth["noise"]]
    return featrank.rank(data.X[:, order], data.y, "fisher", top=20, feature_names=names)


def test_names_are_whole_inside_and_apart(ranking):
    figure = ranking.plot(60)
    boxes = drawn(figure)
    width, height = figure.canvas.get_width_height()
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))
    shown = [label.get_text().replace("\n", " ") for label in figure.axes[0].get_yticklabels()]
    assert [text.replace(" ", "") for text in shown] == [
        name.replace(" ", "") for name in ranking.top(60)
    ]


def test_bars_are_the_scores(ranking):
    figure = ranking.plot()
    lengths = [bar.get_width() for bar in figure.axes[0].patches]
    assert lengths == ranking.scores[ranking.order[:20]].tolist()


def test_a_colour_and_a_name_for_each_class(ranking):
    figure = ranking.plot()
    legend = figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == [f"class{c}" for c in range(1, 6)]
    colours = [patch.get_facecolor() for patch in legend.get_patches()]
    assert len(set(colours)) == 5
    boxes = figure.axes[1].patches
    assert len(boxes) == 20 * 5
    assert {box.get_facecolor()[:3] for box in boxes} == {colour[:3] for colour in colours}


def test_more_classes_than_colours_are_told_apart():
    codes = np.arange(60) % 12
    values = np.random.default_rng(0).normal(size=(60, 2))
    figure = ranking_figure(["a", "b"], np.ones(2), values, codes, [f"c{j}" for j in range(12)])
    looks = {(p.get_facecolor(), p.get_hatch()) for p in figure.legends[0].get_patches()}
    assert len(looks) == 12


def test_boxes_are_the_quartiles_of_standardised_values():
    rng = np.random.default_rng(0)
    values, codes = rng.normal(7, 3, (50, 2)), np.arange(50) % 2
    values[3, 0] = np.nan
    figure = ranking_figure(["a", "b"], np.array([2.0, 1.0]), values, codes, ["u", "v"])
    standard = (values - np.nanmean(values, axis=0)) / np.nanstd(values, axis=0)
    expected = sorted(
        tuple(np.nanpercentile(standard[codes == code, j], [25, 75]))
        for j in range(2)
        for code in range(2)
    )
    got = sorted((box.get_x(), box.get_x() + box.get_width()) for box in figure.axes[1].patches)
    np.testing.assert_allclose(got, expected, atol=1e-9)


def test_infinite_scores_constants_and_no_labels(tmp_path):
    y = np.arange(20) % 2
    X = np.column_stack([y, np.ones(20), np.random.default_rng(0).normal(size=20)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(featrank.rank(X, y, "fisher").plot(), tmp_path / "a.png")
        save(featrank.rank(X, None, "laplacian").plot(), tmp_path / "b.png")
        save(featrank.rank(X, y, "relieff", per_class=True)[1].plot(), tmp_path / "c.png")
