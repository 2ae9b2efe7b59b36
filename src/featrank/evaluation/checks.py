"""Checks against misleading results: leaks, small classes, duplicate rows, constant features."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from featrank._utils.sklearn import take_rows
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.ranking.warnings import batch_is_class, batch_is_target
from featrank.statistics.metrics import roc_auc
from featrank.statistics.significance import one_sided
from featrank.values.classes import count_labels
from featrank.values.containers import refuse_anndata

Floats = NDArray[np.float64]
LabelScorer = Callable[[Any], float]
RESHUFFLES = 5


@dataclass(frozen=True, repr=False)
class LeakCheck:
    """The scores of models that were fitted to shuffled labels.

    Attributes
    ----------
    scores : ndarray
        Score on held-out rows against the shuffled labels, one per shuffle.
    true_scores : ndarray
        Score of the same models against the true labels; empty for a procedure.
    chance : float
        Score of guessing.
    p_value : float
        One-sided t-test over the shuffles of whether the mean score is above chance.
    remembers : bool
        Whether the models predict the true labels better than chance in every shuffle.
    level : float
        A p-value below this level is a leak.
    """

    scores: Floats
    true_scores: Floats
    chance: float
    p_value: float
    remembers: bool
    level: float

    @property
    def leaks(self) -> bool:
        """Whether held-out labels reach the model."""
        return self.remembers or self.p_value < self.level

    def __repr__(self) -> str:
        finding = "leak" if self.leaks else "no leak seen"
        summary = (
            f"{finding}: {len(self.scores)} shuffles score {self.scores.mean():.3f} on average, "
            f"chance is {self.chance:.3f} (p = {self.p_value:.2g})"
        )
        if self.remembers:
            summary += (
                "; models fitted to shuffled labels score "
                f"{self.true_scores.mean():.3f} against the true ones"
            )
        return f"<LeakCheck {summary}>"


def leak_check(
    pipeline: Any,
    X: Any,
    y: Any,
    *,
    n_permutations: int = 20,
    cv: Any = 5,
    scoring: Any = None,
    groups: Any = None,
    chance: float | None = None,
    level: float = 0.01,
    random_state: Any = 0,
) -> LeakCheck:
    """Check for leaks: shuffle the labels and test whether the score stays at chance.

    Shuffled labels are unrelated to X, so a model can predict them on held-out rows only if those
    labels have leaked. Labels are classes or, for a regressor, numbers. Each shuffle is checked
    in two ways:

    - Held-out rows against their shuffled labels. The score is above chance if the model has seen
      rows that it should not see, e.g. if features were selected on all rows before the split.
    - Held-out rows against their true labels. The score is above chance in every shuffle if the
      pipeline knew them before, e.g. a model that was fitted to all rows and is never refitted.
      A fixed rule that needs no fitting looks the same.

    A pipeline whose steps are all refitted on the training rows passes. The pipeline does not
    show what was done to X before: to check that too, pass the whole analysis as a procedure.

    Parameters
    ----------
    pipeline : estimator or callable
        An unfitted classifier, regressor or pipeline, which is cross-validated here; or a procedure
        ``procedure(X, y) -> score`` that does everything, including selection and splits.
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        True labels.
    n_permutations : int, default=20
        Number of shuffles, at least 7.
    cv : int or splitter, default=5
        Cross-validation; not used for a procedure.
    scoring : str, callable or None, default=None
        Scorer as in scikit-learn. None is ROC AUC (one-vs-rest for more than two classes), and R²
        for a regressor. Not used for a procedure.
    groups : array-like of shape (n_samples,) or None, default=None
        Groups for the splitter.
    chance : float or None, default=None
        Score of guessing. None measures it by shuffling the held-out labels again. Required for
        a procedure, e.g. 0.5 for AUC or 0 for R².
    level : float, default=0.01
        A p-value below this level is a leak.
    random_state : int, Generator or None, default=0
        Seed of the shuffles.

    Returns
    -------
    check : LeakCheck
        With ``leaks``, ``scores``, ``chance`` and ``p_value``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from sklearn.model_selection import cross_val_score
    >>> from featrank import FisherScore
    >>> from featrank.evaluation import leak_check
    >>> X, y = np.random.default_rng(0).normal(size=(40, 300)), np.arange(40) % 2
    >>> leak_check(make_pipeline(FisherScore(10), LinearSVC()), X, y, n_permutations=7).leaks
    False
    >>> def selected_before(X, y):
    ...     top = FisherScore(10).fit_transform(X, y)
    ...     return cross_val_score(LinearSVC(), top, y, scoring="roc_auc").mean()
    >>> leak_check(selected_before, X, y, n_permutations=7, chance=0.5).leaks
    True
    """
    if hasattr(pipeline, "fit"):  # a procedure may take any X
        refuse_anndata(X)
    labels = _checked(y, n_permutations, level)
    rng = np.random.default_rng(random_state)
    shuffles = (rng.permutation(labels) for _ in range(n_permutations))
    if hasattr(pipeline, "fit"):
        trial = _CrossValidated(pipeline, X, labels, cv, scoring, groups, rng)
        table = np.array([trial(shuffled) for shuffled in shuffles])
    else:
        _require_chance(pipeline, chance)
        table = np.array([(float(pipeline(X, shuffled)), np.nan, chance) for shuffled in shuffles])
    return _leak_check(table, chance, level)


class _CrossValidated:
    """Cross-validates a clone of the pipeline on shuffled labels."""

    def __init__(self, pipeline: Any, X: Any, y: Any, cv: Any, scoring: Any, groups: Any, rng: Any):
        self.pipeline, self.y, self.rng = pipeline, y, rng
        (self.X,) = indexable(X)
        self.groups = groups
        regression = is_regressor(pipeline)
        self.splitter = check_cv(cv, y, classifier=not regression)
        scoring = "r2" if regression and scoring is None else scoring
        self.scorer = None if scoring is None else check_scoring(pipeline, scoring)
        if isinstance(cv, Integral) and not regression:
            warn_small_classes(y, int(cv))

    def __call__(self, shuffled: Any) -> tuple[float, float, float]:
        """Return the mean scores against shuffled and true labels, and of guessing."""
        folds = list(self.splitter.split(self.X, shuffled, self.groups))
        table = np.array([self._fold(shuffled, *fold) for fold in folds])
        known = ~np.isnan(table)
        if not known[:, 0].any():
            raise DataError(
                "Every fold's test rows hold one class only, which AUC cannot judge. Use fewer "
                "folds, or a splitter that spreads the classes, e.g. StratifiedGroupKFold."
            )
        scores, true_scores, guesses = np.where(known, table, 0).sum(axis=0)
        n_scores, n_true, n_guesses = known.sum(axis=0)
        truth = true_scores / n_true if n_true else np.nan
        return scores / n_scores, truth, guesses / n_guesses

    def _fold(self, shuffled: Any, train: Any, test: Any) -> tuple[float, float, float]:
        model = clone(self.pipeline).fit(take_rows(self.X, train), shuffled[train])
        score = self._label_scorer(model, take_rows(self.X, test))
        held_out = shuffled[test]
        # Without a leak, every order of the held-out labels is equally likely.
        guesses = [score(self.rng.permutation(held_out)) for _ in range(RESHUFFLES)]
        return score(held_out), score(self.y[test]), float(np.mean(guesses))

    def _label_scorer(self, model: Any, rows: Any) -> LabelScorer:
        """Return a function from labels of the rows to the model's score."""
        scorer = self.scorer
        if scorer is not None:
            return lambda labels: float(scorer(model, rows, labels))
        outputs = _outputs(model, rows)
        return lambda labels: _auc(labels, outputs, model.classes_)


