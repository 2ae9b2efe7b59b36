"""The base of the methods that choose one feature after the other."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.method_lists import SINGLE_PASS
from featrank.base.ranker import Floats, Ranker
from featrank.exceptions import UsageError

# The chosen features in order, the criterion at each choice, and all relevances.
Chosen = tuple[NDArray[np.integer], Floats, Floats]


class GreedyRanker(Ranker):
    """Base of the methods that choose one feature after the other.

    The first ``n_features_to_select`` features rank in the order in which they are chosen, the
    rest after them by relevance. ``scores_`` agree: the relevance for the rest, and above it a
    step of one for each place before the last choice. ``featrank.rank`` and the command line
    choose ``default_top`` features, or as many as asked for; ``fit`` alone chooses all of them
    where ``n_features_to_select`` is None.

    Attributes
    ----------
    criterion_ : ndarray of shape (n_chosen,)
        The criterion's value at each choice, in the order of the choices.
    relevance_ : ndarray of shape (n_features,)
        Relevance of each feature alone.
    """

    default_top: ClassVar[int | None] = 100

    def score_components(self) -> dict[str, Floats]:
        """Return the relevance of each feature alone."""
        return {"relevance": self.relevance_}

    @abstractmethod
    def _choose(self, X: Any, y: NDArray[np.intp], count: int) -> Chosen:
        """Return the chosen features in order, the criterion at each choice, all relevances."""

    def _score(self, X: Any, y: Any) -> Floats:
        return self._scores_from(*self._choose(X, y, self._n_selected))

    def _scores_from(
        self, chosen: NDArray[np.integer], criterion: Floats, relevance: Floats
    ) -> Floats:
        self.criterion_, self.relevance_ = criterion, relevance
        scores = np.array(relevance, dtype=np.float64)
        steps = np.arange(len(chosen), 0, -1)
        scores[chosen] = np.max(scores, initial=0.0) + steps
        return scores


def reject_single_pass_options(ranker: Ranker, options: Any, reason: str) -> None:
    """Raise an error for reading options that only single-pass methods support."""
    for name in ("checkpoint", "ranges"):
        if getattr(options, name) is not None:
            raise UsageError(
                f"{type(ranker).__name__} takes no {name}: {reason}. Leave it out, or choose a "
                f"method that takes it, for classes: {', '.join(SINGLE_PASS)}."
            )
