"""A target that is a quantity, from the shell and in Python: ranked, explained, drawn, doubted."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.datasets import make_regression

import featrank
from featrank.exceptions import FeatrankWarning, UsageError


def seen(page):
    """Return what people read of a page: without its style and the words of markup."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"<style\b.*?</style>", "", page, flags=re.S))


@pytest.fixture
def doses(tmp_path):
    """Return a table of 90 samples whose target is a dose, as a file and as a frame."""
    X, y = make_regression(90, 25, n_informative=3, noise=10, random_state=0)
    frame = pd.DataFrame(X).add_prefix("gene ")
    frame["dose"] = y
    path = tmp_path / "doses.csv"
    frame.to_csv(path, index=False)
    return path, frame


def test_a_quantity_is_refused_as_classes_with_the_way_out(run, doses):
    result = run("rank", doses[0], "--target", "dose")
    assert "--task regression" in result.stderr
    assert "--target-bins 3" in result.stderr


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz"])
def test_files_and_python_agree(run, doses, tmp_path, suffix):
    path, frame = doses
    if suffix == ".parquet":
        path = tmp_path / "doses.parquet"
        pl.from_pandas(frame).write_parquet(path)
    if suffix == ".npz":
        path = tmp_path / "doses.npz"
        X = frame.drop(columns="dose")
        names = np.array(list(X.columns))
        np.savez(path, X=X.to_numpy(), y=frame["dose"].to_numpy(), feature_names=names)
    target = ("--target", "dose") if suffix != ".npz" else ()
    told = run("rank", path, *target, "--task", "regression", "--top", "5").stdout
    rows = list(csv.DictReader(io.StringIO(told)))
    ranking = featrank.rank(frame.drop(columns="dose"), frame["dose"], top=5, task="regression")
    assert [row["feature"] for row in rows] == ranking.top(5)


def test_details_are_correlations_with_the_target(run, doses):
    path, frame = doses
    told = run(
        *("rank", path, "--target", "dose", "--task", "regression", "--top", "3"),
        *("--details", "--format", "json"),
    ).stdout
    content = json.loads(told)
    dose = frame["dose"].to_numpy()
    assert content["target_range"] == pytest.approx({"min": dose.min(), "max": dose.max()})
    assert content["classes"] == []
    assert "r2" in content["tuned_params"]
    for feature in content["features"]:
        values = frame[feature["feature"]]
        assert feature["pearson"] == pytest.approx(pearsonr(values, dose).statistic)
        assert feature["spearman"] == pytest.approx(spearmanr(values, dose).statistic)
        assert "auc" not in feature


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1e200])
def test_correlations_do_not_depend_on_the_unit(doses, unit):
    X, y = doses[1].drop(columns="dose"), doses[1]["dose"]
    wanted, got = (
        featrank.rank(X, target, "fisher", task="regression").to_frame(5, details=True)
        for target in (y, unit * y)
    )
    assert list(got["feature"]) == list(wanted["feature"])
    np.testing.assert_allclose(got["pearson"], wanted["pearson"])


def test_a_table_for_readers_has_the_correlations(run, doses):
    given = ("rank", doses[0], "--target", "dose", "--task", "regression", "--details")
    text = run(*given, "--format", "table").stdout
    assert "target from" in text
    assert "r with" in text
    assert "ρ with" in text


@pytest.mark.parametrize("points", [(), ("--points",)])
def test_figures_and_pages(run, doses, tmp_path, points):
    figure, page = tmp_path / "best.svg", tmp_path / "page.html"
    run(
        *("rank", doses[0], "--target", "dose", "--task", "regression", "--method", "fisher"),
        *("--plot", figure, "--report", page, *points),
    )
    text, dose = page.read_text(encoding="utf-8"), doses[1]["dose"]
    assert f"numeric, from {dose.min():.4g} to {dose.max():.4g}, median" in text
    assert "duplicate samples" in text
    assert "rank correlation of the top 12 features of fisher with the target" in text
    assert not re.search(r"no description of the data|\bclass(es)?\b|\bAUC\b", seen(text))
    assert text.count('class="point"') == (12 * 90 if points else 0)
    assert figure.stat().st_size > 1000


def test_a_list_for_gsea_has_the_signs_of_correlations(run, doses, tmp_path):
    path, frame = doses
    given = ("rank", path, "--target", "dose", "--task", "regression")
    result = run(*given, "-o", tmp_path / "doses.rnk")
    assert "the t statistic of Pearson's correlation with the target" in result.stderr
    assert "--of-class" not in result.stderr
    for line in (tmp_path / "doses.rnk").read_text().splitlines():
        name, score = line.split("\t")
        assert float(score) * pearsonr(frame[name], frame["dose"]).statistic >= 0
    refused = run(*given, "--of-class", "3", "-o", tmp_path / "doses.rnk")
    assert "Leave out --task regression and bin the target with --target-bins 3." in refused.stderr
    assert "--target-bins 3" in run(*given, "-o", tmp_path / "doses.gmt").stderr


