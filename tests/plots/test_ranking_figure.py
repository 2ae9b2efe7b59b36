"""Figures of rankings: everything is in them, and nothing is cut."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import PathCollection

import featrank
from featrank.datasets import make_counts
from featrank.exceptions import FeatrankWarning
from featrank.plots import ranking_figure, save
from featrank.plots.robust_axis import robust_z_scores

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


def test_boxes_are_the_quartiles_of_robust_z_scores():
    rng = np.random.default_rng(0)
    values, codes = rng.normal(7, 3, (50, 2)), np.arange(50) % 2
    values[3, 0] = np.nan
    figure = ranking_figure(["a", "b"], np.array([2.0, 1.0]), values, codes, ["u", "v"])
    low, high = np.nanpercentile(values, [5, 95], axis=0)
    standard = (values - np.nanmedian(values, axis=0)) / ((high - low) / 3.29)
    expected = sorted(
        tuple(np.nanpercentile(standard[codes == code, j], [25, 75]))
        for j in range(2)
        for code in range(2)
    )
    got = sorted((box.get_x(), box.get_x() + box.get_width()) for box in figure.axes[1].patches)
    np.testing.assert_allclose(got, expected, atol=1e-9)


def test_robust_z_scores_of_normal_values_are_z_scores():
    values = np.random.default_rng(0).normal(5, 3, (100_000, 1))
    np.testing.assert_allclose(robust_z_scores(values), (values - 5) / 3, atol=0.05)


def test_no_value_is_clipped():
    """All samples beyond the whiskers are drawn where they are, however far out."""
    values = np.linspace(-1, 1, 40)[:, None] * [1.0, 1.0]
    values[0, 0], values[-1, 0] = -3.0, 3.0
    figure = ranking_figure(["a", "b"], np.ones(2), values)
    expected = robust_z_scores(values)[[0, -1], 0]
    assert np.abs(expected).min() > 4
    assert {*expected} <= {*drawn_points(figure, "o")}
    low, high = figure.axes[1].get_xlim()
    assert low < expected[0] < expected[1] < high
    assert "beyond" not in figure.axes[1].get_xlabel()
    assert not drawn_points(figure, "<") + drawn_points(figure, ">")


def drawn_points(figure, marker):
    """Return the x of all points with a marker, of which each has its own path."""
    import matplotlib.markers as markers

    shape = markers.MarkerStyle(marker)
    path = shape.get_path().transformed(shape.get_transform()).vertices
    return [
        float(x)
        for points in figure.axes[1].collections
        if isinstance(points, PathCollection)
        and np.array_equal(points.get_paths()[0].vertices, path)
        for x, _ in points.get_offsets()
    ]


def test_extreme_values_are_marked_and_counted_and_squash_nothing():
    rng = np.random.default_rng(0)
    values, codes = rng.normal(size=(60, 3)), np.arange(60) % 2
    calm = ranking_figure(list("abc"), np.ones(3), values, codes, ["u", "v"])
    values[3, 0], values[5, 0], values[7, 1] = 1e6, 1e9, -50
    figure = ranking_figure(list("abc"), np.ones(3), values, codes, ["u", "v"])
    axes = figure.axes[1]
    assert axes.get_xlabel().endswith("3 values beyond the axis")
    low, high = axes.get_xlim()
    assert high - low < 2 * np.diff(calm.axes[1].get_xlim())
    right, left = drawn_points(figure, ">"), drawn_points(figure, "<")
    assert (len(right), len(left)) == (1, 1)  # one triangle per class and side
    assert low < left[0] < 0 < right[0] < high
    widths = [box.get_width() for box in axes.patches]
    assert min(widths) > 0.05 * (high - low)


def test_one_value_is_counted_as_one():
    values = np.append(np.random.default_rng(0).normal(size=200), 1e9)[:, None]
    figure = ranking_figure(["a"], np.ones(1), values)
    assert figure.axes[1].get_xlabel().endswith("1 value beyond the axis")


@pytest.mark.parametrize("method", ["mrmr", "svm-rfe"])
def test_a_criterion_that_is_not_comparable_is_written_and_has_no_bars(ranking, method):
    found = featrank.rank(ranking.data.X, ranking.data.classes.codes, method, top=5)
    figure = found.plot(8)
    left = figure.axes[0]
    assert not left.patches
    assert left.get_xlabel().replace("\n", " ") == found.shown.name
    written = [text.get_text().replace("−", "-") for text in left.texts]
    values = found.shown.values[found.order[:8]]
    assert written == ["" if np.isnan(value) else f"{value:.4g}" for value in values]


def test_a_comparable_criterion_has_bars_where_it_is_known(ranking):
    found = featrank.rank(ranking.data.X, ranking.data.classes.codes > 2, "lasso", top=5)
    left = found.plot(8).axes[0]
    lengths = [bar.get_width() for bar in left.patches]
    assert lengths == np.nan_to_num(found.shown.values[found.order[:8]]).tolist()
    assert lengths[5:] == [0, 0, 0]
    assert left.get_xlabel() == "penalty at entry"


def test_infinite_scores_constants_and_no_labels(tmp_path):
    y = np.arange(20) % 2
    X = np.column_stack([y, np.ones(20), np.random.default_rng(0).normal(size=20)])
    with pytest.warns(FeatrankWarning, match="'x0' is a copy of the target"):
        infinite = featrank.rank(X, y, "fisher")
    with pytest.warns(FeatrankWarning, match="'x0' is a copy of the target"):
        of_class = featrank.rank(X, y, "relieff", per_class=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(infinite.plot(), tmp_path / "a.png")
        save(featrank.rank(X, None, "laplacian").plot(), tmp_path / "b.png")
        save(of_class.plot(), tmp_path / "c.png")
