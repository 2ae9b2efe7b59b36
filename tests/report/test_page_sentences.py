"""The sentences of the other sections of the HTML report, from their facts."""

import pytest

from featrank.report.sections import data_quality, how_many, provenance, redundant

DATA = {
    "samples": 100,
    "features": 500,
    "classes": ["sick", "well"],
    "inner_cv": 5,
    "largest_k": 50,
    "class_sizes": [50, 50],
    "missing": 0.0,
    "features_with_missing": 0,
    "samples_with_missing": 0,
    "zeros": 0.1,
    "constant": 0,
    "duplicate_features": 0,
    "duplicate_rows": 0,
    "sd_range": [1.0, 2.0, 3.0],
}


def test_good_data_has_no_problems():
    assert data_quality.sentences(DATA) == []
    assert "No problems found in the data." in data_quality.section(DATA).blocks[0].content


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"class_sizes": [93, 7]}, "The smallest class has only 7 samples"),
        ({"class_sizes": [988, 12], "samples": 1000}, "The smallest class has 1 % of samples."),
        ({"samples": 30, "class_sizes": [15, 15]}, "There are only 30 samples"),
        ({"duplicate_rows": 1}, "1 sample is a duplicate, which"),
        ({"duplicate_rows": 3}, "3 samples are duplicates"),
        ({"missing": 0.05, "features_with_missing": 7}, "5.0 % of the values are missing, in 7"),
        ({"missing": 0.0001, "features_with_missing": 1}, "Less than 0.1 % of the values"),
        ({"missing": 0.05, "features_with_missing": 1}, "missing, in 1 feature. They were imputed"),
        ({"constant": 4}, "4 features are constant."),
        ({"constant": 1}, "1 feature is constant."),
        ({"duplicate_features": 2}, "2 features are duplicates."),
        ({"sd_range": [0.01, 1.0, 500.0]}, "Standard deviations of features range from 0.01 to"),
        ({"constant": 480}, "Fewer features vary than were selected."),
    ],
)
def test_problems_of_the_data(changes, text):
    assert any(text in sentence for sentence in data_quality.sentences({**DATA, **changes}))


def test_results_without_facts_of_the_data():
    old = {key: DATA[key] for key in ("samples", "features", "classes", "inner_cv", "largest_k")}
    assert "contain no description of the data" in data_quality.section(old).blocks[0].content


def curve(*means, method="mi"):
    return [
        {
            "method": method,
            "k": 10 * place,
            "mean": mean,
            "error": 0.02,
            "low": mean - 0.04,
            "high": mean + 0.04,
        }
        for place, mean in enumerate(means, 1)
    ]


@pytest.mark.parametrize(
    ("means", "enough", "text"),
    [
        (
            (0.8, 0.9, 0.91),
            20,
            "mi scores best with 30 features. With 20, its score is within 0.01",
        ),
        ((0.9, 0.8, 0.7), 10, "mi scores best with 10 features."),
        ((0.7, 0.8, 0.9), 30, "More may do better."),
    ],
)
def test_how_many(means, enough, text):
    facts = {
        "scoring": "ROC AUC",
        "n_features": [10, 20, 30],
        "methods": {"mi": curve(*means)},
        "baseline": curve(0.5, 0.5, 0.5, method="random"),
        "enough": {"mi": enough},
        "best": "mi",
    }
    sentence, figure = how_many.section(facts).blocks
    assert text in sentence.content
    assert f"{enough} are enough for" in figure.svg
    assert [row[0] for row in figure.numbers.rows] == ["mi", "random"]


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ([], "No group of the top 3 features has a mean absolute correlation of 0.8"),
        ([["a", "b"]], "2 of the top 3 features form 1 group with a mean"),
    ],
)
def test_redundancy(groups, text):
    table = [[1, 0.9, 0.0], [0.9, 1, 0.0], [0.0, 0.0, 1]]
    facts = {
        "method": "mi",
        "features": ["a", "b", "c"],
        "correlations": table,
        "groups": groups,
        "threshold": 0.8,
    }
    assert text in redundant.section(facts).blocks[0].content


def test_folders_of_the_machine_stay_out_of_the_command():
    words = [
        "/home/somebody/.venv/bin/featrank",
        "compare",
        "/data/my/x.csv",
        "--out-dir=/tmp/me/r",
    ]
    assert provenance.bare_command(words) == ["featrank", "compare", "x.csv", "--out-dir=r"]
    assert provenance.bare_command(["/usr/lib/featrank/__main__.py", "-h"]) == ["featrank", "-h"]
