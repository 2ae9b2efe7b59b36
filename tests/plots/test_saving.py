"""Every figure into every format: the same bytes again, whole files, clear refusals."""

import numpy as np
import pytest

import featrank
from featrank import plots
from featrank.exceptions import UsageError

DAY = 24 * 3600


def ranking():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 3
    return featrank.rank(rng.normal(size=(40, 8)) + y[:, None], y, "fisher").plot()


def stability():
    rows = [
        {"method": f"m{j}", "k": k, "stability": 0.1 * j, "low": 0.0, "high": 0.9}
        for j in range(9)
        for k in (5, 10)
    ]
    display = plots.StabilityCurveDisplay(rows, "nogueira", title="a $broken{ title")
    return display.plot().figure_


def panels():
    curves = {"m": [0.1, 0.5], "_$broken{": [0.4, 0.3]}
    return plots.stability_panels_figure({"a$b": curves, "c": curves, "d": {}}, [5, 10])


def critical_difference():
    groups = [["u", "v"], ["v", "$broken{"]]
    ranks = {"u": 1.2, "v": 2.0, "$broken{": 2.8}
    return plots.CriticalDifferenceDisplay(ranks, 1.0, groups).plot().figure_


def planar_graphs():
    points = np.random.default_rng(0).normal(size=(20, 2))
    edges = np.column_stack([np.arange(19), np.arange(1, 20)])
    return plots.planar_graphs_figure({"path": (points, edges, np.arange(20.0))})


FIGURES = [ranking, stability, panels, critical_difference, planar_graphs]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
@pytest.mark.parametrize("make", FIGURES)
def test_the_same_bytes_again(make, suffix, tmp_path, monkeypatch):
    files = [tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"]
    for number, file in enumerate(files):
        # What matplotlib would write as the date.
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(number * DAY))
        plots.save(make(), file)
    first, second = (file.read_bytes() for file in files)
    assert first == second != b""
    import matplotlib

    assert matplotlib.__version__.encode() not in first
    assert sorted(tmp_path.iterdir()) == files


def test_a_name_may_be_a_text(tmp_path):
    plots.save(stability(), str(tmp_path / "a.PNG"))
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["a.txt", "a", "missing/a.png"])
def test_what_cannot_be_written_is_refused(name, tmp_path):
    with pytest.raises(UsageError, match=r"extension of a plot|does not exist"):
        plots.save(stability(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
