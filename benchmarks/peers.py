"""The peers' side of the benchmark: one function per peer.

Each function prepares the input of the peer (bins, data frames), which is not timed, and yields the
calls to time, the one on all cores first (see worker.py). Each function imports its own peer, so
that a failed import affects only one.
"""

from functools import partial

import numpy as np

from ours import CHOSEN, LAPLACIAN_NEIGHBORS, N_NEIGHBORS, graph_width, heat_width, informative

JOBS = (-1, 1)


def sklearn_f(X, y):
    """F of the analysis of variance."""
    from sklearn.feature_selection import f_classif

    yield lambda: f_classif(X, y)[0]


def ready_bins(X):
    """Return the bins of MutualInformation: the number of inner edges not above a value."""
    from featrank.summaries.histogram import auto_bins

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
    """Mutual information of binned features."""
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
    """mRMR with mutual information of binned features, by Numba."""
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
    """SVM-RFE by libsvm: the same problem as ours, solved with low accuracy."""
    from sklearn.svm import SVC

    yield _recursive(SVC(kernel="linear"), X, y)


def rfe_svc_exact(X, y):
    """SVM-RFE by libsvm, accurate enough that the choice does not depend on the tolerance."""
    from sklearn.svm import SVC

    yield _recursive(SVC(kernel="linear", tol=1e-5), X, y)


def skfeature_laplacian(X, y):
    """Laplacian score with dense matrices, best feature first.

    The peer treats a sample as its own neighbour with a weight of 1. These weights are removed
    because they are not in the publication. That takes a thousandth of the time.
    """
    from scipy.sparse import diags
    from skfeature.function.similarity_based.lap_score import lap_score
    from skfeature.utility.construct_W import construct_W

    # The weight is exp(-d²/(2t²)) in the package and exp(-d²/t) in the publication.
    width = float(np.sqrt(heat_width(X) / 2))

    def call():
        W = construct_W(X, weight_mode="heat_kernel", k=LAPLACIAN_NEIGHBORS, t=width)
        return lap_score(X, W=W - diags(W.diagonal()), mode="index")

    yield call


def numpy_inf_fs(X, y, alpha=0.5, factor=0.99):
    """Simple implementation of Inf-FS: the matrix, its eigenvalues, an inverse."""
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


def skfeature_spec(X, y):
    """SPEC from all eigenvectors of the Laplacian. Our score is 1 minus its score."""
    from skfeature.function.similarity_based.SPEC import spec
    from sklearn.metrics.pairwise import rbf_kernel

    def call():
        similar = rbf_kernel(X, gamma=1 / (2 * graph_width(X) ** 2))
        return 1 - spec(X, W=similar, style=0, mode="raw")

    yield call


def skfeature_trace_ratio(X, y):
    """Trace ratio with a features × features matrix, best feature first."""
    from skfeature.function.similarity_based.trace_ratio import trace_ratio

    yield lambda: trace_ratio(X, y, mode="index")


def skfeature_fcbf(X, y):
    """FCBF of binned features, with uncertainties truncated to integers."""
    from skfeature.function.information_theoretical_based.FCBF import fcbf

    codes = ready_bins(X)
    yield lambda: fcbf(codes, y, mode="index")[:CHOSEN]


def skfeature_cfs(X, y):
    """CFS by greedy search: the features that it adds up to the best merit."""
    from skfeature.function.statistical_based.CFS import cfs, merit_calculation

    codes = ready_bins(X)

    def call():
        added = cfs(codes, y, mode="index")
        merits = [merit_calculation(codes[:, added[:k]], y) for k in range(1, len(added) + 1)]
        return added[: 1 + int(np.argmax(merits))]

    yield call


def skfeature_mcfs(X, y):
    """MCFS by dense matrices, with signed coefficients, on the same graph as ours."""
    from scipy.sparse import csr_array
    from skfeature.function.sparse_learning_based.MCFS import mcfs
    from sklearn.neighbors import kneighbors_graph

    def call():
        near = kneighbors_graph(X, LAPLACIAN_NEIGHBORS)
        joined = csr_array(near.maximum(near.T))
        weights = mcfs(X, n_selected_features=CHOSEN, W=joined, n_clusters=5, mode="raw")
        return np.argsort(-np.abs(weights).max(axis=1), kind="stable")[:CHOSEN]

    yield call


