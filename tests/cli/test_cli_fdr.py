"""``--fdr`` of rank and select, and ``featrank gauntlet``."""

import csv
import io
import json

import numpy as np
import pytest

import featrank
from featrank import tables

TRUE = {"gene 3", "gene 7"}
METHOD = ("-m", "fisher")


def made_columns(effect):
    """Return 60 features of 48 samples, two of which depend on the diagnosis, and labels."""
    rng = np.random.default_rng(0)
    y = np.arange(48) % 2
    X = rng.normal(8, 1, size=(48, 60))
    X[:, 3] += effect * y
    X[:, 7] -= effect * y
    named = {f"gene {j}": X[:, j].tolist() for j in range(60)}
    return named | {"dx": np.where(y, "sick", "well"), "patient": [f"p{i // 2}" for i in range(48)]}


@pytest.fixture
def table(write_table):
    return write_table(made_columns(3.0))


@pytest.fixture
def noise(write_table):
    return write_table(made_columns(0.0), "noise.csv")


def rank(run, path, *args):
    return run("rank", path, "-t", "dx", "--groups", "patient", *METHOD, "--fdr", "0.1", *args)


def test_rank_prints_q_values_and_claims(run, table):
    result = rank(run, table, "--top", "3", "--format", "table")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert next(line.split() for line in lines if "rank " in line) == [
        "rank", "feature", "score", "q", "claimed",
    ]  # fmt: skip
    assert [line.split()[5] for line in lines if "gene " in line] == ["yes", "yes", "no"]
    assert max(map(len, lines)) <= 80


def test_rank_explains_the_claims_in_notes(run, table):
    notes = rank(run, table).stderr
    assert (
        "note: 2 of 60 features can be claimed at a false discovery rate of 0.1. Fewer than 0.1 "
        "are expected to be false." in notes
    )
    assert "note: A false feature carries no information on the target, as fisher sees it." in notes


def test_csv_has_columns_of_the_claims(run, table):
    rows = list(csv.DictReader(io.StringIO(rank(run, table, "--format", "csv").stdout)))
    assert len(rows) == 60
    assert {row["feature"] for row in rows if row["claimed"] == "True"} == TRUE
    q = [float(row["q_value"]) for row in rows]
    assert [value <= 0.1 for value in q] == [row["claimed"] == "True" for row in rows]


def test_json_has_the_claims_and_the_null_hypothesis(run, table):
    content = json.loads(rank(run, table, "--format", "json").stdout)
    control = content["fdr_control"]
    assert (control["fdr"], control["selected"]) == (0.1, 2)
    assert control["smallest_fdr"] == min(row["q_value"] for row in content["features"])
    assert "as fisher sees it" in control["null_hypothesis"]
    assert {row["feature"] for row in content["features"] if row["claimed"]} == TRUE


def test_without_the_option_nothing_is_claimed(run, table):
    content = json.loads(run("rank", table, "-t", "dx", *METHOD, "--drop", "patient",
                             "--format", "json").stdout)  # fmt: skip
    assert "fdr_control" not in content
    assert "q_value" not in content["features"][0]


def test_nothing_to_claim_is_an_answer(run, noise):
    result = rank(run, noise)
    assert result.exit_code == 0
    assert "note: Nothing can be claimed at a false discovery rate of 0.1. " in result.stderr


def test_the_command_has_the_result_of_python(run, table):
    ranking = featrank.rank_file(table, "dx", "fisher", groups="patient", fdr=0.1)
    content = json.loads(rank(run, table, "--format", "json").stdout)
    found = {row["feature"]: row["q_value"] for row in content["features"]}
    expected = dict(zip(ranking.feature_names, ranking.fdr_control.q_values, strict=True))
    assert found == expected


@pytest.mark.parametrize("method", ["ec-fs", "relieff"])
def test_other_methods_with_groups(run, table, method):
    result = run("rank", table, "-t", "dx", "--groups", "patient", "-m", method, "--fdr", "0.2")
    assert result.exit_code == 0, result.stderr
    assert f"as {method} sees it" in result.stderr


def test_data_that_is_read_in_chunks(run, table):
    """Missing values are left out by the same code that reads chunks."""
    plain, chunked = (
        json.loads(rank(run, table, "--format", "json", *more).stdout)
        for more in ((), ("--missing", "skip"))
    )
    q = [[row["q_value"] for row in content["features"]] for content in (plain, chunked)]
    assert q[0] == q[1]


@pytest.fixture
def three(write_table):
    columns = made_columns(0.0)
    kind = np.array(list("abc"))[np.arange(48) % 3]
    columns["gene 5"] = (np.array(columns["gene 5"]) + 5 * (kind == "b")).tolist()
    return write_table({**columns, "dx": kind}, "three.csv")


