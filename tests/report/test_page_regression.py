"""Reports of a comparison for a quantity: nothing is said of classes, and scores are named."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from featrank._utils.strict_json import dumps
from featrank.evaluation import Protocol, compare
from featrank.report import Explorer, comparison_html_report, comparison_report, significance_report
from featrank.report.ranks import ranks_report
from featrank.report.sections import answer, data_quality

from .unpacking import unpack

# What belongs to classes alone.
OF_CLASSES = re.compile(r"\bAUC\b|\bROC\b|\bSVM\b|\bclass(es)?\b|higher in|Cohen|effect", re.I)


def made(scorer=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 20))
    y = X[:, 0] * 2 - X[:, 3] + 0.5 * rng.normal(size=60)
    protocol = Protocol(
        task="regression", n_repeats=6, n_features=(2, 5), penalties=(0.1,), scoring=scorer
    )
    return (X, y), compare(X, y, ["relieff", "laplacian"], protocol, dataset=f"made{seed}")


@pytest.fixture(scope="module")
def data_and_results():
    return made()


@pytest.fixture(scope="module")
def results(data_and_results):
    return data_and_results[1]


def seen(page):
    """Return what people read of a page: without its style, its script and the words of markup."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.S)
    return re.sub(r"<[^>]*>", " ", body)


@pytest.mark.parametrize(("scorer", "name"), [(None, "R²"), ("spearman", "Spearman's ρ")])
@pytest.mark.parametrize("layout", ["table", "markdown"])
def test_the_table_names_the_score_and_has_plain_numbers(written, scorer, name, layout):
    found = made(scorer)[1]
    text = written(comparison_report(found), layout)
    assert f"{name} of a ridge regression with the top k features of made0" in text
    assert "%" not in text
    assert f"{found.table()[0][2]:.3f}" in text
    assert not OF_CLASSES.search(text)


def test_scores_below_zero_are_shown(written, compared):
    found = compared({"mi": np.full((6, 2), -0.0425), "fisher": np.full((6, 2), 0.5)})
    found.manifest["protocol"] |= {"task": "regression", "scoring": "R²"}
    text = written(comparison_report(found), "table")
    assert "-0.043" in text or "-0.042" in text


def test_differences_are_in_the_unit_of_the_score(written, results):
    text = written(significance_report(results, "relieff"), "table")
    difference = results.pairwise_tests("relieff")[0].t_test.difference
    assert "R²\n" in text or "R² " in text
    assert f"{difference:+.3f}" in text
    assert "%" not in text


def test_ranks_over_data_sets(written, results):
    text = written(ranks_report([results, made(seed=1)[1]]), "table")
    assert "%" not in text
    assert f"{np.mean([results.table()[0][k] for k in results.n_features]):.3f}" in text


@pytest.mark.parametrize("points", [False, True])
def test_the_page_says_nothing_of_classes(written, data_and_results, points):
    data, results = data_and_results
    report = comparison_html_report(results, samples=data if points else None)
    text = seen(written(report, "html"))
    assert "Which features of made0 predict its target?" in text
    assert "reaches an R² of" in text
    assert "ρ with target" in text
    assert not OF_CLASSES.findall(text)
    assert text.count("constant") == text.count("constant features")
    dumps(report.content)


def test_single_samples_are_drawn_only_when_they_are_given(data_and_results):
    data, results = data_and_results
    plain, drawn = (results.to_html(samples=each) for each in (None, data))
    assert plain.count('class="point"') == 0
    assert drawn.count('class="point"') == 12 * 60


def test_the_table_of_features_has_correlations(results):
    [section] = [s for s in comparison_html_report(results).shown if s.key == "features"]
    [explorer] = [block for block in section.blocks if isinstance(block, Explorer)]
    about, columns = unpack(explorer.data)
    assert about["effect"] == "ρ with target"
    known = {row["feature"]: row["spearman"] for row in results.values_with_target().to_dicts()}
    expected = [known[name] for name in columns["feature"]]
    assert columns["effect"] == pytest.approx(expected, rel=1e-6)
    heads = [column.head for column in explorer.grid.columns]
    assert heads[-1] == "ρ with target"
    assert "higher in" not in heads
    assert about["commands"]["relieff"][0].startswith(
        "featrank select FILE --target COL -m relieff --task regression"
    )
    assert "--task" not in about["commands"]["laplacian"][0]


def test_no_curves_of_classes(results):
    content = comparison_html_report(results).content
    assert content["further"]["roc"] is None
    assert content["fit"]["classes"] == []
    made = content["made"]
    assert made["protocol"]["penalties"] == [0.1]


def fit_of(**target):
    usual = {"min": 0, "q25": 1, "q50": 2, "q75": 3, "max": 4, "mean": 2, "sd": 1, "values": 60}
    facts = dict.fromkeys(data_quality.NUMBERS, 0) | {"sd_range": [], "target": {**usual, **target}}
    protocol = {"inner_cv": 5, "task": "regression"}
    data = {"samples": 60, "features": 9}
    manifest = {"data": data, "facts": facts, "protocol": protocol}
    return data_quality.facts(SimpleNamespace(manifest=manifest, n_features=(5,)))


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({}, []),
        ({"values": 2}, ["The target has only 2 distinct values"]),
        ({"max": 900}, ["The target has outliers, which dominate R²"]),
    ],
)
def test_problems_of_a_target(target, words):
    sentences = data_quality.sentences(fit_of(**target))
    assert len(sentences) == len(words)
    assert all(word in text for word, text in zip(words, sentences, strict=True))


def test_facts_that_are_damaged_do_not_count():
    assert "missing" in fit_of()
    assert "missing" not in fit_of(values="many")


def test_the_answer_speaks_of_a_target():
    signal = {"p_value": 0.4, "method": "mi", "exceeding": 20, "permutations": 50, "reason": ""}
    facts = {
        "best": "mi", "k": 5, "data": "made", "scoring": "R²", "estimator": "ridge regression",
        "regression": True, "leaky": False, "trials": 9, "planned": 9, "methods": 1, "failed": {},
        "score": 0.7, "low": 0.6, "high": 0.8, "random": 0.65, "signal": signal, "choice": [],
        "best_k": 5, "best_score": 0.7, "rivals": None, "named": [], "stability": 0.9, "always": 5,
        "all_features": 50,
    }  # fmt: skip
    first, second, *_ = answer.sentences(facts)
    assert first.startswith("There is no evidence that the features predict the target: with ")
    assert "permuted target values" in first
    assert "reaches an R² of 0.700" in second
