"""A summary of all rows, without the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank._utils import threads
from featrank.data.protocol import Data, Vectors, View
from featrank.exceptions import UsageError
from featrank.summaries.missing import treated
from featrank.summaries.summary import ClassSummary

# Features that are described at a time, and rows if their number is unknown.
PANEL = 2**14
MANY_ROWS = 2**31


@dataclass(eq=False)
class SummaryOnly(Data):
    """The data of a merged summary. Without rows, it cannot be split into folds."""

    summary: ClassSummary
    missing: str = "error"
    names: Any = None
    once = "a summary, which holds no rows"
    y = strata = None

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.summary.ranges.n_features

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes, of all rows."""
        assert view is None
        self._require_bins(method)
        vectors: Vectors = {}
        for columns in threads.blocks(self.n_features, PANEL):
            digest = treated(self.summary.columns(columns), self.missing, self.names, columns.start)
            for name, values in method._describe(digest).items():
                vectors.setdefault(name, np.empty(self.n_features))[columns] = values
        return vectors

    def _require_bins(self, method: Any) -> None:
        wanted, binning = method._bins(self.summary.ranges.n_rows or MANY_ROWS)
        if wanted is None:
            return
        if binning != "width":
            raise UsageError(
                "Bins of equal content need whole columns, which a summary does not hold. Use "
                'binning="width", or fit to the data.'
            )
        if self.summary.n_bins != wanted:
            raise UsageError(
                f"{type(method).__name__} wants {wanted} bins, and the summary has "
                f"{self.summary.n_bins}. Make it with bins={wanted}, or give the ranker "
                f"bins={self.summary.n_bins}."
            )
