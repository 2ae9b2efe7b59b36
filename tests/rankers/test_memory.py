"""What methods take beside X, as the system sees it: nothing that grows with T² or n²."""

import sys

import pytest

from tests.support.launcher import Launcher

pytestmark = pytest.mark.slow

IMPORTS = """
import numpy, featrank
featrank.methods()
"""

# The libraries and their buffers are there before: a small table is ranked first.
CHILD = """if True:
    import resource, sys
    from functools import partial
    import numpy as np
    from featrank.base.registry import method

    name, given = sys.argv[1], dict(pair.split("=") for pair in sys.argv[4:])
    cls = partial(method(name), **{key: int(value) for key, value in given.items()})
    n_samples, n_features = int(sys.argv[2]), int(sys.argv[3])

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


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    with Launcher(IMPORTS, tmp_path_factory.mktemp("launcher")) as launcher:
        yield launcher


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
        ("udfs n_neighbors=40", (3000, 10), 4, 300),  # pairs of neighbours in neighbourhoods
        ("udfs", (100, 20_000), 8, 0),  # four copies, and vectors of features
        ("ufsol n_clusters=40 max_iter=1", (800, 400), 4, 120),  # tables of samples
    ],
)
def test_a_few_times_the_data(launcher, method, shape, times, more):
    """At most so many times what X takes, and some megabytes more; and about as much as is told."""
    name, *given = method.split()
    done = launcher.start(CHILD, name, *shape, *given).completed(patience=120)
    assert done.returncode == 0, done.stderr
    taken, told = map(int, done.stdout.split())
    assert taken < times * 8 * shape[0] * shape[1] + more * 2**20
    assert taken < 1.5 * told + 30 * 2**20
