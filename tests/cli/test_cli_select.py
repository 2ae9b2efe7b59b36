import csv
import json

import numpy as np
import pytest

from featrank import tables

BEST = 'say "x"'


def test_round_trip_through_formats_keeps_values_names_and_labels(run, table, tmp_path):
    whole = tables.read_table(table, target="diagnosis")
    for source, target, top, name in (
        (table, "diagnosis", 5, "small.parquet"),
        (tmp_path / "small.parquet", "-1", 4, "smaller.csv"),
        (tmp_path / "smaller.csv", "diagnosis", 3, "smallest.npz"),
    ):
        result = run("select", source, "-t", target, "--top", top, "--output", tmp_path / name)
        assert result.exit_code == 0, result.stderr
        assert result.stdout == ""
    kept = tables.read_table(tmp_path / "smallest.npz")
    columns = [whole.feature_names.index(name) for name in kept.feature_names]
    assert BEST in kept.feature_names
    assert len(columns) == 3
    assert columns == sorted(columns)
    np.testing.assert_array_equal(kept.X, whole.X[:, columns])
    np.testing.assert_array_equal(kept.y, whole.y)


def test_selects_the_best_of_the_ranking(run, table, tmp_path):
    ranked = run("rank", table, "-t", "-1", "--format", "json", "--top", "3").stdout
    run("select", table, "-t", "-1", "--top", "3", "-o", tmp_path / "out.csv")
    kept = tables.read_table(tmp_path / "out.csv", target="diagnosis")
    best = {feature["feature"] for feature in json.loads(ranked)["features"]}
    assert set(kept.feature_names) == best


@pytest.mark.parametrize(("fraction", "count"), [("0.01", 1), ("0.5", 3), ("1", 7)])
def test_fraction(run, table, tmp_path, fraction, count):
    result = run("select", table, "-t", "-1", "--fraction", fraction, "-o", tmp_path / "out.csv")
    assert (
        f"Wrote {count} of 7 features of 40 samples to '{tmp_path / 'out.csv'}'." in result.stderr
    )
    kept = tables.read_table(tmp_path / "out.csv", target="diagnosis")
    assert len(kept.feature_names) == count


def test_quiet(run, table, tmp_path):
    args = ("--top", "2", "-o", tmp_path / "out.csv", "--quiet")
    result = run("select", table, "-t", "-1", *args)
    assert (result.exit_code, result.output) == (0, "")


def test_npy_warns_that_labels_do_not_fit(run, table, tmp_path):
    result = run("select", table, "-t", "-1", "--top", "2", "-o", tmp_path / "out.npy")
    assert result.exit_code == 0
    assert "no labels" in result.stderr
    assert np.load(tmp_path / "out.npy").shape == (40, 2)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("-o", "out.csv"), "Use --top K, --fraction SHARE or --fdr LEVEL"),
        (
            ("--top", "2", "--fraction", "0.5", "-o", "out.csv"),
            "Use --top K, --fraction SHARE or --fdr LEVEL",
        ),
        (("--top", "2"), "--output"),
        (("--top", "8", "-o", "out.csv"), "--top 8 exceeds the 7 features"),
        (("--fraction", "0", "-o", "out.csv"), "--fraction"),
        (("--top", "2", "-o", "out.docx"), "Known extensions: .arff, .csv"),
        (("--top", "2", "-o", "data.csv"), "is the input itself"),
        (("--top", "2", "-o", "out.svmlight"), "needs numbers as labels"),
    ],
)
def test_wrong_calls_write_nothing(run, table, tmp_path, monkeypatch, args, expected):
    monkeypatch.chdir(tmp_path)
    before = table.read_bytes()
    result = run("select", "data.csv", "-t", "-1", *args)
    assert result.exit_code == 2
    assert expected in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
    assert table.read_bytes() == before


def test_a_quantity_is_binned_for_the_ranking_and_written_as_it_was(run, write_table, tmp_path):
    rng = np.random.default_rng(0)
    X, target = rng.normal(size=(60, 4)), rng.normal(size=60)
    X[:, 2] += 3 * target
    path = write_table({**{f"g{j}": X[:, j] for j in range(4)}, "dose": target})
    output = tmp_path / "small.csv"
    call = ("select", path, "-t", "dose", "-m", "fisher", "--top", 1, "--output", output)
    refused = run(*call)
    assert refused.exit_code == 1
    assert "--target-bins" in refused.stderr
    assert run(*call, "--target-bins", 3).exit_code == 0
    rows = list(csv.DictReader(output.open()))
    assert list(rows[0]) == ["g2", "dose"]
    np.testing.assert_allclose([float(row["dose"]) for row in rows], target)


