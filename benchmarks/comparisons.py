"""The comparisons: methods, peers, data, required speed and required agreement.

Data sets are named by letters, see ``SIZES``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import agreement
from ours import N_NEIGHBORS

SIZES = {"a": (2000, 500), "b": (100, 5000), "c": (100, 50_000), "d": (20_000, 1000)}
SMALL_SIZES = {"a": (300, 120), "b": (60, 300), "c": (60, 600), "d": (500, 100)}

# With two classes, a ReliefF score is a sum over the 2k neighbours of each sample.
RELIEFF_TERMS = 2 * N_NEIGHBORS * max(rows for rows, _ in SIZES.values())


@dataclass(frozen=True, eq=False)
class Comparison:
    """A featrank method and a peer, or a featrank method alone.

    Parameters
    ----------
    method : str
        The name in the registry.
    variant : str
        What is measured, if the name of the method does not say it.
    ours, peer : str
        Tasks, ``"module:function"``.
    label : str
        Name of the peer's function.
    agree : callable
        Check of the two results, from ``agreement``.
    data : str
        Letters of the data sets. Those in ``slow`` are measured after all others.
    times_faster : float
        How many times faster than the peer featrank must be.
    seconds : dict
        How many seconds featrank may take, for each letter.
    same_question : bool
        False for a peer with another criterion. Its time is shown without a ratio.
    """

    method: str
    ours: str
    variant: str = ""
    peer: str = ""
    label: str = ""
    agree: Callable | None = None
    data: str = "abcd"
    slow: str = ""
    times_faster: float | None = None
    seconds: dict[str, float] | None = None
    same_question: bool = True

    @property
    def title(self):
        """The method and its variant."""
        return f"{self.method} {self.variant}".strip()


COMPARISONS = (
    Comparison(
        method="fisher",
        ours="ours:fisher",
        peer="peers:sklearn_f",
        label="scikit-learn f_classif",
        agree=agreement.equal_scores(1e-9),
        times_faster=2,
    ),
    Comparison(
        method="mi",
        ours="ours:mi",
        peer="peers:sklearn_mi",
        label="scikit-learn mutual_info_classif",
        agree=agreement.equal_scores(1e-9),
        slow="c",
        times_faster=10,
    ),
    Comparison(
        method="relieff",
        ours="ours:relieff",
        peer="peers:fast_select_relieff",
        label="fast-select",
        agree=agreement.equal_in_single(RELIEFF_TERMS),
        slow="d",
        times_faster=1.5,
    ),
    Comparison(
        method="relieff",
        ours="ours:relieff",
        peer="peers:skrebate_relieff",
        label="skrebate",
        agree=agreement.same_ranking(0.999),
        slow="abcd",
        times_faster=20,
    ),
    Comparison(
        method="mrmr",
        variant="fcq",
        ours="ours:mrmr_fcq",
        peer="peers:mrmrs_fcq",
        label="mrmrs",
        agree=agreement.same_choice(0.9),
        times_faster=2,
    ),
    Comparison(
        method="mrmr",
        variant="fcq",
        ours="ours:mrmr_fcq",
        peer="peers:mrmr_selection_fcq",
        label="mrmr_selection",
        agree=agreement.same_choice(0.9),
        slow="abcd",
        times_faster=20,
    ),
    Comparison(
        method="mrmr",
        variant="fcq",
        ours="ours:mrmr_fcq",
        peer="peers:fastcan",
        label="fastcan",
        agree=agreement.same_choice(0),
        same_question=False,
    ),
    Comparison(
        method="ec-fs-diverse",
        ours="ours:ec_fs_diverse",
        peer="ours:mrmr_fcq",
        label="our mrmr fcq",
        agree=agreement.same_choice(0),
        times_faster=1,
        same_question=False,
    ),
    Comparison(
        method="ec-fs-diverse",
        ours="ours:ec_fs_diverse",
        peer="peers:fastcan",
        label="fastcan",
        agree=agreement.same_choice(0),
        same_question=False,
    ),
    Comparison(
        method="ec-fs-diverse",
        ours="ours:ec_fs_diverse",
        peer="peers:mrmrs_fcq",
        label="mrmrs",
        agree=agreement.same_choice(0),
        same_question=False,
    ),
    Comparison(
        method="mrmr",
        variant="mid",
        ours="ours:mrmr_mid",
        seconds={"a": 1, "b": 1, "c": 4, "d": 4},
    ),
    Comparison(
        method="mrmr",
        variant="mid",
        ours="ours:mrmr_mid",
        peer="peers:fast_select_mid",
        label="fast-select",
        agree=agreement.same_choice(0.9),
        data="ab",
        slow="b",
    ),
    Comparison(
        method="svm-rfe",
        ours="ours:svm_rfe",
        peer="peers:rfe_linear_svc",
        label="scikit-learn RFE(LinearSVC())",
        agree=agreement.same_choice(0.5),
        data="a",
        slow="a",
        times_faster=20,
    ),
    Comparison(
        method="svm-rfe",
        ours="ours:svm_rfe",
        peer="peers:rfe_linear_svc_hinge",
        label='scikit-learn RFE(LinearSVC(loss="hinge"))',
        agree=agreement.same_choice(0.5),
        data="a",
        slow="a",
    ),
    Comparison(
        method="svm-rfe",
        ours="ours:svm_rfe",
        peer="peers:rfe_svc",
        label='scikit-learn RFE(SVC(kernel="linear"))',
        agree=agreement.same_choice(0.4),
        data="b",
        slow="b",
        times_faster=20,
    ),
    Comparison(
        method="svm-rfe",
        ours="ours:svm_rfe",
        peer="peers:rfe_svc_exact",
        label='scikit-learn RFE(SVC(kernel="linear", tol=1e-5))',
        agree=agreement.same_choice(0.9),
        data="b",
        slow="b",
        times_faster=20,
    ),
    Comparison(
        method="svm-rfe",
        variant="20 informative",
        ours="ours:svm_rfe_informative",
        peer="peers:rfe_informative",
        label="scikit-learn RFE(LinearSVC())",
        agree=agreement.same_choice(0.5),
        data="a",
        slow="a",
        times_faster=5,
    ),
    Comparison(
        method="laplacian",
        ours="ours:laplacian",
        peer="peers:skfeature_laplacian",
        label="skfeature-chappers",
        agree=agreement.same_order(0.9999),
        slow="d",
        times_faster=5,
    ),
    Comparison(
        method="inf-fs",
        ours="ours:inf_fs",
        peer="peers:numpy_inf_fs",
        label="NumPy, eigvalsh and inv",
        agree=agreement.equal_scores(1e-6),
        data="b",
        times_faster=10,
    ),
    Comparison(
        method="spec",
        ours="ours:spec",
        peer="peers:skfeature_spec",
        label="skfeature-chappers",
        agree=agreement.equal_scores(1e-6),
        data="abc",
        times_faster=10,
    ),
    Comparison(
        method="trace-ratio",
        ours="ours:trace_ratio",
        peer="peers:skfeature_trace_ratio",
        label="skfeature-chappers",
        agree=agreement.same_order(0.9999),
        data="ab",
        times_faster=10,
    ),
    Comparison(
        method="fcbf",
        ours="ours:fcbf",
        peer="peers:skfeature_fcbf",
        label="skfeature-chappers",
        agree=agreement.same_choice(0),
        data="ab",
        same_question=False,
    ),
    Comparison(
        method="cfs",
        ours="ours:cfs",
        peer="peers:skfeature_cfs",
        label="skfeature-chappers",
        agree=agreement.same_choice(0.8),
        data="ab",
        slow="ab",
        times_faster=10,
    ),
    Comparison(
        method="mcfs",
        ours="ours:mcfs",
        peer="peers:skfeature_mcfs",
        label="skfeature-chappers",
        # The peer uses least angle regression, which differs from the lasso path on few samples.
        agree=agreement.same_choice(0.5),
        data="ab",
        times_faster=10,
    ),
    Comparison(
        method="udfs",
        ours="ours:udfs",
        peer="peers:skfeature_udfs",
        label="skfeature-chappers",
        agree=agreement.same_choice(0),
        data="ab",
        slow="ab",
        times_faster=10,
        same_question=False,
    ),
    Comparison(
        method="lasso",
        ours="ours:lasso",
        peer="peers:sklearn_lasso",
        label="scikit-learn lars_path",
        agree=agreement.same_choice(0.9),
        times_faster=0.5,
    ),
    Comparison(
        method="boruta",
        ours="ours:boruta",
        peer="peers:boruta_py",
        label="boruta",
        agree=agreement.same_choice(0.5),
        data="ab",
        slow="ab",
        times_faster=0.5,
    ),
    Comparison(
        method="ndfs",
        ours="ours:ndfs",
        peer="peers:skfeature_ndfs",
        label="skfeature-chappers",
        agree=agreement.same_choice(0),
        data="ab",
        slow="ab",
        times_faster=10,
        same_question=False,
    ),
    Comparison(
        method="l0",
        ours="ours:zero_norm",
        peer="peers:svc_zero_norm",
        label='scikit-learn SVC(kernel="linear") in a loop',
        agree=agreement.same_choice(0.8),
        data="ab",
        times_faster=0.5,
    ),
    Comparison(
        method="fisher",
        variant="regression",
        ours="ours:fisher_regression",
        peer="peers:sklearn_f_regression",
        label="scikit-learn f_regression",
        agree=agreement.equal_scores(1e-9),
        times_faster=0.5,
    ),
    Comparison(
        method="mrmr",
        variant="fcq regression",
        ours="ours:mrmr_fcq_regression",
        peer="peers:mrmrs_fcq_regression",
        label="mrmrs",
        agree=agreement.same_choice(0.9),
        data="abd",
        times_faster=0.5,
    ),
    Comparison(method="relieff", variant="regression", ours="ours:rrelieff", data="abc"),
    Comparison(method="llc-fs", ours="ours:llc_fs", data="ab"),
    Comparison(method="ufsol", ours="ours:ufsol", data="ab"),
    Comparison(method="dgufs", ours="ours:dgufs", data="b"),
    Comparison(
        method="hsic-lasso",
        ours="ours:hsic_lasso",
        peer="peers:pyhsiclasso",
        label="pyHSICLasso",
        agree=agreement.same_choice(0.95),
        data="b",
        slow="b",
        times_faster=0.5,
    ),
    Comparison(method="hsic-lasso", ours="ours:hsic_lasso", data="ac", slow="c"),
    Comparison(method="ilfs", ours="ours:ilfs"),
    Comparison(method="fsasl", ours="ours:fsasl", data="ab"),
    Comparison(method="ec-fs", ours="ours:ec_fs"),
    Comparison(method="inf-fs", ours="ours:inf_fs", data="ad"),
    Comparison(method="inf-fs-s", ours="ours:inf_fs_s"),
    Comparison(method="jmi", ours="ours:jmi"),
    Comparison(method="cmim", ours="ours:cmim"),
    Comparison(method="mifs", ours="ours:mifs"),
    Comparison(method="svm-rfe", ours="ours:svm_rfe", data="c", slow="c"),
    Comparison(method="fsv", ours="ours:fsv", data="ab", slow="ab"),
    Comparison(method="dominant-set", ours="ours:dominant_set", data="ab", slow="b"),
)


def in_order_of_time(wanted, letters):
    """Return the comparisons of the given methods (or all) by letter, the slow ones last.

    A method may be followed by its variant, as in "fisher regression".
    """
    pairs = [(row, letter) for row in COMPARISONS for letter in row.data if letter in letters]
    chosen = [pair for pair in pairs if not wanted or {pair[0].method, pair[0].title} & {*wanted}]
    return sorted(chosen, key=lambda pair: pair[1] in pair[0].slow)
