"""Results to draw: small comparisons, with as many methods as a test wants."""

from functools import cache

import numpy as np

from featrank.evaluation import Protocol, compare

METHODS = {
    "a $broken{ name": "ec-fs",
    "fisher": "fisher",
    "_a method whose name is longer than any legend could ever be": "mi",
    **{f"more_{j}": name for j, name in enumerate(["laplacian", "relieff", "mrmr", "cmim"])},
    **{f"again {j}": name for j, name in enumerate(["fisher", "mi", "laplacian", "inf-fs"])},
}
LONG = "the expression of a gene whose name is longer than any column that a figure could have"
NAMES = [LONG, "cost $a_b$", "$\\broken{", "_hidden", "x" * 70, "two\nlines"]


@cache
def compared(n_methods=3, seed=0, trials=6):
    """Return a comparison of 70 features, of which the first 6 are the best, with odd names."""
    rng = np.random.default_rng(seed)
    y = np.arange(48) % 2
    X = rng.normal(5, 1, (48, 70))
    X[:, :6] += np.linspace(1.2, 0.5, 6) * y[:, None]
    X[:, 6] = X[:, 0] + 0.1 * rng.normal(size=48)
    methods = dict(list(METHODS.items())[:n_methods])
    protocol = Protocol(
        n_repeats=trials, n_features=(3, 6, 12), C=(1.0,), inner_cv=3, param_grids={}
    )
    names = NAMES + [f"gene {j}" for j in range(len(NAMES), 70)]
    return compare(X, y, methods, protocol, dataset=f"made{seed} $_{{ {LONG}", feature_names=names)


def of_kind(cls, n_methods=3):
    """Return what a display draws: results, or several of them."""
    if cls.several:
        return [compared(n_methods, seed) for seed in range(3)]
    return compared(n_methods)
