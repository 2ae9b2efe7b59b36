"""``featrank plot``: every kind of plot, from folders of results."""

import builtins
import shutil

import pytest

from featrank import plots
from featrank.evaluation import read_comparison

pytest.importorskip("matplotlib")

KINDS = plots.kinds()


def test_kinds_are_the_displays():
    assert [plots.display_class(kind).__name__ for kind in KINDS] == sorted(
        name for name in plots.__all__ if name.endswith("Display")
    )


def test_help_lists_the_kinds(run):
    lines = [line.strip() for line in run("plot", "--help").stdout.splitlines()]
    start = lines.index("Kinds:") + 1
    assert lines[start : start + len(KINDS)] == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_is_the_figure_of_python(kind, run, made_results, tmp_path):
    cls = plots.display_class(kind)
    folders = made_results if cls.several else made_results[:1]
    result = run("plot", kind, *folders, "-o", tmp_path / "a.svg")
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    assert "Drew" in result.stderr
    found = [read_comparison(folder) for folder in folders]
    plots.save(cls.from_results(found if cls.several else found[0]).figure_, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_the_suffix_is_the_format(suffix, run, results, tmp_path):
    path = tmp_path / f"a.{suffix}"
    result = run("plot", "timing", results, "-q", "-o", path)
    assert (result.exit_code, result.output) == (0, "")
    assert path.read_bytes()[:4] == {"png": b"\x89PNG", "pdf": b"%PDF"}[suffix]


@pytest.mark.parametrize(
    ("kind", "options", "python"),
    [
        ("scores", ("--method", "mi", "--top", 4), {"method": "mi", "top": 4}),
        ("selection-frequency", ("--method", "mi", "--n-features", 4), {"method": "mi", "k": 4}),
        (
            "stability-curve",
            ("--measure", "jaccard", "--n-features", "2,5"),
            {"measure": "jaccard", "n_features": (2, 5)},
        ),
        (
            "rank-scatter",
            ("--method", "mi", "--other", "ec-fs", "--top", 9),
            {"method": "mi", "other": "ec-fs", "top": 9},
        ),
        ("roc", ("--n-features", 6), {"k": 6}),
    ],
)
def test_options_reach_the_figure(kind, options, python, run, results, tmp_path):
    result = run("plot", kind, results, *options, "-o", tmp_path / "a.svg")
    assert result.exit_code == 0, result.output
    display = plots.display_class(kind).from_results(read_comparison(results), **python)
    plots.save(display.figure_, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    run("plot", kind, results, "-o", tmp_path / "plain.svg")
    assert (tmp_path / "plain.svg").read_bytes() != (tmp_path / "a.svg").read_bytes()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("timing", "--top", 3), "--top has no effect on the plot 'timing'"),
        (("timing", "--n-features", "3"), "--n-features has no effect"),
        (("score-curve", "--other", "mi"), "--other has no effect"),
        (("roc", "--n-features", "3,6"), "one number of features, got 2"),
        (("scores", "--method", "fishr"), "Did you mean 'fisher'"),
        (("critical-difference",), "two data sets or more"),
        (("histogram",), "'histogram' is not one of"),
    ],
)
def test_refusals(call, words, run, results, tmp_path):
    kind, *options = call
    result = run("plot", kind, results, *options, "-o", tmp_path / "a.svg")
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert not (tmp_path / "a.svg").exists()


def test_one_folder_for_most_kinds(run, made_results, tmp_path):
    result = run("plot", "timing", *made_results, "-o", tmp_path / "a.svg")
    assert result.exit_code == 2
    assert "needs one folder, got 3" in result.stderr


@pytest.mark.parametrize("name", ["a.txt", "missing/a.svg"])
def test_files_that_cannot_be_written(name, run, results, tmp_path):
    result = run("plot", "timing", results, "-o", tmp_path / name)
    assert result.exit_code == 2


def test_what_a_folder_lacks_is_told(run, results, tmp_path):
    (results / "edges.parquet").unlink()
    shutil.rmtree(results / "fits")
    (results / "features.parquet").unlink()
    for kind, words in (("feature-graph", "no edges"), ("scores", "no scores of the features")):
        result = run("plot", kind, results, "-o", tmp_path / "a.svg")
        assert result.exit_code == 1
        assert words in result.stderr
    assert not (tmp_path / "a.svg").exists()


def test_without_matplotlib_the_extra_is_named(run, results, tmp_path, monkeypatch):
    real = builtins.__import__

    def absent(name, *args, **options):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", absent)
    result = run("plot", "timing", results, "-o", tmp_path / "a.svg")
    assert result.exit_code == 1
    assert "featrank[plot]" in result.stderr
