"""Compare rules for the choice of EC-FS's alpha. Run by: make bench-alpha.

On training rows every alpha has cross-validated scores, and a rule uses one of them. The rule is
evaluated on test rows by models that are not used for the choice: ridge (AUC) and 5 nearest
neighbours (balanced accuracy) on the top k features.
"""

import os
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from alpha_sets import SPLITS, data_sets, evaluate, imputed, splits
from featrank import ECFS
from featrank.base import tuning

RESULTS = Path(__file__).parent / "results" / "alpha.md"
KS = (5, 10, 20, 50)
KERNELS = ("symmetric", "product")
# The rule of featrank.
USED = "largest within one standard error of the difference, or 0.01 (used)"
WITHOUT_ONE = "the same, scored without the top 1"


def rules(scores):
    """Return the place that each rule uses, from scores by alpha and fold."""
    mean = scores.mean(axis=1).round(9)
    best = int(np.argmax(mean))
    tied = np.flatnonzero(mean == mean[best])
    folds = scores.shape[1]
    error = scores[best].std(ddof=1) / np.sqrt(folds)
    paired = (scores[best] - scores).std(axis=1, ddof=1) / np.sqrt(folds)
    return {
        USED: np.flatnonzero(mean >= mean[best] - np.maximum(paired, 0.01) - 1e-9)[-1],
        "largest within one standard error of the difference": np.flatnonzero(
            mean >= mean[best] - paired - 1e-9
        )[-1],
        "largest within one standard error of the best": np.flatnonzero(mean >= mean[best] - error)[
            -1
        ],
        "largest of exact ties": tied[-1],
        "smallest of exact ties": tied[0],
        "always 1": 10,
        "always 0.9": 9,
        "always 0.5": 5,
    }


def scores_without_one(X, y, kernel):
    """Return cross-validated scores over the top 5, 10, 20 and 50 features."""
    counts = tuning.COUNTS
    tuning.COUNTS = counts[1:]
    try:
        return ECFS(kernel=kernel).fit(X, y).cv_scores_
    finally:
        tuning.COUNTS = counts


def trial(X, y, train, test, kernel):
    """Return what each rule gives on one split, by k and rule."""
    X = imputed(X, train)
    fitting = X[train], y[train]
    ranker = ECFS(kernel=kernel).fit(*fitting)
    orders = ranker.rank_candidates(*fitting, [{"alpha": alpha} for alpha in ranker.alphas_])
    places = rules(ranker.cv_scores_)
    assert ranker.alphas_[places[USED]] == ranker.alpha_
    places[WITHOUT_ONE] = rules(scores_without_one(*fitting, kernel))[USED]
    found = {}
    for k in (k for k in KS if k < X.shape[1]):
        known = {
            place: evaluate(X[:, orders[place][:k]], y, train, test) for place in {*places.values()}
        }
        found |= {(k, rule): known[place] for rule, place in places.items()}
    return found


def measured(name, X, y):
    """Return the mean over the splits by kernel, k, rule and evaluation model."""
    found = {}
    for kernel in KERNELS:
        each = [trial(X, y, *rows, kernel) for rows in splits(y)]
        for k, rule in each[0]:
            found[kernel, k, rule] = np.mean([one[k, rule] for one in each], axis=0)
    return name, found


def report(results):
    """Yield the lines of the report."""
    yield f"Rules for the choice of EC-FS's alpha, on {len(results)} data sets with {SPLITS} splits"
    yield "each. Created by `make bench-alpha`."
    for kernel in KERNELS:
        yield ""
        yield f'Kernel "{kernel}": mean over the sets of ridge AUC and 5-NN balanced accuracy.'
        yield ""
        columns = [f"{model}, k = {k}" for model in ("AUC", "5-NN") for k in KS]
        yield f"| rule | {' | '.join(columns)} |"
        yield "|---" * (len(columns) + 1) + "|"
        first, *others = rules(np.zeros((11, 5)))
        for rule in (first, WITHOUT_ONE, *others):
            cells = [
                np.mean(
                    [
                        found[kernel, k, rule][model]
                        for _, found in results
                        if (kernel, k, rule) in found
                    ]
                )
                for model in (0, 1)
                for k in KS
            ]
            yield f"| {rule} | {' | '.join(f'{cell:.1f}' for cell in cells)} |"
    yield ""
    yield 'AUC at k = 50 (or the largest k below the number of features), kernel "symmetric":'
    yield ""
    shown = (USED, WITHOUT_ONE, "largest of exact ties", "always 1", "always 0.5")
    yield f"| data set | {' | '.join(shown)} |"
    yield "|---" * (len(shown) + 1) + "|"
    for name, found in results:
        k = max(k for _, k, _ in found)
        cells = [f"{found[KERNELS[0], k, rule][0]:.1f}" for rule in shown]
        yield f"| {name} | {' | '.join(cells)} |"


def main():
    """Measure every set and write the report."""
    n_jobs = os.cpu_count()
    results = Parallel(n_jobs=n_jobs)(delayed(measured)(*one) for one in data_sets())
    lines = "\n".join(report(results)) + "\n"
    print(lines)
    RESULTS.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
