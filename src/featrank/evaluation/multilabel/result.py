"""The result of a comparison on multi-label data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from featrank.base.ranker import Floats
from featrank.evaluation.result import Comparison, Results
from featrank.evaluation.stored_tables import StoredTables
from featrank.evaluation.trials import Trial
from featrank.exceptions import UsageError, unknown_name

MEAN = "mAP"
#: Column of the results for each kind of average precision: the usual, and VOC 2007's.
KINDS = {"usual": "score", "11-point": "score_11"}


@dataclass(frozen=True, eq=False)
class LabelComparison(Results):
    """The result of a comparison on multi-label data.

    Attributes
    ----------
    parts : list of Trial
        One per finished trial and class, numbered trial × number of classes + class.
    methods : list of str
        Names of the methods in the given order.
    classes : tuple of str
        The classes, in the order of Y's columns.
    n_features : tuple of int
        The numbers of features.
    manifest : dict
        Versions, data, protocol and methods of the run.
    stored : StoredTables
        The names of the features.
    """

    parts: list[Trial]
    methods: list[str]
    classes: tuple[str, ...]
    n_features: tuple[int, ...]
    manifest: dict[str, Any]
    stored: StoredTables = field(default_factory=StoredTables)

    @property
    def _rows(self) -> list[dict[str, Any]]:
        return [row for part in self.parts for row in part.rows]

    def precisions(self, k: int, kind: str = "usual") -> Floats:
        """Return the mean average precision over the trials, by class and method.

        Parameters
        ----------
        k : int
            One of ``n_features``.
        kind : {"usual", "11-point"}, default="usual"
            Which average precision. It is NaN where a class or a method has none.
        """
        return self._means(self.methods, k, kind)

    def baseline_precisions(self, k: int, kind: str = "usual") -> Floats:
        """Return the average precision of the random ranking by class.

        Parameters are those of :meth:`precisions`.
        """
        return self._means([str(self.baseline)], k, kind)[:, 0]

    def _means(self, methods: list[str], k: int, kind: str) -> Floats:
        if k not in self.n_features:
            raise UsageError(f"k={k} was not run. Known: {', '.join(map(str, self.n_features))}.")
        if kind not in KINDS:
            raise UsageError(unknown_name("average precision", kind, KINDS))
        sums = np.zeros((len(self.classes), len(methods)))
        counts = np.zeros_like(sums)
        for row in self._rows:
            value = row.get(KINDS[kind], np.nan)
            if row["k"] == k and row["method"] in methods and value == value:
                place = self.classes.index(row["label"]), methods.index(row["method"])
                sums[place] += value
                counts[place] += 1
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def mean_average_precision(self, k: int, kind: str = "usual") -> dict[str, float]:
        """Return mAP per method: the mean over the classes that any method has a precision for.

        A method without a precision for one class has NaN, because a mean over other
        classes is not comparable. Parameters are those of :meth:`precisions`.
        """
        table = self.precisions(k, kind)
        scored = table[~np.isnan(table).all(axis=1)]
        means = scored.mean(axis=0) if len(scored) else np.full(len(self.methods), np.nan)
        return dict(zip(self.methods, means.tolist(), strict=True))

    def table(self, k: int, kind: str = "usual") -> list[dict[str, Any]]:
        """Return one dict per class: "class" and the precision of each method; the last is mAP.

        Parameters are those of :meth:`precisions`.
        """
        rows = zip(self.classes, self.precisions(k, kind).tolist(), strict=True)
        table = [{"class": name, **dict(zip(self.methods, row, strict=True))} for name, row in rows]
        return [*table, {"class": MEAN, **self.mean_average_precision(k, kind)}]

    def of_class(self, name: str) -> Comparison:
        """Return the comparison on one class, e.g. to test its stability or significance."""
        if name not in self.classes:
            raise UsageError(unknown_name("class", name, self.classes))
        count, wanted = len(self.classes), self.classes.index(name)
        trials = [
            Trial(part.number // count, part.rows, part.orders, part.curves)
            for part in self.parts
            if part.number % count == wanted
        ]
        return Comparison(trials, self.methods, self.n_features, self.manifest, self.stored)

    def __repr__(self) -> str:
        trials = len({part.number // len(self.classes) for part in self.parts})
        width = max(6, *(len(name) for name in self.methods))
        lines = [
            f"Comparison of {len(self.methods)} methods on {len(self.classes)} labels over "
            f"{trials} trials, {MEAN}",
            f"{'method':<{width}}" + "".join(f"{k:>8}" for k in self.n_features),
        ]
        means = [self.mean_average_precision(k) for k in self.n_features]
        for name in self.methods:
            cells = "".join(f"{mean[name]:8.4f}" for mean in means)
            lines.append(f"{name:<{width}}{cells}")
        return "\n".join(lines)
