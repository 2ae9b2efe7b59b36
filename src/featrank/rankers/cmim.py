"""CMIM: smallest information gain of a feature given any feature already selected."""

from __future__ import annotations

from functools import partial

from featrank.base.greedy import Chosen
from featrank.base.information import LazySearch, TableRanker, choose
from featrank.base.shown_values import ShownValues
from featrank.pairwise.pair_tables import PairTables


class CMIM(TableRanker):
    r"""Select features greedily by their smallest conditional mutual information with the class.

    .. math:: J(f) = \min \left( I(f; C),\ \min_{s \in S} I(f; C \mid s) \right)

    where S are the features selected so far and C is the class. The published algorithm starts
    from :math:`I(f; C)`. Each step selects the feature with the largest J. Ties go to the larger
    :math:`I(f; C)`, then to the lower index. A duplicate of a selected feature has J = 0.

    J can only fall as features are selected, so a value computed in an earlier step is an upper
    bound. A feature is evaluated again only if its bound reaches the best J found (Fleuret's lazy
    evaluation): O(kTn) at worst, far less in practice. With ``n_features_to_select=None`` all
    features are selected greedily. For sparse X, only stored entries are read, with the same
    result. A constant feature is selected last.

    Results show J at each selection. ``scores_`` only encode the order.

    Read more in docs/methods/cmim.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. The remaining
        features follow by I(f; C).
    bins : int or "auto", default="auto"
        Number of bins of a feature, at most 256. "auto" is 20 for more than 200 samples, otherwise
        a tenth of the samples, but at least 10. The tables have bins² cells per class, so use few
        bins for few samples.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or with about equally many samples.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_features,)
        I(f; C) in nats.
    criterion_ : ndarray of shape (n_features,)
        J of each feature when it was selected, NaN for features that were not and for constants.

    See Also
    --------
    JMI : Finds features that are informative only jointly.
    MRMR : Needs fewer samples, since it uses pairs without the class.

    References
    ----------
    .. [1] F. Fleuret, "Fast binary feature selection with conditional mutual information",
       Journal of Machine Learning Research 5 (2004).

    Examples
    --------
    >>> from featrank import CMIM
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = CMIM(n_features_to_select=3, bins=5).fit(X, y)
    >>> X.columns[ranker.order_[:3]].tolist()
    ['worst concave points', 'worst radius', 'mean texture']
    """

    name = "cmim"
    purpose = "Conditional information"
    family = "information"
    redundancy_aware = True
    complexity = "O(kTn)"
    published_complexity = "N/A"
    reference = "Fleuret 2004"

    def shown_values(self) -> ShownValues:
        """Return J of each feature when it was selected, which never rises."""
        return ShownValues(self.criterion_, "conditional information")

    def _choose_by(self, tables: PairTables, count: int) -> Chosen:
        relevance = tables.relevance()
        best_of = partial(tables.best_smallest, relevance)
        search = LazySearch(relevance, relevance, best_of)
        return *choose(search, tables.entropy() > 0, count), relevance
