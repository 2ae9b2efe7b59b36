"""What a comparison keeps of the features, beside figures computed plainly from the data."""

import shutil
import warnings
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import t as student
from sklearn.impute import SimpleImputer

from featrank import ECFS, FisherScore
from featrank.base.ranker import Ranker
from featrank.base.registry import method
from featrank.evaluation import Protocol, compare, compare_labels, read_comparison
from featrank.exceptions import DataError, UsageError
from featrank.graph import Given
from featrank.statistics import selection_frequency

QUICK = Protocol(n_repeats=4, n_features=(3, 8), C=(0.1, 1.0), inner_cv=3)
TABLES = ("features", "values_by_class", "correlations", "edges", "roc", "curves", "tests")
NAMES = [f"gene {j}" for j in range(60)]


@pytest.fixture(scope="module")
def made():
    """Return 48 × 60 with gaps, zeros and a constant, and three classes that are texts."""
    rng = np.random.default_rng(0)
    y = np.repeat(["sick", "well", "worse"], 16)
    X = rng.normal(5, 1, size=(48, 60))
    X[:, :3] += 2 * np.repeat(np.eye(3), 16, axis=0)
    X[:, 1] = X[:, 1].round()
    X[rng.random(X.shape) < 0.03] = np.nan
    X[:, 2] = np.where(rng.random(48) < 0.3, 0, X[:, 2])
    X[:, 59] = 0.1
    return X, y


@pytest.fixture(scope="module")
def done(made, tmp_path_factory):
    out = tmp_path_factory.mktemp("kept") / "run"
    return compare(*made, ["ec-fs", "fisher", "mrmr"], QUICK, feature_names=NAMES, out_dir=out), out


class Broken(Ranker):
    name = "broken"

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        if len(X) == 48:
            raise ValueError("no such luck")
        return X[0]


def test_names_are_given_or_a_frames_or_made_up(made):
    X, y = made
    one = replace(QUICK, n_repeats=1)
    assert compare(X, y, ["fisher"], one).feature_names == [f"x{j}" for j in range(60)]
    assert compare(X, y, ["fisher"], one, feature_names=NAMES).feature_names == NAMES
    for frame in (pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)):
        assert compare(frame, y, ["fisher"], one).feature_names == NAMES
    numbered = compare(pd.DataFrame(X), y, ["fisher"], one).feature_names
    assert numbered == [str(j) for j in range(60)]
    with pytest.raises(DataError, match="has 3 names, but X has 60 features"):
        compare(X, y, ["fisher"], one, feature_names=["a", "b", "c"])
    with pytest.raises(DataError, match="contains 'gene 0' more than once"):
        compare(X, y, ["fisher"], one, feature_names=["gene 0", *NAMES[:-1]])


def test_names_belong_to_the_run(made, tmp_path):
    X, y = made
    one = replace(QUICK, n_repeats=1)
    compare(X, y, ["fisher"], one, feature_names=NAMES, out_dir=tmp_path)
    with pytest.raises(UsageError, match=r"different data \(feature names\)"):
        compare(X, y, ["fisher"], one, out_dir=tmp_path, resume=True)
    pl.DataFrame({"feature": NAMES[::-1]}).write_parquet(tmp_path / "names.parquet")
    with pytest.raises(DataError, match=r"names.parquet' contains the feature names of other data"):
        _ = read_comparison(tmp_path).feature_names
    assert "The feature names are missing." in read_comparison(tmp_path).missing_parts()


def test_scores_on_all_rows_are_those_of_a_fit_to_them(made, done):
    X, y = made
    filled = SimpleImputer().fit_transform(X)
    rows = done[0].features()
    for name, ranker in (("fisher", FisherScore(8)), ("ec-fs", ECFS(8))):
        ranker.fit(filled, np.unique(y, return_inverse=True)[1])
        own = rows.filter(method=name)
        assert own["feature"].to_list() == NAMES
        assert own["column"].to_list() == list(range(60))
        np.testing.assert_array_equal(own["score"], ranker.scores_)
        np.testing.assert_array_equal(own["rank"], ranker.ranking_)


@pytest.mark.parametrize("impute", ["mean", "median"])
def test_gaps_are_filled_as_the_protocol_says(made, impute):
    X, y = made
    found = compare(X, y, ["fisher"], replace(QUICK, n_repeats=1, imputer=impute)).features()
    filled = SimpleImputer(strategy=impute).fit_transform(X)
    np.testing.assert_array_equal(found["score"], FisherScore().fit(filled, y).scores_)


def test_how_often_features_were_chosen(done):
    comparison, _ = done
    rows = comparison.features()
    for name, orders in comparison.rankings.items():
        own = rows.filter(method=name)
        assert set(own["trials"]) == {4}
        for k in QUICK.feature_counts:
            counts = [sum(j in order[:k] for order in orders) for j in range(60)]
            assert own[f"chosen_{k}"].to_list() == counts
    often = selection_frequency(comparison, 3).filter(method="fisher")
    best = rows.filter(pl.col("method") == "fisher", pl.col("chosen_3") > 0)
    assert dict(often.select("feature", "chosen").rows()) == dict(
        best.select("feature", "chosen_3").rows()
    )


