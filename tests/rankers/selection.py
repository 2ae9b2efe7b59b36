"""The criterion of greedy methods in the order of selection."""

import numpy as np


def selected_criterion(ranker):
    """Return the criterion of the selected features in order; it is NaN for all that follow."""
    in_order = ranker.criterion_[ranker.order_]
    count = np.count_nonzero(~np.isnan(in_order))
    assert np.isnan(in_order[count:]).all()
    return in_order[:count]
