import csv
import io
import json

import numpy as np
import pytest

from featrank.statistics import nogueira_interval, ranking_stability


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


@pytest.mark.parametrize("measure", ["kuncheva", "jaccard", "jensen-shannon"])
def test_values_are_those_of_the_rankings(run, results, measure):
    rows = rows_of(run("stability", results, "--measure", measure, "--n-features", "12,5"))
    assert list(rows[0]) == ["method", "k", "stability"]
    with np.load(results / "rankings.npz") as stored:
        expected = {
            (method, str(k)): ranking_stability(stored[method], k, measure)
            for method in ("ec-fs", "fisher", "mi", "laplacian")
            for k in (5, 12)
        }
    found = {(row["method"], row["k"]): float(row["stability"]) for row in rows}
    assert found == pytest.approx(expected)
    assert len(set(found.values())) > 4


def test_nogueira_comes_with_its_interval(run, results):
    args = ("--measure", "nogueira", "--n-features", "5", "--format", "json")
    found = json.loads(run("stability", results, *args).stdout)
    assert (found["dataset"], found["trials"], found["measure"]) == ("made0", 6, "nogueira")
    with np.load(results / "rankings.npz") as stored:
        expected = nogueira_interval(stored["mi"], 5)
    row = next(row for row in found["stability"] if row["method"] == "mi")
    assert (row["stability"], row["low"], row["high"]) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    table = run("stability", results, *args[:-1], "table").stdout
    assert f"{expected.value:.3f} ±{expected.value - expected.low:.3f}" in table


def test_table_has_k_down_and_methods_across(run, results):
    result = run("stability", results, "--format", "table")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["k", "ec-fs", "fisher", "mi", "laplacian"] in lines
    # Of 10, 20, …, 200 those that the 30 features leave a choice in.
    assert [line[0] for line in lines if len(line) == 5 and line[0].isdigit()] == ["10", "20"]
    assert "kuncheva" in result.stdout
    assert "The comparison ranked for 6 features." in result.stderr


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_figure(run, results, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"curve.{suffix}"
    result = run("stability", results, "--measure", "nogueira", "--plot", path)
    assert result.exit_code == 0, result.stderr
    assert "curve." in result.stderr
    content = path.read_bytes()
    assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[suffix])
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, "results"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--n-features", "31"), "more than the 30 features"),
        (("--n-features", "few"), "not a list of numbers"),
        (("--measure", "kunchev"), "'kunchev'"),
        (("--plot", "curve.txt"), "does not have the extension of a plot"),
        (("--plot", "absent/curve.png"), "folder 'absent' does not exist"),
    ],
)
def test_refusals(run, results, args, words):
    result = run("stability", results, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_method_with_one_ranking_is_left_out(run, results):
    for number in range(1, 6):
        path = results / "trials" / f"0000{number}.npz"
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored if name != "order mi"}
        np.savez(path, **arrays)
    result = run("stability", results, "--n-features", "5")
    assert {row["method"] for row in rows_of(result)} == {"ec-fs", "fisher", "laplacian"}
    assert "mi has 1 ranking. Stability needs at least two." in result.stderr


def test_one_trial_has_no_stability(run, results):
    for number in range(1, 6):
        (results / "trials" / f"0000{number}.npz").unlink()
    result = run("stability", results)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "two trials" in result.stderr.splitlines()[-1]


def test_features_by_how_often_they_were_chosen(run, results):
    result = run("stability", results, "--by-feature", "--n-features", "5")
    rows = rows_of(result)
    assert list(rows[0]) == ["method", "k", "feature", "chosen", "trials", "share", "low", "high"]
    with np.load(results / "rankings.npz") as stored:
        counts = np.bincount(stored["mi"][:, :5].ravel(), minlength=30)
    found = [int(row["chosen"]) for row in rows if row["method"] == "mi"]
    assert found == sorted(counts[counts > 0], reverse=True)
    best = next(row for row in rows if row["method"] == "mi")
    assert (best["k"], best["trials"]) == ("5", "6")
    assert float(best["low"]) < float(best["share"]) <= float(best["high"])


def test_the_table_of_features_says_what_it_leaves_out(run, results):
    args = ("stability", results, "--by-feature", "--format", "table")
    short, whole = run(*args, "--top", 2), run(*args, "--top", 30)
    assert short.exit_code == whole.exit_code == 0
    assert short.stdout.count(" of 6 ") == 2 * 4
    assert "The 2 most often selected features of each method" in short.stdout
    assert "not shown" not in whole.stdout
    assert whole.stdout.count(" of 6 ") == len(rows_of(run(*args[:3])))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--by-feature", "--measure", "jaccard"), "--measure and --by-feature exclude each other"),
        (("--by-feature", "--plot", "a.png"), "--plot and --by-feature exclude each other"),
        (("--top", "3"), "Add --by-feature"),
        (("--by-feature", "--top", "0"), "--top"),
    ],
)
def test_options_of_features_and_of_lists_do_not_mix(run, results, args, words):
    result = run("stability", results, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
