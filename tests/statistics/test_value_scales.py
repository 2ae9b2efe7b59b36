"""The scale that fold changes assume, for simulated measurements with clinical columns."""

import numpy as np
import pytest
from scipy import sparse

import featrank
from featrank.exceptions import FeatrankWarning
from featrank.report import ranking_report
from featrank.statistics import class_tests, feature_tests
from tests.statistics.simulated_scales import KINDS, clinical_columns


def simulate(kind, n_clinical=0, seed=0, shape=(40, 60)):
    rng = np.random.default_rng(seed)
    X = KINDS[kind][1](rng, shape)
    return np.hstack([X, clinical_columns(rng, shape[0])[:, :n_clinical]])


def guess(X):
    return class_tests(X, np.arange(X.shape[0]) % 2).scales


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_clinical", range(4))
def test_clinical_columns_do_not_change_the_scale(kind, n_clinical):
    """In 20 simulations of 60 features and 40 samples, the guess is right, for every feature."""
    scale = KINDS[kind][0]
    for seed in range(20):
        scales = guess(simulate(kind, n_clinical, seed))
        assert scales.usual == scale
        assert (scales.of_features[:60] == scale).all()


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("kind", KINDS)
def test_sparse_data_and_blocks_give_the_same_scale(kind, form, monkeypatch):
    X = simulate(kind, 3)
    dense = class_tests(X, np.arange(40) % 2)
    monkeypatch.setattr(feature_tests, "MOST_COLUMNS", 7)
    other = class_tests(form(X), np.arange(40) % 2)
    assert other.scales.of_features.tolist() == dense.scales.of_features.tolist()
    np.testing.assert_allclose(other.log2_fold_change, dense.log2_fold_change)


def test_an_age_has_no_fold_change_and_changes_no_other():
    X = simulate("log2 intensities")
    y = np.arange(40) % 2
    alone = class_tests(X, y)
    mixed = class_tests(simulate("log2 intensities", 3), y)
    np.testing.assert_array_equal(mixed.log2_fold_change[:, :60], alone.log2_fold_change)
    assert np.isnan(mixed.log2_fold_change[:, 60:]).all()
    own, rest = mixed.mean_class[1, 60], mixed.mean_rest[1, 60]
    assert mixed.mean_difference[1, 60] == own - rest


def test_doubled_ratios_have_a_fold_change_of_1():
    X = np.abs(simulate("ratios around 1"))
    y = np.arange(40) % 2
    X[y == 1, 0] = 2 * X[y == 0, 0]
    assert class_tests(X, y).log2_fold_change[1, 0] == pytest.approx(1)


def test_doubled_counts_have_a_pseudocount():
    X = simulate("counts")
    y = np.arange(40) % 2
    tests = class_tests(X, y)
    means = X[y == 1].mean(axis=0), X[y == 0].mean(axis=0)
    np.testing.assert_allclose(tests.log2_fold_change[1], np.log2((means[0] + 1) / (means[1] + 1)))


@pytest.mark.parametrize(
    ("values", "change"), [("log2", 1.5), ("ln", 1.5 / np.log(2)), ("log10", 1.5 * np.log2(10)),
                           ("ct", -1.5), ("none", np.nan)],
)  # fmt: skip
def test_named_scales_hold_for_all_features(values, change):
    X = np.array([[5.0, 60], [5.0, 60], [6.5, 61.5], [6.5, 61.5]])
    tests = class_tests(X, [0, 0, 1, 1], values=values)
    np.testing.assert_allclose(tests.log2_fold_change[1], [change, change])
    assert tests.scales.of_features.tolist() == [values, values]


@pytest.mark.parametrize(
    ("kind", "option"),
    [("ratios around 1", 'values="log2"'), ("log1p cells", 'values="log1p"'),
     ("Ct values", 'values="ct"')],
)  # fmt: skip
def test_ambiguous_scales_are_warned_of_once(kind, option):
    X = simulate(kind)
    X = X[:, np.mean(X > 0, axis=0) > 0.25]  # rare features have a warning of their own
    rankings = featrank.rank(X, np.arange(40) % 2, "fisher", per_class=True)
    with pytest.warns(FeatrankWarning, match=option) as caught:
        rankings.to_frame(test="welch")
    rankings.to_frame(test="welch")
    assert len(caught) == 1


@pytest.mark.parametrize("kind", ["RMA", "MAS5 intensities", "counts", "z-scores", "beta values"])
def test_clear_scales_are_not_warned_of(kind):
    assert not guess(simulate(kind)).warning


def test_tables_and_json_contain_the_scale():
    X, y = simulate("RMA", 1), np.arange(40) % 2
    names = [*(f"g{j}" for j in range(60)), "age"]
    rankings = featrank.rank(X, y, "fisher", per_class=True, feature_names=names)
    report = ranking_report(rankings, test="welch")
    with pytest.warns(FeatrankWarning, match="assume log2 values, which is a guess") as caught:
        scale = report.content["test"]["value_scale"]
    assert (scale, len(caught)) == ("log2", 1)
    scales = {row["feature"]: row["value_scale"] for row in report.rows}
    assert scales.pop("age") == "none"
    assert set(scales.values()) == {"log2"}
    assert '`values="ln"`, `"log1p"`, `"log10"` or `"linear"`' in str(caught[0].message)
    assert report.notes[-1].startswith("'age' has no fold change")
    assert "values=..." not in ranking_report(rankings, test="welch", values="log2").notes[-1]


@pytest.mark.parametrize(
    ("kind", "reason"), [("z-scores", "standardised"), ("beta values", "fractions between 0 and 1")]
)
def test_values_without_ratios_get_differences_instead(kind, reason):
    rankings = featrank.rank(simulate(kind), np.arange(40) % 2, "fisher", per_class=True)
    report = ranking_report(rankings, test="welch")
    assert reason in report.notes[-1]
    heads = [column.head for column in report.shown[0].columns]
    assert "difference" in heads
    assert "log2 FC" not in heads
    assert all(np.isnan(row["log2_fold_change"]) for row in report.rows)
    assert all(np.isfinite(row["mean_difference"]) for row in report.rows)
