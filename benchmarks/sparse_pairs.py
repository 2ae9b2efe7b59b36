"""Time a step of mRMR and JMI on sparse counts. Run by: make bench-sparse-pairs."""

import os
import platform
from pathlib import Path

import numpy as np
from scipy import sparse

from featrank import CMIM, JMI, MRMR, kernels
from timing import best_times

N_SAMPLES, N_FEATURES, SHARE = 20_000, 5_000, 0.05
N_CHOSEN = 20
RESULTS = Path(__file__).parent / "results" / "sparse_pairs.md"


def make_counts():
    """Return negative binomial counts as CSR, and classes. Some features are informative."""
    rng = np.random.default_rng(0)
    shape = N_SAMPLES, N_FEATURES
    X = sparse.random_array(shape, density=SHARE, format="csr", dtype=np.float32, rng=rng)
    y = rng.integers(0, 2, N_SAMPLES)
    rows = np.repeat(np.arange(N_SAMPLES), np.diff(X.indptr))
    chance = np.where((y[rows] == 1) & (X.indices % 50 == 0), 0.25, 0.4)
    X.data[:] = 1 + rng.negative_binomial(1, chance)
    return X, y


def step_rows(X, y):
    """Yield one table row per kind of step: all candidates with one chosen feature."""
    ranker = MRMR().fit(X[:, :2], y)
    tables = [ranker._tables(container, y) for container in (X, X.toarray())]
    features, entries = np.arange(N_FEATURES), tables[0].arrays
    once = entries.row.nbytes + entries.code.nbytes
    for name, step in (("mRMR, MIFS", "redundancy"), ("JMI", "joint_relevance")):
        ours, dense, read = best_times(
            *(lambda t=t, step=step: getattr(t, step)(7, features) for t in tables),
            lambda: (entries.row.max(), entries.code.max()),
        )
        wanted, got = (getattr(t, step)(7, features) for t in tables)
        if not np.array_equal(wanted, got):
            raise SystemExit(f"sparse and dense tables disagree in {step}")
        yield (
            f"| {name} | {1e9 * ours / X.nnz:.2f} | {1e9 * dense / X.nnz:.2f} | "
            f"{dense / ours:.1f} × | {ours / read:.0f} × | {once / ours / 1e9:.1f} GB/s |"
        )


def fit_rows(X, y):
    """Yield one table row per method: a complete fit on one core."""
    dense = X.toarray()
    methods = {"mRMR": MRMR(), "mRMR, fcq": MRMR(criterion="fcq"), "JMI": JMI(), "CMIM": CMIM()}
    for name, ranker in methods.items():
        ranker.set_params(n_features_to_select=N_CHOSEN)
        ours, theirs = best_times(
            lambda r=ranker: r.fit(X, y),
            lambda r=ranker: r.fit(dense, y),
        )
        order = ranker.fit(X, y).order_
        if not np.array_equal(order, ranker.fit(dense, y).order_):
            raise SystemExit(f"sparse and dense fits of {name} disagree")
        yield f"| {name} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.1f} × |"


def report():
    """Yield the lines of the report."""
    X, y = make_counts()
    yield (
        f"{N_SAMPLES:,} × {N_FEATURES:,} counts as CSR, {X.nnz:,} entries ({SHARE:.0%}), two "
        f"classes, one of {os.cpu_count()} cores. Created by `make bench-sparse-pairs`"
    )
    python = platform.python_version()
    yield f"({kernels.instruction_set()}, Python {python}, NumPy {np.__version__})."
    yield ""
    yield "One step: the tables of every feature with a chosen one, in ns per stored entry."
    yield ""
    yield "| step of | sparse | dense | dense / sparse | sparse / one read of the bytes | rate |"
    yield "|---|---|---|---|---|---|"
    yield from step_rows(X, y)
    yield ""
    yield "A step takes longer than reading the bytes: its time is limited by counting, not memory."
    yield ""
    yield f"Complete fits that select {N_CHOSEN} features, in seconds."
    yield ""
    yield "| method | sparse | dense | dense / sparse |"
    yield "|---|---|---|---|"
    yield from fit_rows(X, y)


if __name__ == "__main__":
    lines = []
    for line in report():
        print(line, flush=True)
        lines.append(line)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