@pytest.mark.parametrize("command", [("rank", "-m"), ("compare", "--n-features", 2, "--methods")])
def test_bins_of_the_target_in_other_commands(run, write_table, command):
    rng = np.random.default_rng(0)
    X, target = rng.normal(size=(60, 4)), rng.normal(size=60)
    path = write_table({**{f"g{j}": X[:, j] for j in range(4)}, "dose": target})
    name, *rest = command
    extra = ("--trials", 2, "--jobs", 1) if name == "compare" else ()
    call = (name, path, "-t", "dose", *rest, "fisher", *extra, "-f", "json")
    assert "--target-bins" in run(*call).stderr
    result = run(*call, "--target-bins", 4)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    classes = found["manifest"]["data"]["classes"] if name == "compare" else len(found["classes"])
    assert classes == 4


def test_names_that_are_formulas(run, write_table, tmp_path):
    path = write_table({"=1+2": [1.0, 2, 3, 4], "-3": [4.0, 3, 1, 2], "y": ["=a", "b", "=a", "b"]})
    small = tmp_path / "small.csv"
    for option, names in (["--safe-csv"], {"'=1+2", "-3"}), ([], {"=1+2", "-3"}):
        done = run("rank", path, "-t", "y", "-m", "fisher", "-f", "csv", "-q", *option)
        assert {row["feature"] for row in csv.DictReader(done.stdout.splitlines())} == names
        run("select", path, "-t", "y", "-m", "fisher", "-k", 2, "-o", small, *option)
        header, first, *_ = csv.reader(small.read_text().splitlines())
        assert {*header[:-1]} == names
        assert first[-1] == ("'=a" if option else "=a")


def test_one_row_is_no_table_to_rank(run, write_table):
    path = write_table({"a": [1.0], "b": [2.0], "y": ["u"]})
    for further in ([], ["--memory", "1GB"]):
        done = run("rank", path, "-t", "y", *further)
        assert done.exit_code == 1
        assert "'data.csv' has a single sample" in done.stderr


@pytest.fixture
def two_of_ten(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 10)), np.arange(80) % 2
    X[:, 2] += 3 * y
    X[:, 7] += 3 * rng.permutation(y) * y
    path = tmp_path / "made.csv"
    names = ",".join(f"g{j}" for j in range(10))
    rows = [",".join(map(str, [*row, "ab"[label]])) for row, label in zip(X, y, strict=True)]
    path.write_text("\n".join([f"{names},y", *rows]))
    return path


@pytest.mark.parametrize("method", ["cfs", "fcbf", "boruta", "l0"])
def test_the_method_itself_says_how_many(run, two_of_ten, tmp_path, method):
    small = tmp_path / "small.csv"
    done = run("select", two_of_ten, "-t", "y", "-m", method, "--top", "auto", "-o", small)
    assert done.exit_code == 0, done.stderr
    kept = small.read_text().splitlines()[0].split(",")[:-1]
    assert "g2" in kept
    assert len(kept) < 10
    assert f"{method} itself keeps {len(kept)} of 10 features." in done.stderr
    ranked = run("rank", two_of_ten, "-t", "y", "-m", method, "--top", "auto", "--format", "csv")
    assert {line.split(",")[1] for line in ranked.stdout.splitlines()[1:]} == set(kept)


def test_methods_that_do_not_say_how_many_are_refused(run, two_of_ten, tmp_path):
    small = tmp_path / "small.csv"
    done = run("select", two_of_ten, "-t", "y", "--top", "auto", "-o", small)
    assert done.exit_code == 2
    assert "cannot choose the number of features" in done.stderr
    assert not small.exists()
    each = run("rank", two_of_ten, "-t", "y", "-m", "cfs", "--top", "auto", "--per-class")
    assert "--top auto needs one ranking" in each.stderr
    odd = run("rank", two_of_ten, "-t", "y", "--top", "some")
    assert "not a valid integer" in odd.stderr


def test_a_method_that_keeps_nothing_says_so(run, tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        ",".join(map(str, [*row, "ab"[t % 2]])) for t, row in enumerate(rng.normal(size=(40, 3)))
    ]
    (tmp_path / "noise.csv").write_text("\n".join(["a,b,c,y", *rows]))
    small = tmp_path / "small.csv"
    done = run(
        "select", tmp_path / "noise.csv", "-t", "y", "-m", "cfs", "--top", "auto", "-o", small
    )
    assert done.exit_code == 1
    assert "cfs selects none of the 3 features" in done.stderr
    assert "--top K" in done.stderr
    assert not small.exists()
