import csv
import io
import json
import shutil

import numpy as np
import pytest
from click.testing import CliRunner

from featrank.cli import main

FAST = ("--trials", 2, "--jobs", 1)


@pytest.fixture
def wide_table(write_table):
    rng = np.random.default_rng(0)
    sick = np.arange(36) % 2
    features = {f"gene {j}": rng.normal(5, 1, 36) + 2 * sick * (j < 3) for j in range(12)}
    rows = {name: values.tolist() for name, values in features.items()}
    rows["gene 11"][5] = ""
    groups = [f"p{number // 3}" for number in range(36)]
    return write_table({**rows, "patient": groups, "state": np.where(sick, "sick", "well")})


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_pipe_gets_csv(run, wide_table):
    args = ("--methods", "ec-fs,fisher", "--n-features", "3,6", *FAST)
    rows = rows_of(run("compare", wide_table, "-t", "state", "-d", "patient", *args))
    assert [row["method"] for row in rows] == ["ec-fs", "fisher", "random"]
    assert list(rows[0]) == ["method", "3", "6", "average", "seconds", "failed"]
    assert all(float(row["3"]) > 0.9 for row in rows[:2])
    assert float(rows[2]["3"]) < 0.9


def test_results_go_to_the_folder_and_resume(run, wide_table, tmp_path):
    base = ("compare", wide_table, "-t", "state", "--groups", "patient", "-m", "mi", "--jobs", 1)
    folder = tmp_path / "results"
    first = run(*base, "--trials", 2, "--out-dir", folder)
    assert first.exit_code == 0, first.output
    assert f"Saved the results in {str(folder)!r}" in first.stderr
    refused = run(*base, "--trials", 3, "--out-dir", folder)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--resume" in refused.stderr
    assert run(*base, "--trials", 3, "--out-dir", folder, "--resume").exit_code == 0
    rows = list(csv.DictReader((folder / "results.csv").open()))
    rows = [row for row in rows if row["method"] == "mi"]
    assert [(row["trial"], row["k"]) for row in rows[::4]] == [("0", "1"), ("1", "1"), ("2", "1")]
    assert json.loads((folder / "manifest.json").read_text())["n_repeats"] == 3


def test_table_has_the_papers_layout(run, wide_table):
    args = ("-m", "fisher,mi", "--n-features", "3", "--format", "table", "-d", "patient", *FAST)
    result = run("compare", wide_table, "-t", "state", *args)
    assert result.exit_code == 0, result.output
    assert "ROC AUC (%)" in result.stdout
    head = next(line.split() for line in result.stdout.splitlines() if "average" in line)
    assert head == ["method", "3", "average", "time", "(s)"]
    assert "No significance tests: 2 trials are too few. They need 5." in result.stdout


def test_a_method_out_of_time_is_reported(run, wide_table):
    args = ("-m", "fisher", "--n-features", "3", "-d", "patient", "--time-limit", "1e-6", *FAST)
    result = run("compare", wide_table, "-t", "state", *args)
    assert result.exit_code == 1
    assert next(csv.DictReader(io.StringIO(result.stdout)))["failed"] == "2"
    assert "fisher failed in 2 of 2 trials: took longer than" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("-m", "fischer"), "Did you mean 'fisher'"),
        (("-m", "mi", "--n-features", "3,x"), "not a list of numbers"),
        (("-m", "mi", "--n-features", "99"), "more than the 12 features"),
        (("-m", "mi", "--resume"), "--out-dir DIR"),
        (("-m", "mi,fisher", "--against", "fischer"), "Did you mean 'fisher'"),
    ],
)
def test_refusals(run, wide_table, args, words):
    result = run("compare", wide_table, "-t", "state", "-d", "patient", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


@pytest.fixture(scope="module")
def eight_trials(tmp_path_factory):
    """Run eight trials of three methods; return the call and its folder."""
    rng = np.random.default_rng(0)
    place = tmp_path_factory.mktemp("eight")
    table = np.column_stack([rng.normal(size=(30, 8)), np.arange(30) % 2])
    np.savetxt(place / "data.csv", table, delimiter=",", header="a,b,c,d,e,f,g,h,y", comments="")
    call = [
        "compare",
        place / "data.csv",
        "-t",
        "y",
        "-m",
        "ec-fs,fisher,mi",
        "--n-features",
        "3,6",
    ]
    call = [str(part) for part in (*call, "--trials", 8, "--jobs", 1, "--out-dir")]
    assert CliRunner().invoke(main, [*call, str(place / "results")]).exit_code == 0
    return call, place / "results"


@pytest.fixture
def tested(run, eight_trials, tmp_path, rescore):
    """Show the table that compare makes of known scores, label → array of 8 trials × 2."""
    call, original = eight_trials
    folder = shutil.copytree(original, tmp_path / "results")

    def show(scores, *args):
        rescore(folder, scores)
        result = run(*call, folder, "--resume", *args)
        assert result.exit_code == 0, result.output
        return result.stdout

    return show


def normal_scores(mean, seed):
    """Return 8 scores that no test takes for anything but normal, in an order of their own."""
    quantiles = np.array([-1.5, -0.9, -0.5, -0.15, 0.15, 0.5, 0.9, 1.5])
    rng = np.random.default_rng(seed)
    return np.stack([mean + 0.02 * rng.permutation(quantiles) for _ in range(2)], axis=1)


def cells(text, method):
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [method])