def _auc(labels: Any, outputs: Any, classes: Any) -> float:
    """Return the AUC; NaN if all rows are of one class."""
    if len(np.unique(labels)) < 2:
        return float("nan")
    return roc_auc(labels, outputs, classes=classes)


def _outputs(model: Any, X: Any) -> Any:
    for method in ("decision_function", "predict_proba"):
        if hasattr(model, method):
            return getattr(model, method)(X)
    raise UsageError(
        f"{type(model).__name__} has neither decision_function nor predict_proba, which AUC "
        "needs. Pass a scorer for predictions, e.g. scoring='balanced_accuracy'."
    )


def _leak_check(table: Floats, chance: float | None, level: float) -> LeakCheck:
    scores, true_scores, guesses = table.T
    expected = guesses if chance is None else np.full(len(scores), chance)
    known = ~np.isnan(true_scores)
    remembers = bool(known.any() and np.all(true_scores[known] > expected[known]))
    p_value = one_sided(scores - expected)
    return LeakCheck(scores, true_scores[known], float(expected.mean()), p_value, remembers, level)


def warn_small_classes(y: Any, n_folds: int, *, lowered: bool = False) -> None:
    """Warn if a class has fewer members than there are folds, and suggest a fix.

    Set ``lowered`` for cross-validation that uses fewer folds in that case, at least two.
    """
    classes, counts = count_labels(y)
    small = [f"{c!s} ({n})" for c, n in zip(classes, counts, strict=True) if n < n_folds]
    if small:
        fewest = int(counts.min())
        fewer = f"use at most {fewest} folds, " if fewest > 1 else ""
        outcome = "Some folds miss them"
        if lowered and fewest > 1:
            outcome, fewer = f"There are {fewest} folds instead, which tune less surely", ""
        _warn(
            f"{len(small)} of {len(classes)} classes have fewer members than the {n_folds} folds: "
            f"{_some(small)}. {outcome}. The way out: {fewer}join thin classes, or drop them."
        )


def warn_unsupported(k: int, X: Any) -> None:
    """Warn if k is larger than the number of features that vary in the training rows X."""
    varying = count_varying(X)
    if k > varying:
        _warn(
            f"k = {k} is more than the {varying} features that vary in the {X.shape[0]} training "
            f"rows; the others are constant there and tell nothing. Use k ≤ {varying}."
        )


