import csv
import io
import json
import shutil

import numpy as np
import polars as pl
import pytest

from featrank.statistics import friedman, lilliefors, nemenyi, wilcoxon_holm
from featrank.statistics.significance import corrected_t_test, t_test

METHODS = ("ec-fs", "fisher", "mi", "laplacian")


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def scores_in(folder):
    frame = pl.read_csv(folder / "results.csv").sort("trial")
    return lambda method, k: frame.filter(method=method, k=k)["score"].to_numpy()


def test_p_values_are_those_of_the_scores(run, results):
    rows = rows_of(run("significance", results, "--against", "fisher"))
    assert [(row["method"], row["other"], row["k"]) for row in rows[:3]] == [
        ("fisher", "ec-fs", "3"),
        ("fisher", "ec-fs", "6"),
        ("fisher", "mi", "3"),
    ]
    scores = scores_in(results)
    for row in rows:
        own, other = (scores(row[key], int(row["k"])) for key in ("method", "other"))
        # 36 rows are split into 24 and 12.
        expected = {
            "difference": own.mean() - other.mean(),
            "normality_p": lilliefors(own).p_value,
            "other_normality_p": lilliefors(other).p_value,
            "t_test_p": t_test(own, other).p_value,
            "corrected_p": corrected_t_test(own, other, test_fraction=1 / 3).p_value,
        }
        assert {key: float(row[key]) for key in expected} == pytest.approx(expected)


def test_chosen_tests_and_features(run, results):
    rows = rows_of(run("significance", results, "--test", "corrected", "--n-features", "6"))
    assert list(rows[0]) == ["method", "other", "k", "difference", "corrected_p"]
    assert [(row["method"], row["other"], row["k"]) for row in rows] == [
        ("ec-fs", other, "6") for other in METHODS[1:]
    ]


def test_table_tells_the_tests_in_words(run, results):
    result = run("significance", results, "--format", "table")
    assert result.exit_code == 0, result.stderr
    assert "ec-fs against each other method on made0, 6 trials" in result.stdout
    assert "Lilliefors" in result.stdout
    assert "Prefer it." in result.stdout


def test_without_ec_fs_the_best_is_tested(run, results, rescore):
    rng = np.random.default_rng(0)
    base = {name: rng.normal(0.7, 0.02, size=(6, 2)) for name in METHODS}
    base["mi"] += 0.1
    rescore(results, base)
    path = results / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["methods"] = [entry for entry in manifest["methods"] if entry["name"] != "ec-fs"]
    path.write_text(json.dumps(manifest))
    assert {row["method"] for row in rows_of(run("significance", results))} == {"mi"}


@pytest.mark.parametrize(
    ("args", "exit_code", "words"),
    [
        (("--against", "fischer"), 2, "Did you mean 'fisher'"),
        (("--n-features", "4"), 2, "--n-features 4 is not in these results, which have 3, 6"),
        (("--test", "nemenyi"), 2, "needs several folders"),
        (("--test", "t"), 2, "'t'"),
        (("--plot", "ranks.png"), 2, "Name two or more folders"),
    ],
)
def test_refusals(run, results, args, exit_code, words):
    result = run("significance", results, *args)
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert words in result.stderr


def test_few_trials_have_no_test(run, results):
    for number in (2, 3):
        (results / "trials" / f"0000{number}.npz").unlink()
    result = run("significance", results)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "4 trials are too few for a test" in result.stderr.splitlines()[-1]


def table_of(folders):
    """Return the mean score of each method in each folder."""
    means = [[np.mean([scores_in(f)(m, k) for k in (3, 6)]) for m in METHODS] for f in folders]
    return np.array(means)


