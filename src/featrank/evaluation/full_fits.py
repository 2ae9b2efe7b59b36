"""The fit of each method to all rows, which gives the final ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from featrank._utils.progress import progress_to
from featrank.base.ranker import Floats
from featrank.base.shown_values import SCORE
from featrank.evaluation.data import Data
from featrank.evaluation.folder.numbered_files import NumberedFiles, arrays_in, writable
from featrank.evaluation.method_entries import Entry
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.time_limits import OverTimeError, limited
from featrank.evaluation.trials import Order, class_names, prepared, reason_of
from featrank.exceptions import DataError
from featrank.graph import Graph
from featrank.graph.edges import EDGE

#: Number of best features of a method in the feature tables.
BEST = 50
#: Number of its strongest edges in the table of edges.
EDGES = 200
# Larger graphs are searched among the best features only.
WHOLE_GRAPH = 4096

FIX = "Delete it, and use `resume=True` to fit this method again."


@dataclass(frozen=True, eq=False)
class Fit:
    """A method's ranking of all rows and its strongest edges, or the reason why there is none.

    ``place`` is the index of the method in the run. ``values`` are the scores of the features, or
    the criterion of a method whose scores only encode an order. ``column`` says which. If there
    are values and a reason, only the edges are missing.
    """

    place: int
    method: str
    values: Floats = field(default_factory=lambda: np.empty(0))
    order: Order = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    edges: NDArray[np.void] = field(default_factory=lambda: np.empty(0, dtype=EDGE))
    reason: str = ""
    column: str = SCORE

    @property
    def title(self) -> str:
        """The name of the fit in messages."""
        return f"the fit of {self.method!r} to all rows"

    @property
    def best(self) -> Order:
        """The columns of the best features, best first."""
        return self.order[:BEST]


def fit_to_all(
    data: Data,
    entry: Entry,
    protocol: Protocol,
    place: int,
    time_limit: float | None = None,
    given_up: Mapping[str, str] | None = None,
) -> Fit:
    """Fit a method to all rows with its own parameters, on one thread.

    A method that tunes itself does so. A method that fails has a reason instead of scores.
    """
    if given_up and entry.name in given_up:
        return Fit(place, entry.name, reason=given_up[entry.name])
    ranker = prepared(entry.ranker, protocol.feature_counts[-1], protocol.trial_seed(0))
    with threadpool_limits(1), progress_to(lambda done, total: None):
        try:
            (X,) = protocol.treatment.of(data.X)
            with limited(time_limit):
                ranker.fit(X, class_names(data.y), **ranker._fold_groups(data.groups))
        except OverTimeError:
            return Fit(place, entry.name, reason=f"took longer than {time_limit:g} s")
        except Exception as error:
            return Fit(place, entry.name, reason=reason_of(error))
        shown = ranker.shown_values()
        fit = Fit(place, entry.name, shown.values, ranker.order_, column=shown.column)
        return _with_edges(fit, ranker)


def _with_edges(fit: Fit, ranker: Any) -> Fit:
    try:
        return replace(fit, edges=_edges(ranker))
    except Exception as error:  # of a user-defined graph. The scores are valid.
        return replace(fit, reason=reason_of(error))


def _edges(ranker: Any) -> NDArray[np.void]:
    """Return the strongest edges of a ranker's graph, one per pair, largest weight first."""
    graph = getattr(ranker, "graph_", None)
    if not isinstance(graph, Graph):
        return np.empty(0, dtype=EDGE)
    if graph.size <= WHOLE_GRAPH:
        # Each pair occurs at most twice.
        edges = graph.strongest_edges(2 * EDGES)
    else:
        edges = _among(graph, ranker.order_[:BEST])
    low, high = np.sort([edges["source"], edges["target"]], axis=0)
    first = np.unique(low * graph.size + high, return_index=True)[1]
    return edges[np.sort(first)][:EDGES]


def _among(graph: Graph, columns: Order) -> NDArray[np.void]:
    """Return all edges between some features, largest weight first."""
    from featrank.graph import Given

    rows = [graph.rows(slice(int(j), int(j) + 1))[0, columns] for j in columns]
    edges = Given(np.array(rows)).strongest_edges(len(columns) ** 2 - len(columns))
    edges["source"], edges["target"] = columns[edges["source"]], columns[edges["target"]]
    return edges


class FitFiles(NumberedFiles):
    """The folder ``fits`` of a run: one file per method, named by its index."""

    what = "fit"

    def __init__(self, path: Path, methods: list[str]):
        super().__init__(path)
        self.methods = methods

    def write(self, fit: Fit) -> None:
        """Write a finished fit."""
        with writable(self.file(fit.place)) as temporary:
            np.savez_compressed(
                temporary,
                method=np.array(fit.method),
                values=fit.values,
                column=np.array(fit.column),
                order=fit.order.astype(np.int32),
                edges=fit.edges,
                reason=np.array(fit.reason),
            )

    def _read(self, place: int) -> Fit:
        path = self.file(place)
        with arrays_in(path, FIX) as stored:
            method, reason, column = (str(stored[key]) for key in ("method", "reason", "column"))
            order = stored["order"].astype(np.int64)
            fit = Fit(place, method, stored["values"], order, stored["edges"], reason, column)
            _require_sound(fit)
        if method != self.methods[place]:
            raise DataError(
                f"{str(path)!r} contains the fit of {method!r} instead of "
                f"{self.methods[place]!r}. {FIX}"
            )
        return fit


def _require_sound(fit: Fit) -> None:
    """Raise an error if the arrays are not those of a fit."""
    numbers = fit.values.dtype.kind == "f" and fit.values.shape == fit.order.shape
    edges = fit.edges.ndim == 1 and fit.edges.dtype.names == EDGE.names
    if not numbers or fit.order.ndim != 1 or not edges:
        raise ValueError("its arrays are not those of a fit")
