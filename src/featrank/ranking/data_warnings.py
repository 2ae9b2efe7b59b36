"""Warnings about the data of a ranking: its design, and values that need a transform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from featrank.base.ranker import Ranker
from featrank.exceptions import FeatrankWarning
from featrank.ranking.design_warnings import batch_warnings, small_classes
from featrank.ranking.evidence import Evidence, SourceData
from featrank.ranking.ranking import Ranking
from featrank.ranking.value_warnings import value_warning
from featrank.sources.names import NumberedNames
from featrank.tables.batch_columns import batch_columns
from featrank.values.containers import is_anndata, without_names


def design_warnings(
    ranking: Ranking, groups: Any, batches: Mapping[str, Any]
) -> list[FeatrankWarning | None]:
    """Return warnings about small classes, groups and batches, if there are classes."""
    source = ranking.data
    assert source is not None
    assert ranking.ranker is not None
    if not ranking.ranker.supervised or ranking.ranker._regresses:
        return []
    small = small_classes(source.class_sizes, source.class_labels)
    features = [] if isinstance(source, SourceData) else _batch_features(ranking.feature_names)
    columns = {
        **{
            ranking.feature_names[place]: source.values(np.array([place]))[:, 0]
            for place in features
        },
        **batches,
    }
    if groups is None and not columns:
        return [small]
    assert source.classes is not None
    return [small, *batch_warnings(source.classes.codes, groups, columns)]


def _batch_features(names: Sequence[str]) -> list[int]:
    """Return the places of features that are named like a batch."""
    if isinstance(names, NumberedNames):
        return []
    found = {*batch_columns(names)}
    return [place for place, name in enumerate(names) if name in found]


def obs_batches(X: Any, target: Any, groups: Any) -> dict[str, Any]:
    """Return the columns of obs that are named like a batch, besides the target and the groups."""
    if not is_anndata(X):
        return {}
    names = [each for each in batch_columns(X.obs.columns) if each not in (target, groups)]
    return {name: np.asarray(X.obs[name]).astype(str) for name in names}


def data_warning(
    X: Any, source: Evidence | SourceData, ranker: Ranker, transform: str
) -> FeatrankWarning | None:
    """Return a warning about values that need a transform; not if their scale does not matter."""
    if isinstance(source, SourceData) or "monotone" in ranker.invariances:
        return None
    matrix, _ = without_names(X)
    codes = None if source.classes is None else source.classes.codes
    n_samples = matrix.shape[0] if hasattr(matrix, "shape") else len(matrix)
    same = codes is not None and len(codes) == n_samples
    return value_warning(matrix, codes if same else None, transform)
