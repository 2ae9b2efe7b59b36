"""Each kind of sentence of the answer, from its facts."""

import pytest

from featrank.report.sections.answer import section, sentences

FACTS = {
    "data": "colon",
    "scoring": "ROC AUC",
    "estimator": "linear SVM",
    "leaky": False,
    "trials": 20,
    "planned": 20,
    "methods": 3,
    "failed": {},
    "best": "ec-fs",
    "k": 50,
    "score": 0.8812,
    "low": 0.85,
    "high": 0.91,
    "random": 0.7,
    "beats_random": True,
    "random_p": 0.001,
    "differs": [],
    "stability": 0.62,
    "always": 12,
    "all_features": 2000,
}


def written(**changes):
    return sentences({**FACTS, **changes})


def test_a_plain_answer():
    assert written() == [
        "On colon, a linear SVM with the top 50 features of ec-fs reaches a ROC AUC of 0.881 (95 % "
        "interval 0.850 to 0.910) on test rows. The same number of random features reaches 0.700.",
        "No other method differs significantly from ec-fs (corrected t-test, p < 0.05). Any of the "
        "3 methods would do as well.",
        "The stability of the selection is fair (0.62, where 0 is chance and 1 is the same "
        "features every time): 12 features are in the top 50 of every trial.",
    ]


def test_no_support():
    first, *_ = written(beats_random=False, random=0.52, random_p=0.41, score=0.55)
    assert first.startswith(
        "On colon, the best method does not beat random features significantly:"
    )
    assert "0.550" in first
    assert first.endswith("random features 0.520 (p = 0.41, corrected t-test).")


def test_no_support_since_random_features_do_as_well():
    first, *_ = written(beats_random=False, random=0.97, random_p=0.3)
    assert first.startswith(
        "On colon, the best method does not beat random features significantly:"
    )
    assert first.endswith("Most features help to predict the class.")


def test_too_few_trials_for_a_test():
    texts = written(beats_random=None, differs=None, trials=3, planned=3)
    assert "With 3 trials, this difference cannot be tested: the test needs 5 trials" in texts[0]
    assert texts[1] == "3 trials are too few to test the methods. The test needs 5."


def test_without_a_baseline_chance_is_not_spoken_of():
    assert written(random=None, beats_random=None)[0].endswith("on test rows.")


@pytest.mark.parametrize(
    ("worse", "end"),
    [
        (["mi"], "differ significantly from the other method."),
        (["mi", "fisher"], "All 2 other methods are significantly worse (corrected t-test)."),
    ],
)
def test_rivals(worse, end):
    assert written(differs=worse)[1].endswith(end)


def test_a_single_method_has_no_rivals():
    assert len(written(methods=1, differs=None)) == 2


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"stability": None}, "the stability of the features is unknown."),
        ({"stability": 0.9, "always": 50}, "every trial has the same top 50."),
        ({"stability": 0.1, "always": 0}, "no feature is in the top 50 of every trial."),
        ({"all_features": 50}, "All features are used, so nothing is selected."),
    ],
)
def test_stability(changes, text):
    assert written(**changes)[2].endswith(text)


@pytest.mark.parametrize(("value", "word"), [(0.39, "poor"), (0.4, "fair"), (0.76, "excellent")])
def test_words_for_stability(value, word):
    assert f"stability of the selection is {word} " in written(stability=value)[2]


def test_one_feature():
    assert "with the top feature of" in written(k=1, always=1)[0]


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
    assert "a ROC AUC of 0.881 on test rows" in written(low=float("nan"), high=float("nan"))[0]


def test_the_section_holds_the_sentences():
    assert [block.content for block in section(FACTS).blocks] == sentences(FACTS)