def test_marks_of_significance(tested):
    scores = {"ec-fs": normal_scores(0.8, 0), "fisher": normal_scores(0.8, 1)}
    scores["mi"] = normal_scores(0.6, 2)
    # A difference that the plain test takes for one, and the corrected one does not.
    scores["fisher"][:, 1] -= 0.025
    text = tested(scores, "--format", "table")
    assert cells(text, "ec-fs")[1:4] == ["80.00", "80.00", "80.00"]
    assert cells(text, "fisher")[1:3] == ["80.00", "77.50*"]
    assert cells(text, "mi")[1:4] == ["60.00*†", "60.00*†", "60.00"]
    assert "† Differs from ec-fs, p < 0.05: corrected resampled t-test." in text
    other = tested(scores, "--format", "table", "--against", "mi")
    assert cells(other, "ec-fs")[1:4] == ["80.00*†", "80.00*†", "80.00"]
    assert cells(other, "mi")[1:4] == ["60.00", "60.00", "60.00"]


def test_no_paper_mark_where_scores_are_not_normal(tested):
    scores = {"ec-fs": normal_scores(0.8, 0), "fisher": normal_scores(0.8, 1)}
    scores["mi"] = np.full((8, 2), 0.5)
    scores["mi"][0] = 0.6
    text = tested(scores, "--format", "table")
    assert cells(text, "mi")[1:3] == ["51.25†", "51.25†"]
    assert "In 2 of 4 comparisons, the two-sample t-test is not used" in text


def test_no_difference_is_said(tested):
    scores = {name: normal_scores(0.8, seed) for seed, name in enumerate(("ec-fs", "fisher", "mi"))}
    text = tested(scores, "--format", "table")
    assert "No other method differs significantly from ec-fs" in text
    assert "*" not in text


def test_failures_are_no_doubt_about_normality(tested):
    scores = {"ec-fs": normal_scores(0.8, 0), "fisher": normal_scores(0.8, 1)}
    scores["mi"] = np.full((8, 2), np.nan)
    scores["mi"][:2, 0] = 0.5, 0.51
    text = tested(scores, "--format", "table")
    assert cells(text, "mi")[1:3] == ["50.50", "–"]
    assert "In 2 of 4 comparisons, no test is possible, because a method has fewer than 5" in text
    assert "look normal:" not in text


def test_json_has_the_p_values(tested):
    scores = {"ec-fs": normal_scores(0.8, 0), "fisher": normal_scores(0.8, 1)}
    scores["mi"] = np.full((8, 2), 0.5)
    found = json.loads(tested(scores, "--format", "json"))["significance"]
    assert [(test["other"], test["k"]) for test in found] == [
        ("fisher", 3), ("fisher", 6), ("mi", 3), ("mi", 6),
    ]  # fmt: skip
    assert found[2]["t_test_p"] < 0.001
    assert found[2]["other_normality_p"] is None


