"""Measure type-I error and power of the report's verdicts. Run by: make bench-verdicts.

Data sets are simulated, compared as users would, and the verdicts counted: is there signal, does
the choice of features matter, and is a method worse? A run of 50 trials also gives the verdicts of
its first 10 and 20 trials. Counts are saved after every data set, so an interrupted run resumes.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from featrank._utils.atomic_files import replacing
from featrank.datasets import make_microarray
from featrank.evaluation import Protocol, compare
from featrank.report.sections.verdicts import is_worse
from featrank.statistics import (
    best_method,
    choice_verdicts,
    method_intervals,
    recommended_number,
)

RESULTS = Path(__file__).parent / "results" / "verdicts.json"
SAMPLES, TRIALS = (40, 60, 100, 200), (10, 20, 50)
N_FEATURES, N_INFORMATIVE = 200, 10
# How far the class means of informative features are apart, in standard deviations. With "every
# feature", all features are informative, so random ones predict as well.
EFFECTS = {"none": 0.0, "weak": 0.6, "strong": 1.2, "every feature": 1.5}
METHODS = ("fisher", "mi", "laplacian")
# Ten random rankings per trial instead of 30, which take most of the time.
PROTOCOL = Protocol(n_repeats=TRIALS[-1], n_features=(10, 50), C=(0.001,), n_random=10)
# Number of data sets without signal, and of others, by number of samples. Without signal, rates are
# small and need more data sets. Large data sets take longer.
NULL = {40: 200, 60: 200, 100: 100, 200: 40}
OTHERS = {40: 30, 60: 30, 100: 20, 200: 10}
LEVEL = 0.05
DEMO, DEMO_RUNS = "demo", 30
ROUNDS = 200


def simulated(signal, n_samples, seed):
    """Return values and classes of a data set."""
    random = np.random.default_rng([seed, n_samples, sorted(EFFECTS).index(signal)])
    X, y = random.normal(size=(n_samples, N_FEATURES)), np.arange(n_samples) % 2
    informative = N_FEATURES if signal == "every feature" else N_INFORMATIVE
    X[:, :informative] += EFFECTS[signal] * y[:, None]
    return X, y


def demo(seed):
    """Return a comparison with the settings of `featrank demo`, on data of another seed."""
    data = make_microarray(
        60, 2000, n_informative=10, n_correlated=20, effect=1.0, correlation=0.5, random_state=seed
    )
    protocol = Protocol(n_repeats=10, n_features=(10, 50, 100, 200), C=(0.001, 0.01, 0.1, 1.0))
    methods = ("ec-fs", "fisher", "mi", "laplacian", "relieff")
    return compare(data.X, data.y, methods, protocol)


def verdicts(comparison):
    """Return which verdicts of a comparison are positive."""
    best, share = best_method(comparison), comparison.test_fraction
    own, random = (
        {k: comparison.scores(name, k) for k in comparison.n_features}
        for name in (best, comparison.baseline)
    )
    k = recommended_number(comparison)
    choice = choice_verdicts(own, random, test_fraction=share)
    scores = {name: comparison.scores(name, k) for name in comparison.methods}
    rivals = method_intervals(scores, best, test_fraction=share)
    return {
        "signal": comparison.signal.p_value < LEVEL,
        "choice": any(verdict.matters for verdict in choice),
        "method": any(is_worse(each._asdict()) for each in rivals.values()),
    }


def count(counts, key, found):
    """Add the verdicts of a comparison to the counts."""
    cell = counts.setdefault(key, {"runs": 0, **dict.fromkeys(found, 0)})
    cell["runs"] += 1
    for name, positive in found.items():
        cell[name] += int(positive)


def tasks():
    """Yield signal, samples and seed of each data set, so that most settings grow together."""
    plan = {(signal, n): OTHERS[n] for signal in EFFECTS for n in SAMPLES if signal != "none"}
    plan |= {("none", n): runs for n, runs in NULL.items()}
    for seed in range(DEMO_RUNS):
        yield DEMO, 60, seed
    for step in range(ROUNDS):
        for (signal, n_samples), runs in plan.items():
            for seed in range(step * runs // ROUNDS, (step + 1) * runs // ROUNDS):
                yield signal, n_samples, seed


def run_one(counts, signal, n_samples, seed):
    """Compare methods on one data set and count the verdicts."""
    if signal == DEMO:
        count(counts, f"{DEMO}, 60, 10", verdicts(demo(1000 + seed)))
        return
    done = compare(
        *simulated(signal, n_samples, seed), METHODS, replace(PROTOCOL, random_state=seed)
    )
    for trials in TRIALS:
        part = replace(done, trials=done.trials[:trials])
        count(counts, f"{signal}, {n_samples}, {trials}", verdicts(part))


def main():
    """Run the data sets that are left, and save the counts after each."""
    state = {"done": [], "counts": {}}
    if RESULTS.exists():
        state = json.loads(RESULTS.read_text())
    done = set(map(tuple, state["done"]))
    for task in tasks():
        if task in done:
            continue
        run_one(state["counts"], *task)
        state["done"].append(task)
        with replacing(RESULTS) as temporary:
            temporary.write_text(json.dumps(state) + "\n")
        print(*task, flush=True)


if __name__ == "__main__":
    main()
