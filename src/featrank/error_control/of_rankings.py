"""False discovery rates next to a ranking, or next to one ranking per class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from featrank._utils.progress import stage
from featrank.error_control.draws import require_target
from featrank.error_control.result import FDRControl, checked_level
from featrank.error_control.selector import FDRSelector
from featrank.exceptions import UsageError


def require_control(ranker: Any, fdr: Any, sample_weight: Any) -> None:
    """Raise an error if no false discovery rate can be estimated, before anything is ranked."""
    if fdr is None:
        return
    checked_level(fdr)
    require_target(ranker)
    if sample_weight is not None:
        raise UsageError("`fdr` does not support `sample_weight`. Leave one out.")


def control_rankings(
    ranker: Any, X: Any, y: Any, fdr: Any, labels: Iterable[Any], further: Mapping[str, Any]
) -> dict[Any, FDRControl | None]:
    """Return what can be claimed for each label against the rest; None as label is all classes.

    ``further`` holds the other keywords of the ranker's ``fit``. Without ``fdr`` there is no
    result.
    """
    if fdr is None:
        return dict.fromkeys(labels)
    require_control(ranker, fdr, further.get("sample_weight"))
    unused = ("sample_weight", "checkpoint")
    rows = {name: value for name, value in further.items() if name not in unused}
    selector = FDRSelector(ranker, float(fdr), n_jobs=getattr(ranker, "n_jobs", None))
    found: dict[Any, FDRControl | None] = {}
    with stage("Ranking decoys", "Ranked decoys"):
        for label in labels:
            target = y if label is None else np.asarray(y) == label
            found[label] = selector.fit(X, target, **rows).control_
    return found
