import re

import numpy as np

from featrank import ECFS
from featrank.datasets import make_microarray


def test_marks_and_counts_are_those_of_the_truth(run):
    result = run("demo")
    assert result.exit_code == 0, result.stderr
    data = make_microarray(random_state=0)
    order = ECFS(alpha=0.9).fit(data.X, data.y).order_
    kinds = {column: kind for kind, columns in data.truth.items() for column in columns}
    shown = re.findall(r"(\d+) +(gene\d+) +[\d.]+ +(\w+)", result.stdout)
    assert shown == [
        (str(rank), data.feature_names[column], kinds[column])
        for rank, column in enumerate(order[:10], 1)
    ]
    planted = np.concatenate([data.truth["informative"], data.truth["correlated"]])
    found = len(np.intersect1d(order[:100], planted))
    assert re.search(rf"alpha=0.9 +{found}\n", result.stdout)
    stars = len(np.intersect1d(order[:10], data.truth["informative"]))
    assert result.stdout.count("★") == stars > 0
