"""The data sets and evaluation models for the comparison of rules for alpha."""

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from featrank.datasets import load, make_counts, make_madelon, make_microarray
from featrank.datasets.places import find

REAL = ("colon", "leukemia", "lymphoma", "prostate", "madelon", "gina_like_mnist")
SPLITS = 8
MOST_ROWS = 600
PENALTIES = np.logspace(-1, 3, 9)


def data_sets():
    """Yield name, X and y of the available data sets, then of simulated ones."""
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
    yield "informative variance", *informative_variance()
    data = make_madelon(600, 5, 15, 200, random_state=1)
    yield "madelon-like", data.X, data.y


def informative_variance(n_samples=100, n_features=2000, n_useful=40):
    """Return data whose informative features have a larger variance than the noise."""
    rng = np.random.default_rng(0)
    y = np.arange(n_samples) % 2
    X = rng.normal(10, 0.5, (n_samples, n_features))
    X[:, :n_useful] += rng.normal(0, 2, (n_samples, n_useful)) + y[:, None]
    return X, y


def splits(y, regression=False):
    """Return training and test rows of each split."""
    kind = ShuffleSplit if regression else StratifiedShuffleSplit
    cut = kind(
        SPLITS, train_size=min(MOST_ROWS, int(2 / 3 * len(y))), test_size=1 / 3, random_state=0
    )
    return list(cut.split(y[:, None], y))


def imputed(X, train):
    """Return X with missing values replaced by the means of the training rows."""
    return SimpleImputer(keep_empty_features=True).fit(X[train]).transform(X)


def evaluate(X, y, train, test):
    """Return the AUC of ridge and the balanced accuracy of 5-NN, in percent."""
    near = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(X[train], y[train])
    accuracy = balanced_accuracy_score(y[test], near.predict(X[test]))
    return ridge_area(X, y, train, test), 100 * accuracy


def ridge_area(X, y, train, test):
    """Return the AUC of ridge in percent, averaged over the classes if there are several."""
    ridge = make_pipeline(StandardScaler(), RidgeClassifier()).fit(X[train], y[train])
    decisions = ridge.decision_function(X[test])
    if decisions.ndim == 1:
        return 100 * roc_auc_score(y[test] == ridge.classes_[1], decisions)
    pairs = zip(ridge.classes_, decisions.T, strict=True)
    return 100 * np.mean([roc_auc_score(y[test] == label, row) for label, row in pairs])
