"""The statistic of ``.rnk`` files, against SciPy's."""

import numpy as np
import pytest
import zarr
from scipy import sparse, stats

import featrank
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.ranking.signed_statistic import correlation_t, signed_statistic
from featrank.sources import Blocks
from featrank.summaries import FeatureRanges


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.array(["normal", "tumour"])[np.arange(50) % 2]
    X = rng.normal(6, 1, (50, 40)) * rng.uniform(0.5, 3, 40)
    X[y == "tumour", 0] += 4
    X[y == "tumour", 1] -= 4
    return X, y


def welch(X, own):
    return stats.ttest_ind(X[own], X[~own], equal_var=False, nan_policy="omit").statistic


@pytest.mark.parametrize(
    ("method", "form"),
    [("ec-fs", np.array), ("fisher", sparse.csr_matrix), ("relieff", np.array)],
)
def test_two_classes_have_the_sign_of_the_second(data, method, form):
    X, y = data
    found = signed_statistic(featrank.rank(form(X), y, method))
    np.testing.assert_allclose(found.values, welch(X, y == "tumour"))
    expected = "Welch's t: positive values are higher in 'tumour' than in 'normal'"
    assert found.description == expected


def test_a_named_class_has_positive_values(data):
    X, y = data
    found = signed_statistic(featrank.rank(X, y, "fisher"), "normal")
    np.testing.assert_allclose(found.values, welch(X, y == "normal"))
    assert "higher in 'normal' than in 'tumour'" in found.description


def test_one_class_against_the_rest(data):
    X, _ = data
    y = np.arange(50) % 3
    rankings = featrank.rank(X, y, "fisher", per_class=True)
    for label in range(3):
        found = signed_statistic(rankings[label])
        np.testing.assert_allclose(found.values, welch(X, y == label))
        assert f"higher in '{label}' than in the rest" in found.description
    everything = featrank.rank(X, y, "fisher")
    np.testing.assert_allclose(signed_statistic(everything, 2).values, welch(X, y == 2))
    with pytest.raises(UsageError, match=r"there are 3 classes\. Use `of_class=\.\.\.`"):
        signed_statistic(everything)
    with pytest.raises(UsageError, match="Unknown class '3'"):
        signed_statistic(everything, 3)


def test_missing_values_are_ignored(data):
    X, y = data
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    found = signed_statistic(featrank.rank(X, y, "relieff"))
    np.testing.assert_allclose(found.values, welch(X, y == "tumour"))


@pytest.mark.parametrize("missing", [0, 0.1])
def test_data_in_chunks(data, missing, tmp_path, monkeypatch):
    monkeypatch.setattr("featrank.data.reader.Reader.block_bytes", lambda self, source: 2000)
    X, y = data
    X[np.random.default_rng(1).random(X.shape) < missing] = np.nan
    group = zarr.open_group(tmp_path / "data.zarr", mode="w")
    group.create_array("X", data=X, chunks=(50, 4))
    group.create_array("y", data=(y == "tumour").astype(np.int8))
    ranking = featrank.rank(tmp_path / "data.zarr", method="fisher", missing="skip")
    found = signed_statistic(ranking)
    np.testing.assert_allclose(found.values, welch(X, y == "tumour"))
    ranking.save(tmp_path / "data.rnk")
    assert len((tmp_path / "data.rnk").read_text().splitlines()) == 40


def test_data_that_can_be_read_once(data):
    X, y = data
    ranges = FeatureRanges.given(["normal", "tumour"], X.min(axis=0), X.max(axis=0))
    ranking = featrank.rank(Blocks(iter([X]), n_features=40), y, "fisher", ranges=ranges)
    with pytest.raises(UsageError, match="can be read only once"):
        signed_statistic(ranking)


def test_regression_has_the_t_of_the_correlation(data):
    X, _ = data
    y = 3 * X[:, 0] - X[:, 1] + np.random.default_rng(1).normal(size=50)
    X[::9, 5] = np.nan
    found = signed_statistic(featrank.rank(X, y, "relieff", task="regression"))
    for j in range(40):
        known = ~np.isnan(X[:, j])
        line = stats.linregress(X[known, j], y[known])
        assert found.values[j] == pytest.approx(line.slope / line.stderr)
    assert "Pearson's correlation" in found.description


@pytest.mark.parametrize("unit", [1e-100, 1e-9, 1.0, 1e100])
def test_units_do_not_matter(unit):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    np.testing.assert_allclose(correlation_t(X * unit, y), correlation_t(X, y))
    np.testing.assert_allclose(correlation_t(X, y * unit), correlation_t(X, y))


def test_undefined_and_infinite_values():
    y = np.arange(20) % 2
    X = np.column_stack([y, 1 - y, np.ones(20), np.random.default_rng(0).normal(size=20)])
    with pytest.warns(FeatrankWarning, match="'x0', 'x1' are each a copy of the target"):
        ranking = featrank.rank(X, y, "fisher")
    values = signed_statistic(ranking).values
    largest = abs(values[3])
    assert values.tolist() == [2 * largest, -2 * largest, 0, values[3]]
    line = np.arange(20.0)
    t = correlation_t(np.column_stack([2 * line, -line, np.ones(20)]), line)
    assert t.tolist()[:2] == [np.inf, -np.inf]
    assert np.isnan(t[2])


def test_noise_is_near_0_and_signal_is_not():
    """Scores of EC-FS are positive, and those of noise features may be close to the maximum."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(8, 1, (60, 500))
    X[y == 1, :20] += 2.5
    values = np.abs(signed_statistic(featrank.rank(X, y, "ec-fs", alpha=0.5)).values)
    assert np.quantile(values[20:], 0.95) < 0.3 * values.max()
    assert values[:20].min() > values[20:].max()


def test_no_target():
    X = np.random.default_rng(0).normal(size=(20, 4))
    with pytest.raises(UsageError, match="A signed statistic needs a target"):
        signed_statistic(featrank.rank(X, method="laplacian"))
    with pytest.raises(UsageError, match=r"featrank.rank\(X, y\)"):
        signed_statistic(featrank.Ranking("fisher", {}, ["a"], np.ones(1)))
