"""Average precisions on multi-label data, next to those published for VOC 2007."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.progress import stage
from featrank.exceptions import UsageError
from featrank.reproduction.methods import TOOLBOX, methods_by_label
from featrank.reproduction.published import VOC_FEATURES, precisions

if TYPE_CHECKING:
    from featrank.evaluation import LabelComparison, LabelData
    from featrank.report import Report

__all__ = ["reproduce_voc", "voc_report"]

KINDS = ("usual", "11-point")
# Trials for a file without a split.
TRIALS = 10


def reproduce_voc(
    path: str | os.PathLike[str],
    methods: str | Mapping[str, Any] = "paper",
    *,
    n_features: Sequence[int] | None = None,
    trials: int | None = None,
    seed: int = 0,
    test_size: float | None = None,
    **running: Any,
) -> LabelComparison:
    """Run the PASCAL VOC 2007 experiment of the paper on a file of features and labels.

    Parameters
    ----------
    path : str or path
        As for :func:`featrank.evaluation.read_labels`.
    methods : str or mapping, default="paper"
        Comma-separated names, or "paper", "main", "others" or "all" as in
        :func:`methods_by_label`; or a mapping of rankers by label.
    n_features : sequence of int or None, default=None
        Numbers of features for the SVM. None is the paper's 128 and 256, or 3 % and 6 % if there
        are fewer features.
    trials : int or None, default=None
        Number of random splits; None is 10. A file with a split has one trial.
    seed : int, default=0
        Seed of all random numbers.
    test_size : float or None, default=None
        Share of test rows; None is 1/3.
    **running
        ``n_jobs``, ``out_dir``, ``resume`` and ``time_limit``, as for
        :func:`featrank.evaluation.compare_labels`.
    """
    from featrank.evaluation import Protocol, compare_label_data, read_labels

    rankers = methods_by_label(methods) if isinstance(methods, str) else methods
    with stage(f"Reading {Path(path).name}"):
        data = read_labels(Path(path))
    _require_free(data, trials, test_size)
    protocol = Protocol(
        n_repeats=trials or (TRIALS if data.training is None else 1),
        n_features=default_features(data.X.shape[1]) if n_features is None else tuple(n_features),
        random_state=seed,
        test_size=Protocol.test_size if test_size is None else test_size,
    )
    what = f"{len(rankers)} methods on {len(data.classes)} classes, {protocol.n_repeats} trials"
    with stage(what):
        return compare_label_data(data, rankers, protocol, **running)


def voc_report(comparison: LabelComparison, kinds: Sequence[str] = KINDS) -> Report:
    """Return a report of average precisions, with the published values next to ours."""
    from featrank.report import precisions_report

    tables = [side_by_side(comparison, k, kind) for k in comparison.n_features for kind in kinds]
    return precisions_report(tables, comparison.manifest, notes=losses(comparison))


def _require_free(data: LabelData, trials: int | None, test_size: float | None) -> None:
    """Reject options for random splits if the file contains a split."""
    if data.training is None:
        return
    if trials not in (None, 1):
        raise UsageError(
            f"The file contains a split, so there is one trial, not {trials}. Leave out `trials`, "
            "or the array 'split'."
        )
    if test_size is not None:
        raise UsageError("The file contains a split. Leave out `test_size`, or the array 'split'.")


def default_features(n_features: int) -> tuple[int, ...]:
    """Return the paper's numbers of features, or 3 % and 6 % if there are fewer features.

    Examples
    --------
    >>> default_features(4096), default_features(64)
    ((128, 256), (2, 4))
    """
    if n_features > VOC_FEATURES[-1]:
        return VOC_FEATURES
    return tuple(sorted({max(1, n_features // part) for part in (32, 16)}))


def side_by_side(comparison: LabelComparison, k: int, kind: str) -> list[dict[str, Any]]:
    """Return one row per class and method, in percent; the last class is "mAP".

    ``paper`` and ``difference`` (ours minus the paper's) are None unless the classes are those of
    VOC 2007, and ``ours`` is None if the method has no value. The paper does not say which kind
    of average precision it prints, so its values are compared with both.
    """
    published = _published(comparison.classes, k)
    rows = []
    for row in comparison.table(k, kind):
        theirs = published.get(row["class"].lower(), {})
        for method in comparison.methods:
            paper = theirs.get("ec-fs" if method == TOOLBOX else method)
            ours = None if row[method] != row[method] else 100 * row[method]
            difference = None if ours is None or paper is None else ours - paper
            about = {"k": k, "kind": kind, "class": row["class"], "method": method}
            rows.append({**about, "ours": ours, "paper": paper, "difference": difference})
    return rows


def losses(comparison: LabelComparison) -> list[str]:
    """Return one sentence per class without scores, or per method without scores on a class."""
    rows = [
        row
        for part in comparison.parts
        for row in part.rows
        if row["k"] == comparison.n_features[0]
    ]
    lost = [row for row in rows if row["status"] != "ok" and row["method"] in comparison.methods]
    whole = Counter((row["label"], row["reason"]) for row in lost if row["status"] == "no score")
    single = Counter(
        (row["method"], row["label"], row["reason"]) for row in lost if row["status"] != "no score"
    )
    trials = len(comparison.parts) // len(comparison.classes)
    return [
        *(
            f"{label}: no score in {count // len(comparison.methods)} of {trials} trials: {reason}"
            for (label, reason), count in whole.items()
        ),
        *(
            f"{label}: {method} failed in {count} of {trials} trials: {reason}"
            for (method, label, reason), count in single.items()
        ),
    ]


def _published(classes: tuple[str, ...], k: int) -> dict[str, dict[str, float]]:
    table = precisions(k)
    mean = table.pop("mean", {})
    return {} if {name.lower() for name in classes} != set(table) else {**table, "map": mean}
