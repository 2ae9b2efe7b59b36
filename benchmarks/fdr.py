"""Measure false discovery rate and power of fdr around rankers. Run by: make bench-fdr.

Labels are random. In two of three scenarios, 50 features are shifted in one class. Every run is
saved, so an interrupted benchmark resumes. FEATRANK_DATA is the folder of the paper's data sets.
"""

import argparse
import json
import os
import time
import warnings
from pathlib import Path

import numpy as np

from comparisons_fdr import ipss_selection, welch_selection
from featrank._utils.atomic_files import replacing
from featrank.error_control import FDRSelector
from featrank.error_control.planting import planted
from featrank.exceptions import FeatrankWarning

RESULTS = Path(__file__).parent / "results" / "fdr.json"
FDR, N_PLANTED = 0.1, 50
SCENARIOS = {"random labels": 0.0, "1.5 SD": 1.5, "1.0 SD": 1.0}
FAST = ("fisher", "mi", "relieff", "ec-fs", "ec-fs-diverse", "lasso")
SLOW = ("mrmr", "boruta")
PEERS = {"Welch + BH": welch_selection, "ipss": ipss_selection}
MATRICES = ("colon", "leukemia", "lymphoma", "prostate", "madelon", "blocks")
# Larger matrices are cut to random rows and columns, the same ones in every run.
MOST_ROWS, MOST_COLUMNS = 200, 2000
RUNS = {"fast": 100, "slow": 20}


def matrix(name):
    """Return the values of a data set, or simulated values with correlated blocks."""
    random = np.random.default_rng(0)
    if name == "blocks":
        shared = np.repeat(random.normal(size=(100, 100)), 10, axis=1)
        return np.sqrt(0.5) * (random.normal(size=(100, 1000)) + shared)
    with np.load(Path(os.environ["FEATRANK_DATA"]) / f"{name}.npz") as data:
        X = data["X"].astype(float)
    X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    X = X[np.sort(random.permutation(len(X))[:MOST_ROWS])]
    X = X[:, X.std(axis=0) > 0]
    return X[:, np.sort(random.permutation(X.shape[1])[:MOST_COLUMNS])]


def run(method, X, effect, seed):
    """Return the numbers of claims and of true claims, and the seconds."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(len(X)) % 2)
    X, true = planted(random, X, y, N_PLANTED if effect else 0, effect, 2)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FeatrankWarning)
        if method in PEERS:
            claimed = PEERS[method](X, y, FDR)
        else:
            claimed = FDRSelector(method, FDR, random_state=seed, n_jobs=1).fit(X, y).get_support()
    seconds = time.perf_counter() - began
    return [int(claimed.sum()), int(claimed[true].sum()), round(seconds, 3)]


def save(runs):
    """Write all runs."""
    with replacing(RESULTS) as path:
        path.write_text(json.dumps(runs, separators=(",", ":")) + "\n", encoding="utf-8")


def main():
    """Run what is missing, round by round, so that all methods advance together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="methods, separated by commas")
    parser.add_argument("--runs", type=int, help="runs per cell, at most")
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after this time")
    options = parser.parse_args()
    methods = options.only.split(",") if options.only else [*FAST, *PEERS, *SLOW]
    runs = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    values = {name: matrix(name) for name in MATRICES}
    end, spent = time.monotonic() + 60 * options.minutes, 0
    for seed in range(max(RUNS.values())):
        for method in methods:
            most = options.runs or RUNS["slow" if method in SLOW else "fast"]
            for name, X in values.items():
                for scenario, effect in SCENARIOS.items():
                    done = runs.setdefault(f"{method} | {name} | {scenario}", [])
                    if seed >= most or len(done) > seed:
                        continue
                    done.append(run(method, X, effect, seed))
                    spent += done[-1][2]
                    if time.monotonic() > end:
                        save(runs)
                        return
        print(f"round {seed}: {spent:.0f} s", flush=True)
        save(runs)


if __name__ == "__main__":
    main()
