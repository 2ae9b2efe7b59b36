"""featrank's side of the benchmark: one function per measurement, on all cores if possible.

Each function yields the call to time (see worker.py).
"""

import numpy as np

from featrank import methods

CHOSEN = 50
N_NEIGHBORS = 10
LAPLACIAN_NEIGHBORS = 5


def ranker(name, **parameters):
    """Return a method by its registered name, on all cores if it has ``n_jobs``."""
    made = methods()[name](**parameters)
    return made.set_params(n_jobs=-1) if "n_jobs" in made.get_params() else made


def scores(name, X, y, **parameters):
    """Return a function that fits the method and returns its scores."""
    made = ranker(name, **parameters)
    return lambda: made.fit(X, y).scores_


def chosen(name, X, y, count=CHOSEN, **parameters):
    """Return a function that fits the method and returns the best features in order."""
    made = ranker(name, n_features_to_select=count, **parameters)
    return lambda: made.fit(X, y).order_[:count]


def fisher(X, y):
    """F, as the weighted Fisher score times (T - C)/(C - 1)."""
    n_classes = len(np.unique(y))
    factor = (len(y) - n_classes) / (n_classes - 1)
    weighted = scores("fisher", X, y, class_weighted=True)
    yield lambda: factor * weighted()


def mi(X, y):
    """Mutual information, including the binning."""
    yield scores("mi", X, y)


def relieff(X, y):
    """ReliefF over all samples."""
    yield scores("relieff", X, y, n_neighbors=N_NEIGHBORS)


def mrmr_fcq(X, y):
    """F divided by the mean absolute correlation."""
    yield chosen("mrmr", X, y, criterion="fcq")


def mrmr_mid(X, y):
    """Mutual information with the class minus that with chosen features, including the binning."""
    yield chosen("mrmr", X, y, criterion="mid")


def svm_rfe(X, y):
    """Eliminate one feature at a time, down to the chosen number."""
    yield chosen("svm-rfe", X, y, step=1)


def heat_width(X):
    """Return the width of the heat kernel: the mean squared distance of two samples."""
    return 2 * X.var(axis=0, ddof=1).sum()


def laplacian(X, y):
    """Laplacian score of a nearest-neighbour graph with a heat kernel of fixed width."""
    yield scores("laplacian", X, None, n_neighbors=LAPLACIAN_NEIGHBORS, t=heat_width(X))


def inf_fs(X, y):
    """Inf-FS with unscaled standard deviations."""
    yield scores("inf-fs", X, None, normalize=None)


def inf_fs_s(X, y):
    """Supervised Inf-FS."""
    yield scores("inf-fs-s", X, y)


def ec_fs(X, y):
    """EC-FS."""
    yield scores("ec-fs", X, y)


def ec_fs_diverse(X, y):
    """Diverse EC-FS with its defaults."""
    yield chosen("ec-fs-diverse", X, y)


def mifs(X, y):
    """MIFS with its default β."""
    yield chosen("mifs", X, y)


def jmi(X, y):
    """Joint mutual information."""
    yield chosen("jmi", X, y)


def cmim(X, y):
    """Smallest conditional mutual information over the chosen features."""
    yield chosen("cmim", X, y)


def dominant_set(X, y):
    """Dominant sets of features."""
    yield chosen("dominant-set", X, y)


def fsv(X, y):
    """Concave minimisation by linear programs."""
    yield chosen("fsv", X, y)


def graph_width(X):
    """δ of SPEC's similarities: half the root mean squared distance of two samples."""
    return float(np.sqrt(heat_width(X))) / 2


def spec(X, y):
    """SPEC's second function over the similarities of all samples."""
    yield scores("spec", X, None, criterion="phi2", width=graph_width(X))


def trace_ratio(X, y):
    """Trace ratio of the complete table, which ranks all features."""
    yield scores("trace-ratio", X, y)


def fcbf(X, y):
    """FCBF on equal-width bins, including the binning."""
    yield chosen("fcbf", X, y, binning="width")


def cfs(X, y):
    """CFS by best-first search on equal-width bins, including the binning."""
    made = ranker("cfs", binning="width")

    def call():
        fitted = made.fit(X, y)
        return fitted.order_[: fitted.subset_.sum()]

    yield call


def mcfs(X, y):
    """MCFS as published, with unscaled features."""
    yield chosen("mcfs", X, None, n_nonzero=CHOSEN, standardize=False, weights="binary")


def lasso(X, y):
    """Lasso path up to 50 standardised features."""
    yield chosen("lasso", X, y)


def udfs(X, y):
    """UDFS with its defaults."""
    yield chosen("udfs", X, None)


def boruta(X, y):
    """Features that twenty rounds of Boruta confirm."""
    made = ranker("boruta", max_iter=20)
    yield lambda: np.flatnonzero(made.fit(X, y).decision_ == "confirmed")


def ilfs(X, y):
    """ILFS with its defaults."""
    yield chosen("ilfs", X, y)


def fsasl(X, y):
    """FSASL with its defaults."""
    yield chosen("fsasl", X, None)


def hsic_lasso(X, y):
    """HSIC Lasso without blocks."""
    yield chosen("hsic-lasso", X, y)


def ndfs(X, y):
    """NDFS with its defaults."""
    yield chosen("ndfs", X, None)


def zero_norm(X, y):
    """Features with a nonzero scale after zero-norm minimisation."""
    made = ranker("l0", tol=1e-4)
    yield lambda: np.flatnonzero(made.fit(X, y).scale_)


def llc_fs(X, y):
    """LLC-fs with its defaults."""
    yield chosen("llc-fs", X, None)


def ufsol(X, y):
    """UFSOL with its defaults."""
    yield chosen("ufsol", X, None)


def dgufs(X, y):
    """DGUFS with its defaults."""
    yield chosen("dgufs", X, None)


def rrelieff(X, y):
    """RReliefF for a regression target."""
    yield scores("relieff", X, X[:, :5].sum(axis=1), task="regression")


def fisher_regression(X, y):
    """F of a linear regression on each feature."""
    weighted = scores("fisher", X, X[:, :5].sum(axis=1), task="regression")
    yield lambda: (len(X) - 2) * weighted()


def mrmr_fcq_regression(X, y):
    """F divided by the mean absolute correlation, for regression."""
    yield chosen("mrmr", X, X[:, :5].sum(axis=1), criterion="fcq", task="regression")


def informative(X):
    """Return data of the shape of X with 20 informative features, and its classes."""
    from sklearn.datasets import make_classification

    return make_classification(*X.shape, n_informative=20, random_state=0)


def svm_rfe_informative(X, y):
    """Eliminate one feature at a time from data with many informative features."""
    yield chosen("svm-rfe", *informative(X), step=1)
