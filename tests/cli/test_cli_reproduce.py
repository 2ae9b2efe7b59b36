"""``featrank reproduce`` on made data under the paper's names."""

import csv
import io
import json
import sys

import numpy as np
import pytest

import featrank.datasets
from featrank.datasets import Dataset
from featrank.evaluation import read_comparison
from featrank.exceptions import DataError
from featrank.reproduction.published import areas
from featrank.statistics import ranking_stability

FAST = ("--trials", 2, "--jobs", 1)


@pytest.fixture
def at_hand(monkeypatch):
    """Say which data sets there are; each is small and has the same signal."""

    def say(*names):
        def load(name):
            if name not in names:
                raise DataError(f"no file {name}.npz.")
            rng = np.random.default_rng(len(name))
            y = np.arange(36) % 2
            X = rng.normal(size=(36, 210))
            X[:, :20] += y[:, None]
            return Dataset(X, y, [f"g{j}" for j in range(210)], "class", name, "Made.")

        monkeypatch.setattr(featrank.datasets, "load", load)

    return say


def cells_of(result):
    assert result.exit_code == 0, result.output
    rows = csv.DictReader(io.StringIO(result.stdout))
    return {(row["dataset"], row["method"], row["column"]): row for row in rows}


def test_microarray_prints_the_papers_figures_beside_ours(run, at_hand, tmp_path):
    at_hand("colon", "lymphoma")
    folder = tmp_path / "results"
    result = run(
        "reproduce", "microarray", "-m", "fisher,ec-fs-toolbox", "--out-dir", folder, *FAST
    )  # fmt: skip
    cells = cells_of(result)
    assert len(cells) == 2 * 2 * 6
    cell = cells["lymphoma", "ec-fs (toolbox)", "100"]
    assert float(cell["paper"]) == areas("lymphoma")["ec-fs"]["100"]
    ours = 100 * read_comparison(folder / "lymphoma").scores("ec-fs (toolbox)", 100).mean()
    assert float(cell["ours"]) == pytest.approx(ours)
    assert float(cell["difference"]) == pytest.approx(ours - float(cell["paper"]))
    for name in ("Leukemia", "Prostate"):
        assert f"{name} is missing: no file" in result.stderr


def test_microarray_gives_the_stability_of_the_rankings(run, at_hand, tmp_path):
    at_hand("colon", "leukemia")
    folder = tmp_path / "results"
    assert (
        run("reproduce", "microarray", "-m", "fisher,mi", "--out-dir", folder, *FAST).exit_code == 0
    )
    rows = list(csv.DictReader((folder / "stability.csv").open()))
    assert len(rows) == 2 * 2 * 20
    for row in rows:
        rankings = np.load(folder / row["dataset"] / "rankings.npz")[row["method"]]
        expected = ranking_stability(rankings, int(row["k"]))
        assert float(row["kuncheva"]) == pytest.approx(expected, abs=1e-12)
    pytest.importorskip("matplotlib")
    assert (folder / "stability.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_goes_on_where_it_stopped(run, at_hand, tmp_path):
    at_hand("colon")
    call = ("reproduce", "microarray", "--datasets", "colon", "-m", "mi", "--jobs", 1)
    one, two = tmp_path / "one", tmp_path / "two"
    assert run(*call, "--trials", 1, "--out-dir", one).exit_code == 0
    refused = run(*call, "--trials", 2, "--out-dir", one)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--resume" in refused.stderr
    resumed = cells_of(run(*call, "--trials", 2, "--out-dir", one, "--resume"))
    at_once = cells_of(run(*call, "--trials", 2, "--out-dir", two))
    scores = [key for key in at_once if key[2] != "seconds"]
    assert [resumed[key] for key in scores] == [at_once[key] for key in scores]


def test_gina_is_said_to_be_missing_and_nothing_else_bears_its_name(run, at_hand):
    at_hand("gina_like_mnist", "madelon")
    result = run("reproduce", "challenge", "-m", "fisher", "--trials", 1, "--jobs", 1, "-q")
    cells = cells_of(result)
    assert {key[0] for key in cells} == {"gina_like_mnist", "madelon"}
    assert cells["gina_like_mnist", "fisher", "50"]["paper"] == ""
    assert cells["madelon", "fisher", "50"]["paper"] == "61.9"
    assert "GINA is missing: no file gina.npz. featrank runs gina_like_mnist" in result.stderr
    assert "Do not compare its scores with those published for GINA" in result.stderr


def test_gina_itself_is_taken_where_it_is(run, at_hand):
    at_hand("gina", "gina_like_mnist", "madelon")
    result = run("reproduce", "challenge", "-m", "fisher", "--format", "json", *FAST)
    content = json.loads(result.stdout)
    assert {cell["dataset"] for cell in content["cells"]} == {"gina", "madelon"}
    assert content["missing"] == {}


def test_table_has_three_lines_a_method(run, at_hand):
    at_hand("madelon")
    call = ("reproduce", "challenge", "--datasets", "madelon", "-m", "mi,mrmr", "-f", "table")
    result = run(*call, *FAST)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    start = next(number for number, line in enumerate(lines) if line[:2] == ["mi", "ours"])
    assert [line[0] for line in lines[start + 1 : start + 4]] == ["paper", "difference", "mrmr"]
    assert lines[start + 1][1:] == ["63.00", "63.70", "63.50", "64.70", "63.60", "0.4"]


def test_a_method_out_of_time_has_no_figures(run, at_hand):
    at_hand("madelon")
    call = ("reproduce", "challenge", "--datasets", "madelon", "-m", "mi", "--time-limit", "1e-6")
    result = run(*call, *FAST)
    assert cells_of(result)["madelon", "mi", "50"]["ours"] == ""
    assert "madelon: mi failed in 2 of 2 trials: took longer than" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("microarray", "--datasets", "colonn"), "Did you mean 'colon'"),
        (("microarray", "--datasets", "madelon"), "Unknown data set of this experiment"),
        (("challenge", "-m", "fischer"), "Did you mean 'fisher'"),
        (("challenge", "--resume"), "--out-dir DIR"),
        (
            ("planar-graphs", "--output", "graphs.txt"),
            "'graphs.txt' does not have the extension of a plot",
        ),
    ],
)
def test_refusals(run, at_hand, args, words):
    at_hand("colon", "madelon")
    result = run("reproduce", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_without_any_data_set_the_reasons_are_told(run, at_hand):
    at_hand()
    result = run("reproduce", "microarray")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Colon is missing: no file colon.npz." in result.stderr


def test_planar_graphs_are_drawn_the_same_for_the_same_seed(run, tmp_path):
    pytest.importorskip("matplotlib")
    pictures = []
    for name, seed in (("a.svg", 1), ("b.svg", 1), ("c.svg", 2)):
        result = run("reproduce", "planar-graphs", "--output", tmp_path / name, "--seed", seed)
        assert result.exit_code == 0, result.output
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0] == pictures[1] != pictures[2]


