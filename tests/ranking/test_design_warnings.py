"""Small classes, and batches that go with the class: when featrank warns, and how often."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from scipy.stats import chi2_contingency
from scipy.stats.contingency import association

import featrank
from featrank.evaluation import Protocol, compare
from featrank.exceptions import FeatrankWarning
from featrank.ranking.design_warnings import (
    batch_warnings,
    contingency_table,
    cramers_v,
    independence_p,
    small_classes,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
PROTOCOL = Protocol(n_repeats=1, n_features=(2,), C=(1.0,), inner_cv=2)


def messages(result, word):
    return [str(one) for one in result.warnings if word in str(one)]


def warned(codes, batches):
    return batch_warnings(codes, batches, {})[0] is not None


def noise(n_samples, n_features=30, seed=0):
    return np.random.default_rng(seed).normal(5, 1, size=(n_samples, n_features))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("method", ["ec-fs", "fisher", "relieff"])
def test_noise_with_two_against_two_samples_always_warns(seed, method):
    ranking = featrank.rank(noise(4, seed=seed), [0, 0, 1, 1], method)
    found = messages(ranking, "fewer than 5 samples")
    assert len(found) == 1
    assert "p-value below 0.33" in found[0]
    assert ranking.warnings[0].severity == "serious"
    assert "The smallest class had only 2 samples." in ranking.methods_section()


def test_the_share_of_features_that_separate_by_chance():
    labels = np.array([0, 0, 0, 1, 1])
    ranks = np.array(list(permutations(range(5))))
    perfect = np.abs(ranks[:, labels == 1].mean(axis=1) - ranks[:, labels == 0].mean(axis=1)) == 2.5
    assert f"{100 * perfect.mean():.0f} % of all features" in str(small_classes([3, 2], "ab"))


def test_a_few_samples_against_many_are_a_caution():
    assert small_classes([3, 40], "ab").severity == "caution"
    assert small_classes([4, 4], "ab").severity == "caution"
    assert small_classes([3, 3], "ab").severity == "serious"
    assert small_classes([5, 5, 7], "abc") is None
    assert small_classes([9], "a") is None


def test_a_comparison_of_small_classes_warns():
    done = compare(noise(8), np.arange(8) % 2, ["fisher"], PROTOCOL)
    assert len(messages(done, "fewer than 5 samples")) == 1


def test_regression_and_unsupervised_methods_have_no_classes():
    X = noise(4)
    assert not messages(featrank.rank(X, X[:, 0], "fisher", task="regression"), "5 samples")
    assert not messages(featrank.rank(X, None, "laplacian"), "5 samples")


def test_cramers_v_without_correction_is_that_of_scipy():
    table = np.array([[300, 100, 50], [90, 310, 120]])
    assert cramers_v(table) == pytest.approx(association(table, "cramer"), abs=0.01)


def test_the_p_value_is_that_of_scipy():
    table = np.array([[16, 4], [9, 11]])
    assert independence_p(table) == pytest.approx(chi2_contingency(table, correction=False).pvalue)
    small = np.array([[3, 1], [0, 4]])
    assert independence_p(small) == pytest.approx(0.1429, abs=0.03)  # Fisher's exact test


@pytest.mark.parametrize(("n", "classes", "batches"), [(12, 2, 2), (40, 2, 5), (60, 3, 4)])
def test_batches_that_are_independent_of_the_class_rarely_warn(n, classes, batches):
    rng, codes = np.random.default_rng(0), np.arange(n) % classes
    rate = np.mean([warned(codes, rng.integers(0, batches, n)) for _ in range(300)])
    assert rate <= 0.03


@pytest.mark.parametrize(("n", "power"), [(40, 0.88), (60, 0.97), (100, 0.99)])
def test_batches_with_four_fifths_of_a_class_warn(n, power):
    rng, codes = np.random.default_rng(0), np.arange(n) % 2
    drawn = [np.where(rng.random(n) < 0.8, codes, 1 - codes) for _ in range(300)]
    assert np.mean([warned(codes, each) for each in drawn]) >= power


def test_a_batch_of_which_exactly_four_fifths_are_of_a_class_warns():
    codes = np.repeat([0, 1], 20)
    batches = np.r_[[0] * 16, [1] * 4, [0] * 4, [1] * 16]
    found = batch_warnings(codes, batches, {})[0]
    assert found.severity == "serious"
    assert "Cramér's V 0.59" in str(found)
    assert "associated with the class (Cramér's V = 0.59)" in found.limitation


def test_patients_of_one_class_each_do_not_warn():
    codes = np.repeat([0, 1], 30)
    assert not warned(codes, np.repeat(np.arange(20), 3))


def associated(n=60, seed=1):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return noise(n, seed=seed), y, np.where(rng.random(n) < 0.85, y, 1 - y)


def test_rankings_and_comparisons_warn_of_groups():
    X, y, batch = associated()
    groups = np.array(["monday", "friday"])[batch]
    ranking = featrank.rank(X, y, groups=groups)
    done = compare(
        X, y, ["fisher"], PROTOCOL, groups=np.char.add(groups, np.arange(60).astype("U"))
    )
    assert len(messages(ranking, "2 groups are associated")) == 1
    assert "The groups were associated" in ranking.methods_section()
    assert not messages(done, "associated")  # one group per sample


def test_a_feature_that_is_named_like_a_batch_is_checked():
    X, y, batch = associated()
    frame = pl.DataFrame(X, [f"g{j}" for j in range(X.shape[1])]).with_columns(batch_id=batch)
    for result in (featrank.rank(frame, y, "mi"), compare(frame, y, ["mi"], PROTOCOL)):
        assert len(messages(result, "values of 'batch_id' are associated")) == 1
    assert not messages(featrank.rank(frame.rename({"batch_id": "age"}), y, "mi"), "associated")


def write_table(folder, plate):
    X, y, _ = associated()
    frame = pl.DataFrame(X, [f"g{j}" for j in range(X.shape[1])])
    frame.with_columns(plate=pl.Series(plate), dx=y).write_csv(folder / "table.csv")
    return folder / "table.csv"


@pytest.mark.parametrize("call", [featrank.rank_file, featrank.compare_file])
def test_a_column_of_a_file_that_is_named_like_a_batch_is_checked(call, tmp_path):
    batch = associated()[2]
    path = write_table(tmp_path, np.array(["p1", "p2"])[batch])
    given = ["fisher"] if call is featrank.rank_file else [["fisher"], PROTOCOL]
    assert len(messages(call(path, "dx", *given, drop="plate"), "values of 'plate' are")) == 1
    path = write_table(tmp_path, np.array(["p1", "p2"])[np.repeat([0, 1], 30)])
    assert not messages(call(path, "dx", *given, drop="plate"), "'plate'")


def test_obs_columns_that_are_named_like_a_batch_are_checked():
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    X, y, batch = associated()
    obs = pandas.DataFrame(
        {"cell_type": np.array(["T", "B"])[y], "batch": np.array(["a", "b"])[batch]},
        index=[f"c{i}" for i in range(len(y))],
    )
    adata = anndata.AnnData(X, obs=obs)
    for per_class in (False, True):
        ranking = featrank.rank(adata, "cell_type", "fisher", per_class=per_class)
        assert len(messages(ranking, "values of 'batch' are associated")) == 1


def test_warnings_are_issued_and_not_only_kept():
    with pytest.warns(FeatrankWarning, match="fewer than 5 samples"):
        featrank.rank(noise(4), [0, 0, 1, 1], "fisher")


def test_tables_have_no_empty_rows_or_columns():
    assert contingency_table(np.array([0, 2, 2]), ["b", "b", "a"]).tolist() == [[0, 1], [1, 1]]
