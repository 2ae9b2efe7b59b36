"""The HTML report of a ranking says which scale its fold changes assume."""

import numpy as np
import pytest

import featrank
from featrank.exceptions import FeatrankWarning
from featrank.report import ranking_html_report


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ("auto", "Fold changes assume log2 values, which is a guess."),
        ("linear", "Fold changes assume linear values (not logarithms)."),
    ],
)
@pytest.mark.filterwarnings(
    f"ignore:Fold changes assume:{FeatrankWarning.__module__}.FeatrankWarning"
)
def test_the_report_names_the_scale(values, sentence):
    X = np.random.default_rng(0).normal(8, 2, size=(40, 30)).clip(0.1)
    ranking = featrank.rank(X, np.arange(40) % 2, "fisher")
    assert sentence in ranking_html_report(ranking, test="welch", values=values).html()
