"""The features of a table on their way: left out, merged, filled in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from featrank.tables.columns import check_any_left, listed
from featrank.tables.missing import complete
from featrank.tables.options import ReadOptions
from featrank.tables.repeated import merged


@dataclass(frozen=True, eq=False)
class Features:
    """Values of features, their names, second names if there are any, and notes on them."""

    X: Any
    names: list[str]
    symbols: list[str] | None = None
    notes: tuple[str, ...] = ()

    def treated(self, options: ReadOptions, categories: Collection[int] = ()) -> Features:
        """Merge columns of one name, and fill in missing values; categories are codes."""
        X, names, symbols, more = merged(self.X, self.names, self.symbols, options.duplicates)
        X = complete(X, names, options.missing, categories)
        return Features(X, names, symbols, (*self.notes, *more))

    def with_values(self, most: float) -> tuple[Features, list[int]]:
        """Leave out features with a larger share of missing values; also return which stay."""
        if most >= 1 or self.X.dtype.kind != "f":
            return self, list(range(len(self.names)))
        shares = share_missing(self.X)
        kept: list[int] = np.flatnonzero(shares <= most).tolist()
        if len(kept) == len(shares):
            return self, kept
        check_any_left(kept)
        lost = [self.names[place] for place in np.flatnonzero(shares > most)]
        symbols = self.symbols
        left = replace(
            self,
            X=self.X[:, kept],
            names=[self.names[place] for place in kept],
            symbols=None if symbols is None else [symbols[place] for place in kept],
            notes=(missing_note(lost, most),),
        )
        return left, kept


def share_missing(X: Any) -> np.ndarray:
    """Return the share of missing values of each column."""
    if isinstance(X, np.ndarray):
        return np.isnan(X).mean(axis=0)
    entries = X.tocoo()
    counts = np.bincount(entries.col[np.isnan(entries.data)], minlength=X.shape[1])
    return counts / X.shape[0]


def missing_note(names: Sequence[str], most: float) -> str:
    """Return the sentence on features that were left out."""
    return (
        f"{len(names)} features have more than {most:.0%} missing values and are left out: "
        f"{listed(list(names))}."
    )
