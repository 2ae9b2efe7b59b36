"""Our side of the benchmark: one function a measurement, with all cores where a method has them.

Each yields the one call to time; see worker.py.
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
    """Return a call that fits the method and gives its scores."""
    made = ranker(name, **parameters)
    return lambda: made.fit(X, y).scores_


def chosen(name, X, y, **parameters):
    """Return a call that fits the method and gives the first features in their order."""
    made = ranker(name, n_features_to_select=CHOSEN, **parameters)
    return lambda: made.fit(X, y).order_[:CHOSEN]


def fisher(X, y):
    """F, as the weighted Fisher score times (T - C)/(C - 1)."""
    n_classes = len(np.unique(y))
    factor = (len(y) - n_classes) / (n_classes - 1)
    weighted = scores("fisher", X, y, class_weighted=True)
    yield lambda: factor * weighted()


def mi(X, y):
    """Mutual information; the binning is timed too."""
    yield scores("mi", X, y)


def relieff(X, y):
    """ReliefF over all samples."""
    yield scores("relieff", X, y, n_neighbors=N_NEIGHBORS)


def mrmr_fcq(X, y):
    """F over the mean absolute correlation."""
    yield chosen("mrmr", X, y, criterion="fcq")


def mrmr_mid(X, y):
    """Mutual information with the class less that with the chosen features, binning included."""
    yield chosen("mrmr", X, y, criterion="mid")


def svm_rfe(X, y):
    """One feature at a time, down to those that are chosen."""
    yield chosen("svm-rfe", X, y, step=1)


def heat_width(X):
    """Width of the heat kernel: the mean squared distance of two samples."""
    return 2 * X.var(axis=0, ddof=1).sum()


def laplacian(X, y):
    """Laplacian score of a nearest-neighbour graph with a heat kernel of given width."""
    yield scores("laplacian", X, None, n_neighbors=LAPLACIAN_NEIGHBORS, t=heat_width(X))


def inf_fs(X, y):
    """Inf-FS with the standard deviations as they are."""
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
    """Conditional mutual information, the least over the chosen features."""
    yield chosen("cmim", X, y)


def dominant_set(X, y):
    """Dominant sets of features."""
    yield chosen("dominant-set", X, y)


def fsv(X, y):
    """Concave minimisation by linear programs."""
    yield chosen("fsv", X, y)
