"""Linear SVMs for all values of C at once, trained on some rows and scored on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.kernels.svm_path import hinge_path
from featrank.solvers.newton_svm import squared_hinge_path
from featrank.solvers.preprocessing import Treatment
from featrank.solvers.scoring import Against, DecisionScorer, auc_scorer

# With more training rows, the active set of the hinge loss is too slow.
HINGE_ROWS = 1000
# Decimals to which SVM decisions are exact. The margin is 1.
EXACT = 6
# With more features, a factorisation of their products is slower than liblinear.
NEWTON_COLUMNS = 1000


@dataclass(frozen=True, eq=False)
class Part:
    """Preprocessed training rows and rows to score, with the scaling of the training rows."""

    train: NDArray[Any]
    train_y: NDArray[Any]
    rest: NDArray[Any]
    rest_y: NDArray[Any]
    shift: Floats
    factor: Floats

    def scaled(self, columns: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Return these columns of both sets of rows, scaled."""
        shift, factor = self.shift[columns], self.factor[columns]
        return (self.train[:, columns] - shift) / factor, (self.rest[:, columns] - shift) / factor


def part_of(X: Any, y: Any, train: Any, rest: Any, treatment: Treatment) -> Part:
    """Return the rows of a split, with preprocessing fitted to the training rows."""
    fit, other = treatment.of(X[train], X[rest])
    return Part(fit, y[train], other, y[rest], *_scaling(fit, treatment.scale))


def _scaling(X: NDArray[Any], scale: str | None) -> tuple[Floats, Floats]:
    if scale is None:
        return np.zeros(X.shape[1]), np.ones(X.shape[1])
    if scale == "minmax":
        shift = X.min(axis=0).astype(np.float64)
        factor = X.max(axis=0) - shift
    else:
        shift = X.mean(axis=0, dtype=np.float64)
        factor = X.std(axis=0, dtype=np.float64)
    # The standard deviation of a constant is a rounding error, and dividing by it would amplify it.
    tiny = 10 * np.finfo(X.dtype).eps * np.abs(shift)
    return shift, np.where(factor > tiny, factor, 1.0)


class LinearSVM:
    """Linear SVMs for all C, scored by their decisions."""

    def __init__(self, C: tuple[float, ...], scorer: DecisionScorer = auc_scorer):
        self.settings = tuple({"C": value} for value in C)
        self.scorer = scorer

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score per setting. Several classes are scored one against the rest."""
        return self.scorer.scores(self._against_rest(part, columns, settings))

    def verdict(
        self, part: Part, columns: NDArray[np.integer], setting: Any
    ) -> tuple[dict[str, float], list[Against]]:
        """Return every metric of one setting, and the decisions for each class."""
        each = self._against_rest(part, columns, (setting,))
        return self.scorer.verdict(each), each

    def _against_rest(
        self, part: Part, columns: NDArray[np.integer], settings: Any
    ) -> list[Against]:
        # In column order, so that equal sets of features have equal scores.
        train, rest = part.scaled(np.sort(columns))
        classes = np.unique(part.train_y)
        chosen = classes[1:] if len(classes) == 2 else classes
        targets = [part.train_y == label for label in chosen]
        each = self._decisions(train, rest, targets, [setting["C"] for setting in settings])
        return [(found, part.rest_y == label) for found, label in zip(each, chosen, strict=True)]

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        """Return for each target the SVM decisions on the rows to score, one row per cost."""
        raise NotImplementedError


class HingeSVM(LinearSVM):
    """For few rows: exact solutions with hinge loss, all C from one path."""

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        # Products of samples, if there are fewer samples than columns.
        by_kernel = train.shape[0] <= train.shape[1]
        data, cross = (train @ train.T, rest @ train.T) if by_kernel else (train, rest)
        found = []
        for target in targets:
            path, intercepts = hinge_path(data, target, costs, by_kernel=by_kernel)
            weights = path if by_kernel else path @ train
            # If the SVM is constant, decisions are ties, not rounding errors.
            found.append((weights @ cross.T + intercepts[:, None]).round(EXACT))
        return found


class NewtonSVM(LinearSVM):
    """For many rows: squared hinge loss, all C from one path."""

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        paths = [squared_hinge_path(train, np.where(y, 1.0, -1.0), costs) for y in targets]
        return [path[:, :-1] @ rest.T + path[:, -1:] for path in paths]
