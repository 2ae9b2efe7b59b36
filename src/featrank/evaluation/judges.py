"""Who judges a ranking: a classifier trained on the first k features and scored on other rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank._sklearn import fit_precomputed_svm
from featrank.base import Floats

from .newton_svm import squared_hinge_path

# Beyond this many training rows a Gram matrix costs more than the features themselves.
GRAM_ROWS = 1000
# Beyond this many features a factorisation of their products costs more than liblinear.
NEWTON_COLUMNS = 1000


@dataclass(frozen=True, eq=False)
class Part:
    """Training rows and the rows to score, imputed, with the training rows' scaling."""

    train: NDArray[Any]
    train_y: NDArray[np.intp]
    rest: NDArray[Any]
    rest_y: NDArray[np.intp]
    shift: Floats
    factor: Floats

    def scaled(self, columns: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Return these columns of both sets of rows, scaled."""
        shift, factor = self.shift[columns], self.factor[columns]
        return (self.train[:, columns] - shift) / factor, (self.rest[:, columns] - shift) / factor


def part_of(X: Any, y: Any, train: Any, rest: Any, impute: str, scale: str | None) -> Part:
    """Return the rows of a split; filling and scaling are learnt from the training rows."""
    fit, other = X[train], X[rest]
    if np.isnan(fit).any() or np.isnan(other).any():
        from sklearn.impute import SimpleImputer

        imputer = SimpleImputer(strategy=impute, keep_empty_features=True).fit(fit)
        fit, other = imputer.transform(fit), imputer.transform(other)
    return Part(fit, y[train], other, y[rest], *_scaling(fit, scale))


def _scaling(X: NDArray[Any], scale: str | None) -> tuple[Floats, Floats]:
    if scale is None:
        return np.zeros(X.shape[1]), np.ones(X.shape[1])
    if scale == "minmax":
        shift = X.min(axis=0).astype(np.float64)
        factor = X.max(axis=0) - shift
    else:
        shift = X.mean(axis=0, dtype=np.float64)
        factor = X.std(axis=0, dtype=np.float64)
    # What rounding leaves of a constant's deviation would blow it up.
    tiny = 10 * np.finfo(X.dtype).eps * np.abs(shift)
    return shift, np.where(factor > tiny, factor, 1.0)


def auc(decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return the area under the ROC curve of each row of decisions; NaN for a single class.

    Examples
    --------
    >>> auc(np.array([[0.1, 0.4, 0.35, 0.8]]), np.array([False, False, True, True]))
    array([0.75])
    """
    from scipy.stats import rankdata

    count = int(positive.sum())
    pairs = count * (len(positive) - count)
    if pairs == 0:
        return np.full(len(decisions), np.nan)
    ranks = rankdata(decisions, axis=1)[:, positive].sum(axis=1)
    return np.asarray((ranks - count * (count + 1) / 2) / pairs)


class Judge(Protocol):
    """Scores of the first k features of a ranking, for each setting of the classifier."""

    settings: tuple[dict[str, Any], ...]

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting."""


class LinearSVM:
    """Linear SVMs for all C, scored by the area under the ROC curve."""

    def __init__(self, C: tuple[float, ...]):
        self.settings = tuple({"C": value} for value in C)

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting; several classes are taken one against the rest."""
        # In the order of the data, so that equal sets of features have equal scores.
        train, rest = part.scaled(np.sort(columns))
        classes = np.unique(part.train_y)
        chosen = classes[1:] if len(classes) == 2 else classes
        targets = [part.train_y == label for label in chosen]
        costs = [setting["C"] for setting in settings]
        each = self._decisions(train, rest, targets, costs)
        pairs = zip(each, chosen, strict=True)
        return _mean(np.array([auc(found, part.rest_y == label) for found, label in pairs]))

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        """Return for each target what each cost's SVM decides on the rest, one row a cost."""
        raise NotImplementedError


class GramSVM(LinearSVM):
    """For few rows: hinge loss, all C from one Gram matrix."""

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        gram, cross = train @ train.T, rest @ train.T
        return [self._against_rest(gram, cross, target, costs) for target in targets]

    def _against_rest(
        self, gram: Floats, cross: Floats, target: NDArray[np.bool_], costs: list[float]
    ) -> Floats:
        y = target.astype(np.float64)
        decisions = np.empty((len(costs), len(cross)))
        largest = np.inf
        for number, cost in enumerate(costs):
            # Where no coefficient reaches C, a larger C has the same solution.
            if number and largest < costs[number - 1] * (1 - 1e-9):
                decisions[number] = decisions[number - 1]
                continue
            support, coefficients, intercept = fit_precomputed_svm(gram, y, cost)
            decisions[number] = cross[:, support] @ coefficients + intercept
            largest = np.abs(coefficients).max(initial=0.0)
        return decisions


class NewtonSVM(LinearSVM):
    """For many rows: squared hinge loss, all C from one path of solutions."""

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        paths = [squared_hinge_path(train, np.where(y, 1.0, -1.0), costs) for y in targets]
        return [path[:, :-1] @ rest.T + path[:, -1:] for path in paths]


class ClassifierJudge:
    """Any scikit-learn classifier and any scorer."""

    def __init__(self, classifier: Any, C: tuple[float, ...], scorer: Any, seed: int):
        from sklearn.metrics import get_scorer

        self.classifier = classifier
        self.scorer = get_scorer(scorer) if isinstance(scorer, str) else scorer or auc_scorer
        known = classifier.get_params()
        self.settings = tuple({"C": value} for value in C) if "C" in known else ({},)
        self.fixed = {"random_state": seed} if known.get("random_state", 0) is None else {}

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting."""
        from sklearn.base import clone

        train, rest = part.scaled(columns)
        values = np.empty(len(settings))
        for number, setting in enumerate(settings):
            model = clone(self.classifier).set_params(**setting, **self.fixed)
            model.fit(train, part.train_y)
            values[number] = self.scorer(model, rest, part.rest_y)
        return values


def auc_scorer(estimator: Any, X: Any, y: Any) -> float:
    """Return the area under the ROC curve; for several classes the mean of one against the rest."""
    found = getattr(estimator, "decision_function", None) or estimator.predict_proba
    decisions = np.asarray(found(X), dtype=np.float64)
    classes = estimator.classes_
    if len(classes) == 2:
        column = decisions if decisions.ndim == 1 else decisions[:, 1]
        return float(auc(column[None, :], np.asarray(y) == classes[1])[0])
    each = [auc(row[None, :], y == label) for row, label in zip(decisions.T, classes, strict=True)]
    return float(_mean(np.array(each))[0])


def judge_for(protocol: Any, n_train: int, seed: int) -> Judge:
    """Return the judge of a protocol; a linear SVM is solved by what suits the rows."""
    from sklearn.svm import SVC, LinearSVC

    classifier, few = protocol.classifier, n_train <= GRAM_ROWS
    if classifier is None and protocol.scorer is None:
        if few:
            return GramSVM(protocol.C)
        if protocol.ks[-1] <= NEWTON_COLUMNS:
            return NewtonSVM(protocol.C)
    if classifier is None:
        plain = SVC(kernel="linear", decision_function_shape="ovr")
        classifier = plain if few else LinearSVC(dual=False)
    return ClassifierJudge(classifier, protocol.C, protocol.scorer, seed)


def _mean(each: Floats) -> Floats:
    """Return the mean over classes; classes that the scored rows lack do not count."""
    known = ~np.isnan(each)
    counts = known.sum(axis=0)
    sums = np.where(known, each, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
