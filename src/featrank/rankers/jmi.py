"""JMI: joint mutual information of a feature and each selected feature with the class."""

from __future__ import annotations

from featrank.base.information import SumRanker
from featrank.base.ranker import Floats
from featrank.base.shown_values import ShownValues
from featrank.kernels.contingency import Indices
from featrank.pairwise.pair_tables import PairTables


class JMI(SumRanker):
    r"""Select features greedily by the joint mutual information of pairs with the class.

    .. math:: J(f) = \sum_{s \in S} I(f, s; C)

    where S are the features selected so far and C is the class. The first selected feature has the
    largest :math:`I(f; C)`. Each further step selects the feature with the largest J. Ties go to
    the larger :math:`I(f; C)`, then to the lower index. Since
    :math:`I(f, s; C) = I(s; C) + I(f; C \mid s)`, a feature is rewarded for what it adds to
    every selected one, even if it is uninformative alone (the exclusive or of two features).

    Features are binned once into one byte per value. Each step costs O(Tn), so k features cost
    O(kTn). With ``n_features_to_select=None`` all features are selected greedily, O(Tn²). For
    sparse X, a step only reads stored entries, with the same result. A constant feature is selected
    last.

    Results show J at each selection. It is a sum over S and grows along the ranking. ``scores_``
    only encode the order.

    Read more in docs/methods/jmi.md.

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
    CMIM : Ignores features that are informative only jointly.
    MRMR : Needs fewer samples, since it uses pairs without the class.

    References
    ----------
    .. [1] H. H. Yang and J. Moody, "Data visualization and feature selection: new algorithms for
       nongaussian data", Advances in Neural Information Processing Systems 12 (1999).

    Examples
    --------
    >>> from featrank import JMI
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = JMI(n_features_to_select=3, bins=5).fit(X, y)
    >>> X.columns[ranker.order_[:3]].tolist()
    ['worst concave points', 'worst radius', 'mean concave points']
    """

    name = "jmi"
    purpose = "Joint mutual information"
    family = "information"
    redundancy_aware = True
    complexity = "O(kTn)"
    published_complexity = "N/A"
    reference = "Yang and Moody 1999"

    def shown_values(self) -> ShownValues:
        """Return J of each feature when it was selected. It grows with the number selected."""
        return ShownValues(self.criterion_, "joint information", comparable=False)

    def _terms(self, tables: PairTables, chosen: int, candidates: Indices) -> Floats:
        return tables.joint_relevance(chosen, candidates)

    def _criterion(self, relevance: Floats, total: Floats, n_chosen: int) -> Floats:
        return total
