"""``featrank rank`` of two classes: p-values in tables, files and reports."""

import csv
import io
import json

import numpy as np
import pytest
from scipy import stats


@pytest.fixture
def write(write_table):
    def write(n_per_class):
        rng = np.random.default_rng(0)
        y = np.repeat(["control", "treated"], n_per_class)
        X = np.round(rng.normal(8, 1, (len(y), 15)), 3)
        X[y == "treated", 0] += 4
        columns = {f"g{j}": X[:, j].tolist() for j in range(15)}
        return X, y, write_table({**columns, "state": y.tolist()})

    return write


def records(result):
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


@pytest.mark.parametrize(("n", "name"), [(4, "moderated-t"), (12, "welch")])
def test_the_default_test_follows_the_number_of_samples(run, write, n, name):
    *_, path = write(n)
    result = run("rank", path, "-t", "state", "-m", "fisher", "-f", "json")
    assert json.loads(result.stdout)["test"]["name"] == name


def test_csv_has_the_p_values_of_the_test(run, write):
    X, y, path = write(12)
    for row in records(run("rank", path, "-t", "state", "-m", "fisher")):
        column = X[:, int(row["feature"][1:])]
        own, rest = column[y == "treated"], column[y == "control"]
        p = stats.ttest_ind(own, rest, equal_var=False).pvalue
        assert float(row["p_value"]) == pytest.approx(p, rel=1e-6)
        assert float(row["log2_fold_change"]) == pytest.approx(own.mean() - rest.mean(), rel=1e-6)


def test_details_show_the_test_and_the_plain_table_does_not(run, write):
    *_, path = write(4)
    args = ("rank", path, "-t", "state", "-m", "fisher", "-f", "table")
    plain, detailed = run(*args), run(*args, "--details")
    assert "p (mod. t)" not in plain.stdout
    assert "p-values" not in plain.stderr
    assert "p (mod. t)" in detailed.stdout
    assert "the moderated t-test of each feature, treated against control" in detailed.stderr
    assert "of 15 features" in detailed.stderr
    assert "p (Wilcoxon)" in run(*args, "--test", "wilcoxon").stdout


def test_the_order_does_not_depend_on_the_test(run, write):
    *_, path = write(4)
    args = ("rank", path, "-t", "state", "-m", "fisher")
    orders = [
        [row["feature"] for row in records(run(*args, "--test", test))]
        for test in ("none", "welch", "moderated-t", "wilcoxon")
    ]
    assert orders == [orders[0]] * 4


def test_a_class_with_a_test_and_a_report(run, write, tmp_path):
    *_, path = write(12)
    page = tmp_path / "report.html"
    args = ("--of-class", "treated", "--test", "moderated-t", "--report", page)
    result = run("rank", path, "-t", "state", "-m", "fisher", *args)
    (first,) = [row for row in records(result) if row["feature"] == "g0"]
    assert float(first["p_adjusted"]) < 0.05
    text = page.read_text(encoding="utf-8")
    for part in ("Which features differ significantly?", "the moderated t-test", "Volcano plot"):
        assert part in text
    assert "of 15 features" in text
    run("rank", path, "-t", "state", "--test", "none", "--report", page)
    assert "Which features differ significantly?" not in page.read_text(encoding="utf-8")


def test_a_numeric_target_has_no_test(run, write_table):
    rng = np.random.default_rng(0)
    columns = {f"g{j}": rng.normal(size=30).tolist() for j in range(5)}
    path = write_table({**columns, "dose": rng.normal(size=30).tolist()})
    result = run(
        "rank", path, "-t", "dose", "-m", "fisher", "--task", "regression", "--test", "welch"
    )
    assert result.exit_code == 2
    assert "--test is for classes, but the target is numeric" in result.stderr
