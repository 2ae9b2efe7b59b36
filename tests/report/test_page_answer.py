"""Each kind of sentence of the answer, from its facts."""

import pytest

from featrank.report.document import Grid, Paragraph
from featrank.report.sections.answer import section, sentences

SIGNAL = {
    "p_value": 0.00498,
    "score": 0.85,
    "permutations": 200,
    "exceeding": 0,
    "planned": 200,
    "method": "fisher",
    "splits": 5,
    "kind": "rows",
    "reason": "",
}


def verdict(k, difference=0.18, p_value=0.0004, matters=True):
    return {"k": k, "difference": difference, "p_value": p_value, "matters": matters}


def rival(mean, low, high):
    return {"mean": mean, "error": 0.01, "low": low, "high": high}


FACTS = {
    "data": "colon",
    "scoring": "ROC AUC",
    "estimator": "linear SVM",
    "regression": False,
    "claims": None,
    "leaky": False,
    "trials": 20,
    "planned": 20,
    "methods": 3,
    "failed": {},
    "signal": SIGNAL,
    "best": "ec-fs",
    "k": 50,
    "score": 0.8812,
    "low": 0.85,
    "high": 0.91,
    "best_k": 100,
    "best_score": 0.8861,
    "random": 0.7,
    "choice": [verdict(50), verdict(100)],
    "rivals": {"fisher": rival(-0.004, -0.021, 0.012), "mi": rival(-0.1, -0.15, -0.05)},
    "named": [
        {"feature": "TP53", "chosen": 20, "trials": 20, "q_value": None},
        {"feature": "MYC", "chosen": 17, "trials": 20, "q_value": None},
    ],
    "stability": 0.62,
    "always": 12,
    "all_features": 2000,
}
NO_SIGNAL = {**SIGNAL, "p_value": 20 / 34, "permutations": 34, "exceeding": 20}


def written(**changes):
    return sentences({**FACTS, **changes})


def about_choice(**changes):
    return written(**changes)[2]


def about_methods(**changes):
    return written(**changes)[3]


def test_a_plain_answer():
    assert written() == [
        "The features predict the class: with permuted class labels, fisher scores at least as "
        "high in 0 of 200 permutations (p = 0.005, permutation test).",
        "On colon, a linear SVM with the top 50 features of ec-fs reaches a ROC AUC of 0.881 (95 % "
        "interval 0.850 to 0.910) on test rows. 50 is the smallest tested number of features "
        "within 0.01 of the best score, 0.886 with 100.",
        "The choice of features matters: 50 random features reach 0.700, 0.180 lower (p < 0.001, "
        "corrected t-test).",
        "mi scores significantly lower than ec-fs. fisher scores 0.004 lower than ec-fs (95 % "
        "interval: 0.021 lower to 0.012 higher), so larger differences are excluded.",
        "Ranked on all samples, the top 2 features are TP53, MYC.",
        "The stability of the selection is fair (0.62, where 0 is chance and 1 is the same "
        "features every time): 12 features are in the top 50 of every trial.",
    ]


def test_without_signal_no_features_and_methods_are_recommended():
    first, second, third = written(signal=NO_SIGNAL)
    assert first == (
        "There is no evidence that the features predict the class: with permuted class labels, "
        "fisher scores at least as high in 20 of 34 permutations (p = 0.59, permutation test). Do "
        "not rely on this ranking. More samples may show a signal."
    )
    assert second.endswith("0.910) on test rows.")
    assert third.startswith("The stability")
    assert all(isinstance(b, Paragraph) for b in section({**FACTS, "signal": NO_SIGNAL}).blocks)


def test_a_test_that_was_not_run_has_a_reason():
    skipped = {**SIGNAL, "p_value": None, "reason": "the test is turned off"}
    assert written(signal=skipped)[0] == (
        "Whether the features predict the class was not tested: the test is turned off."
    )
    assert written(signal=None)[0] == "Whether the features predict the class is not tested yet."


def test_the_recommended_number_scores_best():
    assert written(best_k=50)[1].endswith("No other tested number of features scores higher.")


def test_too_few_trials_for_a_test():
    untested = [verdict(50, 0.18, float("nan"), None)]
    texts = written(choice=untested, rivals=None, trials=3, planned=3)
    assert texts[2] == (
        "50 random features reach 0.700. With 3 trials, this difference cannot be tested: the test "
        "needs 5 trials, better 20 or more."
    )
    assert texts[3] == "3 trials are too few to compare the methods. That needs 5."


def test_without_a_baseline_random_features_are_not_mentioned():
    assert not any("random" in text for text in written(random=None, choice=None))


def test_the_choice_matters_for_few_features_only():
    small = verdict(100, 0.004, 0.3, matters=False)
    assert about_choice(choice=[verdict(50), small]).endswith(
        "At 100 features, the difference from random features is below 0.01 or not significant."
    )


def test_the_choice_matters_at_other_numbers():
    found = about_choice(choice=[verdict(10), verdict(50, 0.004, 0.3, matters=False)])
    assert found == (
        "50 random features reach 0.700, about as much. The choice of features matters at other "
        "numbers of features: 10 (corrected t-test, p < 0.05)."
    )


def test_the_choice_does_not_matter():
    saturated = [verdict(k, 0.003, 0.01, matters=False) for k in (50, 100)]
    assert about_choice(choice=saturated) == (
        "The choice of features does not matter: 50 random features reach 0.700, and at no number "
        "of features is ec-fs better by 0.01 or more."
    )


