"""Sections of the report of a ranking on p-values and on standardised values."""

import re

import numpy as np
import pytest

import featrank
from featrank.report import ranking_html_report
from featrank.report.sections import heat_map


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.repeat(["sick", "well"], 20)
    X = rng.normal(8, 1, (40, 60))
    X[y == "well", :4] += 3
    X[y == "well", 4:6] -= 3
    return X, y


@pytest.fixture(scope="module")
def ranking(data):
    return featrank.rank(*data, "fisher")


def section_of(report, key):
    return next((section for section in report.shown if section.key == key), None)


def test_the_report_counts_significant_features(ranking):
    report = ranking_html_report(ranking)
    tested = report.content["test"]
    adjusted = ranking.tested("welch").p_adjusted[1]
    assert tested["significant"] == np.sum(adjusted <= 0.05) >= 6
    assert (tested["name"], tested["class"], tested["compared_with"]) == ("welch", "well", "sick")
    sentence = section_of(report, "significant").blocks[0].content
    assert f"{tested['significant']} of 60 features are significant" in sentence
    assert "Welch's t-test of each feature, well against sick" in sentence
    smallest = [row["p_value"] for row in tested["smallest_p"]]
    np.testing.assert_allclose(smallest, np.sort(ranking.tested("welch").p_value[1])[:12])


def test_significant_features_are_dots_on_their_side(ranking):
    svg = section_of(ranking_html_report(ranking), "significant").blocks[1].svg
    change, adjusted = (
        getattr(ranking.tested("welch"), name)[1] for name in ("log2_fold_change", "p_adjusted")
    )
    for klass, sign in (("warm", 1), ("cool", -1)):
        found = re.findall(rf'class="dot {klass}"><title>(\w+):', svg)
        wanted = np.flatnonzero((adjusted <= 0.05) & (np.sign(change) == sign))
        assert sorted(found) == sorted(f"x{j}" for j in wanted)
    assert svg.count('class="cloud"') == 1


def test_no_test_leaves_the_section_out(ranking, data):
    report = ranking_html_report(ranking, test=None)
    assert section_of(report, "significant") is None
    assert report.content["test"] is None
    X, _ = data
    of_three = featrank.rank(X, np.arange(40) % 3, "fisher")
    report = ranking_html_report(of_three)
    assert section_of(report, "significant") is None
    assert section_of(report, "heat-map") is not None


def test_the_given_test_and_scale_reach_the_report(ranking):
    tested = ranking_html_report(ranking, test="wilcoxon", values="linear").content["test"]
    assert (tested["name"], tested["value_scale"]) == ("wilcoxon", "linear")


def test_one_class_against_the_rest_has_both_sections(data):
    X, _ = data
    one = featrank.rank(X, np.arange(40) % 3, "fisher", per_class=True)[1]
    report = ranking_html_report(one)
    assert report.content["test"]["compared_with"] == "the rest"
    groups = report.content["heat_map"]["groups"]
    assert [group["class"] for group in groups] == ["1", "rest"]


def test_p_of_0_and_a_single_feature_can_be_drawn():
    y = np.repeat([0, 1], 4)
    ranking = featrank.rank((8.0 + y)[:, None], y, "fisher")
    svg = section_of(ranking_html_report(ranking, values="log2"), "significant").blocks[1].svg
    assert ranking.tested("moderated-t", "log2").p_value[1] == 0
    assert "x0: +1, FDR 0" in svg
    assert "nan" not in svg
    assert "inf" not in svg


def test_many_features_stay_small():
    rng = np.random.default_rng(0)
    X, y = rng.normal(8, 1, (20, 20_000)), np.repeat([0, 1], 10)
    svg = (
        section_of(ranking_html_report(featrank.rank(X, y, "fisher")), "significant").blocks[1].svg
    )
    assert len(svg) < 400_000


def test_tiles_are_standardised_values():
    values = np.array([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0], [7.0, np.nan]])
    facts = heat_map.facts(values, ["a", "b"], np.array([0, 0, 1, 1]), ["low", "high"], True)
    sd = np.std([1, 3, 5, 7], ddof=1)
    low, high = facts["groups"]
    assert low["columns"] == [[round(-3 / sd, 3), 0.0], [round(-1 / sd, 3), 0.0]]
    assert high["columns"] == [[round(1 / sd, 3), 0.0], [round(3 / sd, 3), None]]
    assert (low["mean"][0], high["mean"][1]) == (round(-2 / sd, 3), 0.0)


def test_samples_are_drawn_on_request_only(ranking):
    plain, pointed = (
        ranking_html_report(ranking, points=points).content["heat_map"] for points in (False, True)
    )
    assert [len(group["columns"]) for group in plain["groups"]] == [5, 5]
    assert [len(group["columns"]) for group in pointed["groups"]] == [20, 20]
    assert len(plain["features"]) == heat_map.SHOWN


def test_notes_say_what_the_test_ignores(data, ranking):
    X, y = data
    groups, weights = np.arange(40) // 2, np.ones(40)
    grouped = featrank.rank(X, y, groups=groups)
    weighted = featrank.rank(X, y, "fisher", sample_weight=weights)
    for one, part in ((grouped, "p-values are too small"), (weighted, "do not use the weights")):
        assert part in section_of(ranking_html_report(one), "significant").blocks[0].content
        assert part not in section_of(ranking_html_report(ranking), "significant").blocks[0].content
