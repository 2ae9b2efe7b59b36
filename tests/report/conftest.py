from io import StringIO

import numpy as np
import pytest

from featrank.evaluation import Comparison
from featrank.evaluation.trials import Trial
from featrank.report import write

# What acts in a terminal, in Markdown, in HTML or in CSV, if it is let through.
AWKWARD = [
    "a|b",
    "<script>alert(1)</script>",
    "two\nlines",
    "esc\x1b[31m",
    "[red]bold[/red]",
    "$x$",
    "*star* _low_",
    "`code`",
    "a,b",
    '"quoted" & more',
]


@pytest.fixture
def compared():
    """Make a comparison of known scores: method → array of trials × numbers of features."""

    def make(scores, ks=(3, 6), dataset="made", orders=None, kind=Comparison):
        count = len(next(iter(scores.values())))
        trials = [
            Trial(
                number,
                [
                    row(number, method, k, values[number][place])
                    for method, values in scores.items()
                    for place, k in enumerate(ks)
                ],
                {} if orders is None else {name: each[number] for name, each in orders.items()},
            )
            for number in range(count)
        ]
        manifest = {
            "data": {"name": dataset, "sha256": f"of {dataset}", "features": 12},
            "protocol": {
                "scoring": "ROC AUC",
                "estimator": "linear SVM",
                "test_size": 1 / 3,
                "n_features": list(ks),
            },
            "methods": [{"method": name, "label": name} for name in scores],
            "n_repeats": count,
        }  # fmt: skip
        return kind(trials, list(scores), ks, manifest)

    return make


def row(trial, method, k, score):
    lost = bool(np.isnan(score))
    return {
        "trial": trial, "method": method, "k": k, "score": float(score), "ranking_seconds": 0.5,
        "status": "failed" if lost else "ok", "reason": "it cannot" if lost else "",
    }  # fmt: skip


@pytest.fixture
def written():
    """Write a report in a layout, and return the text."""

    def text(report, layout):
        stream = StringIO()
        write(report, layout, stream)
        return stream.getvalue()

    return text


@pytest.fixture
def awkward():
    """Return values, labels and names that are awkward; the first feature is the best."""
    rng = np.random.default_rng(0)
    y = np.array(["<b>sick</b>", "well|\x1b[1m"])[np.arange(40) % 2]
    X = rng.normal(5, 1, size=(40, len(AWKWARD)))
    X[:, 0] += 4 * (y == y[0])
    return X, y, AWKWARD


def assert_harmless(text, layout):
    """Nothing that comes from data acts where the text is read."""
    assert "\x1b" not in text
    if layout == "html":
        assert "<script>alert" not in text
        assert "<b>" not in text
        assert "&lt;script&gt;" in text
    if layout == "markdown":
        lines = [line for line in text.splitlines() if line.startswith("|")]
        cells = {line.replace("\\|", "").count("|") for line in lines}
        assert len(cells) == 1
        assert "<script>" not in text
        assert "\\<script\\>" in text
        assert "\\$x\\$" in text
    if layout == "table":
        assert "[red]bold[/red]" in text


@pytest.fixture
def harmless():
    return assert_harmless
