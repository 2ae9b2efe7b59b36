"""The base of greedy methods, which select one feature at a time."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.method_lists import SINGLE_PASS
from featrank.base.ranker import Floats, Ranker
from featrank.base.shown_values import ShownValues
from featrank.exceptions import UsageError

# The selected features in order, the criterion at each selection, and all relevances.
Chosen = tuple[NDArray[np.integer], Floats, Floats]


class GreedyRanker(Ranker):
    """Base of greedy methods, which select one feature at a time.

    The first ``n_features_to_select`` features rank in the order of selection. The remaining
    features follow by relevance. ``scores_`` only encode this order: the score of a remaining
    feature is its relevance, and each selected feature scores 1 more than the next. Results show
    the criterion instead. ``featrank.rank`` and the command line select ``default_top`` features
    unless the caller passes a number. ``fit`` selects all features if ``n_features_to_select`` is
    None.

    Attributes
    ----------
    criterion_ : ndarray of shape (n_features,)
        The criterion of each feature when it was selected, NaN for features that were not.
    relevance_ : ndarray of shape (n_features,)
        Relevance of each feature on its own.
    """

    default_top: ClassVar[int | None] = 100

    def score_components(self) -> dict[str, Floats]:
        """Return the relevance of each feature on its own."""
        return {"relevance": self.relevance_}

    def shown_values(self) -> ShownValues:
        """Return the criterion of each feature when it was selected."""
        return ShownValues(self.criterion_, "criterion", comparable=False)

    @abstractmethod
    def _choose(self, X: Any, y: NDArray[np.intp], count: int) -> Chosen:
        """Return the selected features in order, the criterion of each, and all relevances."""

    def _score(self, X: Any, y: Any) -> Floats:
        return self._scores_from(*self._choose(X, y, self._n_selected))

    def _scores_from(
        self, chosen: NDArray[np.integer], criterion: Floats, relevance: Floats
    ) -> Floats:
        self.criterion_ = np.full(len(relevance), np.nan)
        self.criterion_[chosen] = criterion
        self.relevance_ = relevance
        scores = np.array(relevance, dtype=np.float64)
        steps = np.arange(len(chosen), 0, -1)
        scores[chosen] = np.max(scores, initial=0.0) + steps
        return scores


def reject_single_pass_options(ranker: Ranker, options: Any, reason: str) -> None:
    """Raise an error for reading options that only single-pass methods support."""
    for name in ("checkpoint", "ranges"):
        if getattr(options, name) is not None:
            raise UsageError(
                f"{type(ranker).__name__} does not support `{name}`: {reason}. Leave it out, "
                f"or use a single-pass method: {', '.join(SINGLE_PASS)}."
            )