def test_per_class(run, three):
    args = ("-t", "dx", "--drop", "patient", *METHOD, "--fdr", "0.1", "--format", "json")
    result = run("rank", three, *args, "--per-class")
    content = json.loads(result.stdout)
    assert [control["class"] for control in content["fdr_control"]] == ["a", "b", "c"]
    claimed = {(row["class"], row["feature"]) for row in content["features"] if row["claimed"]}
    assert ("b", "gene 5") in claimed
    assert "note: b: " in result.stderr
    assert result.stderr.count("A false feature carries no information") == 1
    only = json.loads(run("rank", three, *args, "--of-class", "b").stdout)
    assert {row["feature"] for row in only["features"] if row["claimed"]} == {
        feature for label, feature in claimed if label == "b"
    }


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--fdr", "0"), "Invalid value for '--fdr'"),
        (("--fdr", "1"), "Invalid value for '--fdr'"),
        (("--fdr", "x"), "Invalid value for '--fdr'"),
        (("--fdr", "0.1", "-m", "laplacian"), "LaplacianScore does not use the target, so --fdr"),
    ],
)
@pytest.mark.parametrize("command", ["rank", "gauntlet"])
def test_wrong_calls(run, table, command, args, expected):
    result = run(command, table, "-t", "dx", "--drop", "patient", *args)
    assert result.exit_code == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


def test_the_report_has_the_claims(run, table, tmp_path):
    result = rank(run, table, "--report", tmp_path / "report.html")
    assert result.exit_code == 0, result.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2 of 60 features can be claimed" in text
    assert "as fisher sees it" in text


# select


def select(run, path, output, *args):
    return run("select", path, "-t", "dx", "--groups", "patient", *METHOD, "-o", output, *args)


def test_select_writes_exactly_what_can_be_claimed(run, table, tmp_path):
    result = select(run, table, tmp_path / "out.csv", "--fdr", "0.1")
    assert result.exit_code == 0, result.stderr
    kept = tables.read_table(tmp_path / "out.csv", target="dx")
    whole = tables.read_table(table, target="dx", drop="patient")
    assert set(kept.feature_names) - {"patient"} == TRUE
    columns = [whole.feature_names.index(name) for name in ("gene 3", "gene 7")]
    places = [kept.feature_names.index(name) for name in ("gene 3", "gene 7")]
    np.testing.assert_array_equal(kept.X[:, places], whole.X[:, columns])
    assert "Wrote 2 of 60 features of 48 samples" in result.stderr
    assert "2 of 60 features can be claimed" in result.stderr


def test_select_writes_no_file_if_nothing_can_be_claimed(run, noise, tmp_path):
    output = tmp_path / "out.csv"
    result = select(run, noise, output, "--fdr", "0.05")
    assert result.exit_code == 0
    assert not output.exists()
    assert "Nothing can be claimed at a false discovery rate of 0.05." in result.stderr
    assert f"No feature can be claimed, so '{output}' was not written." in result.stderr


@pytest.mark.parametrize(
    "args", [("--fdr", "0.1", "--top", "2"), ("--fdr", "0.1", "--fraction", "0.5")]
)
def test_select_needs_one_size(run, table, tmp_path, args):
    result = select(run, table, tmp_path / "out.csv", *args)
    assert result.exit_code == 2
    assert "Use --top K, --fraction SHARE or --fdr LEVEL" in result.stderr
    assert not (tmp_path / "out.csv").exists()


def test_select_with_its_default_method(run, table, tmp_path):
    result = run("select", table, "-t", "dx", "--drop", "patient", "--fdr", "0.1", "-o",
                 tmp_path / "out.csv")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "as ec-fs-diverse sees it" in result.stderr
    assert set(tables.read_table(tmp_path / "out.csv", target="dx").feature_names) >= TRUE


# gauntlet


def gauntlet(run, path, *args):
    return run("gauntlet", path, "-t", "dx", "--drop", "patient", *METHOD, "--runs", "2", *args)


def test_gauntlet_prints_rates_with_intervals(run, table):
    result = gauntlet(run, table, "--format", "table")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 120
    assert "fisher at a false discovery rate of 0.1, on 48 samples × 60 features" in lines[0]
    rows = [line.strip() for line in lines if " (" in line and "–" in line]
    assert [row.split("  ")[0] for row in rows] == [
        "random", "6 planted, 1.5 SD", "6 planted, 1 SD",
    ]  # fmt: skip
    assert "use --runs 10" in result.stderr


def test_gauntlet_as_json_and_csv(run, table):
    content = json.loads(gauntlet(run, table, "--planted", "4", "--format", "json").stdout)
    assert (content["schema"], content["version"]) == ("featrank/gauntlet", 1)
    assert [one["n_planted"] for one in content["scenarios"]] == [0, 4, 4]
    assert [one["power"] is None for one in content["scenarios"]] == [True, False, False]
    assert content["holds"] in (True, False)
    rows = list(csv.DictReader(io.StringIO(gauntlet(run, table, "--format", "csv").stdout)))
    assert [row["effect"] for row in rows] == ["0.0", "1.5", "1.0"]
    assert rows[0]["power_mean"] == ""


def test_gauntlet_with_groups(run, table):
    args = ("-t", "dx", "--groups", "patient", "-m", "relieff", "--runs", "2", "--format", "json")
    result = run("gauntlet", table, *args)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["scenarios"][1]["power"]["mean"] > 0


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--runs", "1"), "Invalid value for '--runs'"),
        (("--planted", "60"), "--planted 60 must lie between 1 and 59"),
        (("--planted", "0"), "Invalid value for '--planted'"),
        (("-m", "fishr"), "Did you mean 'fisher'"),
    ],
)
def test_wrong_gauntlets(run, table, args, expected):
    result = gauntlet(run, table, *args)
    assert result.exit_code == 2
    assert expected in result.stderr