def test_figures_name_the_extra_they_need(run, at_hand, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run("reproduce", "planar-graphs", "--output", tmp_path / "graphs.png")
    assert result.exit_code == 1
    assert "featrank[plot]" in result.stderr
    at_hand("colon")
    folder = tmp_path / "results"
    call = ("reproduce", "microarray", "--datasets", "colon", "-m", "mi", "--out-dir", folder)
    result = run(*call, *FAST)
    assert result.exit_code == 0, result.output
    assert "stability.png is missing" in result.stderr
    assert "featrank[plot]" in result.stderr
    assert (folder / "stability.csv").exists()


def test_help_lists_the_experiments(run):
    result = run("reproduce", "--help")
    assert result.exit_code == 0
    for name in ("microarray", "challenge", "voc", "planar-graphs"):
        assert name in result.stdout


@pytest.mark.parametrize("layout", ["table", "csv", "json"])
def test_a_leaky_run_says_so_in_every_layout(run, at_hand, layout, tmp_path):
    at_hand("colon")
    call = ("reproduce", "microarray", "--datasets", "colon", "-m", "mi", "--leaky", "-q")
    result = run(*call, "-f", layout, "--out-dir", tmp_path / "leaky", *FAST)
    assert result.exit_code == 0, result.output
    assert "LEAKY" in result.stdout
    assert "LEAKY" in result.stderr
    assert not (tmp_path / "leaky" / "stability.csv").exists()
    again = run("stability", tmp_path / "leaky" / "colon", "-f", "table")
    assert "LEAKY" in again.stdout


def test_share_of_test_rows(run, at_hand):
    at_hand("colon")
    call = ("reproduce", "microarray", "--datasets", "colon", "-m", "mi", "-f", "json")
    shares = {}
    for share in (None, "0.2", "0.5"):
        result = run(*call, *FAST, *(() if share is None else ("--test-size", share)))
        manifest = json.loads(result.stdout)["manifests"]["colon"]
        shares[share] = manifest["protocol"]["test_size"], manifest["test_size"]
    assert shares[None] == (pytest.approx(1 / 3), pytest.approx(12 / 36))
    assert shares["0.2"] == (0.2, pytest.approx(8 / 36))
    assert shares["0.5"] == (0.5, pytest.approx(18 / 36))
    assert run(*call, *FAST, "--test-size", "1").exit_code == 2
