"""Which alpha EC-FS should take of those that look alike. Run by: make bench-alpha.

On training rows every alpha has cross-validated scores; a rule takes one of them. It is judged on
test rows by classifiers that had no part in the choice: ridge (AUC) and 5 nearest neighbours
(balanced accuracy) on the best k features.
"""

import os
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from featrank import ECFS
from featrank.datasets import find, load, make_counts, make_madelon, make_microarray

RESULTS = Path(__file__).parent / "results" / "alpha.md"
REAL = ("colon", "leukemia", "lymphoma", "prostate", "madelon", "gina_like_mnist")
KS = (10, 50)
KERNELS = ("product", "symmetric")
SPLITS = 8
MOST_ROWS = 600
# What ECFS and the comparisons do.
TAKEN = "largest within one standard error of the difference, or one point"


def data_sets():
    """Yield name, X and y of the sets at hand, then of made ones."""
    for name in REAL:
        if find(name) is not None:
            data = load(name)
            yield name, data.X, data.y
    for name in ("breast-cancer", "digits"):
        data = load(name)
        yield name, data.X, data.y
    for effect in (0.7, 1.2):
        data = make_microarray(80, 3000, effect=effect, random_state=1)
        yield f"microarray, effect {effect}", data.X, data.y
    for fold, n_classes in ((1.5, 2), (3.0, 4)):
        data = make_counts(120, 3000, fold=fold, n_classes=n_classes, random_state=1)
        yield f"counts, fold {fold}, {n_classes} classes", data.X, data.y
    yield "variance tells", *variance_tells()
    data = make_madelon(600, 5, 15, 200, random_state=1)
    yield "madelon-like", data.X, data.y


def variance_tells(n_samples=100, n_features=2000, n_useful=40):
    """Return data in whose favour the spread speaks: useful features are loud, noise is not."""
    rng = np.random.default_rng(0)
    y = np.arange(n_samples) % 2
    X = rng.normal(10, 0.5, (n_samples, n_features))
    X[:, :n_useful] += rng.normal(0, 2, (n_samples, n_useful)) + y[:, None]
    return X, y


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


def judged(X, y, train, test):
    """Return the AUC of ridge and the balanced accuracy of 5-NN."""
    ridge = make_pipeline(StandardScaler(), RidgeClassifier()).fit(X[train], y[train])
    near = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(X[train], y[train])
    decisions = ridge.decision_function(X[test])
    if decisions.ndim == 1:
        area = roc_auc_score(y[test] == ridge.classes_[1], decisions)
    else:
        pairs = zip(ridge.classes_, decisions.T, strict=True)
        area = np.mean([roc_auc_score(y[test] == label, row) for label, row in pairs])
    return 100 * area, 100 * balanced_accuracy_score(y[test], near.predict(X[test]))


def trial(X, y, train, test, kernel, k):
    """Return what each rule gives on one split."""
    X = SimpleImputer(keep_empty_features=True).fit(X[train]).transform(X)
    ranker = ECFS(k, kernel=kernel).fit(X[train], y[train])
    rankings = ECFS(kernel=kernel).alpha_path(X[train], y[train], ranker.alphas_)
    known = {}
    taken = rules(ranker.cv_scores_)
    for place in set(taken.values()):
        known[place] = judged(X[:, rankings[place] <= k], y, train, test)
    return {rule: known[place] for rule, place in taken.items()}


def measured(name, X, y):
    """Return the mean over the splits by kernel, k, rule and judge."""
    found = {}
    cut = StratifiedShuffleSplit(
        SPLITS, train_size=min(MOST_ROWS, int(2 / 3 * len(y))), test_size=1 / 3, random_state=0
    )
    for kernel in KERNELS:
        for k in (k for k in KS if k < X.shape[1]):
            each = [trial(X, y, *rows, kernel, k) for rows in cut.split(X, y)]
            for rule in each[0]:
                found[kernel, k, rule] = np.mean([one[rule] for one in each], axis=0)
    return name, found


def report(results):
    """Yield the lines of the report."""
    yield "Which alpha EC-FS takes by cross-validation, over "
    yield f"{len(results)} data sets, {SPLITS} splits each. Made by `make bench-alpha`."
    for kernel in KERNELS:
        yield ""
        yield f'Kernel "{kernel}": mean over the sets of ridge AUC and 5-NN balanced accuracy.'
        yield ""
        columns = [f"{judge}, k = {k}" for k in KS for judge in ("AUC", "5-NN")]
        yield f"| rule | {' | '.join(columns)} |"
        yield "|---" * (len(columns) + 1) + "|"
        for rule in rules(np.zeros((11, 5))):
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
    shown = (TAKEN, "largest of exact ties", "alpha 1", "alpha 0.5")
    yield f"| data set | {' | '.join(shown)} |"
    yield "|---" * (len(shown) + 1) + "|"
    for name, found in results:
        k = max(k for kernel, k, _ in found)
        cells = [f"{found['product', k, rule][0]:.1f}" for rule in shown]
        yield f"| {name} | {' | '.join(cells)} |"


def main():
    """Measure every set and write the report."""
    sets = list(data_sets())
    results = Parallel(n_jobs=os.cpu_count())(delayed(measured)(*one) for one in sets)
    text = "\n".join(report(results)) + "\n"
    print(text)
    RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
