"""Base of FCBF and CFS: symmetric uncertainty, and supervised (MDL) binning."""

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
    """Base of methods that find a subset of features by symmetric uncertainty.

    They consider all features, so that scores do not depend on ``n_features_to_select``. The
    relevance is the symmetric uncertainty with the class. MDL binning gives many features a single
    bin, which carries no information. Their relevance is that of their best cut, minus 1.
    """

    default_top: ClassVar[int | None] = None
    invariances = frozenset({"shift", "scale", "monotone"})
    _advice = 'Use `binning="width"`, which keeps sparse data sparse.'

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "binning": [StrOptions({"mdl", "width", "quantile"})]
    }

    binning: str = "mdl"

    def _memory(self, n_samples: int, n_features: int) -> int:
        return n_samples * n_features if self.binning == "mdl" else 0  # one byte per value

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
        """Whether ``fit`` reads a dataset in chunks: MDL binning needs whole columns."""
        return super().reads_in_chunks(source, y, missing) and self.binning != "mdl"