def test_values_by_class(made, done):
    X, y = made
    comparison, _ = done
    found = comparison.values_by_class()
    best = comparison.features().filter(pl.col("rank") <= 50)["feature"].unique()
    assert set(found["feature"]) == set(best)
    assert comparison.manifest["data"]["class_labels"] == ["sick", "well", "worse"]
    for row in found.to_dicts():
        values = pd.Series(X[y == row["class"], NAMES.index(row["feature"])])
        plain = values.describe(percentiles=[0.05, 0.25, 0.5, 0.75, 0.95])
        assert row["samples"] == 16
        assert row["missing"] == values.isna().sum()
        assert row["zeros"] == (values == 0).sum()
        ours = [row[key] for key in ("mean", "sd", "min", "q05", "q25", "q50", "q75", "q95", "max")]
        assert ours == pytest.approx(plain[1:].to_list(), nan_ok=True, abs=1e-12)


def test_a_class_without_known_values_and_a_constant():
    y = np.arange(40) % 2
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[y == 1, 1] = np.nan
    X[:, 2] = 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        done = compare(
            X, y, ["fisher"], Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)
        )
    rows = {(row["feature"], row["class"]): row for row in done.values_by_class().to_dicts()}
    assert len(rows) == 8
    assert rows["x1", "1"]["missing"] == 20
    assert np.isnan([rows["x1", "1"][key] for key in ("mean", "sd", "min", "q50")]).all()
    assert (rows["x2", "0"]["mean"], rows["x2", "0"]["sd"]) == (0.1, 0.0)


def test_correlations_of_the_best(made, done):
    X, _ = made
    comparison, _ = done
    plain = pd.DataFrame(X, columns=NAMES).corr()
    for name in comparison.methods:
        rows = comparison.correlations().filter(method=name)
        best = comparison.features().filter(pl.col("method") == name, pl.col("rank") <= 50)
        assert len(rows) == 50 * 49 // 2
        assert set(rows["feature"]) | set(rows["other"]) == set(best["feature"])
        assert len({frozenset(pair) for pair in rows.select("feature", "other").rows()}) == 1225
        for a, b, r in rows.select("feature", "other", "r").rows():
            expected = np.nan if "gene 59" in (a, b) else plain.loc[a, b]
            assert r == pytest.approx(expected, nan_ok=True, abs=1e-9)


def test_edges_are_the_strongest_pairs_of_the_graph(made, done):
    X, y = made
    comparison, _ = done
    edges = comparison.edges()
    assert set(edges["method"]) == {"ec-fs"}
    filled = SimpleImputer().fit_transform(X)
    weights = ECFS(8).fit(filled, y).graph_.to_dense()
    heavier = np.maximum(weights, weights.T)[np.triu_indices(60, 1)]
    assert edges["weight"].to_list() == pytest.approx(np.sort(heavier)[::-1][:200])
    for a, b, weight in edges.select("feature", "other", "weight").rows():
        assert weight == weights[NAMES.index(a), NAMES.index(b)]


def test_edges_of_many_features_are_those_among_the_best(monkeypatch, made):
    monkeypatch.setattr("featrank.evaluation.full_fits.WHOLE_GRAPH", 59)
    X, y = made
    comparison = compare(X, y, ["inf-fs-s"], replace(QUICK, n_repeats=1))
    best = comparison.features().filter(pl.col("rank") <= 50)["column"].to_numpy()
    graph = method("inf-fs-s")(8).fit(SimpleImputer().fit_transform(X), y).graph_
    weights = graph.to_dense()
    among = np.maximum(weights, weights.T)[np.ix_(best, best)][np.triu_indices(50, 1)]
    edges = comparison.edges()
    assert edges["weight"].to_list() == pytest.approx(np.sort(among)[::-1][:200])
    assert set(edges["feature"]) | set(edges["other"]) <= {f"x{j}" for j in best}


class BadGraph(FisherScore):
    name = "bad-graph"

    @property
    def graph_(self):
        class Sulking(Given):
            def rows(self, block):
                raise ValueError("no rows today")

        return Sulking(np.eye(self.n_features_in_))


def test_what_fails_on_all_rows_has_a_reason(made, tmp_path):
    made_now = compare(*made, [Broken(), BadGraph()], replace(QUICK, n_repeats=2), out_dir=tmp_path)
    for comparison in (made_now, read_comparison(tmp_path)):
        assert comparison.failures() == {}
        assert comparison.missing_parts() == [
            "'broken' has no scores on all rows: ValueError: no such luck.",
            "'bad-graph' has no edges: ValueError: no rows today.",
        ]
        own = comparison.features().filter(method="broken")
        assert own["score"].is_null().all()
        assert own["rank"].is_null().all()
        assert own["chosen_3"].sum() == 6
        assert set(comparison.correlations()["method"]) == {"bad-graph"}
        assert len(comparison.edges()) == 0


