"""From a request to ranked features: the way that ``rank`` and ``select`` share."""

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError

from . import files
from .options import Request
from .params import OPTIONS, configured

if TYPE_CHECKING:
    from featrank.base import Ranker
    from featrank.ranking import ClassRankings, Ranking
    from featrank.tables import Table


def ranked(request: Request, top: int | float | None) -> "tuple[Table, Ranking]":
    """Read the table and rank its features; whatever can be refused early is.

    The table has its target as it was read, the ranking that of --target-bins.
    ``top`` is how many features are wanted, a number or a fraction: methods that choose one
    feature after the other can stop there.
    """
    return _ranked(request, top, per_class=False)


def ranked_per_class(request: Request, top: int | None) -> "tuple[Table, ClassRankings]":
    """Read the table and rank its features for each class, against the rest."""
    return _ranked(request, top, per_class=True)


def _ranked(request: Request, top: int | float | None, per_class: bool) -> "tuple[Table, Any]":
    from featrank.registry import method

    ranker = configured(method(request.method), request.params, request.jobs)
    _require_target(request, ranker)
    table = _read(request, ranker)
    if ranker.supervised and table.y is None:
        raise _no_target(request)
    if top is not None and top > len(table.feature_names):
        n_features = len(table.feature_names)
        raise UsageError(
            f"--top {top} is more than the {n_features} features of {request.file.name!r}. "
            f"Give at most {n_features}."
        )
    return table, _fitted(ranker, binned(table, request.target_bins), request, top, per_class)


def binned(table: "Table", bins: int | None) -> "Table":
    """Return the table with classes in the place of a target that is a quantity."""
    from featrank.labels import bin_target

    if bins is None or table.y is None:
        return table
    return replace(table, y=bin_target(table.y, bins))


def group_labels(file: Path, column: str | None) -> Any:
    """Return the column of a file that tells which rows belong together, if one is named."""
    from featrank import tables

    if column is None:
        return None
    return tables.read(file, target=column, missing="keep", categorical="drop").y


def _read(request: Request, ranker: "Ranker") -> "Table":
    from featrank import tables

    keeps = ranker.accepts_nan and request.missing == "error"
    with request.messages.working(f"Reading {request.file.name}"):
        return tables.read(
            request.file,
            target=request.target,
            drop=(*request.drop, *([request.groups] if request.groups else [])),
            missing="keep" if keeps else request.missing,  # type: ignore[arg-type]
            categorical=request.categorical,  # type: ignore[arg-type]
        )


def _fitted(
    ranker: "Ranker", table: "Table", request: Request, top: int | float | None, per_class: bool
) -> Any:
    import numpy as np

    from featrank.api import rank

    dense = isinstance(table.X, np.ndarray) or ranker.accepts_sparse
    params = ranker.get_params()
    del params["n_features_to_select"]
    start = perf_counter()
    with request.messages.progress(f"Ranking {len(table.feature_names):,} features"):
        found = rank(
            table.X if dense else table.X.toarray(),
            table.y,
            ranker.name,
            top=top,
            feature_names=table.feature_names,
            per_class=per_class,
            groups=group_labels(request.file, request.groups),
            **params,
        )
    request.messages.remark(
        f"Ranked {len(table.feature_names):,} features of {table.X.shape[0]:,} samples by "
        f"{ranker.name} in {perf_counter() - start:.2f} s."
    )
    for remark in found.remarks():
        request.messages.say(remark)
    return found


def shown_params(ranking: "Ranking") -> dict[str, Any]:
    """Return the parameters of the method that bear on the scores."""
    return {name: value for name, value in ranking.params.items() if name not in OPTIONS}


def class_sizes(ranking: "Ranking") -> list[dict[str, Any]]:
    """Return each class with its number of samples; none for an unsupervised method."""
    import numpy as np

    assert ranking.source is not None
    assert ranking.ranker is not None
    classes = ranking.source.classes
    if classes is None or not ranking.ranker.supervised:
        return []
    pairs = zip(classes.labels, np.bincount(classes.codes).tolist(), strict=True)
    return [{"label": label, "samples": count} for label, count in pairs]


def _require_target(request: Request, ranker: "Ranker") -> None:
    # Told before reading: without a target, a column of labels would pass for a feature.
    if ranker.supervised and request.target is None and not files.labels_come_along(request.file):
        raise _no_target(request)


def _no_target(request: Request) -> UsageError:
    return files.no_target(
        request.file, f"{request.method} needs class labels, and none are named."
    )
