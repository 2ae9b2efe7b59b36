"""Tests over trials and over data sets, through their reports."""

import json

import numpy as np
import pytest
from scipy import stats

from featrank import plots
from featrank.exceptions import DataError, UsageError
from featrank.report import ranks_report, significance_report
from featrank.statistics import nemenyi, wilcoxon_holm

from .harmless import AWKWARD, require_harmless

METHODS = ("ec-fs", "fisher", "mi", "relieff")


def noisy(seed, methods=METHODS, trials=6):
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(0.9 - 0.1 * place, 0.02, size=(trials, 2))
        for place, name in enumerate(methods)
    }


@pytest.fixture
def sets(compared):
    return [compared(noisy(seed), dataset=f"set {seed}") for seed in range(3)]


def test_p_values_of_trials_are_scipys(compared):
    scores = noisy(0)
    report = significance_report(compared(scores), against="mi", n_features=[6])
    assert [(row["method"], row["other"], row["k"]) for row in report.rows] == [
        ("mi", other, 6) for other in ("ec-fs", "fisher", "relieff")
    ]
    for row in report.rows:
        expected = stats.ttest_ind(scores["mi"][:, 1], scores[row["other"]][:, 1]).pvalue
        assert row["t_test_p"] == pytest.approx(expected)
    assert report.content["tests"] == report.rows
    assert (report.content["schema"], report.content["trials"]) == ("featrank/significance", 6)


@pytest.mark.parametrize(
    ("tests", "columns"),
    [
        (None, ["normality_p", "other_normality_p", "t_test_p", "corrected_p"]),
        (["corrected"], ["corrected_p"]),
        (["corrected", "t-test"], ["normality_p", "other_normality_p", "t_test_p", "corrected_p"]),
    ],
)
def test_only_the_tests_asked_for(compared, tests, columns):
    report = significance_report(compared(noisy(0)), tests=tests)
    assert list(report.rows[0])[4:] == columns
    assert len(report.shown[1].columns) == 3 + len(columns)


def test_a_method_without_scores_has_dashes(compared, written):
    scores = {**noisy(0), "mi": np.full((6, 2), np.nan)}
    report = significance_report(compared(scores))
    assert "nan" not in written(report, "table")
    assert next(row for row in report.rows if row["other"] == "mi")["difference"] != 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"against": "m"}, "Did you mean 'mi'"),
        ({"n_features": [4]}, "`n_features=4` is not in these results, which have 3, 6"),
        ({"tests": ["nemenyi"]}, "test of one data set"),
    ],
)
def test_refusals_of_one(compared, call, words):
    with pytest.raises(UsageError, match=words):
        significance_report(compared(noisy(0)), **call)


def test_too_little_to_test(compared):
    with pytest.raises(DataError, match="a single method"):
        significance_report(compared(noisy(0, ["mi"])))
    with pytest.raises(DataError, match="4 trials are too few for a test"):
        significance_report(compared(noisy(0, trials=4)))


def test_ranks_are_those_of_the_means(sets, written):
    report = ranks_report(sets)
    content = report.content
    means = [[noisy(seed)[name].mean() for name in METHODS] for seed in range(3)]
    np.testing.assert_allclose(np.array(list(content["scores"].values())).T, means)
    expected = stats.rankdata(-np.array(means), axis=1).mean(axis=0)
    assert content["nemenyi"]["average_ranks"] == pytest.approx(
        dict(zip(METHODS, expected, strict=True))
    )
    assert content["friedman"]["p"] == pytest.approx(
        stats.friedmanchisquare(*np.transpose(means)).pvalue
    )
    assert [row["holm_p"] for row in report.rows] == [
        pair.adjusted_p_value for pair in wilcoxon_holm(means, METHODS, control="ec-fs")
    ]
    # All but what JSON has no number for: the order is the same in every set, and F infinite.
    found = json.loads(written(report, "json"))
    assert content["friedman"].pop("f_statistic") == np.inf
    assert found["friedman"].pop("f_statistic") is None
    assert found == content


def test_a_bar_a_column(sets, written):
    """Methods of one group share a column, in every layout: a bar cannot slip into another's."""
    report = ranks_report(sets)
    groups = report.content["nemenyi"]["groups"]
    assert len(groups) == 2
    grid = report.shown[1]
    for place, group in enumerate(groups, 1):
        assert [line[3] for line in grid.rows if line[place]] == group
    lines = [line for line in written(report, "markdown").splitlines() if "┃ |" in line]
    assert [[bool(cell.strip()) for cell in line.split("|")[2:4]] for line in lines] == [
        [name in group for group in groups] for name in METHODS
    ]


def test_without_pairs_rows_are_ranks(sets):
    for test in ("nemenyi", "friedman"):
        rows = ranks_report(sets, tests=[test]).rows
        assert [list(row) for row in rows] == [["method", "average_rank"]] * 4
        assert sum(row["average_rank"] for row in rows) == pytest.approx(10)


def test_what_is_left_out_is_noted(compared):
    first, second = noisy(0), noisy(1)
    del second["mi"]
    first["relieff"][:] = np.nan
    report = ranks_report([compared(first, dataset="a"), compared(second, dataset="b")])
    assert list(report.content["scores"]) == ["ec-fs", "fisher"]
    assert report.notes == ["Excluded, because they have no scores in some folder: mi, relieff."]
    assert "friedman" not in report.content
    with pytest.raises(DataError, match="three methods"):
        ranks_report(
            [compared(first, dataset="a"), compared(second, dataset="b")], tests=["friedman"]
        )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"against": "mrmr"}, "Unknown method 'mrmr'"),
        ({"tests": ["t-test"]}, "test of several data sets"),
        ({"n_features": [5]}, "all these results have: 3, 6"),
    ],
)
def test_refusals_of_several(sets, call, words):
    with pytest.raises(UsageError, match=words):
        ranks_report(sets, **call)


def test_names_do_nothing_in_any_layout(compared, written):
    methods = (AWKWARD, "fisher", "mi")
    found = [compared(noisy(seed, methods), dataset=f"{AWKWARD} {seed}") for seed in range(2)]
    require_harmless(ranks_report(found), written)
    require_harmless(significance_report(found[0], against=AWKWARD), written)


def test_the_diagram_has_the_ranks_of_the_report(sets):
    pytest.importorskip("matplotlib")
    content = ranks_report(sets).content
    axes = plots.CriticalDifferenceDisplay.from_results(sets).ax_
    texts = [text.get_text().strip() for text in axes.texts]
    for name, rank in content["nemenyi"]["average_ranks"].items():
        assert any(set(text.split()) == {name, f"{rank:.2f}"} for text in texts), name
    means = np.array(list(content["scores"].values())).T
    critical = nemenyi(means, METHODS).critical_difference
    assert f"critical difference {critical:.2f}" in texts
