"""Who judges a ranking: a classifier trained on the first k features and scored on other rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.base import Floats
from featrank.kernels.svm_path import hinge_path

from .metrics import average_precision, average_precision_11
from .newton_svm import squared_hinge_path

# Beyond this many training rows the active set of the hinge loss costs too much.
HINGE_ROWS = 1000
# Decimals to which the decisions of its SVMs are exact; the margin is 1.
EXACT = 6
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


def precision(decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return the average precision of each row of decisions; NaN without positives."""
    return np.array([average_precision(positive, row) for row in decisions])


def precision_11(decisions: Floats, positive: NDArray[np.bool_]) -> Floats:
    """Return the 11-point average precision of each row of decisions; NaN without positives."""
    return np.array([average_precision_11(positive, row) for row in decisions])


# Decisions, a row a setting, and which rows of the data are of the class.
Against = tuple[Floats, NDArray[np.bool_]]


@dataclass(frozen=True)
class DecisionScorer:
    """A scorer that reads decisions, so that one fit serves several metrics.

    For more than two classes a metric is the mean over classes of one against the rest.

    Attributes
    ----------
    name : str
        What results call it.
    metrics : mapping
        Column of the results → function of decisions (settings × samples) and an indicator,
        one value a setting. The column "score" is the one that tuning reads.
    """

    name: str
    metrics: Mapping[str, Callable[[Floats, NDArray[np.bool_]], Floats]]

    def __str__(self) -> str:
        return self.name

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the score of a fitted classifier, as scikit-learn's scorers do."""
        return self.verdict(one_against_rest(estimator, X, y))["score"]

    def scores(self, each: list[Against], column: str = "score") -> Floats:
        """Return one metric for each setting, given the decisions on each class."""
        return _mean(np.array([self.metrics[column](*against) for against in each]))

    def verdict(self, each: list[Against]) -> dict[str, float]:
        """Return every metric of a single setting."""
        return {column: float(self.scores(each, column)[0]) for column in self.metrics}


auc_scorer = DecisionScorer("ROC AUC", {"score": auc})
average_precision_scorer = DecisionScorer(
    "average precision", {"score": precision, "score_11": precision_11}
)


class Judge(Protocol):
    """Scores of the first k features of a ranking, for each setting of the classifier."""

    settings: tuple[dict[str, Any], ...]

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting."""

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> dict[str, float]:
        """Return the columns of the results for one setting, "score" among them."""


class LinearSVM:
    """Linear SVMs for all C, scored by their decisions."""

    def __init__(self, C: tuple[float, ...], scorer: DecisionScorer = auc_scorer):
        self.settings = tuple({"C": value} for value in C)
        self.scorer = scorer

    def scores(self, part: Part, columns: NDArray[np.integer], settings: Any) -> Floats:
        """Return one score a setting; several classes are taken one against the rest."""
        return self.scorer.scores(self._against_rest(part, columns, settings))

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> dict[str, float]:
        """Return every metric of one setting."""
        return self.scorer.verdict(self._against_rest(part, columns, (setting,)))

    def _against_rest(
        self, part: Part, columns: NDArray[np.integer], settings: Any
    ) -> list[Against]:
        # In the order of the data, so that equal sets of features have equal scores.
        train, rest = part.scaled(np.sort(columns))
        classes = np.unique(part.train_y)
        chosen = classes[1:] if len(classes) == 2 else classes
        targets = [part.train_y == label for label in chosen]
        each = self._decisions(train, rest, targets, [setting["C"] for setting in settings])
        return [(found, part.rest_y == label) for found, label in zip(each, chosen, strict=True)]

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        """Return for each target what each cost's SVM decides on the rest, one row a cost."""
        raise NotImplementedError


class HingeSVM(LinearSVM):
    """For few rows: hinge loss, exactly, all C from one path of solutions."""

    def _decisions(
        self, train: Floats, rest: Floats, targets: list[NDArray[np.bool_]], costs: list[float]
    ) -> list[Floats]:
        # The products of the samples, where those are fewer than the columns.
        by_kernel = train.shape[0] <= train.shape[1]
        data, cross = (train @ train.T, rest @ train.T) if by_kernel else (train, rest)
        found = []
        for target in targets:
            path, intercepts = hinge_path(data, target, costs, by_kernel=by_kernel)
            weights = path if by_kernel else path @ train
            # Where the best SVM says the same of all rows, their decisions are ties, not rounding.
            found.append((weights @ cross.T + intercepts[:, None]).round(EXACT))
        return found


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
        train, rest = part.scaled(columns)
        values = np.empty(len(settings))
        for number, setting in enumerate(settings):
            model = self._fitted(train, part.train_y, setting)
            values[number] = self.scorer(model, rest, part.rest_y)
        return values

    def verdict(self, part: Part, columns: NDArray[np.integer], setting: Any) -> dict[str, float]:
        """Return the score of one setting, and whatever else the scorer reads from decisions."""
        train, rest = part.scaled(columns)
        model = self._fitted(train, part.train_y, setting)
        if isinstance(self.scorer, DecisionScorer):
            return self.scorer.verdict(one_against_rest(model, rest, part.rest_y))
        return {"score": float(self.scorer(model, rest, part.rest_y))}

    def _fitted(self, X: Floats, y: NDArray[np.intp], setting: Any) -> Any:
        from sklearn.base import clone

        return clone(self.classifier).set_params(**setting, **self.fixed).fit(X, y)


def one_against_rest(estimator: Any, X: Any, y: Any) -> list[Against]:
    """Return the decisions of a fitted classifier for each class, of two for the second."""
    found = getattr(estimator, "decision_function", None) or estimator.predict_proba
    decisions = np.asarray(found(X), dtype=np.float64)
    classes = estimator.classes_
    if len(classes) == 2:
        column = decisions if decisions.ndim == 1 else decisions[:, 1]
        return [(column[None, :], np.asarray(y) == classes[1])]
    return [(row[None, :], y == label) for row, label in zip(decisions.T, classes, strict=True)]


def judge_for(protocol: Any, n_train: int, seed: int) -> Judge:
    """Return the judge of a protocol; a linear SVM is solved by what suits the rows."""
    from sklearn.svm import SVC, LinearSVC

    classifier, few = protocol.classifier, n_train <= HINGE_ROWS
    scorer = auc_scorer if protocol.scorer is None else protocol.scorer
    if classifier is None and isinstance(scorer, DecisionScorer):
        if few:
            return HingeSVM(protocol.C, scorer)
        if protocol.ks[-1] <= NEWTON_COLUMNS:
            return NewtonSVM(protocol.C, scorer)
    if classifier is None:
        plain = SVC(kernel="linear", decision_function_shape="ovr")
        classifier = plain if few else LinearSVC(dual=False)
    return ClassifierJudge(classifier, protocol.C, scorer, seed)


def _mean(each: Floats) -> Floats:
    """Return the mean over classes; classes that the scored rows lack do not count."""
    known = ~np.isnan(each)
    counts = known.sum(axis=0)
    sums = np.where(known, each, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
