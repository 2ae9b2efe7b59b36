"""``featrank compare --task regression``: the command, its table and its page."""

import csv
import io
import json

import numpy as np
import pytest

from featrank import methods
from featrank.base.ranker import TASKS
from featrank.cli.commands.compare import METRICS, _methods
from featrank.cli.messages import Messages
from featrank.evaluation import Protocol, compare
from featrank.evaluation.method_entries import supports_regression
from featrank.reproduction import published

FAST = ("--n-features", "2,4", "--trials", 2, "--jobs", 1)


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    X = rng.normal(5, 1, size=(40, 8)).round(6)
    return X, (10 * X[:, 1] + 3 * rng.normal(size=40)).round(6)


@pytest.fixture
def dose(values, write_table):
    X, y = values
    columns = {f"gene {j}": X[:, j].tolist() for j in range(8)}
    return write_table({**columns, "dose": y.tolist()})


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


@pytest.mark.parametrize("metric", [None, "r2", "spearman"])
def test_the_numbers_are_those_of_python(run, dose, values, metric):
    asked = () if metric is None else ("--metric", metric)
    call = ("compare", dose, "-t", "dose", "--task", "regression", "-m", "relieff,laplacian")
    rows = rows_of(run(*call, *asked, *FAST))
    protocol = Protocol(task="regression", n_features=(2, 4), n_repeats=2, scoring=metric)
    found = compare(*values, ["relieff", "laplacian"], protocol)
    assert [row["method"] for row in rows] == ["relieff", "laplacian", "random"]
    for row, expected in zip(rows, found.table(), strict=False):
        assert float(row["2"]) == pytest.approx(expected[2])
        assert float(row["average"]) == pytest.approx(expected["average"])


def test_the_table_names_the_score(run, dose):
    call = ("compare", dose, "-t", "dose", "--task", "regression", "-m", "relieff")
    shown = run(*call, *FAST, "--metric", "spearman", "--format", "table").stdout
    assert "Spearman's ρ of a ridge regression with the top k features of data" in shown
    assert "%" not in shown


def test_the_papers_methods_are_those_that_can(run, dose):
    args = ("-t", "dose", "--task", "regression", "-m", "paper")
    result = run("compare", dose, *args, *FAST)
    found = [row["method"] for row in rows_of(result)][:-1]
    able = [name for name in published.METHODS if supports_regression(methods()[name])]
    assert found == able
    left = [name for name in published.METHODS if name not in able]
    assert (
        f"Methods that cannot rank for regression are left out: {', '.join(left)}." in result.stderr
    )


def test_all_methods_are_those_that_can():
    every = _methods("all", "regression", Messages(quiet=True))
    assert list(every) == [name for name, cls in methods().items() if supports_regression(cls)]
    assert list(_methods("all", "classification", Messages(quiet=True))) == list(methods())


def test_a_folder_and_its_page(run, dose, tmp_path):
    folder, page = tmp_path / "results", tmp_path / "page.html"
    call = ("compare", dose, "-t", "dose", "--task", "regression", "-m", "relieff", *FAST)
    result = run(*call, "--out-dir", folder, "--report", page, "--points")
    assert result.exit_code == 0, result.output
    assert json.loads((folder / "manifest.json").read_text())["protocol"]["task"] == "regression"
    assert 'class="point"' in page.read_text(encoding="utf-8")
    again = run(*call[:-4], "--trials", 3, "--jobs", 1, "--out-dir", folder, "--resume")
    assert again.exit_code == 0, again.output
    assert run("report", folder).exit_code == 0
    other = run("compare", dose, "-t", "dose", "--target-bins", 2, "-m", "relieff", *FAST,
                "--out-dir", folder, "--resume")  # fmt: skip
    assert other.exit_code == 2
    assert "task" in other.stderr
    refused = run("plot", "roc", folder, "-o", tmp_path / "roc.png")
    assert refused.exit_code == 1
    assert "A regression target has no" in refused.stderr
    assert "`featrank report`" in refused.stderr
    assert "`featrank report`" in refused.stderr
    assert run("plot", "score-curve", folder, "-o", tmp_path / "curve.png").exit_code == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--task", "regression", "-m", "relieff", "--metric", "auc"), "r2 or spearman"),
        (("--metric", "spearman", "-m", "fisher"), "--metric spearman needs --task regression"),
        (("--task", "regression", "-m", "relieff", "--target-bins", 3), "Leave out --target-bins"),
        (("--task", "regression", "-m", "relieff,no-such"), "no-such"),
    ],
)
def test_refusals(run, dose, args, words):
    result = run("compare", dose, "-t", "dose", *args, *FAST)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_method_for_classes_is_refused_before_the_file_is_read(run, tmp_path):
    spoilt = tmp_path / "spoilt.csv"
    spoilt.write_text("a,b\n1\n2,3,4,5\n")
    unable = next(name for name, cls in methods().items() if not supports_regression(cls))
    result = run("compare", spoilt, "-t", "b", "--task", "regression", "-m", unable)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "does not support regression" in result.stderr
    assert "relieff" in result.stderr


def test_a_quantity_without_the_option_is_told_about_it(run, dose):
    result = run("compare", dose, "-t", "dose", "-m", "fisher", *FAST)
    assert result.exit_code != 0
    assert "--task regression" in result.stderr


def test_every_task_has_its_metrics():
    assert tuple(METRICS) == TASKS
