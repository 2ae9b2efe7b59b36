"""What methods take beside X, as the system sees it: nothing that grows with T² or n²."""

import subprocess
import sys

import pytest

# The libraries and their buffers are there before: a small table is ranked first.
CHILD = """if True:
    import resource, sys
    import numpy as np
    from featrank.registry import method

    cls, n_samples, n_features = method(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

    def data(n_samples, n_features):
        X = np.random.default_rng(0).standard_normal((n_samples, n_features))
        y = np.arange(n_samples) % 2
        X[:, :5] += 6 * y[:, None]
        return X, y

    def peak():
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    cls().fit(*data(20, 10))
    cls().fit(*data(400, 4))
    X, y = data(n_samples, n_features)
    before = peak()
    cls().fit(X, y)
    print(peak() - before, cls().cost(n_samples, n_features).memory)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the unit of ru_maxrss is another")
@pytest.mark.parametrize(
    ("method", "shape", "times", "more"),
    [
        ("inf-fs", (60, 12_000), 4, 40),  # 288 MB of correlations
        ("fsv", (100, 50_000), 1.5, 0),  # one copy
        ("hsic-lasso", (60, 3000), 40, 40),  # twenty numbers for each of X
        ("l0", (100, 20_000), 3, 0),  # two copies
        ("lasso", (60, 20_000), 3, 0),  # one copy, and products of features in use
        ("relieff", (12_000, 10), 4, 60),  # 1.2 GB of distances
        ("laplacian", (12_000, 10), 4, 60),
    ],
)
def test_a_few_times_the_data(method, shape, times, more):
    """At most so many times what X takes, and some megabytes more; and about as much as is told."""
    command = [sys.executable, "-c", CHILD, method, *map(str, shape)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    taken, told = map(int, done.stdout.split())
    assert taken < times * 8 * shape[0] * shape[1] + more * 2**20
    assert taken < 1.5 * told + 30 * 2**20
