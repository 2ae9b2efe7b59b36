"""The folds by which EC-FS chooses alpha, and rankings judged on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length, check_random_state

from featrank.base import Floats
from featrank.engines import local
from featrank.labels import group_codes
from featrank.solvers.judging import judged_values, rows_to_judge
from featrank.solvers.tuning import Fold, stratified_folds
from featrank.sources import Source
from featrank.summaries import KnownLabels, Reader, entries

FOLDS = 5
# The best features by each alpha, and how many of them to judge by.
Asked = tuple[NDArray[np.int64], list[int]]


def folds_of(
    codes: NDArray[np.intp], weights: Floats | None, groups: Any, random_state: Any
) -> list[Fold]:
    """Return folds with every class among their training rows; none where a class has one row."""
    counted = np.arange(len(codes)) if weights is None else np.flatnonzero(weights)
    y = codes[counted]
    if np.bincount(y).min() < 2:
        return []
    if groups is not None:
        check_consistent_length(codes, groups)
        groups = group_codes(groups)[counted]
        if groups.min() == groups.max():
            return []
    seed = check_random_state(random_state).randint(2**31)
    cut = [(counted[fit], counted[rest]) for fit, rest in stratified_folds(y, FOLDS, seed, groups)]
    whole = [fold for fold in cut if _tells(codes, fold, y.max() + 1)]
    return whole if len(whole) > 1 else []


def _tells(codes: NDArray[np.intp], fold: Fold, n_classes: int) -> bool:
    """Whether all classes can be ranked for, and two of them be told apart in the other rows."""
    train, rest = (len(np.unique(codes[rows])) for rows in fold)
    return train == n_classes and rest > 1


def inside(codes: NDArray[np.intp], fold: Fold) -> NDArray[np.intp]:
    """Return the codes of a fold's training rows; the others take no part."""
    inside = np.full(len(codes), -1)
    inside[fold[0]] = codes[fold[0]]
    return inside


def judged_in_parts(
    source: Source,
    labels: KnownLabels,
    folds: Sequence[Fold],
    asked: Sequence[Asked],
    reader: Reader,
    n_jobs: int | None,
) -> list[Floats]:
    """Return the AUC of each alpha in each fold; of the source only what judges is brought in."""
    if not folds:
        return []
    codes = labels.codes[0].astype(np.intp)
    rows = [rows_to_judge(codes, fold) for fold in folds]
    places = [np.sort(np.concatenate(two)) for two in rows]
    columns = [np.unique(orders) for orders, _ in asked]
    values = entries(source, list(zip(places, columns, strict=True)), labels.starts, reader)

    def work(span: slice) -> Floats:
        fold = span.start
        train, rest = rows[fold]
        both = np.concatenate([train, rest])
        ordered = values[fold][np.searchsorted(places[fold], both)]
        return judged_values(ordered, codes[both], len(train), columns[fold], *asked[fold])

    return local.map_blocks(work, len(folds), 1, n_jobs)
