"""Rank from few samples per class and predict the others. Run by: make bench-few-samples."""

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import featrank

METHODS = ("ec-fs", "fisher", "moderated-t")
SIZES = (3, 5, 10)
TOP = 20
# Samples per class of a simulated data set, and its genes.
SIMULATED, GENES, SHIFTED = 40, 2000, 50
DATA = Path(__file__).parents[2] / "shared" / "data"


def arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=30, help="random splits per data set")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of .npz files: X and y")
    return parser.parse_args()


def simulated(seed):
    """Return genes with different variances. Some differ by 1.5 standard deviations."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], SIMULATED)
    sd = np.sqrt(4 / rng.chisquare(4, GENES))
    X = 7 + sd * rng.normal(size=(len(y), GENES))
    shifted = rng.choice(GENES, SHIFTED, replace=False)
    X[:, shifted] += 1.5 * sd[shifted] * rng.choice([-1, 1], SHIFTED) * y[:, None]
    return X, y


def real(folder):
    """Yield names and data of matrices with two classes, without genes with missing values."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            X, y = stored["X"].astype(float), np.unique(stored["y"], return_inverse=True)[1]
        if len(np.unique(y)) == 2 and len(y) < X.shape[1]:
            X = X[:, ~np.isnan(X).any(axis=0)]
            linear = X.min() >= 0 and X.max() > 100
            yield path.stem, (np.log2(X + 1) if linear else X), y


def auc(method, X, y, train):
    """Return the held-out AUC of a linear SVM on the top features of the training rows."""
    test = np.setdiff1d(np.arange(len(y)), train)
    ranking = featrank.rank(X[train], y[train], method)
    best = ranking.order[:TOP]
    model = make_pipeline(StandardScaler(), SVC(kernel="linear"))
    model.fit(X[np.ix_(train, best)], y[train])
    return roc_auc_score(y[test], model.decision_function(X[np.ix_(test, best)]))


def measure(data, size, trials):
    """Return the AUC of each method (columns) in each trial (rows)."""
    found = []
    for seed in range(trials):
        X, y = data(seed)
        rng = np.random.default_rng(seed)
        train = np.concatenate([rng.permutation(np.flatnonzero(y == c))[:size] for c in (0, 1)])
        found.append([auc(method, X, y, np.sort(train)) for method in METHODS])
    return np.array(found)


def main():
    """Print a table in Markdown."""
    options = arguments()
    warnings.simplefilter("ignore")  # of few samples, which is what this is about
    sets = {"simulated": simulated}
    sets |= {name: lambda seed, X=X, y=y: (X, y) for name, X, y in real(options.data)}
    print(f"| data | per class | {' | '.join(METHODS)} | moderated-t − ec-fs |")
    print(f"|---|---|{'---|' * len(METHODS)}---|")
    for name, data in sets.items():
        for size in SIZES:
            scores = measure(data, size, options.trials)
            gain = scores[:, 2] - scores[:, 0]
            error = gain.std(ddof=1) / np.sqrt(len(gain))
            means = " | ".join(f"{mean:.3f}" for mean in scores.mean(axis=0))
            print(f"| {name} | {size} | {means} | {gain.mean():+.3f} ± {error:.3f} |", flush=True)


if __name__ == "__main__":
    main()
