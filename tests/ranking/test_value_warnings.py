"""Raw counts and intensities without logarithm: when featrank warns, and what a transform does."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)

import featrank
from featrank.evaluation import Protocol, compare
from featrank.ranking.value_warnings import value_warning
from featrank.statistics.feature_tests import class_tests

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def counts(n=40, n_features=500, ratio=2.0, seed=0):
    """Return counts without a difference between the classes except for sequencing depth."""
    rng, y = np.random.default_rng(seed), np.arange(n) % 2
    means = rng.lognormal(4, 1.5, n_features)
    depth = np.where(y == 1, ratio, 1.0) * rng.lognormal(0, 0.1, n)
    return rng.poisson(rng.gamma(10, means / 10, (n, n_features)) * depth[:, None]), y


def intensities(n=40, n_features=300, seed=0):
    rng = np.random.default_rng(seed)
    return 2 ** (rng.normal(8, 2, n_features) + rng.normal(0, 0.5, (n, n_features)))


def about(result, word="look like"):
    return [str(one) for one in result.warnings if word in str(one)]


def n_significant(X, y):
    p = class_tests(X, y, "welch", values="none").p_adjusted[0]
    return int((np.asarray(p) < 0.05).sum())


def test_depth_alone_makes_features_significant_and_a_transform_does_not():
    X, y = counts()
    raw = featrank.rank(X, y, "fisher")
    fixed = featrank.rank(X, y, "fisher", transform="cpm,log1p")
    assert "totals of the samples differ" in about(raw)[0]
    assert raw.warnings[0].severity == "serious"
    assert "counts were not normalised" in raw.methods_section()
    assert about(fixed) == []
    assert "counts per million" in fixed.methods_section()
    assert n_significant(X, y) > 400
    assert n_significant(fixed.data.X, y) < 10


@pytest.mark.parametrize("transform", ["log1p", "sqrt"])
def test_a_transform_without_totals_still_warns_of_depth(transform):
    X, y = counts()
    assert "totals" in about(featrank.rank(X, y, "fisher", transform=transform))[0]


def test_counts_of_equal_depth_are_a_caution():
    X, y = counts(ratio=1.0)
    warning = value_warning(X, y)
    assert warning.severity == "caution"
    assert "raw counts" in str(warning)
    assert "differ between" not in str(warning)


def test_equal_depths_rarely_look_different():
    rng = np.random.default_rng(0)
    found = [value_warning(*counts(20, 60, 1.0, rng.integers(10**6))) for _ in range(200)]
    assert np.mean([one.severity == "serious" for one in found]) <= 0.02


def test_double_depth_is_found():
    found = [value_warning(*counts(20, 60, 2.0, seed)) for seed in range(50)]
    assert np.mean([one.severity == "serious" for one in found]) >= 0.95


@pytest.mark.parametrize("make", [csr_matrix, pd.DataFrame, pl.DataFrame, np.ndarray.tolist])
def test_counts_in_any_container(make):
    X, y = counts(n_features=80)
    assert "totals" in str(value_warning(make(X), y))


def test_counts_that_are_sparse_and_wide():
    X, y = counts(n_features=3000)
    assert "medians up to 1.9 times" in str(value_warning(csr_matrix(X), y))


def test_intensities_need_a_logarithm():
    X, y = intensities(), np.arange(40) % 2
    assert "without logarithm" in about(featrank.rank(X, y, "fisher"))[0]
    assert about(featrank.rank(X, y, "fisher", transform="log2")) == []
    assert about(featrank.rank(np.log2(X), y, "fisher")) == []


@pytest.mark.parametrize(
    "load", [load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine]
)
def test_other_tables_do_not_warn(load):
    X, y = load(return_X_y=True)
    task = {"task": "regression"} if load is load_diabetes else {}
    assert about(featrank.rank(X, y, "fisher", **task)) == []


def test_mixed_columns_codes_and_images_do_not_warn():
    rng = np.random.default_rng(0)
    mixed = np.c_[rng.normal(0, 1, (50, 60)), rng.integers(18, 90, (50, 20))]
    codes, images = rng.integers(0, 6, (50, 80)), rng.integers(0, 256, (50, 80))
    methylation = rng.beta(2, 2, (50, 80))
    for X in (mixed, codes, images, methylation, 1000 * methylation):
        assert value_warning(X, np.arange(50) % 2) is None


def test_comparisons_warn_unless_they_transform():
    X, y = counts(n_features=60)
    protocol = {"n_repeats": 1, "n_features": (5,), "C": (1.0,), "inner_cv": 2}
    raw = compare(X, y, ["fisher"], Protocol(**protocol))
    fixed = compare(X, y, ["fisher"], Protocol(transform="cpm,log1p", **protocol))
    assert "totals" in about(raw)[0]
    assert about(fixed) == []
    assert "The counts were not normalised" in raw.methods_section()


def test_the_values_of_a_file_are_checked_before_their_transform(tmp_path):
    X, y = counts(n_features=60)
    frame = pl.DataFrame(X, [f"g{j}" for j in range(60)]).with_columns(dx=y)
    path = tmp_path / "counts.csv"
    frame.write_csv(path)
    assert "totals" in about(featrank.rank_file(path, "dx", "fisher"))[0]
    assert "totals" in about(featrank.rank_file(path, "dx", "fisher", transform="log1p"))[0]
    ranking = featrank.rank_file(path, "dx", "fisher", transform="cpm,log1p")
    assert about(ranking) == []
    assert ranking.provenance.preprocessing["transform"] == "cpm,log1p"
    same = featrank.rank(X, y, "fisher", transform="cpm,log1p")
    np.testing.assert_array_equal(ranking.scores, same.scores)


@pytest.mark.parametrize("library", [pd, pl])
def test_a_transformed_frame_keeps_its_names_and_library(library):
    X, y = counts(n_features=60)
    names = [f"g{j}" for j in range(60)]
    frame = pd.DataFrame(X, columns=names) if library is pd else pl.DataFrame(X, names)
    ranking = featrank.rank(frame, y, "fisher", transform="cpm,log1p")
    assert ranking.feature_names == names
    assert isinstance(ranking.to_frame(3), library.DataFrame)


def test_values_in_chunks_cannot_be_transformed():
    X, y = counts(n_features=60)
    source = featrank.sources.Blocks([X.astype(float)])
    with pytest.raises(featrank.exceptions.UsageError, match="in chunks"):
        featrank.rank(source, y, "fisher", transform="cpm")


def test_select_writes_the_original_values_and_says_so(tmp_path):
    X, y = counts(n_features=60)
    path, out = tmp_path / "counts.csv", tmp_path / "small.csv"
    pl.DataFrame(X, [f"g{j}" for j in range(60)]).with_columns(dx=y).write_csv(path)
    done = featrank.select_file(path, out, "dx", "fisher", top=3, transform="cpm,log1p")
    assert "transformed values (cpm,log1p)" in done.ranking.notes()[-1]
    best = [int(name[1:]) for name in done.kept]
    np.testing.assert_array_equal(pl.read_csv(out)[done.kept].to_numpy(), X[:, best])
    plain = featrank.select_file(path, out, "dx", "fisher", top=3)
    assert not any("transformed" in note for note in plain.ranking.notes())
    assert "totals" in about(plain.ranking)[0]
