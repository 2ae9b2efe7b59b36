"""What every display has: axes, a frame, the same bytes again, and names that can be read."""

import inspect
import warnings
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from featrank import plots
from featrank.evaluation import Comparison
from featrank.exceptions import DataError

from .results import compared, of_kind

DISPLAYS = [getattr(plots, name) for name in plots.__all__ if name.endswith("Display")]
each_display = pytest.mark.parametrize("cls", DISPLAYS, ids=lambda cls: cls.__name__)


@each_display
def test_a_new_figure_with_a_frame_of_what_is_drawn(cls):
    display = cls.from_results(of_kind(cls))
    assert isinstance(display, cls)
    assert display.ax_.figure is display.figure_
    frame = display.frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.height > 1
    assert display.plot() is display
    assert display._repr_png_().startswith(b"\x89PNG")


@each_display
def test_axes_of_the_user_are_used_and_nothing_else_of_the_figure(cls):
    figure = Figure(figsize=(10, 5))
    left, right = figure.subplots(1, 2)
    display = cls.from_results(of_kind(cls), ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.has_data() or right.texts
    assert not left.has_data()
    assert not figure.legends
    assert figure.get_suptitle() == right.get_title() == right.get_title("left") == ""
    assert display._repr_png_() is None  # a notebook shows the user's figure by itself


@each_display
@pytest.mark.parametrize("n_methods", [2, 11])
def test_texts_are_inside_and_nothing_is_read_as_mathematics(cls, n_methods):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = cls.from_results(of_kind(cls, n_methods)).figure_
        figure.draw_without_rendering()
    drawn, page = figure.get_tightbbox(), figure.bbox_inches
    assert drawn.x0 >= -0.01
    assert drawn.y0 >= -0.01
    assert drawn.x1 <= page.x1 + 0.01
    assert drawn.y1 <= page.y1 + 0.01
    for text in figure.findobj(Text):
        assert "$" not in text.get_text() or not text.get_parse_math(), text.get_text()


@each_display
def test_names_down_the_side_do_not_cover_each_other(cls):
    axes = cls.from_results(of_kind(cls, 11)).ax_
    axes.figure.draw_without_rendering()
    boxes = [
        label.get_window_extent() for label in axes.get_yticklabels() if label.get_text().strip()
    ]
    boxes.sort(key=lambda box: box.y0)
    assert all(upper.y0 >= lower.y1 - 1 for lower, upper in pairwise(boxes))


@each_display
def test_the_same_bytes_again(cls, tmp_path, monkeypatch):
    """As SVG, in which elements have names; test_saving has figures in every format."""
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for number, file in enumerate(files):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(number * 24 * 3600))
        plots.save(cls.from_results(of_kind(cls)).figure_, file)
    assert files[0].read_bytes() == files[1].read_bytes() != b""


@each_display
def test_parameters_are_described(cls):
    for function in (cls, cls.from_results):
        for name in inspect.signature(function).parameters:
            text = inspect.getdoc(function)
            assert f"{name} :" in text or f"{name}, " in text, (cls, name)


@each_display
def test_one_trial_and_one_number_of_features(cls):
    whole = compared()
    one = Comparison(
        whole.trials[:1], whole.methods, whole.n_features[:1], whole.manifest, whole.stored
    )
    given = [one, compared(seed=1)] if cls.several else one
    if cls is plots.StabilityCurveDisplay:
        with pytest.raises(DataError, match="rankings of two trials"):
            cls.from_results(given)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cls.from_results(given).figure_.draw_without_rendering()


def test_figures_of_pyplot_do_not_pile_up():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    before = pyplot.get_fignums()
    plots.TimingDisplay({"a": 1.0, "b": np.nan}).plot()
    assert pyplot.get_fignums() == before
