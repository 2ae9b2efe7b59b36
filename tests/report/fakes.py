"""Results that look like a comparison's, without one having been run."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl

TEN_METHODS = (
    *("ec-fs", "fisher", "mi", "relieff", "mrmr"),
    *("svm-rfe", "inf-fs", "laplacian", "ec-fs-diverse", "dominant-set"),
)
LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass
class FakeResults:
    """What the page of features asks of a comparison."""

    methods: list
    n_features: tuple
    feature_names: list
    table: pl.DataFrame
    classes: pl.DataFrame
    manifest: dict = field(default_factory=dict)
    baseline: str = "random"

    def features(self):
        return self.table

    def values_by_class(self):
        return self.classes

    def curves(self):
        return pl.DataFrame(schema={"method": pl.String, "k": pl.Int64, "mean": pl.Float64})


def gene_symbols(number, seed=0):
    """Return names like BRCA12 or TP53, each once."""
    rng = np.random.default_rng(seed)
    found = {}
    while len(found) < number:
        stem = "".join(rng.choice(LETTERS, rng.integers(2, 6)))
        found[f"{stem}{rng.integers(1, 400)}"] = None
    return list(found)


def fake_results(
    names=None, methods=("ec-fs", "fisher"), ks=(5, 10), trials=10, seed=0, best=50, params=None
):
    """Return results in which the first features are the best, more or less, by every method."""
    rng = np.random.default_rng(seed)
    names = [f"gene {j}" for j in range(120)] if names is None else list(names)
    frames = [_of_method(rng, method, names, ks, trials) for method in methods]
    table = pl.concat(frames)
    leading = sorted(set(table.filter(pl.col("rank") <= best)["feature"]), key=names.index)
    return FakeResults(
        list(methods), tuple(ks), names, table, _classes(rng, leading), _manifest(methods, params)
    )


def _of_method(rng, method, names, ks, trials):
    n = len(names)
    truth = -np.arange(n) / n
    scores = np.sort(rng.gamma(2, size=n))[::-1][np.argsort(np.argsort(-_noisy(rng, truth)))]
    orders = np.array([np.argsort(-_noisy(rng, truth)) for _ in range(trials)])
    ranks = np.empty(n, dtype=np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, n + 1)
    chosen = {f"chosen_{k}": np.bincount(orders[:, :k].ravel(), minlength=n) for k in ks}
    return pl.DataFrame(
        {
            "method": [method] * n,
            "feature": names,
            "column": np.arange(n),
            "score": scores,
            "criterion": pl.Series([None] * n, dtype=pl.Float64),
            "rank": ranks,
            "trials": np.full(n, trials),
            **chosen,
        }
    )


def _noisy(rng, truth):
    return truth + rng.normal(scale=0.05, size=len(truth))


def _classes(rng, names):
    rows = []
    for place, name in enumerate(names):
        for label, mean in (("sick", 8 - place / 10), ("well", 5 + place / 30)):
            rows.append(
                {
                    "feature": name,
                    "class": label,
                    "samples": 30,
                    "missing": 0,
                    "zeros": 0,
                    "mean": mean,
                    "sd": float(rng.uniform(1, 2)),
                }
            )
    return pl.DataFrame(rows)


def _manifest(methods, params):
    entries = [
        {"name": name, "method": name, "params": (params or {}).get(name, {}), "candidates": [{}]}
        for name in methods
    ]
    return {"methods": entries, "data": {"name": "fake", "samples": 60}}
