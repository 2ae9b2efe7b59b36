import csv
import io
import json
import os

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.sparse import csr_matrix, issparse
from sklearn.datasets import dump_svmlight_file

from featrank import ECFS, tables
from featrank.base import registry
from featrank.base.ranker import Ranker
from featrank.cli import main

BEST = 'say "x"'
TESTED = ["log2_fold_change", "value_scale", "mean_difference", "p_value", "p_adjusted"]


class Spread(Ranker):
    """An unsupervised ranker that takes neither sparse data nor threads."""

    name = "spread"
    supervised = False

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        assert not issparse(X)
        return X.std(axis=0)


@pytest.fixture
def with_spread(monkeypatch):
    monkeypatch.setattr(registry, "_registry", lambda: {"spread": Spread, "ec-fs": ECFS})


def rows(text, **dialect):
    return list(csv.reader(io.StringIO(text), **dialect))


def test_csv_has_every_feature_with_the_scores_of_the_class(run, table, columns):
    result = run("rank", table, "--target", "diagnosis")
    assert result.exit_code == 0, result.stderr
    header, *ranked = rows(result.stdout)
    data = tables.read_table(table, target="diagnosis")
    ranker = ECFS().fit(data.X, data.y)
    assert header == ["rank", "feature", "score", *TESTED]
    assert [int(rank) for rank, *_ in ranked] == list(range(1, 8))
    assert [name for _, name, *_ in ranked] == [list(columns)[j] for j in ranker.order_]
    assert [float(score) for _, _, score, *_ in ranked] == ranker.scores_[ranker.order_].tolist()
    assert ranked[0][1] == BEST


def test_nothing_but_the_result_is_printed_in_a_pipe(run, table):
    args = ("rank", table, "--target", "-1", "--param", "alpha=0.9")
    assert run(*args, "--test", "none").stderr == ""
    assert run(*args, "--format", "table").stderr == ""
    assert run(*args, "--value-scale", "log2").stderr == (
        "note: 1 of 7 features is significant at a false discovery rate of 5 % (Welch's t-test, "
        "well against sick).\n"
    )
    assert run(*args, "--value-scale", "log2", "--quiet").stderr == ""


def test_the_chosen_alpha_is_reported_and_how_clear_the_choice_was(run, table):
    data = tables.read_table(table, target="diagnosis")
    ranker = ECFS(3).fit(data.X, data.y)
    mean = ranker.cv_scores_.mean(axis=1)
    args = ("rank", table, "-t", "-1", "--top", "3")
    (line,) = run(*args, "--test", "none").stderr.splitlines()
    own = mean[list(ranker.alphas_).index(ranker.alpha_)]
    assert line.startswith(f"note: Cross-validated AUC of the top features: {own:.3f} ± ")
    assert f"(5 folds). featrank used alpha = {ranker.alpha_:g}" in line
    chosen = json.loads(run(*args, "--format", "json").stdout)["tuned_params"]
    assert chosen["alpha"] == ranker.alpha_
    assert chosen["best_auc"] == pytest.approx(mean.max())
    behind = ranker.cv_scores_[mean.argmax()] - ranker.cv_scores_
    slack = np.maximum(behind.std(axis=1, ddof=1) / np.sqrt(5), 0.01)
    assert chosen["tied"] == (behind.mean(axis=1) <= slack + 1e-9).sum()
    assert chosen["tied"] > 1
    assert f"{chosen['tied']} of 11 values of alpha performed equally well" in line


def test_top_limits_the_rows(run, table):
    _, *ranked = rows(run("rank", table, "-t", "diagnosis", "--top", "2").stdout)
    assert [rank for rank, *_ in ranked] == ["1", "2"]


def test_target_by_position_is_the_same_as_by_name(run, table):
    by_name = run("rank", table, "--target", "diagnosis")
    by_position = run("rank", table, "--target", "-1")
    assert by_position.exit_code == 0
    assert by_position.stdout == by_name.stdout


def test_jobs_do_not_change_the_result(run, table):
    one = run("rank", table, "-t", "-1", "--jobs", "1").stdout
    assert one == run("rank", table, "-t", "-1", "--jobs", "2").stdout != ""


def test_dropped_columns_are_not_ranked(run, table):
    result = run("rank", table, "-t", "-1", "--drop", BEST, "--drop", "a,b")
    names = [name for _, name, *_ in rows(result.stdout)[1:]]
    assert len(names) == 5
    assert not {BEST, "a,b"} & set(names)


