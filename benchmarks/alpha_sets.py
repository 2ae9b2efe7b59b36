"""The data sets and judges that the rules for alpha are compared by."""

import numpy as np
from sklearn.datasets import (
    load_diabetes,
    load_wine,
    make_classification,
    make_friedman1,
    make_regression,
    make_sparse_uncorrelated,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeClassifier, RidgeCV
from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from featrank.datasets import load, make_counts, make_madelon, make_microarray
from featrank.datasets.places import find

REAL = ("colon", "leukemia", "lymphoma", "prostate", "madelon", "gina_like_mnist")
SPLITS = 8
MOST_ROWS = 600
PENALTIES = np.logspace(-1, 3, 9)


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


def further_sets():
    """Yield name, X and y of sets by which no rule for alpha had been chosen before."""
    yield "wine", *load_wine(return_X_y=True)
    data = load("breast-cancer")
    yield "breast-cancer and noise", with_noise(data.X), data.y
    data = load("digits")
    yield "digits, odd or even", data.X, data.y.astype(int) % 2
    for shape, n_classes in (((100, 2000), 2), ((300, 200), 2), ((150, 1000), 3)):
        X, y = make_classification(
            *shape, n_informative=20, n_redundant=20, n_classes=n_classes, random_state=2
        )
        yield f"classification {shape[0]} x {shape[1]}, {n_classes} classes", of_spreads(X), y
    yield "loud noise", *loud_noise()
    yield "louder features tell more", *louder_tell_more()
    for effect in (0.7, 1.0):
        data = make_microarray(120, 2000, effect=effect, random_state=5)
        yield f"microarray of 120, effect {effect}", data.X, data.y
    data = make_counts(200, 2000, fold=2.0, n_classes=3, random_state=5)
    yield "logs of counts, fold 2.0, 3 classes", np.log1p(data.X), data.y


def loud_noise(n_samples=120, n_features=500, n_useful=30, n_loud=3):
    """Return useful features that are somewhat loud, and useless ones that are louder still."""
    rng = np.random.default_rng(3)
    y = np.arange(n_samples) % 2
    X = rng.normal(10, 0.5, (n_samples, n_features))
    X[:, :n_useful] += rng.normal(0, 1, (n_samples, n_useful)) + 0.8 * y[:, None]
    X[:, n_useful : n_useful + n_loud] += rng.normal(0, 4, (n_samples, n_loud))
    return X, y


def louder_tell_more(n_samples=120, n_features=1000):
    """Return features that tell the classes the better the louder they are, none of them well."""
    rng = np.random.default_rng(4)
    y = np.arange(n_samples) % 2
    spread = rng.lognormal(0, 0.5, n_features)
    effect = 0.5 * np.clip(spread - 1.5, 0, 2)
    return 20 + spread * (rng.normal(size=(n_samples, n_features)) + effect * y[:, None]), y


def with_noise(X, n_noise=200):
    """Return the features with useless ones beside them, and spreads that say nothing."""
    noise = np.random.default_rng(1).normal(size=(len(X), n_noise))
    return of_spreads(np.hstack([X, noise]))


def of_spreads(X):
    """Return the features with means well above 0 and spreads that say nothing."""
    rng = np.random.default_rng(0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return 10 + X * rng.lognormal(0, 0.5, X.shape[1])


def quantity_sets():
    """Yield name, X and y of sets whose target is a quantity."""
    X, y = load_diabetes(return_X_y=True)
    yield "diabetes", *load_diabetes(return_X_y=True, scaled=False)
    yield "diabetes and noise", with_noise(X), y
    X, y = make_regression(100, 1000, n_informative=30, noise=50, random_state=2)
    yield "regression 100 x 1000", of_spreads(X), y
    X, y = make_regression(400, 200, n_informative=50, noise=100, random_state=2)
    yield "regression 400 x 200", of_spreads(X), y
    X, y = make_friedman1(200, 100, noise=2, random_state=2)
    yield "friedman 200 x 100", X, y
    yield "friedman, other spreads", of_spreads(X), y
    X, y = make_sparse_uncorrelated(100, 300, random_state=2)
    yield "sparse uncorrelated", of_spreads(X), y
    X = load_wine().data
    yield "wine: proline by the rest", X[:, :-1], X[:, -1]
    yield from genes_by_others()


def genes_by_others():
    """Yield expression data whose target is the value of one gene that varies much."""
    for name in ("colon", "prostate", "leukemia"):
        if find(name) is not None:
            X = np.asarray(load(name).X, dtype=float)
            gene = np.argsort(np.nanstd(X, axis=0))[-X.shape[1] // 10]
            yield f"{name}: a gene by the rest", np.delete(X, gene, axis=1), X[:, gene]


def splits(y, quantity=False):
    """Return training and test rows of each split."""
    kind = ShuffleSplit if quantity else StratifiedShuffleSplit
    cut = kind(
        SPLITS, train_size=min(MOST_ROWS, int(2 / 3 * len(y))), test_size=1 / 3, random_state=0
    )
    return list(cut.split(y[:, None], y))


def without_gaps(X, train):
    """Return X with the training rows' means where values are missing."""
    return SimpleImputer(keep_empty_features=True).fit(X[train]).transform(X)


def judged(X, y, train, test):
    """Return the AUC of ridge and the balanced accuracy of 5-NN, in points."""
    near = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(X[train], y[train])
    accuracy = balanced_accuracy_score(y[test], near.predict(X[test]))
    return ridge_area(X, y, train, test), 100 * accuracy


def ridge_area(X, y, train, test):
    """Return the AUC of ridge in points, of several classes the mean over them."""
    ridge = make_pipeline(StandardScaler(), RidgeClassifier()).fit(X[train], y[train])
    decisions = ridge.decision_function(X[test])
    if decisions.ndim == 1:
        return 100 * roc_auc_score(y[test] == ridge.classes_[1], decisions)
    pairs = zip(ridge.classes_, decisions.T, strict=True)
    return 100 * np.mean([roc_auc_score(y[test] == label, row) for label, row in pairs])


def judged_quantity(X, y, train, test):
    """Return R² of ridge and of 5-NN, in points."""
    near = make_pipeline(StandardScaler(), KNeighborsRegressor(5)).fit(X[train], y[train])
    return ridge_share(X, y, train, test), 100 * r2_score(y[test], near.predict(X[test]))


def ridge_share(X, y, train, test):
    """Return R² of ridge in points."""
    ridge = make_pipeline(StandardScaler(), RidgeCV(PENALTIES)).fit(X[train], y[train])
    return 100 * r2_score(y[test], ridge.predict(X[test]))
