import csv
import io
import json

import numpy as np
import pytest

FAST = ("--trials", 2, "--jobs", 1)


@pytest.fixture
def wide_table(write_table):
    rng = np.random.default_rng(0)
    sick = np.arange(36) % 2
    features = {f"gene {j}": rng.normal(5, 1, 36) + 2 * sick * (j < 3) for j in range(12)}
    rows = {name: values.tolist() for name, values in features.items()}
    rows["gene 11"][5] = ""
    groups = [f"p{number // 3}" for number in range(36)]
    return write_table({**rows, "patient": groups, "state": np.where(sick, "sick", "well")})


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_pipe_gets_csv(run, wide_table):
    args = ("--methods", "ec-fs,fisher", "--features", "3,6", *FAST)
    rows = rows_of(run("compare", wide_table, "-t", "state", "-d", "patient", *args))
    assert [row["method"] for row in rows] == ["ec-fs", "fisher"]
    assert list(rows[0]) == ["method", "3", "6", "average", "seconds", "failed"]
    assert all(float(row["3"]) > 0.9 for row in rows)


def test_results_go_to_the_folder_and_resume(run, wide_table, tmp_path):
    base = ("compare", wide_table, "-t", "state", "--groups", "patient", "-m", "mi", "--jobs", 1)
    folder = tmp_path / "results"
    first = run(*base, "--trials", 2, "--out", folder)
    assert first.exit_code == 0, first.output
    assert f"Results are in {str(folder)!r}" in first.stderr
    refused = run(*base, "--trials", 3, "--out", folder)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--resume" in refused.stderr
    assert run(*base, "--trials", 3, "--out", folder, "--resume").exit_code == 0
    rows = list(csv.DictReader((folder / "results.csv").open()))
    assert [(row["trial"], row["k"]) for row in rows[::4]] == [("0", "3"), ("1", "3"), ("2", "3")]
    assert json.loads((folder / "manifest.json").read_text())["trials"] == 3


def test_table_has_the_papers_layout(run, wide_table):
    args = ("-m", "fisher,mi", "--features", "3", "--format", "table", "-d", "patient", *FAST)
    result = run("compare", wide_table, "-t", "state", *args)
    assert result.exit_code == 0, result.output
    assert "ROC AUC (%)" in result.stdout
    head = next(line.split() for line in result.stdout.splitlines() if "average" in line)
    assert head == ["method", "3", "average", "time", "(s)"]


def test_a_method_out_of_time_is_told(run, wide_table):
    args = ("-m", "fisher", "--features", "3", "-d", "patient", "--time-limit", "1e-6", *FAST)
    result = run("compare", wide_table, "-t", "state", *args)
    assert rows_of(result)[0]["failed"] == "2"
    assert "fisher failed in 2 of 2 trials: took longer than" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("-m", "fischer"), "Did you mean 'fisher'"),
        (("-m", "mi", "--features", "3,x"), "no list of numbers"),
        (("-m", "mi", "--features", "99"), "more than the 12 features"),
        (("-m", "mi", "--resume"), "--out DIR"),
    ],
)
def test_refusals(run, wide_table, args, words):
    result = run("compare", wide_table, "-t", "state", "-d", "patient", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