def test_json_tells_what_was_done(run, table):
    args = ("--param", "alpha=0.3", "--param", "normalize=none", "--top", "2")
    result = run("rank", table, "-t", "-1", "--format", "json", *args)
    summary = json.loads(result.stdout)
    features = summary.pop("features")
    assert summary == {
        "schema": "featrank/ranking",
        "version": 1,
        "method": "ec-fs",
        "params": {
            "alpha": 0.3,
            "alphas": [step / 10 for step in range(11)],
            "binning": "width",
            "bins": "auto",
            "kernel": "symmetric",
            "normalize": None,
            "random_state": 0,
            "target_bins": "auto",
            "task": "classification",
            "tol": ECFS().tol,
        },
        "n_samples": 40,
        "n_features": 7,
        "classes": [{"label": "sick", "samples": 20}, {"label": "well", "samples": 20}],
        "test": {
            "name": "welch",
            "adjustment": "benjamini-hochberg",
            "value_scale": "log2",
            "compared_with": "sick",
            "level": 0.05,
            "significant": [{"class": "well", "features": 1}],
        },
        "warnings": [],
    }
    assert [feature["rank"] for feature in features] == [1, 2]
    assert set(features[0]) == {"rank", "feature", "score", "perfect_separation", *TESTED}


def test_params_reach_the_method(run, table):
    data = tables.read_table(table, target="diagnosis")
    args = ("-p", "alpha=1", "-p", "bins=5", "-p", "kernel=symmetric", "-p", "binning=quantile")
    result = run("rank", table, "-t", "-1", *args)
    expected = ECFS(alpha=1, bins=5, kernel="symmetric", binning="quantile").fit(data.X, data.y)
    scores = [float(score) for _, _, score, *_ in rows(result.stdout)[1:]]
    assert scores == expected.scores_[expected.order_].tolist()


def test_plain_table_shows_names_literally_and_no_escape_codes(run, table):
    text = run("rank", table, "-t", "-1", "--format", "table").stdout
    for name in (
        BEST,
        "[red]bold[/red]",
        "größe μ",
        "基因",
        " lead  two",
        "esc\N{REPLACEMENT CHARACTER}[31m",
    ):
        assert name in text
    assert "\x1b" not in text
    assert "sick 20, well 20" in text


def test_encoding_is_utf8_for_programs_and_the_terminal_s_for_people(table):
    runner = CliRunner(charset="latin-1")
    args = ["rank", str(table), "-t", "-1", "--format"]
    assert "基因" in runner.invoke(main, [*args, "csv"]).stdout_bytes.decode("utf-8")
    shown = runner.invoke(main, [*args, "table"])
    assert shown.exit_code == 0, shown.stderr
    assert "größe ?" in shown.stdout_bytes.decode("latin-1")


