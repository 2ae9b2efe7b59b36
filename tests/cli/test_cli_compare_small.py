"""``featrank compare`` with its defaults on small tables: scores, or an error with a fix."""

import csv
import io

import numpy as np
import pytest

from featrank.cli.commands.compare import command
from featrank.evaluation.defaults import METHODS

LABELS = np.array(["control", "case"])


def features(n_samples, n_features, y):
    X = np.random.default_rng(1).normal(size=(n_samples, n_features))
    X[:, 0] += 3 * np.unique(y, return_inverse=True)[1]
    return {f"g{j}": X[:, j].tolist() for j in range(n_features)}


def iris():
    from sklearn.datasets import load_iris

    data = load_iris()
    columns = {f"x{j}": data.data[:, j].tolist() for j in range(4)}
    return {**columns, "y": data.target_names[data.target].tolist()}


def labelled(n_samples, n_features):
    y = LABELS[np.arange(n_samples) % 2]
    return {**features(n_samples, n_features, y), "y": y.tolist()}


def with_constants():
    return {**labelled(30, 3), "c1": [1.0] * 30, "c2": [2.0] * 30, "c3": [3.0] * 30}


def with_missing_values():
    columns = labelled(30, 6)
    for j in range(6):
        columns[f"g{j}"][j::9] = [""] * len(columns[f"g{j}"][j::9])
    return columns


TABLES = {
    "iris": (iris, ["1", "2"]),
    "12 x 5": (lambda: labelled(12, 5), ["1", "2"]),
    "20 x 3": (lambda: labelled(20, 3), ["1", "2"]),
    "one feature": (lambda: labelled(20, 1), ["1"]),
    "constant columns": (with_constants, ["1", "2"]),
    "missing values": (with_missing_values, ["1", "2", "5"]),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_small_table_has_scores_with_the_defaults(run, write_table, name):
    make, counts = TABLES[name]
    result = run("compare", write_table(make()), "--target", "y", "--trials", 8, "--jobs", 1)
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["method"] for row in rows] == [*METHODS, "random"]
    assert list(rows[0]) == ["method", *counts, "average", "seconds", "failed"]
    assert all(row["failed"] == "0" for row in rows)
    fisher, random = (float(row["1"]) for row in rows if row["method"] in ("fisher", "random"))
    assert fisher > random or len(counts) == 1
    assert "8 random splits × 5 methods" in result.stderr


def test_small_tables_get_50_trials(run, write_table):
    result = run("compare", write_table(labelled(20, 3)), "-t", "y", "-m", "mi", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "50 random splits × 1 method × 2 feature counts: about" in result.stderr


def test_regression_with_15_rows(run, write_table):
    rng = np.random.default_rng(0)
    y = rng.normal(size=15)
    columns = {
        "a": (y + 0.1 * rng.normal(size=15)).tolist(),
        "b": y[::-1].tolist(),
        "c": (y**2).tolist(),
    }
    path = write_table({**columns, "y": y.tolist()})
    result = run("compare", path, "--target", "y", "--task", "regression", "--trials", 20)
    assert result.exit_code == 0, result.output
    rows = {row["method"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    assert float(rows["fisher"]["1"]) > 0.8 > float(rows["random"]["1"])


def test_too_few_rows_are_an_error_with_a_fix(run, write_table):
    result = run("compare", write_table(labelled(4, 3)), "--target", "y")
    assert result.exit_code == 1
    assert "At least two classes need 3 samples each" in result.stderr


def test_a_table_fits_on_80_columns(run, write_table):
    path = write_table(labelled(20, 300))
    args = ("--trials", 5, "--jobs", 1, "--format", "table")
    result = run("compare", path, "--target", "y", *args)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    rows = [line for line in lines if line.strip().startswith((*METHODS, "method", "──"))]
    assert len(rows) == 2 + len(METHODS)
    assert max(map(len, rows)) <= 80


def test_if_all_methods_fail_the_exit_code_says_so(run, write_table, tmp_path):
    args = ("-m", "fisher,mi", "--time-limit", "1e-6", "--trials", 2, "--jobs", 1)
    folder = tmp_path / "results"
    path = write_table(labelled(20, 4))
    result = run("compare", path, "--target", "y", *args, "--out-dir", folder)
    assert result.exit_code == 1
    assert "All methods failed. First reason: took longer than" in result.stderr
    assert (folder / "results.csv").exists()
    assert "fisher" in result.stdout


def test_one_failed_method_is_reported_with_its_reason(run, write_table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def bad(X, y):\n    raise ValueError('no scores today')\n")
    args = ("-m", "fisher,mine:bad", "--trials", 2, "--jobs", 1)
    result = run("compare", write_table(labelled(20, 4)), "--target", "y", *args)
    assert result.exit_code == 0, result.output
    assert "bad failed in 2 of 2 trials" in result.stderr
    assert "no scores today" in result.stderr


def test_help_lists_the_default_methods():
    option = next(param for param in command.params if param.name == "methods")
    assert option.show_default == ",".join(METHODS)
