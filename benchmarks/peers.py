"""The peers' side of the benchmark: one function a peer.

Each prepares what the peer needs (bins, data frames), which is not timed, and yields the calls to
time, the one on all cores first; see worker.py. A peer is imported here only, so that one which
cannot be imported fails alone.
"""

from functools import partial

import numpy as np

from ours import CHOSEN, LAPLACIAN_NEIGHBORS, N_NEIGHBORS, heat_width

JOBS = (-1, 1)


def sklearn_f(X, y):
    """F of the analysis of variance."""
    from sklearn.feature_selection import f_classif

    yield lambda: f_classif(X, y)[0]


def ready_bins(X):
    """Bins as MutualInformation makes them: the number of inner edges not above a value."""
    from featrank.summaries import auto_bins

    n_bins = auto_bins(len(X))
    low = X.min(axis=0)
    step = (X.max(axis=0) - low) / n_bins
    codes = np.empty(X.shape, np.int64, order="F")
    inner = np.arange(1, n_bins)
    for column in range(X.shape[1]):
        edges = low[column] + inner * step[column]
        codes[:, column] = np.searchsorted(edges, X[:, column], side="right")
    return codes


def sklearn_mi(X, y):
    """Mutual information of features that are binned already."""
    from sklearn.feature_selection import mutual_info_classif

    codes = ready_bins(X)
    for n_jobs in JOBS:
        yield partial(mutual_info_classif, codes, y, discrete_features=True, n_jobs=n_jobs)


def fast_select_relieff(X, y):
    """ReliefF, compiled by Numba, on threads."""
    from fast_select import ReliefF

    ranker = ReliefF(CHOSEN, n_neighbors=N_NEIGHBORS, backend="cpu", n_jobs=-1)
    yield lambda: ranker.fit(X, y).feature_importances_


def skrebate_relieff(X, y):
    """ReliefF in NumPy and joblib."""
    from skrebate import ReliefF

    for n_jobs in JOBS:
        ranker = ReliefF(CHOSEN, n_neighbors=N_NEIGHBORS, n_jobs=n_jobs)
        yield lambda ranker=ranker: ranker.fit(X, y).feature_importances_


def mrmrs_fcq(X, y):
    """mRMR with F and correlation, in Rust."""
    import polars
    from mrmrs import mrmr

    frame = polars.DataFrame(X, schema=[str(column) for column in range(X.shape[1])])
    labels = polars.Series("y", y)
    yield lambda: [int(found.name) for found in mrmr(frame, labels, CHOSEN, "classification")]


def mrmr_selection_fcq(X, y):
    """mRMR with F and correlation, on pandas."""
    import pandas
    from mrmr import mrmr_classif

    frame, labels = pandas.DataFrame(X), pandas.Series(y)
    for n_jobs in JOBS:
        yield partial(mrmr_classif, frame, labels, CHOSEN, n_jobs=n_jobs, show_progress=False)


def fast_select_mid(X, y):
    """mRMR with mutual information of features that are binned already, by Numba."""
    from fast_select import mRMR

    ranker, codes = mRMR(CHOSEN, method="MID", backend="cpu"), ready_bins(X)
    yield lambda: ranker.fit(codes, y).top_features_


def fastcan(X, y):
    """Forward selection by canonical correlation."""
    from fastcan import FastCan

    ranker = FastCan(CHOSEN, verbose=0)
    yield lambda: ranker.fit(X, y).indices_


def _recursive(machine, X, y):
    from sklearn.feature_selection import RFE

    selector = RFE(machine, n_features_to_select=CHOSEN, step=1)
    return lambda: np.flatnonzero(selector.fit(X, y).support_)


def rfe_linear_svc(X, y):
    """SVM-RFE by liblinear with its defaults: squared hinge loss, penalised intercept."""
    from sklearn.svm import LinearSVC

    yield _recursive(LinearSVC(random_state=0), X, y)


def rfe_linear_svc_hinge(X, y):
    """SVM-RFE by liblinear with the loss of the publication."""
    from sklearn.svm import LinearSVC

    yield _recursive(LinearSVC(loss="hinge", random_state=0), X, y)


def rfe_svc(X, y):
    """SVM-RFE by libsvm: the same problem as ours, solved roughly."""
    from sklearn.svm import SVC

    yield _recursive(SVC(kernel="linear"), X, y)


def rfe_svc_exact(X, y):
    """SVM-RFE by libsvm, so exact that the choice no longer depends on the tolerance."""
    from sklearn.svm import SVC

    yield _recursive(SVC(kernel="linear", tol=1e-5), X, y)


def skfeature_laplacian(X, y):
    """Laplacian score with dense matrices, best feature first.

    A sample is its own neighbour there, with a weight of 1; these weights are removed, as they
    are not in the publication. That takes a thousandth of the time.
    """
    from scipy.sparse import diags
    from skfeature.function.similarity_based.lap_score import lap_score
    from skfeature.utility.construct_W import construct_W

    # The weight is exp(-d²/(2t²)) there and exp(-d²/t) in the publication.
    width = float(np.sqrt(heat_width(X) / 2))

    def call():
        W = construct_W(X, weight_mode="heat_kernel", k=LAPLACIAN_NEIGHBORS, t=width)
        return lap_score(X, W=W - diags(W.diagonal()), mode="index")

    yield call


def numpy_inf_fs(X, y, alpha=0.5, factor=0.99):
    """Inf-FS written plainly: the matrix, its eigenvalues, an inverse."""
    from scipy.stats import rankdata

    def call():
        spread = X.std(axis=0, ddof=1)
        spread = (spread - spread.min()) / np.ptp(spread)
        correlation = np.corrcoef(rankdata(X, axis=0), rowvar=False)
        A = alpha * np.maximum.outer(spread, spread) + (1 - alpha) * (1 - np.abs(correlation))
        identity = np.eye(len(A))
        r = factor / np.linalg.eigvalsh(A)[-1]
        return (np.linalg.inv(identity - r * A) - identity).sum(axis=1)

    yield call