def test_long_table_says_what_it_leaves_out(run, write_table, tmp_path):
    values = np.random.default_rng(0).normal(size=(60, 20))
    path = write_table({f"f{j}": row for j, row in enumerate(values)} | {"y": [0, 1] * 10})
    rank = ("rank", path, "-t", "y", "-f", "table", "-m", "fisher")
    whole = run(*rank, "--top", "60").stdout
    short = run(*rank).stdout
    assert "10 more" in short
    assert "more" not in whole
    assert len(whole.splitlines()) - len(short.splitlines()) == 9
    run(*rank, "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == whole


@pytest.mark.parametrize(
    ("name", "layout", "dialect"),
    [
        ("out.csv", (), {}),
        ("out.TSV", (), {"delimiter": "\t"}),
        ("out.dat", ("--format", "csv"), {}),
        ("out.json", ("--format", "csv"), {}),
    ],
)
def test_output_file_holds_what_stdout_would(run, table, tmp_path, name, layout, dialect):
    expected = rows(run("rank", table, "-t", "-1", "--format", "csv").stdout)
    result = run("rank", table, "-t", "-1", "--output", tmp_path / name, *layout)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert rows((tmp_path / name).read_text(encoding="utf-8"), **dialect) == expected
    assert f"Wrote 7 ranked features to '{tmp_path / name}'." in result.stderr
    assert sorted(os.listdir(tmp_path)) == sorted(["data.csv", name])


@pytest.mark.parametrize(
    ("suffix", "layout", "words"),
    [
        ("html", "html", "<td>[red]bold[/red]</td>"),
        ("md", "markdown", r"| \[red\]bold\[/red\] |"),
        ("txt", "table", "[red]bold[/red]"),
    ],
)
def test_layouts_for_readers(run, table, tmp_path, suffix, layout, words):
    path = tmp_path / f"out.{suffix}"
    assert run("rank", table, "-t", "-1", "--output", path).exit_code == 0
    assert words in path.read_text(encoding="utf-8")
    printed = run("rank", table, "-t", "-1", "--format", layout)
    assert printed.stdout == path.read_text(encoding="utf-8")


def test_output_suffix_json(run, table, tmp_path):
    run("rank", table, "-t", "-1", "-o", tmp_path / "out.json", "--quiet")
    stored = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert stored["features"][0]["feature"] == BEST


def test_output_replaces_where_a_link_leads(run, table, tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    assert run("rank", table, "-t", "-1", "-o", tmp_path / "link.csv").exit_code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text(encoding="utf-8").startswith("rank,feature,score,")


def test_quiet_says_nothing(run, table, tmp_path):
    args = ("rank", table, "-t", "-1", "--value-scale", "log2")
    assert run(*args, "-o", tmp_path / "o.csv", "-q").stderr == ""


def test_missing_values_are_named_then_filled(run, columns, write_table):
    columns["a,b"][3] = columns["a,b"][8] = columns["基因"][0] = ""
    path = write_table(columns)
    refused = run("rank", path, "-t", "-1")
    assert refused.exit_code == 1
    assert "'a,b' (2)" in refused.stderr
    assert "'基因' (1)" in refused.stderr
    for way in ("mean", "median"):
        filled = run("rank", path, "-t", "-1", "--missing", way)
        assert filled.exit_code == 0, filled.stderr
        assert rows(filled.stdout)[1][1] == BEST


@pytest.mark.parametrize(
    ("way", "added"),
    [("ordinal", {"colour"}), ("onehot", {"colour=blue", "colour=red"}), ("drop", set())],
)
def test_categorical_features(run, columns, write_table, way, added):
    features = set(columns) - {"diagnosis"}
    path = write_table({"colour": ["red", "blue", "blue", "red"] * 10, **columns})
    refused = run("rank", path, "-t", "diagnosis")
    assert refused.exit_code == 1
    assert "'colour'" in refused.stderr
    result = run("rank", path, "-t", "diagnosis", "--categorical", way)
    assert {name for _, name, *_ in rows(result.stdout)[1:]} == features | added


def test_choices_are_known_to_the_readers():
    from featrank.cli import options
    from featrank.summaries.missing import WAYS
    from featrank.tables import options as read_options

    assert set(options.HANDLE_MISSING) <= {*read_options.MISSING, *WAYS}
    assert options.CATEGORICAL == read_options.CATEGORICAL


@pytest.fixture
def sparse_file(tmp_path):
    values = np.random.default_rng(0).normal(size=(20, 3)) * [1, 9, 3]
    path = tmp_path / "data.svmlight"
    dump_svmlight_file(csr_matrix(values), np.arange(20) % 2, str(path), zero_based=False)
    return path


def test_files_that_bring_their_labels_need_no_target(run, sparse_file):
    result = run("rank", sparse_file, "--format", "json")
    assert result.exit_code == 0, result.stderr
    labels = [entry["label"] for entry in json.loads(result.stdout)["classes"]]
    assert labels == [0, 1]


@pytest.mark.usefixtures("with_spread")
def test_unsupervised_method_needs_no_target(run, columns, write_table):
    del columns["diagnosis"]
    result = run("rank", write_table(columns), "--method", "spread", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["classes"] == []


@pytest.mark.usefixtures("with_spread")
def test_sparse_file_is_made_dense_for_a_method_that_needs_it(run, sparse_file):
    result = run("rank", sparse_file, "--method", "spread")
    assert [name for _, name, *_ in rows(result.stdout)] == ["feature", "x1", "x2", "x0"]


@pytest.fixture
def exact_table(columns, write_table):
    """Write a table in which 'a,b' separates the classes exactly."""
    columns["a,b"] = [float(label == "sick") for label in columns["diagnosis"]]
    return write_table(columns)


def test_an_exact_separator_in_csv_and_tables(run, exact_table):
    args = ("--target", "diagnosis", "--method", "fisher", "--format")
    assert '1,"a,b",inf,' in run("rank", exact_table, *args, "csv").stdout
    lines = run("rank", exact_table, *args, "table").stdout.splitlines()
    first, second = (next(line for line in lines if name in line) for name in ("a,b", "say"))
    assert "inf" in first
    assert first.count("█") == second.count("█") == 20  # the best finite score has a full bar


def test_details_without_a_number_are_of_the_best_and_say_so(run, write_table, tmp_path):
    values = np.random.default_rng(0).normal(size=(70, 20))
    path = write_table({f"f{j}": row for j, row in enumerate(values)} | {"y": [0, 1] * 10})
    args = ("rank", path, "-t", "y", "-m", "fisher", "--details")
    printed = run(*args)
    assert len(printed.stdout.splitlines()) == 51
    assert "best 50 features. Use --top K for more." in printed.stderr
    run(*args, "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == printed.stdout
    assert len(run(*args, "--top", "70").stdout.splitlines()) == 71


def test_groups_are_not_ranked_and_reach_the_folds(run, write_table):
    rng = np.random.default_rng(0)
    columns = {f"f{j}": rng.normal(size=40) for j in range(6)}
    columns["f2"] = columns["f2"] + 3 * (np.arange(40) % 2)
    batch = [f"b{number // 14}" for number in range(40)]
    path = write_table({**columns, "batch": batch, "y": [0, 1] * 20})
    done = run("rank", path, "-t", "y", "--groups", "batch")
    assert "batch" not in done.stdout
    assert "(3 folds)" in done.stderr
