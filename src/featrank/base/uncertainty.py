"""What FCBF and CFS share: symmetric uncertainty, and intervals that the classes draw."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import pass_of
from featrank._utils.sklearn import StrOptions
from featrank.base.greedy import Chosen
from featrank.base.information import STEPS, TableRanker
from featrank.kernels import Groups
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.mdl import mdl_intervals


class UncertaintyRanker(TableRanker):
    """Base of the methods that find a subset of features by symmetric uncertainty.

    They look at all features whatever ``n_features_to_select`` is, so that no score depends on it.
    The relevance is the symmetric uncertainty with the class. Intervals leave many features whole,
    which then tell nothing: their relevance is what their best cut would tell, less 1.
    """

    default_top: ClassVar[int | None] = None
    invariances = frozenset({"shift", "scale", "monotone"})
    _advice = 'Give binning="width", which keeps of sparse X its entries, or rank fewer features.'

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "binning": [StrOptions({"mdl", "width", "quantile"})]
    }

    binning: str = "mdl"

    def _memory(self, n_samples: int, n_features: int) -> int:
        return n_samples * n_features if self.binning == "mdl" else 0  # a byte a value

    def _choose(self, X: Any, y: NDArray[np.intp], count: int) -> Chosen:
        if self.binning != "mdl":
            return super()._choose(X, y, count)
        groups = Groups.of(y, len(self.classes_))
        columns = X if isinstance(X, np.ndarray) else X.tocsc()
        with pass_of(0, 2, STEPS):
            codes, number, single = mdl_intervals(columns, groups, self.n_jobs)
        tables = Contingency.of_codes(codes, number, groups, self.n_jobs)
        with pass_of(1, 2, STEPS):
            chosen, criterion, relevance = self._choose_by(tables, count)
        return chosen, criterion, np.where(relevance > 0, relevance, single - 1)

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether all that is needed can be counted: MDL intervals need whole columns."""
        return super().reads_in_chunks(source, y, missing) and self.binning != "mdl"