def warn_duplicate_rows(rows: NDArray[np.int64], train: Any, test: Any) -> None:
    """Warn if test rows are duplicates of training rows.

    ``rows`` is the result of :func:`row_numbers` for all rows.
    """
    duplicate = np.isin(rows[test], rows[train])
    if duplicate.any():
        _warn(
            f"{duplicate.sum()} of {len(duplicate)} test rows are copies of training rows, which "
            "makes scores too good. Drop the copies, or keep them on one side by groups: on the "
            "command line --groups COL, in Python groups=featrank.evaluation.row_numbers(X)."
        )


def require_classes_in_groups(
    codes: NDArray[np.intp], groups: NDArray[Any], names: Sequence[str]
) -> None:
    """Reject classes that occur in a single group; warn if other classes can be scored.

    Splits keep groups together, so such a class is never on both sides. ``names`` are the names
    of the classes.
    """
    single = [c for c in range(len(names)) if len(np.unique(groups[codes == c])) == 1]
    if not single:
        return
    outcome = "no trial has a score" if len(names) == 2 else "it is not scored"
    message = (
        f"Classes that are in one group only: {_some([repr(names[c]) for c in single])}, of "
        f"{len(names)} classes. Groups stay together, so that such a class is never among both "
        f"training and test rows, and {outcome}. Take samples of it from other groups, drop it, or "
        "leave out the groups."
    )
    if len(names) == 2 or len(single) == len(names):
        raise DataError(message)
    _warn(message)


def warn_confounded_groups(y: NDArray[Any], groups: Any, *, is_regression: bool) -> None:
    """Warn if a few groups, such as batches, nearly determine the target."""
    message = (batch_is_target if is_regression else batch_is_class)(y, groups)
    if message is not None:
        _warn(message)


def warn_repeated_splits(different: int, trials: int) -> None:
    """Warn if few groups allow only a few different splits, which the trials repeat."""
    if 2 * different <= trials:
        _warn(
            f"The {trials} trials hold whole groups out in {different} different ways only, as "
            "there are few groups. Repeated splits are no new evidence: p-values of differences "
            f"between methods are too small. Ask for {different} trials, or split the data into "
            "more groups."
        )


def count_varying(X: Any) -> int:
    """Return how many features of X are not constant, ignoring missing values.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.evaluation import count_varying
    >>> count_varying(np.array([[1.0, 2.0, np.nan], [1.0, 3.0, 5.0]]))
    1
    """
    if hasattr(X, "tocsc"):
        table = X.tocsc()
        lowest, highest = table.nanmin(axis=0).toarray(), table.nanmax(axis=0).toarray()
    else:
        table = np.asarray(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
            lowest, highest = np.nanmin(table, axis=0), np.nanmax(table, axis=0)
    return int(np.count_nonzero(lowest < highest))


def row_numbers(X: Any) -> NDArray[np.int64]:
    """Return a number for each row of X, the same for rows of equal values.

    Used as groups, they keep duplicate rows on one side of a split.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.evaluation import row_numbers
    >>> row_numbers(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])).tolist()
    [0, 1, 0]
    """
    seen: dict[bytes, int] = {}
    # Digests, because the rows themselves would be a second copy of X.
    digests = (blake2b(row, digest_size=16).digest() for row in _row_bytes(X))
    numbers = [seen.setdefault(digest, len(seen)) for digest in digests]
    return np.array(numbers, dtype=np.int64)


def _row_bytes(X: Any) -> Iterator[bytes]:
    if hasattr(X, "tocsr"):
        table = X.tocsr(copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        for start, end in zip(table.indptr[:-1], table.indptr[1:], strict=True):
            yield table.indices[start:end].tobytes() + b"|" + table.data[start:end].tobytes()
        return
    for row in np.asarray(X):
        yield (row + 0).tobytes()  # -0.0 becomes 0.0


def _checked(y: Any, n_permutations: int, level: float) -> NDArray[Any]:
    labels = np.asarray(y)
    if labels.ndim != 1 or len(np.unique(labels)) < 2:
        raise DataError(
            "y must hold labels of at least two classes in one dimension, or a quantity that "
            "varies."
        )
    if n_permutations < 7:
        raise UsageError(
            f"n_permutations must be at least 7, got {n_permutations}: fewer shuffles cannot "
            "tell a leak from luck."
        )
    if not 0 < level < 1:
        raise UsageError(f"level must lie between 0 and 1, got {level}.")
    return labels


def _require_chance(procedure: Any, chance: float | None) -> None:
    if not callable(procedure):
        raise UsageError(
            "pipeline must be an estimator with fit, or a procedure (X, y) -> score, got "
            f"{type(procedure).__name__}."
        )
    if chance is None:
        raise UsageError(
            "A procedure needs the score of guessing: pass chance, e.g. chance=0.5 for AUC, 0 for "
            "R²."
        )


def _some(names: list[str], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _warn(message: str) -> None:
    warnings.warn(message, FeatrankWarning, stacklevel=3)
