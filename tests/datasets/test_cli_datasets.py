"""The command ``featrank datasets``."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from featrank.cli import main
from featrank.datasets import REGISTRY


def run(*args):
    return CliRunner().invoke(main, ["datasets", *map(str, args)])


def test_table_1_and_what_is_at_hand(tmp_path, monkeypatch, cache):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "colon.npz").touch()
    cache.mkdir()
    (cache / "madelon.npz").touch()
    monkeypatch.setenv("FEATRANK_DATA", str(tmp_path / "mine"))
    result = run("--format", "csv")
    assert result.exit_code == 0, result.stderr
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(result.stdout))}
    assert {*REGISTRY, "iris", "breast-cancer"} <= set(rows)
    assert {name: rows[name]["at_hand"] for name in ("colon", "madelon", "gina", "iris")} == {
        "colon": "FEATRANK_DATA",
        "madelon": "in the cache",
        "gina": "missing",
        "iris": "built-in",
    }
    assert rows["gina_like_mnist"]["at_hand"] == "missing, no public address"
    assert (rows["prostate"]["features"], rows["prostate"]["paper_features"]) == ("6033", "6034")
    assert rows["gina_like_mnist"]["paper_samples"] == ""
    table = run("--format", "table").stdout
    assert "102 × 6,034" in table
    assert "VOC 2007" in table


def test_fetches_verifies_and_tells(tiny, server, cache, tiny_arff, tmp_path):
    server.serve_openml(7, tiny_arff)
    result = run("tiny", "--format", "json", "--output", tmp_path / "tiny.csv")
    assert result.exit_code == 0, result.stderr
    facts = json.loads(result.stdout)
    assert facts["file"] == str(cache / "tiny.npz")
    assert (facts["samples"], facts["features"], facts["classes"]) == (4, 3, 2)
    assert facts["class_sizes"] == {"sick": 3, "well": 1}
    assert (facts["description"], facts["citation"]) == ("Four patients.", "None.")
    lines = (tmp_path / "tiny.csv").read_text().splitlines()
    assert lines[0] == "g1,g2,g3,class"
    assert lines[2] == "0.2,NaN,31.0,well"
    assert "Its target column is 'class'" in result.stderr
    text = run("tiny", "--format", "table").stdout
    assert str(cache / "tiny.npz")[-20:] in text.replace("\n", "")
    assert server.hits["/files/7.arff"] == 1


def test_download_reports_progress(tiny, server, tiny_arff):
    from featrank._utils.progress import progress_to
    from featrank.datasets import fetch

    server.serve_openml(7, tiny_arff)
    steps = []
    with progress_to(lambda done, total: steps.append((done, total))):
        fetch("tiny")
    size = len(tiny_arff)
    assert (size, size) in steps
    assert all(0 < done <= total for done, total in steps)


def test_built_in_sets_need_no_file(cache):
    facts = json.loads(run("iris", "--format", "json").stdout)
    assert (facts["name"], facts["samples"], facts["file"]) == ("iris", 150, None)
    assert not cache.exists()


@pytest.mark.parametrize("page", ["missing", "wrong"])
def test_what_cannot_be_downloaded_is_a_sentence(tiny, server, tiny_arff, page):
    if page == "wrong":
        server.serve_openml(7, tiny_arff.replace("30", "29"))
    result = run("tiny")
    assert (result.exit_code, result.stdout) == (1, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert "FEATRANK_DATA" in line


def test_a_wrong_file_is_not_used(tiny, cache, tiny_arrays):
    cache.mkdir()
    np.savez(cache / "tiny.npz", X=tiny_arrays["X"] + 1, y=tiny_arrays["y"])
    result = run("tiny")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "checksum of the values" in result.stderr
    assert "Delete this file" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("collon",), "Did you mean 'colon'"),
        (("--output", "x.csv"), "Add its NAME"),
        (("iris", "--output", "x.docx"), "file extension is unknown"),
        (("iris", "--output", "absent/x.csv"), "folder 'absent' does not exist"),
    ],
)
def test_refusals(args, words):
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
