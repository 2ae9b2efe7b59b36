"""``featrank rank`` tells why: the bare command's answer, details, classes, figures, doubts."""

import csv
import io
import json

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import featrank
from featrank import tables
from featrank.datasets import make_counts
from featrank.report import ranking_report, write
from featrank.report.formats import text as layout

GOOD = 15  # of 20 genes


@pytest.fixture(scope="module")
def counts():
    """Return wide sparse counts of two classes, in which most genes are hardly ever seen."""
    return make_counts(120, 4000, random_state=3)


@pytest.fixture
def counts_file(counts, tmp_path):
    path = tmp_path / "table.csv"
    tables.write_table(path, tables.Table(counts.X, list(counts.feature_names), counts.y, "class"))
    return path


def records(result):
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_the_first_answer_is_a_good_answer(run, counts, counts_file):
    """Spread alone ranks genes of a single sample first; the default must not."""
    result = run("rank", counts_file, "--target", "class", "--top", "20")
    names = list(counts.feature_names)
    genes = [names.index(row["feature"]) for row in records(result)]
    assert len(genes) == 20
    assert len({*genes} & {*counts.truth["informative"]}) >= GOOD
    aucs = [roc_auc_score(counts.y == "case", counts.X[:, gene]) for gene in genes]
    assert np.median(np.maximum(aucs, np.subtract(1, aucs))) > 0.8
    assert "Warning" not in result.stderr
    spread = records(run("rank", counts_file, "-t", "class", "--top", "20", "-p", "alpha=0.5"))
    genes = {names.index(row["feature"]) for row in spread}
    assert len(genes & {*counts.truth["informative"]}) < GOOD  # what the default spares users


def test_the_same_with_the_reasons(run, counts, counts_file):
    rows = records(run("rank", counts_file, "-t", "class", "--top", "20", "--details"))
    names = list(counts.feature_names)
    for row in rows:
        values = counts.X[:, names.index(row["feature"])]
        own = counts.y == row["high_in"]
        assert float(row["auc"]) == pytest.approx(roc_auc_score(own, values), abs=1e-12)
        assert values[own].mean() > values[~own].mean()
        assert float(row["mean_case"]) == pytest.approx(values[counts.y == "case"].mean())
        assert float(row["zeros"]) == (values == 0).mean()
    assert rows[0]["most_correlated"] == rows[0]["r"] == ""
    assert {"fisher", "information", "spread"} <= set(rows[0])
    assert np.median([float(row["auc"]) for row in rows]) > 0.8


def test_json_has_every_figure(run, table):
    args = ("rank", table, "-t", "-1", "--details", "-f", "json", "--top", "3")
    features = json.loads(run(*args).stdout)["features"]
    assert features[0]["high_in"] == "sick"
    assert features[0]["most_correlated"] is None
    assert features[0]["r"] is None
    assert -1 <= features[2]["r"] <= 1


@pytest.mark.parametrize("per_class", [False, True])
def test_details_are_readable_at_80_columns(table, per_class, monkeypatch):
    data = tables.read_table(table, target="diagnosis")
    names = [*data.feature_names[:5], "a name of more than thirty letters", "z" * 60]
    result = featrank.rank(data.X, data.y, feature_names=names, per_class=per_class)
    monkeypatch.setattr(layout, "WIDTH", 80)
    stream = io.StringIO()
    write(ranking_report(result, details=True), "table", stream)
    text = stream.getvalue()
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "…" not in text
    for heading in ("rank", "feature", "score", "AUC", "effect", "most", "r "):
        assert heading in text
    letters = "".join(character for character in text if character.isalpha())
    assert text.count("1.000") >= 1  # the best feature's AUC
    assert letters.count("z") >= 60


