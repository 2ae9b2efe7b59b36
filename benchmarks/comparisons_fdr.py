"""Other procedures that select features at a false discovery rate."""

import contextlib
import io

import numpy as np
from scipy.stats import false_discovery_control, ttest_ind


def welch_selection(X, y, fdr):
    """Welch's t-test of each feature, adjusted by Benjamini and Hochberg."""
    p_values = np.nan_to_num(ttest_ind(X[y == 1], X[y == 0], equal_var=False).pvalue, nan=1.0)
    return false_discovery_control(p_values) <= fdr


def ipss_selection(X, y, fdr):
    """The package ipss with its defaults, by its q-values."""
    from ipss import ipss

    with contextlib.redirect_stdout(io.StringIO()):
        found = ipss(X, y)["q_values"]
    claimed = np.zeros(X.shape[1], dtype=bool)
    claimed[[feature for feature, q in found.items() if q <= fdr]] = True
    return claimed
