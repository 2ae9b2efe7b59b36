import csv
import io
import json

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification

from featrank.reproduction.published import precisions

VOC = [name for name in precisions(128) if name != "mean"]


@pytest.fixture
def write_labels(tmp_path):
    """Write an npz file of a small multi-label set."""

    def write(**more):
        X, Y = make_multilabel_classification(90, 40, n_classes=3, random_state=0)
        arrays = {"X": X, "Y": Y, "class_names": ["cat", "dog", "cow"], **more}
        path = tmp_path / "small.npz"
        np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
        return path

    return write


def voc(run, path, *args):
    return run("reproduce", "voc", path, "--jobs", 1, *args)


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_pipe_gets_csv(run, write_labels):
    path = write_labels(split=np.where(np.arange(90) < 60, "trainval", "test"))
    rows = rows_of(voc(run, path, "-m", "fisher,mi", "--n-features", "35,40"))
    assert len(rows) == 2 * 2 * 4 * 2
    assert list(rows[0]) == ["k", "kind", "class", "method", "ours", "paper", "difference"]
    usual = [row for row in rows if (row["k"], row["kind"], row["method"]) == ("35", "usual", "mi")]
    assert [row["class"] for row in usual] == ["cat", "dog", "cow", "mAP"]
    values = [float(row["ours"]) for row in usual]
    assert values[3] == pytest.approx(np.mean(values[:3]))
    assert all(20 < value <= 100 for value in values)
    assert {row["paper"] for row in rows} == {""}


def test_published_figures_stand_beside_ours(run, write_labels, tmp_path):
    rng = np.random.default_rng(0)
    Y = rng.random((90, 20)) < 0.4
    path = write_labels(X=rng.normal(size=(90, 130)), Y=Y, class_names=VOC)
    args = ("-m", "fisher,ec-fs-toolbox", "--n-features", 128, "--trials", 1)
    args = (*args, "--out-dir", tmp_path / "results", "--format")
    table = voc(run, path, *args, "table").stdout
    lines = [line.split() for line in table.splitlines()]
    place = next(number for number, line in enumerate(lines) if line[:2] == ["aeroplane", "ours"])
    assert lines[place + 1] == ["paper", "52.43", "88.09"]
    for ours, paper, difference in zip(
        *(line[-2:] for line in lines[place : place + 3]), strict=True
    ):
        assert float(difference) == pytest.approx(float(ours) - float(paper), abs=0.011)
    assert "Top 128 of 130 features: 11-point average precision (%)" in table
    content = json.loads(voc(run, path, *args, "json", "--ap", "usual", "--resume").stdout)
    means = [cell for cell in content["cells"] if cell["class"] == "mAP"]
    assert [cell["paper"] for cell in means] == [54.6, 75.42]


def test_results_go_to_the_folder_and_resume(run, write_labels, tmp_path):
    folder = tmp_path / "results"
    base = (write_labels(), "-m", "mi", "--n-features", 38, "--out-dir", folder, "--trials", 2)
    first = voc(run, *base)
    assert first.exit_code == 0, first.output
    assert f"Saved the results in {str(folder)!r}" in first.stderr
    refused = voc(run, *base)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--resume" in refused.stderr
    (folder / "trials" / "00003.npz").unlink()
    assert voc(run, *base, "--resume").stdout == first.stdout
    rows = list(csv.DictReader((folder / "results.csv").open()))
    rows = [row for row in rows if row["method"] == "mi"]
    assert [(row["trial"], row["label"]) for row in rows[2:4]] == [("0", "cow"), ("1", "cat")]


def test_a_class_without_positives_is_told(run, write_labels):
    Y = np.column_stack([np.arange(90) % 2, np.zeros(90)])
    path = write_labels(Y=Y, class_names=["cat", "dog"])
    result = voc(run, path, "-m", "fisher", "--n-features", 38, "--trials", 1)
    assert "dog: no score in 1 of 1 trials: 0 training rows with the label" in result.stderr
    ours = {row["class"]: row["ours"] for row in rows_of(result)}
    assert ours["dog"] == ""
    assert ours["mAP"] == ours["cat"] != ""


@pytest.mark.parametrize(
    ("arrays", "args", "code", "words"),
    [
        ({}, ("-m", "fischer"), 2, "Did you mean 'fisher'"),
        ({}, ("--n-features", "3,x"), 2, "not a list of numbers"),
        ({}, ("--n-features", "99"), 2, "more than the 40 features"),
        ({}, ("--resume",), 2, "--out-dir DIR"),
        ({"split": ["train", "test"] * 45}, ("--trials", 3), 2, "one trial, not 3"),
        ({"split": ["train", "test"] * 45}, ("--test-size", 0.2), 2, "Leave out --test-size"),
        ({"Y": None}, (), 1, "no array 'Y'"),
        ({"Y": np.full((90, 3), 7)}, (), 1, "Y contains 7"),
        ({"class_names": np.array([None, 1, 2])}, (), 1, "never does"),
    ],
)
def test_refusals(run, write_labels, arrays, args, code, words):
    result = voc(run, write_labels(**arrays), *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert words in result.stderr


def test_help_tells_the_layout_of_the_file(run):
    text = run("reproduce", "voc", "--help").stdout
    assert "X (samples × features)" in text
    assert "'trainval'" in text