def test_a_ranking_for_each_class(run, write_table):
    data = make_counts(90, 200, n_classes=3, n_informative=30, fold=4.0, random_state=0)
    names = list(data.feature_names)
    columns = {name: data.X[:, j].tolist() for j, name in enumerate(names)}
    path = write_table({**columns, "class": data.y.tolist()})
    args = ("rank", path, "-t", "class", "--per-class", "--top", "5")
    rows = records(run(*args))
    own = ["class", "rank", "feature", "score", "direction"]
    assert list(rows[0]) == [
        *own, "log2_fold_change", "value_scale", "mean_difference", "p_value", "p_adjusted",
    ]  # fmt: skip
    assert [row["class"] for row in rows] == [f"class{c}" for c in (1, 2, 3) for _ in range(5)]
    for row in rows:
        values, own = data.X[:, names.index(row["feature"])], data.y == row["class"]
        higher = values[own].mean() > values[~own].mean()
        assert row["direction"] == ("higher" if higher else "lower")
        alone = featrank.ECFS(5).fit(data.X, own)
        assert float(row["score"]) == pytest.approx(
            alone.scores_[names.index(row["feature"])], abs=1e-10
        )
    summary = json.loads(run(*args, "--details", "--format", "json").stdout)
    assert [entry["class"] for entry in summary["tuned_params"]] == ["class1", "class2", "class3"]
    assert {"class", "direction", "auc", "mean_class", "mean_rest"} <= set(summary["features"][0])
    shown = run(*args, "--format", "table")
    assert "class2: 30 samples against 60, 200 features by ec-fs" in shown.stdout
    assert shown.stdout.count("direction") == 3
    assert sum("Cross-validated AUC" in line for line in shown.stderr.splitlines()) == 3


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_figure(run, table, tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("first", "second")]
    for path in paths:
        # Without 基因, for which the font of the figure has no letters.
        result = run("rank", table, "-t", "-1", "--drop", "基因", "--plot", path, "--top", "4")
        assert result.exit_code == 0, result.stderr
        assert f"'{path}'" in result.stderr
    assert paths[0].read_bytes() == paths[1].read_bytes() != b""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--plot", "best.docx"), "Use .png, .svg or .pdf"),
        (("--plot", "absent/best.png"), "The folder 'absent' does not exist"),
        (("--plot", "best.png", "--per-class"), "Use --of-class LABEL to choose one class"),
    ],
)
def test_figures_that_cannot_be_are_refused_before_the_work(run, table, args, message):
    result = run("rank", table, "-t", "-1", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_doubts_are_sentences_on_stderr(run, write_table):
    rng = np.random.default_rng(0)
    noise = {f"f{j}": row for j, row in enumerate(rng.normal(5, 1, (30, 40)).tolist())}
    path = write_table({**noise, "y": [0, 1] * 20})
    result = run("rank", path, "-t", "y", "--top", "5", "--quiet", "--test", "none")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 6
    (line,) = result.stderr.splitlines()
    assert line.startswith("warning: This ranking is no better than chance")
    copies = write_table({"a": [0, 1] * 20, "b": [0, 1] * 20, "c": noise["f0"], "y": [0, 1] * 20})
    result = run("rank", copies, "-t", "y", "--top", "1", "--quiet")
    assert "warning: Features 1 to 2 have equal scores" in result.stderr


def test_greedy_methods_choose_a_hundred_by_default(run, write_table):
    rng = np.random.default_rng(0)
    columns = {f"f{j}": row for j, row in enumerate(rng.normal(5, 1, (150, 20)).tolist())}
    path = write_table({**columns, "y": [0, 1] * 10})
    rows = records(run("rank", path, "-t", "y", "-m", "mrmr"))
    data = tables.read_table(path, target="y")
    expected = featrank.MRMR(100).fit(data.X, data.y)
    assert [row["feature"] for row in rows] == [f"f{j}" for j in expected.order_]


@pytest.mark.parametrize("command", ["rank", "select"])
@pytest.mark.parametrize(
    ("drop", "left"),
    [
        (("größe μ,基因",), 5),
        (("größe μ, 基因", "--drop", "a,b"), 4),
        (("a,b",), 6),
        (("基因", "--drop", "größe μ"), 5),
    ],
)
def test_columns_to_drop_with_commas_between_them(run, table, tmp_path, command, drop, left):
    more = ("--fraction", "1", "-o", tmp_path / "o.csv") if command == "select" else ()
    result = run(command, table, "-t", "-1", "--drop", *drop, *more)
    assert result.exit_code == 0, result.stderr
    if command == "rank":
        assert len(records(result)) == left
    else:
        kept = tables.read_table(tmp_path / "o.csv", target="-1")
        assert len(kept.feature_names) == left


@pytest.mark.parametrize("drop", ["größe μ,diagnosis", "基因,absent"])
def test_columns_that_cannot_be_dropped(run, table, drop):
    result = run("rank", table, "-t", "diagnosis", "--drop", drop)
    assert result.exit_code == 2
    assert repr(drop.split(",")[1]) in result.stderr