def doubtful_rows():
    """Return three of one class, constants, and copies of rows."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(20, 6))
    values[:, 2:] = 1.0
    values[5] = values[6] = values[7] = values[8]
    columns = {f"g{j}": values[:, j].tolist() for j in range(6)}
    return {**columns, "state": ["rare"] * 3 + ["often"] * 17}


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_warning_is_printed_once_as_a_sentence(run, write_table, jobs):
    args = ("-m", "mi", "--n-features", "4", "--trials", 3, "--jobs", jobs)
    result = run("compare", write_table(doubtful_rows()), "-t", "state", *args)
    assert result.exit_code == 0, result.output
    *printed, estimate = result.stderr.splitlines()
    assert estimate.startswith("note: 3 random splits")
    assert [line.split()[0] for line in printed] == ["warning:"] * len(printed)
    for words in (
        "Classes with fewer than 5 samples (1 of 2): rare (2). Tuning uses 2 folds instead of 5.",
        "--n-features 4 is more than the 2 features that vary in the 13 training rows.",
        "Use --n-features 2 or fewer.",
        "make the scores too optimistic. Drop the duplicates, or keep them together",
        "keep them together with --groups COL.",
    ):
        assert sum(words in line for line in printed) == 1, printed
    assert not any(".py" in line for line in printed)


def test_rows_that_cannot_be_split_are_an_error_in_words(run, write_table):
    rng = np.random.default_rng(0)
    table = {"a": rng.normal(size=6).tolist(), "state": ["x", "x", "y", "y", "z", "z"]}
    args = ("-m", "mi", "--n-features", "1", "--trials", 1, "--jobs", 1)
    result = run("compare", write_table(table), "-t", "state", *args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Too few samples per class: 'x' (2), 'y' (2), 'z' (2)." in result.stderr


def test_share_of_test_rows(run, wide_table):
    call = ("compare", wide_table, "-t", "state", "-d", "patient", "-m", "mi", "--n-features", "3")
    result = run(*call, *FAST, "--test-size", "0.25", "-f", "json")
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.stdout)["manifest"]
    assert manifest["protocol"]["test_size"] == 0.25
    assert manifest["test_size"] == pytest.approx(9 / 36)
    assert run(*call, "--test-size", "0").exit_code == 2


def test_trials_run_on_workers_of_dask(run, wide_table):
    args = ("compare", wide_table, "-t", "state", "-d", "patient", "-m", "fisher", "--trials", 2)
    on_workers, here = (rows_of(run(*args, *more)) for more in (("--workers", 1), ("--jobs", 1)))
    for row in (*on_workers, *here):
        del row["seconds"]
    assert on_workers == here


def test_a_cluster_and_processes_are_not_asked_for_together(run, wide_table):
    args = ("compare", wide_table, "-t", "state")
    for more in (("--workers", 2, "--jobs", 2), ("--workers", 2, "--scheduler", "tcp://x:1")):
        refused = run(*args, *more)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "--workers" in refused.stderr


@pytest.fixture
def count_table(write_table):
    rng = np.random.default_rng(0)
    sick = np.arange(36) % 2
    genes = {f"gene {j}": rng.poisson(20 + 60 * sick * (j < 3)).astype(str) for j in range(12)}
    rows = {name: values.tolist() for name, values in genes.items()}
    rows["gene 10"][5] = ""
    rows["gene 11"][:20] = [""] * 20
    batches = [f"b{number // 9}" for number in range(36)]
    return write_table({**rows, "batch": batches, "state": np.where(sick, "sick", "well")})


def test_counts_and_missing_values(run, count_table, tmp_path):
    page = tmp_path / "page.html"
    args = ("--missing", "knn", "--transform", "cpm,log1p", "--max-missing", 0.3)
    result = run(
        "compare", count_table, "-t", "state", "--groups", "batch", "-m", "fisher", "--n-features",
        "3", *args, *FAST, "--out-dir", tmp_path / "out", "--report", page,
    )  # fmt: skip
    assert float(rows_of(result)[0]["3"]) > 0.9
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())["protocol"]
    assert [told[name] for name in ("imputer", "transform", "max_missing")] == [
        "knn", "cpm,log1p", 0.3
    ]  # fmt: skip
    assert "counts per million of each sample" in page.read_text()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--transform", "cpn"), "Did you mean 'cpm'"),
        (("--max-missing", "2"), "0<=x<=1"),
        (("--missing", "skip"), "'mean', 'median', 'knn'"),
    ],
)
def test_treatments_that_do_not_exist(run, count_table, args, told):
    result = run("compare", count_table, "-t", "state", "-d", "batch", "-m", "mi", *args, *FAST)
    assert result.exit_code == 2
    assert told in result.stderr


def test_logarithms_are_no_counts(run, write_table):
    rng = np.random.default_rng(0)
    table = {f"g{j}": rng.normal(0, 2, 30) for j in range(5)}
    path = write_table({**table, "state": ["a", "b"] * 15})
    result = run("compare", path, "-t", "state", "-m", "mi", "--transform", "clr", *FAST)
    assert result.exit_code == 1
    assert "'g0'" in result.stderr
    assert "If the values are logarithms, use --transform none." in result.stderr