def test_it_is_not_certain_that_the_choice_matters():
    unclear = [verdict(50, 0.05, 0.2, matters=False), verdict(100, 0.02, 0.3, matters=False)]
    assert about_choice(choice=unclear) == (
        "It is not certain that the choice of features matters: 50 random features reach 0.700. "
        "The largest difference is 0.050 with 50 features (p = 0.20, corrected t-test)."
    )


def test_one_random_feature():
    assert "1 random feature reaches 0.700" in about_choice(k=1, choice=[verdict(1)])


def test_no_method_is_called_as_good_as_the_best():
    everyone = about_methods(
        rivals={"mi": rival(-0.01, -0.03, 0.01), "x": rival(0.01, -0.02, 0.04)}
    )
    assert everyone == (
        "x scores 0.010 higher than ec-fs (95 % interval: 0.020 lower to 0.040 higher), so larger "
        "differences are excluded. mi scores 0.010 lower than ec-fs (95 % interval: 0.030 lower to "
        "0.010 higher), so larger differences are excluded."
    )


def test_all_methods_are_worse():
    worse = {name: rival(-0.1, -0.15, -0.05) for name in ("mi", "fisher")}
    assert about_methods(rivals=worse) == "mi and fisher score significantly lower than ec-fs."


def test_a_significant_difference_below_a_hundredth_counts_as_none():
    tiny = {"mi": rival(-0.006, -0.009, -0.003)}
    assert "significantly" not in about_methods(rivals=tiny)


def test_the_sentences_describe_a_few_methods_and_the_table_all():
    many = {f"m{j}": rival(-0.01 * j, -0.1, 0.1) for j in range(6)}
    assert about_methods(rivals=many).endswith("3 more methods do not differ significantly.")
    four = {name: many[name] for name in list(many)[:4]}
    assert about_methods(rivals=four).endswith("1 more method does not differ significantly.")
    *_, table = section({**FACTS, "rivals": many}).blocks
    assert [row[0] for row in table.rows] == list(many)


def test_a_single_method_has_no_rivals():
    assert not any("scores" in text and "than" in text for text in written(methods=1, rivals=None))


def test_tables_have_frequencies_and_differences():
    named, rivals = (b for b in section(FACTS).blocks if isinstance(b, Grid))
    assert named.rows == [["TP53", "20 of 20 trials"], ["MYC", "17 of 20 trials"]]
    assert rivals.rows == [
        ["fisher", "-0.004", "-0.021 to +0.012", "no significant difference"],
        ["mi", "-0.100", "-0.150 to -0.050", "significantly lower"],
    ]


def test_q_values_have_a_column_if_there_are_any():
    named = [{**row, "q_value": q} for row, q in zip(FACTS["named"], (0.0123, None), strict=True)]
    table, _ = (b for b in section({**FACTS, "named": named}).blocks if isinstance(b, Grid))
    assert table.columns[-1].head == "q-value"
    assert [row[-1] for row in table.rows] == ["0.012", "–"]


def test_one_feature_is_named():
    texts = written(k=1, best_k=1, always=1, named=FACTS["named"][:1], choice=[verdict(1)])
    assert "with the top feature of" in texts[1]
    assert "the top feature is TP53." in texts[4]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"stability": None}, "the stability of the features is unknown."),
        ({"stability": 0.9, "always": 50}, "every trial has the same top 50."),
        ({"stability": 0.1, "always": 0}, "no feature is in the top 50 of every trial."),
        ({"stability": 0.1, "always": 1}, "1 feature is in the top 50 of every trial."),
        ({"all_features": 50}, "All features are used, so nothing is selected."),
    ],
)
def test_stability(changes, text):
    assert written(**changes)[5].endswith(text)


@pytest.mark.parametrize(("value", "word"), [(0.39, "poor"), (0.4, "fair"), (0.76, "excellent")])
def test_words_for_stability(value, word):
    assert f"stability of the selection is {word} " in written(stability=value)[5]


def test_an_unfinished_run_says_so():
    assert written(planned=100)[-1] == "The run is not finished: 20 of 100 trials are done."


def test_failures_are_written():
    texts = written(failed={"fsv": (4, "took longer than 60 s")})
    assert texts[-1] == "fsv has no score in 4 of 20 trials: took longer than 60 s."


def test_nothing_finished():
    assert written(best=None, failed={"mi": (20, "broke.")}) == [
        "All methods failed in every trial.",
        "mi has no score in 20 of 20 trials: broke.",
    ]


def test_a_leaky_run_begins_with_that():
    assert written(leaky=True)[0].startswith("LEAKY")


def test_a_single_trial_has_no_interval():
    assert "a ROC AUC of 0.881 on test rows" in written(low=float("nan"), high=float("nan"))[1]


def test_the_section_holds_the_sentences():
    texts = [block.content for block in section(FACTS).blocks if isinstance(block, Paragraph)]
    assert texts == sentences(FACTS)


def test_the_answer_says_what_can_be_claimed():
    sentence = "4 of 2,000 features can be claimed at a false discovery rate of 0.1."
    claimed = FACTS | {"claims": {"sentence": sentence}}
    assert sentence in sentences(claimed)
    without_signal = claimed | {"signal": SIGNAL | {"p_value": 0.5}}
    assert sentence not in sentences(without_signal)
