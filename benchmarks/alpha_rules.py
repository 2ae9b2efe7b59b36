"""Which alpha EC-FS should take of those that look alike. Run by: make bench-alpha.

On training rows every alpha has cross-validated scores; a rule takes one of them. It is judged on
test rows by classifiers that had no part in the choice: ridge (AUC) and 5 nearest neighbours
(balanced accuracy) on the best k features.
"""

import os
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from alpha_counts import section
from alpha_sets import SPLITS, data_sets, judged, splits, without_gaps
from featrank import ECFS

RESULTS = Path(__file__).parent / "results" / "alpha.md"
KS = (10, 50)
KERNELS = ("product", "symmetric")
# What the comparisons do.
TAKEN = "largest within one standard error of the difference, or one point"
# What ECFS does.
OWN = "the same, or what the head of the list speaks for if that is larger"


def rules(scores):
    """Return the place that each rule takes, from scores by alpha and fold."""
    mean = scores.mean(axis=1).round(9)
    best = int(np.argmax(mean))
    tied = np.flatnonzero(mean == mean[best])
    folds = scores.shape[1]
    error = scores[best].std(ddof=1) / np.sqrt(folds)
    paired = (scores[best] - scores).std(axis=1, ddof=1) / np.sqrt(folds)
    within = np.flatnonzero(mean >= mean[best] - error)
    return {
        TAKEN: np.flatnonzero(mean >= mean[best] - np.maximum(paired, 0.01) - 1e-9)[-1],
        "largest within one standard error of the difference": np.flatnonzero(
            mean >= mean[best] - paired - 1e-9
        )[-1],
        "largest within one standard error": within[-1],
        "middle within one standard error": within[len(within) // 2],
        "largest of exact ties": tied[-1],
        "middle of exact ties": tied[len(tied) // 2],
        "smallest of exact ties": tied[0],
        "alpha 1": 10,
        "alpha 0.9": 9,
        "alpha 0.5": 5,
    }


def trial(X, y, train, test, kernel, k):
    """Return what each rule gives on one split."""
    X = without_gaps(X, train)
    ranker = ECFS(k, kernel=kernel).fit(X[train], y[train])
    rankings = ECFS(kernel=kernel).alpha_path(X[train], y[train], ranker.alphas_)
    known = {}
    own = int(np.searchsorted(ranker.alphas_, ranker.alpha_))
    taken = {OWN: own, **rules(ranker.cv_scores_)}
    for place in set(taken.values()):
        known[place] = judged(X[:, rankings[place] <= k], y, train, test)
    return {rule: known[place] for rule, place in taken.items()}


def measured(name, X, y):
    """Return the mean over the splits by kernel, k, rule and judge."""
    found = {}
    for kernel in KERNELS:
        for k in (k for k in KS if k < X.shape[1]):
            each = [trial(X, y, *rows, kernel, k) for rows in splits(y)]
            for rule in each[0]:
                found[kernel, k, rule] = np.mean([one[rule] for one in each], axis=0)
    return name, found


def report(results):
    """Yield the lines of the report."""
    yield "Which alpha EC-FS takes by cross-validation, over"
    yield f"{len(results)} data sets, {SPLITS} splits each. Made by `make bench-alpha`."
    for kernel in KERNELS:
        yield ""
        yield f'Kernel "{kernel}": mean over the sets of ridge AUC and 5-NN balanced accuracy.'
        yield ""
        columns = [f"{judge}, k = {k}" for k in KS for judge in ("AUC", "5-NN")]
        yield f"| rule | {' | '.join(columns)} |"
        yield "|---" * (len(columns) + 1) + "|"
        first, *others = rules(np.zeros((11, 5)))
        for rule in (first, OWN, *others):
            cells = []
            for k in KS:
                table = [
                    found[kernel, k, rule] for _, found in results if (kernel, k, rule) in found
                ]
                cells += [f"{value:.1f}" for value in np.mean(table, axis=0)]
            yield f"| {rule} | {' | '.join(cells)} |"
    yield ""
    yield 'AUC at k = 50 (10 where there are fewer features), kernel "product", by data set:'
    yield ""
    shown = (OWN, TAKEN, "largest of exact ties", "alpha 1", "alpha 0.5")
    yield f"| data set | {' | '.join(shown)} |"
    yield "|---" * (len(shown) + 1) + "|"
    for name, found in results:
        k = max(k for kernel, k, _ in found)
        cells = [f"{found['product', k, rule][0]:.1f}" for rule in shown]
        yield f"| {name} | {' | '.join(cells)} |"


def main():
    """Measure every set and write the report."""
    n_jobs = os.cpu_count()
    results = Parallel(n_jobs=n_jobs)(delayed(measured)(*one) for one in data_sets())
    text = "\n".join([*report(results), *section(n_jobs)]) + "\n"
    print(text)
    RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