def test_several_folders_are_data_sets(run, made_results):
    found = json.loads(run("significance", *made_results, "--format", "json").stdout)
    assert found["datasets"] == ["made0", "made1", "made2"]
    table = table_of(made_results)
    np.testing.assert_allclose(np.array(list(found["scores"].values())).T, table)
    ranks = nemenyi(table, METHODS)
    assert found["nemenyi"]["critical_difference"] == pytest.approx(ranks.critical_difference)
    assert found["nemenyi"]["average_ranks"] == pytest.approx(
        dict(zip(METHODS, ranks.average_ranks, strict=True))
    )
    assert [tuple(group) for group in found["nemenyi"]["groups"]] == ranks.groups
    assert found["friedman"]["f_p"] == pytest.approx(friedman(table).f_p_value)
    pairs = wilcoxon_holm(table, METHODS, control="ec-fs")
    assert [(p["method"], p["other"]) for p in found["pairs"]] == [
        ("ec-fs", other) for other in METHODS[1:]
    ]
    assert [p["holm_p"] for p in found["pairs"]] == [p.adjusted_p_value for p in pairs]


def test_several_folders_as_csv_and_table(run, made_results):
    rows = rows_of(run("significance", *made_results, "--against", "mi"))
    assert [row["method"] for row in rows] == ["mi"] * 3
    assert all(float(row["nemenyi_p"]) > 0 for row in rows)
    ranks = rows_of(run("significance", *made_results, "--test", "nemenyi"))
    assert list(ranks[0]) == ["method", "average_rank"]
    text = run("significance", *made_results, "--format", "table").stdout
    assert "share a bar ┃" in text
    assert "Friedman: p = " in text
    assert "3 data sets are too few for this test: p cannot be below 0.25" in text


@pytest.mark.parametrize("shift", [0, -1])
def test_bars_join_what_is_not_told_apart(run, made_results, tmp_path, rescore, shift):
    """Four methods that keep their order over three data sets: the first and the last differ.

    Scores may be negative, as those of scikit-learn's losses are.
    """
    folders = []
    for number, folder in enumerate(made_results):
        copy = shutil.copytree(folder, tmp_path / f"{number}")
        levels = dict(zip(METHODS, (0.9, 0.8, 0.7, 0.6), strict=True))
        rescore(copy, {name: np.full((6, 2), level + shift) for name, level in levels.items()})
        folders.append(copy)
    text = run("significance", *folders, "--format", "table").stdout
    lines = [line for line in text.splitlines() if "┃" in line and "share" not in line]
    # The critical difference, 2.71, lies between two and three ranks.
    assert [line.count("┃") for line in lines] == [1, 2, 2, 1]
    assert [line.split()[0] for line in lines] == ["1.00", "2.00", "3.00", "4.00"]


def test_critical_difference_diagram(run, made_results, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "ranks.svg"
    result = run("significance", *made_results, "--plot", path)
    assert result.exit_code == 0, result.stderr
    assert path.read_bytes().startswith(b"<?xml")


def test_several_folders_must_fit(run, made_results, results):
    twice = run("significance", made_results[0], results)
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert "are of the same data" in twice.stderr
    path = results / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["data"]["sha256"], manifest["protocol"]["scoring"] = "other", "accuracy"
    path.write_text(json.dumps(manifest))
    mixed = run("significance", made_results[0], results)
    assert mixed.exit_code == 2
    assert "ROC AUC, accuracy" in mixed.stderr
    single = run("significance", *made_results, "--test", "t-test")
    assert single.exit_code == 2
    assert "needs one folder" in single.stderr
    unknown = run("significance", *made_results, "--against", "mrmr")
    assert unknown.exit_code == 2
    features = run("significance", *made_results, "--n-features", "5")
    assert "all these results have: 3, 6" in features.stderr


@pytest.mark.parametrize(
    ("layout", "begin"),
    [("markdown", "ec-fs against"), ("html", "<!DOCTYPE html>"), ("tsv", "method\tother\tk\t")],
)
def test_layouts(run, results, layout, begin):
    result = run("significance", results, "--format", layout)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(begin)


def test_the_diagram_needs_no_table_of_its_test(run, made_results, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "ranks.svg"
    result = run("significance", *made_results, "--test", "friedman", "--plot", path)
    assert result.exit_code == 0, result.stderr
    assert path.read_bytes().startswith(b"<?xml")
