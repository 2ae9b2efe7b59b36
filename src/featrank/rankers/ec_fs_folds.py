"""The folds by which EC-FS chooses alpha, and rankings judged on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length, check_random_state

from featrank._utils import threads
from featrank._utils.blas import one_thread
from featrank.base.ranker import Floats
from featrank.data.cells import entries
from featrank.data.reader import Reader
from featrank.data.row_labels import KnownLabels
from featrank.solvers.evaluate_orders import judged_values, rows_to_judge
from featrank.solvers.one_standard_error import Fold, stratified_folds
from featrank.sources import Source
from featrank.summaries import strata_of
from featrank.values.classes import group_codes

Result = TypeVar("Result")

FOLDS = 5
# Rows of each stratum of a quantity that folds are cut by, at least.
IN_A_STRATUM = 2
# The best features by each alpha, and how many of them to judge by.
Asked = tuple[NDArray[np.int64], list[int]]


def folds_of(
    codes: NDArray[np.intp],
    weights: Floats | None,
    groups: Any,
    random_state: Any,
    least_classes: int = 2,
) -> list[Fold]:
    """Return folds with every class among their training rows; none where a class has one row."""
    counted = np.arange(len(codes)) if weights is None else np.flatnonzero(weights)
    y = codes[counted]
    if np.bincount(y)[np.unique(y)].min() < 2:
        return []
    if groups is not None:
        check_consistent_length(codes, groups)
        groups = group_codes(groups)[counted]
        if groups.min() == groups.max():
            return []
    seed = check_random_state(random_state).randint(2**31)
    cut = [(counted[fit], counted[rest]) for fit, rest in stratified_folds(y, FOLDS, seed, groups)]
    whole = [fold for fold in cut if _tells(codes, fold, len(np.unique(y)), least_classes)]
    return whole if len(whole) > 1 else []


def _tells(codes: NDArray[np.intp], fold: Fold, n_classes: int, least: int) -> bool:
    """Whether all classes can be ranked for, and enough be told apart in the other rows."""
    train, rest = (len(np.unique(codes[rows])) for rows in fold)
    return train == n_classes and rest >= least


def strata_for_folds(y: Floats, weights: Floats | None) -> NDArray[np.intp]:
    """Return strata of a quantity for folds in which its values are alike."""
    rows = slice(None) if weights is None else weights > 0
    strata = np.zeros(len(y), dtype=np.intp)
    strata[rows] = strata_of(y[rows], IN_A_STRATUM)
    return strata


def quantity_folds(
    y: Floats, strata: NDArray[np.intp], weights: Floats | None, groups: Any, random_state: Any
) -> list[Fold]:
    """Return folds on both sides of which a quantity varies; none where there are no two."""
    folds = folds_of(strata, weights, groups, random_state, least_classes=1)
    varying = [fold for fold in folds if all(y[rows].min() < y[rows].max() for rows in fold)]
    return varying if len(varying) > 1 else []


def inside(codes: NDArray[Any], fold: Fold) -> NDArray[Any]:
    """Return the codes, or quantities, of a fold's training rows; the others take no part."""
    inside = np.full(len(codes), np.nan if codes.dtype.kind == "f" else -1)
    inside[fold[0]] = codes[fold[0]]
    return inside


def on_each(work: Callable[[int], Result], count: int, n_jobs: int | None) -> list[Result]:
    """Return what ``work`` makes of each fold's number; a fold's products have one thread.

    They are so many and small that several would wait for each other most of the time.
    """
    with one_thread():
        return threads.map_blocks(lambda span: work(span.start), count, 1, n_jobs)


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

    def work(fold: int) -> Floats:
        train, rest = rows[fold]
        both = np.concatenate([train, rest])
        ordered = values[fold][np.searchsorted(places[fold], both)]
        return judged_values(ordered, codes[both], len(train), columns[fold], *asked[fold])

    return on_each(work, len(folds), n_jobs)