def test_curves_and_tests_are_tidy(done):
    comparison, _ = done
    curves = comparison.curves()
    assert len(curves) == 4 * 2
    for row in curves.to_dicts():
        scores = comparison.scores(row["method"], row["k"])
        assert row["trials"] == len(scores) == 4
        assert row["mean"] == pytest.approx(scores.mean())
        sd, share = scores.std(ddof=1), comparison.test_fraction
        error = sd * np.sqrt(1 / 4 + share / (1 - share))
        assert (row["sd"], row["error"]) == pytest.approx((sd, error))
        if sd:
            low, high = student.interval(0.95, 3, loc=scores.mean(), scale=error)
            assert (row["low"], row["high"]) == pytest.approx((max(low, 0), min(high, 1)))
    tests = comparison.tests("fisher")
    for row, found in zip(tests.to_dicts(), comparison.pairwise_tests("fisher"), strict=True):
        assert (row["method"], row["other"], row["k"]) == ("fisher", found.other, found.k)
        assert row["difference"] == found.t_test.difference
        assert (row["t_test_p"], row["corrected_p"]) == (
            found.t_test.p_value,
            found.corrected.p_value,
        )


def tables_of(comparison):
    return {name: getattr(comparison, name)() for name in TABLES}


def test_memory_and_folder_have_the_same(done):
    comparison, out = done
    again = read_comparison(out)
    assert comparison.missing_parts() == again.missing_parts() == []
    ours, theirs = tables_of(comparison), tables_of(again)
    assert all(ours[name].equals(theirs[name]) for name in TABLES)
    files = {"features": "features", "values_by_class": "classes", "roc": "roc",
             "correlations": "correlations", "edges": "edges"}  # fmt: skip
    for name, file in files.items():
        assert pl.read_parquet(out / f"{file}.parquet").equals(ours[name])


def test_of_a_folder_only_tables_may_be_left(done, tmp_path):
    comparison, out = done
    folder = shutil.copytree(out, tmp_path / "run")
    shutil.rmtree(folder / "trials")
    shutil.rmtree(folder / "fits")
    again = read_comparison(folder)
    assert again.missing_parts() == []
    ours, theirs = tables_of(comparison), tables_of(again)
    assert all(ours[name].equals(theirs[name]) for name in TABLES)


def test_jobs_change_no_file(made, done, tmp_path):
    _, out = done
    two = tmp_path / "two"
    methods = ["ec-fs", "fisher", "mrmr"]
    compare(*made, methods, QUICK, feature_names=NAMES, out_dir=two, n_jobs=2)
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted(path.name for path in two.iterdir())
    for path in out.glob("*.parquet"):
        ours, theirs = pl.read_parquet(path), pl.read_parquet(two / path.name)
        drop = ["ranking_seconds"] if path.name == "results.parquet" else []
        assert ours.drop(drop).equals(theirs.drop(drop)), path.name
    for path in [*out.glob("fits/*.npz"), *out.glob("trials/*.npz")]:
        with np.load(path) as ours, np.load(two / path.relative_to(out)) as theirs:
            assert set(ours) == set(theirs)
            for name in set(ours) - {"rows"}:
                np.testing.assert_array_equal(ours[name], theirs[name])


def test_fits_that_are_there_are_not_made_again(made, tmp_path):
    class Counting(FisherScore):
        fits: ClassVar[list] = []

        def fit(self, X, y=None):
            self.fits.append(len(X))
            return super().fit(X, y)

    one = replace(QUICK, n_repeats=1)
    first = compare(*made, {"a": Counting(), "b": "mi"}, one, out_dir=tmp_path)
    assert Counting.fits.count(48) == 1
    (tmp_path / "fits" / "00001.npz").unlink()
    again = compare(*made, {"a": Counting(), "b": "mi"}, one, out_dir=tmp_path, resume=True)
    assert Counting.fits.count(48) == 1
    assert (tmp_path / "fits" / "00001.npz").exists()
    assert again.features().equals(first.features())


def test_many_labels_keep_names_and_curves(made):
    X, y = made
    X, Y = np.nan_to_num(X), np.column_stack([y == "sick", y == "well"])
    frame = pd.DataFrame(X, columns=NAMES)
    done = compare_labels(frame, Y, ["fisher"], replace(QUICK, n_repeats=2))
    assert done.feature_names == NAMES
    single = done.of_class("class 1")
    assert set(single.roc()["method"]) == {"fisher", "random"}
    assert set(selection_frequency(single)["feature"]) <= set(NAMES)
    with pytest.raises(DataError, match="comparisons on many labels keep none"):
        single.edges()
