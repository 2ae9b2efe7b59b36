"""Notes, warnings and errors, and what a target could be."""

import subprocess
import sys

import pytest


def test_notes_follow_the_table(table):
    command = [sys.executable, "-m", "featrank", "rank", table, "-t", "diagnosis", "-f", "table"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    notes = [place for place, line in enumerate(lines) if line.startswith("note: ")]
    assert notes
    assert notes[0] > max(place for place, line in enumerate(lines) if "\u2588" in line)


def test_one_feature_is_singular(run, write_table, tmp_path):
    data = write_table({"a": [1.0, 2, 3, 4, 5, 6, 7, 8], "y": [0, 0, 0, 0, 1, 1, 1, 1]})
    result = run("rank", data, "-t", "y", "-m", "fisher", "-o", tmp_path / "out.csv")
    assert "Wrote 1 ranked feature to" in result.stderr


@pytest.mark.parametrize("command", ["rank", "compare"])
def test_a_missing_target_lists_candidates(run, columns, write_table, command):
    columns["sex"] = ["f", "f", "m", "m"] * 10
    result = run(command, write_table(columns))
    assert result.exit_code == 2
    assert "needs a target. Candidates in 'data.csv': diagnosis (2 classes: " in result.stderr
    assert "sex (2 classes: f 20, m 20). Use --target diagnosis." in result.stderr


def test_a_wrong_target_lists_candidates(run, columns, write_table):
    columns["cell type"] = columns.pop("diagnosis")
    result = run("rank", write_table(columns), "-t", "cel type")
    assert "Did you mean 'cell type'?" in result.stderr
    assert "cell type (2 classes: well 20, sick 20). Use --target 'cell type'." in result.stderr


def test_a_wrong_target_of_a_sample_sheet_lists_its_columns(run, write_table):
    ids = [f"S{row}" for row in range(12)]
    data = write_table({"sample": ids, "a": range(12), "b": range(12)}, "a.csv")
    sheet = write_table({"sample": ids, "dx": ["x", "y"] * 6}, "sheet.csv")
    result = run("rank", data, "--labels", sheet, "-t", "dy")
    assert "Candidates in 'sheet.csv': dx (2 classes: x 6, y 6). Use --target dx." in result.stderr


@pytest.mark.parametrize("name", ["out.xyz", "out", "out.parquet"])
def test_an_unknown_extension_is_an_error(run, table, tmp_path, name):
    result = run("rank", table, "-t", "diagnosis", "-o", tmp_path / name)
    assert result.exit_code == 2
    assert ".csv, " in result.stderr
    assert "use --format csv" in result.stderr
    assert not (tmp_path / name).exists()


def test_compare_fails_if_every_method_fails(run, table, tmp_path):
    (tmp_path / "broken_selector.py").write_text(
        "def fail(X, y):\n    raise ValueError('no such luck')\n"
    )
    code = (
        "import sys; from featrank.cli import main; "
        f"sys.path.insert(0, {str(tmp_path)!r}); main(sys.argv[1:])"
    )
    words = ["compare", table, "-t", "diagnosis", "--trials", "2", "--n-features", "2", "-j", "1"]
    for methods, exit_code in (("broken_selector:fail", 1), ("fisher,broken_selector:fail", 0)):
        command = [sys.executable, "-c", code, *map(str, words), "-m", methods]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == exit_code, done.stderr
    assert "Every method failed" not in done.stderr
