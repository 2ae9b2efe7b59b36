"""From a request to ranked features: the way that ``rank`` and ``select`` share."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError

from . import files
from .options import Request
from .params import OPTIONS, configured

if TYPE_CHECKING:
    from featrank.base import Ranker
    from featrank.tables import Table


@dataclass(frozen=True)
class Ranked:
    """A table and the ranker that was fitted to it."""

    table: "Table"
    ranker: "Ranker"
    # The target as the file has it, before any bins.
    target: Any = None

    def __len__(self) -> int:
        return len(self.table.feature_names)

    def rows(self, top: int | None = None) -> Iterator[tuple[int, str, float]]:
        """Give rank, name and score of the features, best first."""
        order = self.ranker.order_[:top]
        scores = self.ranker.scores_[order].tolist()
        for rank, (column, score) in enumerate(zip(order.tolist(), scores, strict=True), 1):
            yield rank, self.table.feature_names[column], score

    def params(self) -> dict[str, Any]:
        """Return the parameters of the method that bear on the scores."""
        values = self.ranker.get_params()
        return {name: value for name, value in values.items() if name not in OPTIONS}

    def classes(self) -> list[dict[str, Any]]:
        """Return each class with its number of samples; none for an unsupervised method."""
        from featrank.labels import count_labels

        if self.table.y is None or not self.ranker.supervised:
            return []
        labels, counts = count_labels(self.table.y)
        pairs = zip(labels.tolist(), counts.tolist(), strict=True)
        return [{"label": label, "samples": count} for label, count in pairs]


def ranked(request: Request, top: int | float | None) -> Ranked:
    """Read the table and rank its features; whatever can be refused early is.

    ``top`` is how many features are wanted, a number or a fraction: methods that choose one
    feature after the other can stop there.
    """
    from featrank.registry import method

    ranker = configured(method(request.method), request.params, request.jobs)
    _require_target(request, ranker)
    read = _read(request, ranker)
    table = binned(read, request.target_bins)
    if ranker.supervised and table.y is None:
        raise _no_target(request)
    if top is not None and top > len(table.feature_names):
        n_features = len(table.feature_names)
        raise UsageError(
            f"--top {top} is more than the {n_features} features of {request.file.name!r}. "
            f"Give at most {n_features}."
        )
    ranker.n_features_to_select = top
    return Ranked(table, _fitted(ranker, table, request), read.y)


def binned(table: "Table", bins: int | None) -> "Table":
    """Return the table with classes in the place of a target that is a quantity."""
    from featrank.labels import bin_target

    if bins is None or table.y is None:
        return table
    return replace(table, y=bin_target(table.y, bins))


def _read(request: Request, ranker: "Ranker") -> "Table":
    from featrank import tables

    keeps = ranker.accepts_nan and request.missing == "error"
    with request.messages.working(f"Reading {request.file.name}"):
        return tables.read(
            request.file,
            target=request.target,
            drop=request.drop,
            missing="keep" if keeps else request.missing,  # type: ignore[arg-type]
            categorical=request.categorical,  # type: ignore[arg-type]
        )


def _fitted(ranker: "Ranker", table: "Table", request: Request) -> "Ranker":
    import numpy as np

    dense = isinstance(table.X, np.ndarray) or ranker.accepts_sparse
    start = perf_counter()
    with request.messages.progress(f"Ranking {len(table.feature_names):,} features"):
        ranker.fit(table.X if dense else table.X.toarray(), table.y)
    request.messages.remark(
        f"Ranked {len(table.feature_names):,} features of {table.X.shape[0]:,} samples by "
        f"{ranker.name} in {perf_counter() - start:.2f} s."
    )
    return ranker


def _require_target(request: Request, ranker: "Ranker") -> None:
    # Told before reading: without a target, a column of labels would pass for a feature.
    if ranker.supervised and request.target is None and not files.labels_come_along(request.file):
        raise _no_target(request)


def _no_target(request: Request) -> UsageError:
    return files.no_target(
        request.file, f"{request.method} needs class labels, and none are named."
    )