def test_select_keeps_the_quantity(run, doses, tmp_path):
    small = tmp_path / "small.csv"
    run(
        *("select", doses[0], "--target", "dose", "--task", "regression", "--top", "2"),
        *("--output", small),
    )
    written = pd.read_csv(small)
    assert list(written.columns)[-1] == "dose"
    np.testing.assert_allclose(written["dose"], doses[1]["dose"])


def test_bins_of_the_target_are_for_information(run, doses):
    given = ("rank", doses[0], "--target", "dose", "--task", "regression", "--target-bins", "4")
    frame = doses[1]
    wanted = featrank.rank(
        frame.drop(columns="dose"), frame["dose"], "mi", task="regression", target_bins=4
    )
    rows = list(csv.DictReader(io.StringIO(run(*given, "--method", "mi").stdout)))
    assert float(rows[0]["score"]) == wanted.scores.max()
    assert "does not bin a regression target" in run(*given, "--method", "fisher").stderr


@pytest.mark.parametrize(
    ("method", "words"), [("jmi", "does not support regression"), ("laplacian", "is unsupervised")]
)
def test_methods_without_quantities_say_so(doses, method, words):
    X, y = doses[1].drop(columns="dose"), doses[1]["dose"]
    with pytest.raises(UsageError, match=words):
        featrank.rank(X, y, method, task="regression")


def test_noise_is_doubted(doses):
    noise = np.random.default_rng(0).normal(size=90)
    with pytest.warns(
        FeatrankWarning,
        match="no better than chance: cross-validated R² .* is not significantly above 0",
    ):
        featrank.rank(doses[1].drop(columns="dose"), noise, task="regression")


def test_sources_are_brought_into_memory(doses, tmp_path):
    path, frame = doses
    wanted = featrank.rank(frame.drop(columns="dose"), frame["dose"], "fisher", task="regression")
    got = featrank.rank(str(path), "dose", "fisher", task="regression")
    assert got.top(25) == wanted.top(25)
    np.testing.assert_allclose(got.scores, wanted.scores)


def with_target(tmp_path, frame, values, suffix=".csv"):
    changed = frame.assign(dose=values)
    path = tmp_path / f"changed{suffix}"
    changed.to_csv(path, index=False) if suffix == ".csv" else changed.to_parquet(path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("way", [("--task", "regression"), ("--target-bins", "3")])
def test_dates_of_files_are_to_be_days(run, doses, tmp_path, suffix, way):
    days = pd.to_timedelta(doses[1]["dose"].astype(int), "D") + pd.Timestamp("2020-01-01")
    path = with_target(tmp_path, doses[1], days, suffix)
    told = run("rank", path, "--target", "dose", *way).stderr
    assert "Replace dates with days since the first one" in told
    assert "class labels" not in told


@pytest.mark.parametrize("way", [("--task", "regression"), ("--target-bins", "3")])
def test_commas_and_single_texts_are_named(run, doses, tmp_path, way):
    texts = [f"{value:.9f}".replace(".", ",") for value in doses[1]["dose"]]
    path = with_target(tmp_path, doses[1], texts)
    told = run("rank", path, "--target", "dose", *way).stderr
    assert f"strings such as {texts[0]!r} in row 1" in told
    assert "90 of 90 values are not numbers" in told
    assert f"Use decimal points instead of commas: {texts[0].replace(',', '.')}." in told
    values = doses[1]["dose"].astype(object)
    values[3] = "n.d."
    path = with_target(tmp_path, doses[1], values)
    told = run("rank", path, "--target", "dose", *way).stderr
    assert "strings such as 'n.d.' in row 4" in told
    assert "1 of 90 values is not a number" in told


@pytest.mark.parametrize("method", ["cfs", "lasso"])
def test_bins_or_a_task_but_not_both(run, doses, method):
    asked = ("rank", doses[0], "--target", "dose", "--method", method, "--target-bins", "3")
    told = run(*asked, "--task", "regression")
    assert told.exit_code == 2
    assert "leave out --task" in told.stderr
    assert run(*asked).exit_code == 0


@pytest.mark.parametrize("method", ["ec-fs", "lasso"])
@pytest.mark.parametrize("each", [("--per-class",), ("--of-class", "2")])
def test_classes_of_a_quantity_are_its_bins(run, doses, method, each):
    asked = ("rank", doses[0], "--target", "dose", "--method", method, *each)
    assert (
        "Leave out --task regression and bin the target with --target-bins 3."
        in run(*asked, "--task", "regression").stderr
    )
    assert run(*asked, "--target-bins", "3").exit_code == 0
