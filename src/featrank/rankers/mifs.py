"""MIFS: relevance minus the information shared with the features already selected."""

from __future__ import annotations

from typing import Any, ClassVar

from featrank.base.information import SumRanker
from featrank.base.parameters import NOT_NEGATIVE
from featrank.base.ranker import Floats
from featrank.base.shown_values import ShownValues


class MIFS(SumRanker):
    r"""Select features greedily by mutual information minus a fixed penalty for redundancy.

    .. math:: J(f) = I(f; C) - \beta \sum_{s \in S} I(f; s)

    where S are the features selected so far and C is the class. Each step selects the feature
    with the largest J. Ties go to the larger I(f; C), then to the lower index. ``beta=0`` ranks by
    mutual information. The sum grows with S, so a β that suits 5 features is too strong for 50.
    :class:`MRMR` avoids this with β = 1/\|S\|.

    Features are binned once into one byte per value. Each step costs O(Tn), so k features cost
    O(kTn). With ``n_features_to_select=None`` all features are selected greedily, O(Tn²). For
    sparse X, a step only reads stored entries, with the same result. A constant feature is selected
    last. A duplicate of a selected feature is penalised by its own entropy.

    Results show J at each selection. ``scores_`` only encode the order.

    Read more in docs/methods/mifs.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all. The remaining
        features follow by I(f; C).
    beta : float, default=1.0
        Weight of the information shared with each selected feature. The author recommends 0.5 to 1.
    bins : int or "auto", default="auto"
        Number of bins of a feature, at most 256. "auto" is 20 for more than 200 samples, otherwise
        a tenth of the samples, but at least 10.
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
    MRMR : Subtracts the mean redundancy, which suits any number of features.
    MutualInformation : Ignores redundancy.

    References
    ----------
    .. [1] R. Battiti, "Using mutual information for selecting features in supervised neural net
       learning", IEEE Transactions on Neural Networks 5 (1994).

    Examples
    --------
    >>> from featrank import MIFS
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = MIFS(n_features_to_select=3, beta=0.5).fit(X, y)
    >>> X.columns[ranker.order_[:3]].tolist()
    ['worst perimeter', 'worst concave points', 'concavity error']
    """

    name = "mifs"
    purpose = "Relevance minus overlap"
    family = "information"
    redundancy_aware = True
    complexity = "O(kTn)"
    published_complexity = "N/A"
    reference = "Battiti 1994"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"beta": [NOT_NEGATIVE]}

    beta: float = 1.0

    def shown_values(self) -> ShownValues:
        """Return J of each feature when it was selected."""
        return ShownValues(self.criterion_, "relevance − β·redundancy", comparable=False)

    def _criterion(self, relevance: Floats, total: Floats, n_chosen: int) -> Floats:
        return relevance - self.beta * total
