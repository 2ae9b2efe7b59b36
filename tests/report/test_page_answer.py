"""Each kind of sentence of the answer, from the figures it is made of."""

import pytest

from featrank.report.sections.answer import section, sentences

FACTS = {
    "data": "colon",
    "scorer": "ROC AUC",
    "classifier": "linear SVM",
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


def told(**changes):
    return sentences({**FACTS, **changes})


def test_a_plain_answer():
    assert told() == [
        "On colon, the 50 features chosen by ec-fs let a linear SVM reach a ROC AUC of 0.881 (95 % "
        "interval 0.850 to 0.910) on new rows; as many random features reach 0.700.",
        "No other method differs from ec-fs by more than chance (corrected t-test, p < 0.05): any "
        "of the 3 would do as well.",
        "The choice is of fair stability (0.62 on a scale from 0 for chance to 1 for always the "
        "same): 12 of 50 were among the best 50 in every trial.",
    ]


def test_no_support():
    first, *_ = told(beats_random=False, random=0.52, random_p=0.41, score=0.55)
    assert first.startswith(
        "The data does not support an answer: on colon, the features that ec-fs"
    )
    assert "0.550" in first
    assert "0.520, which these trials cannot tell apart (p = 0.41, corrected t-test)." in first
    assert "cannot be shown" not in first


def test_no_support_since_random_features_do_as_well():
    first, *_ = told(beats_random=False, random=0.97, random_p=0.3)
    assert first.startswith("On colon it cannot be shown that it matters which features are taken:")
    assert first.endswith("What tells the classes apart seems to be in most of them.")


def test_too_few_trials_to_tell():
    texts = told(beats_random=None, differs=None, trials=3, planned=3)
    assert "With 3 trials it cannot be told whether that is more than chance" in texts[0]
    assert texts[1] == "3 trials are too few to tell methods apart: 5 are needed."


def test_without_a_baseline_chance_is_not_spoken_of():
    assert told(random=None, beats_random=None)[0].endswith("on new rows.")


@pytest.mark.parametrize(
    ("worse", "end"),
    [
        (["mi"], "it is better than mi; the other 1 cannot be told from it."),
        (["mi", "fisher"], "All 2 other methods are worse by more than chance (corrected t-test)."),
    ],
)
def test_rivals(worse, end):
    assert told(differs=worse)[1].endswith(end)


def test_a_single_method_has_no_rivals():
    assert len(told(methods=1, differs=None)) == 2


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"stability": None}, "One trial says nothing of how stable the features are."),
        ({"stability": 0.9, "always": 50}, "the same 50 were best in every trial."),
        ({"stability": 0.1, "always": 0}, "no feature was among the best 50 in every trial."),
        ({"all_features": 50}, "All features are used, so there was nothing to choose."),
    ],
)
def test_stability(changes, text):
    assert told(**changes)[2].endswith(text)


@pytest.mark.parametrize(("value", "word"), [(0.39, "poor"), (0.4, "fair"), (0.76, "excellent")])
def test_words_for_stability(value, word):
    assert f"of {word} stability" in told(stability=value)[2]


def test_one_feature():
    assert "the single feature chosen by" in told(k=1, always=1)[0]


def test_an_unfinished_run_says_so():
    assert told(planned=100)[-1] == "The run is not finished: 20 of 100 trials count here."


def test_failures_are_told():
    texts = told(failed={"fsv": (4, "took longer than 60 s")})
    assert texts[-1] == "fsv has no score in 4 of 20 trials: took longer than 60 s."


def test_nothing_finished():
    assert told(best=None, failed={"mi": (20, "broke.")}) == [
        "No method finished a trial, so there is no answer.",
        "mi has no score in 20 of 20 trials: broke.",
    ]


def test_a_leaky_run_begins_with_that():
    assert told(leaky=True)[0].startswith("NOT HONEST")


def test_a_single_trial_has_no_interval():
    assert "a ROC AUC of 0.881 on new rows" in told(low=float("nan"), high=float("nan"))[0]


def test_the_section_holds_the_sentences():
    assert [block.text for block in section(FACTS).blocks] == sentences(FACTS)
