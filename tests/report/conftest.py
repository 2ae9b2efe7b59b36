from io import StringIO

import numpy as np
import pytest

from featrank.evaluation import Comparison
from featrank.evaluation.trials import Trial
from featrank.report import write


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
                "scorer": "ROC AUC", "classifier": "linear SVM", "test_share": 1 / 3, "ks": list(ks)
            },
            "methods": [{"method": name, "label": name} for name in scores],
            "trials": count,
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