def sklearn_lasso(X, y):
    """Lasso path by scikit-learn, in the order in which features enter."""
    from sklearn.linear_model import lars_path
    from sklearn.preprocessing import StandardScaler

    def call():
        features = StandardScaler().fit_transform(X)
        # Features may leave and enter again, so more steps than features are needed.
        path = lars_path(features, y - y.mean(), method="lasso", max_iter=2 * CHOSEN)[2]
        first = np.where((path != 0).any(axis=1), (path != 0).argmax(axis=1), path.shape[1])
        return np.argsort(first, kind="stable")[:CHOSEN]

    yield call


def skfeature_udfs(X, y):
    """UDFS by eigenvectors of a features × features matrix, with another M."""
    from skfeature.function.sparse_learning_based.UDFS import udfs

    def call():
        weights = udfs(X, n_clusters=5, mode="raw")
        return np.argsort(-(weights**2).sum(axis=1), kind="stable")[:CHOSEN]

    yield call


def boruta_py(X, y):
    """Twenty rounds of boruta_py, whose ``max_iter`` is one larger."""
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    for n_jobs in JOBS:
        forest = RandomForestClassifier(n_jobs=n_jobs)
        made = BorutaPy(forest, n_estimators="auto", max_iter=21, two_step=False, random_state=0)
        yield lambda made=made: np.flatnonzero(made.fit(X, y).support_)


def skfeature_ndfs(X, y):
    """NDFS by dense matrices. Its matrix in place of the Laplacian is not a Laplacian."""
    from skfeature.function.sparse_learning_based.NDFS import ndfs

    def call():
        weights = ndfs(X, n_clusters=5, mode="raw")
        return np.argsort(-(weights**2).sum(axis=1), kind="stable")[:CHOSEN]

    yield call


def svc_zero_norm(X, y):
    """Features left by zero-norm minimisation with scikit-learn's SVMs in a loop."""
    from sklearn.svm import SVC

    def call():
        features = (X - X.mean(axis=0)) / X.std(axis=0)
        scale = np.ones(X.shape[1])
        for step in range(100):
            machine = SVC(kernel="linear", C=0.1, tol=1e-5).fit(features * scale, y)
            new = scale * np.abs(machine.coef_[0])
            new = np.where(new > 1e-3 * new.max(), new / new.max(), 0.0)
            done, scale = np.abs(new - scale).max() <= 1e-4, new
            if step and done:
                break
        return np.flatnonzero(scale)

    yield call


def sklearn_f_regression(X, y):
    """F of a linear regression on each feature."""
    from sklearn.feature_selection import f_regression

    target = X[:, :5].sum(axis=1)
    yield lambda: f_regression(X, target)[0]


def mrmrs_fcq_regression(X, y):
    """mRMR with F and correlation for regression, in Rust."""
    import polars
    from mrmrs import mrmr

    frame = polars.DataFrame(X, schema=[str(column) for column in range(X.shape[1])])
    target = polars.Series("y", X[:, :5].sum(axis=1))
    yield lambda: [int(found.name) for found in mrmr(frame, target, CHOSEN, "regression")]


def rfe_informative(X, y):
    """SVM-RFE by liblinear, with many informative features."""
    from sklearn.svm import LinearSVC

    yield _recursive(LinearSVC(random_state=0), *informative(X))


def pyhsiclasso(X, y):
    """HSIC Lasso by the authors of the method, without blocks."""
    from pyHSICLasso import HSICLasso

    made = HSICLasso()
    made.input(X, y)
    for jobs in JOBS:
        yield partial(_of_hsic_lasso, made, jobs)


def _of_hsic_lasso(made, jobs):
    made.classification(CHOSEN, B=0, n_jobs=jobs)
    return made.get_index()
