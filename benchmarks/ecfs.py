"""Time a complete fit of EC-FS, as ratios of times in one run. Run by: make bench-ecfs."""

import os
import platform
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy.sparse.linalg import eigs
from scipy.stats import kendalltau
from sklearn.feature_selection import f_classif

from featrank import ECFS, kernels
from featrank.summaries.column_stats import ColumnStats
from timing import best_times

SIZES = (5_000, 50_000, 500_000, 2_000_000)
N_SAMPLES = 100
RESULTS = Path(__file__).parent / "results" / "ecfs.md"


def make_data(n_samples, n_features, dtype):
    """Return features of varied scale. One in a hundred is informative."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_features), dtype=dtype)
    y = np.arange(n_samples) % 2
    X += 3
    X *= rng.uniform(0.5, 2.0, n_features).astype(dtype)
    X[y == 1, : n_features // 100] += 1
    return X, y


def dense_ecfs(X, y, alpha=0.5):
    """EC-FS of the undirected graph, with a dense n × n matrix."""
    X = X.astype(np.float64)
    one, two = X[y == 0], X[y == 1]
    fisher = (one.mean(0) - two.mean(0)) ** 2 / (one.var(0, ddof=1) + two.var(0, ddof=1))
    information = np.array([binned_information(column, y) for column in X.T])
    spread = (X / np.abs(X).sum(0)).std(0, ddof=1)
    f, m, s = (unit_range(v) for v in (fisher, information, spread))
    kernel = (np.outer(f, m) + np.outer(m, f)) / 2
    A = alpha * kernel + (1 - alpha) * np.maximum.outer(s, s)
    _, vectors = eigs(A, k=1, which="LM", v0=np.ones(len(f)))
    return np.abs(vectors[:, 0].real)


def binned_information(column, y, bins=10):
    """Mutual information over equal-width bins."""
    joint, *_ = np.histogram2d(column, y, bins=(bins, 2))
    p = joint / joint.sum()
    expected = p.sum(1, keepdims=True) * p.sum(0, keepdims=True)
    seen = p > 0
    return float(np.sum(p[seen] * np.log(p[seen] / expected[seen])))


def unit_range(values):
    """Scale to [0, 1]."""
    return (values - values.min()) / np.ptp(values)


def extra_memory(n_features):
    """Return the additional peak memory of a fit in a new process, in bytes."""
    code = (
        "import sys, resource; sys.path.insert(0, sys.argv[2]); import ecfs\n"
        "from featrank import ECFS\n"
        "small = ecfs.make_data(100, 1000, 'float32'); ECFS(alpha=0.5, n_jobs=-1).fit(*small)\n"
        "X, y = ecfs.make_data(100, int(sys.argv[1]), 'float32')\n"
        "before = ecfs.resident()\n"
        "ecfs.reset_peak(); ECFS(alpha=0.5, n_jobs=-1).fit(X, y)\n"
        "print(ecfs.peak() - before)"
    )
    folder = str(Path(__file__).parent)
    run = [sys.executable, "-c", code, str(n_features), folder]
    return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def resident():
    """Return the current resident memory of this process, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def reset_peak():
    """Reset the peak of resident memory."""
    Path("/proc/self/clear_refs").write_text("5")


def peak():
    """Return the largest resident memory since the last reset, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def wide_rows():
    """Yield one table row per number of features."""
    for n in SIZES:
        X, y = make_data(N_SAMPLES, n, np.float32)
        total, fit = best_times(X.sum, lambda X=X, y=y: ECFS(alpha=0.5, n_jobs=-1).fit(X, y))
        dense = "–"
        if n <= 5_000:
            agree = kendalltau(ECFS(alpha=0.5).fit(X, y).scores_, dense_ecfs(X, y)).statistic
            if agree < 0.9999:
                raise SystemExit(f"dense and linear EC-FS disagree: Kendall tau {agree}")
            [seconds] = best_times(lambda X=X, y=y: dense_ecfs(X, y))
            dense = f"{seconds / fit:.0f} ×"
        memory = extra_memory(n)
        yield n, fit, fit / total, dense, 1e9 * fit / n, memory
        del X


def tall_ratio():
    """Compare a fit on 20,000 × 1,000 float64 with f_classif and with one X.sum()."""
    X, y = make_data(20_000, 1_000, np.float64)
    ours, theirs, total = best_times(
        lambda: ECFS(alpha=0.5, n_jobs=-1).fit(X, y), lambda: f_classif(X, y), X.sum
    )
    return theirs / ours, ours / total


def chosen_alpha(n_features):
    """Return the times of a fit that tunes alpha and of one with a fixed alpha, and the passes."""
    X, y = make_data(N_SAMPLES, n_features, np.float32)
    chosen, fixed = best_times(
        lambda: ECFS(n_jobs=-1).fit(X, y), lambda: ECFS(alpha=0.5, n_jobs=-1).fit(X, y)
    )
    return chosen, fixed, passes_over(X, y)


def passes_over(X, y):
    """Return how many times a fit that tunes alpha reads X for its summaries."""
    read, plain = [], ColumnStats.of

    def counting(block, groups, *how):
        read.append(len(groups.order) * block.shape[1])
        return plain(block, groups, *how)

    ColumnStats.of = counting
    try:
        ECFS(n_jobs=1).fit(X, y)
    finally:
        ColumnStats.of = plain
    return sum(read) / X.size


def report():
    """Yield the lines of the report."""
    yield f"EC-FS, {N_SAMPLES} samples, float32, {os.cpu_count()} cores. By `make bench-ecfs`"
    python = platform.python_version()
    yield f"({kernels.instruction_set()}, Python {python}, NumPy {np.__version__})."
    yield ""
    yield "| features | fit, s | fit / X.sum() | dense / fit | ns per feature | memory besides X |"
    yield "|---|---|---|---|---|---|"
    flat = {}
    for n, fit, ratio, dense, each, memory in wide_rows():
        flat[n] = each
        allowed = 100 * n + 200e6
        yield (
            f"| {n:,} | {fit:.4f} | {ratio:.1f} | {dense} | {each:.0f} | "
            f"{memory / 1e6:.0f} MB of {allowed / 1e6:.0f} MB allowed |"
        )
    yield ""
    spread = max(flat[n] for n in SIZES[1:]) / min(flat[n] for n in SIZES[1:])
    yield (
        "Time per feature from 50,000 to 2,000,000 features: "
        f"the largest is {spread:.2f} times the smallest."
    )
    faster, sums = tall_ratio()
    yield (
        f"20,000 × 1,000 float64: {faster:.1f} times faster than scikit-learn's f_classif, and "
        f"{sums:.1f} times as long as one X.sum()."
    )
    yield ""
    yield "| features | fit that tunes alpha, s | fixed alpha, s | passes over X |"
    yield "|---|---|---|---|"
    for n in SIZES[1:3]:
        chosen, fixed, passes = chosen_alpha(n)
        yield f"| {n:,} | {chosen:.3f} | {fixed:.4f} | {passes:.1f} |"


if __name__ == "__main__":
    lines = []
    for line in report():
        print(line, flush=True)
        lines.append(line)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
