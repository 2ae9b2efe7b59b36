"""A check for leaks: a model of shuffled labels must score at chance on held-out rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from featrank._utils.sklearn import take_rows
from featrank.evaluation.checks import warn_small_classes
from featrank.exceptions import DataError, UsageError
from featrank.statistics.metrics import roc_auc
from featrank.statistics.significance import one_sided
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
                "The test rows of every fold belong to one class, so AUC is not defined. Use a "
                "splitter that balances the classes, e.g. StratifiedGroupKFold."
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
        "needs. Use `scoring='balanced_accuracy'`."
    )


def _leak_check(table: Floats, chance: float | None, level: float) -> LeakCheck:
    scores, true_scores, guesses = table.T
    expected = guesses if chance is None else np.full(len(scores), chance)
    known = ~np.isnan(true_scores)
    remembers = bool(known.any() and np.all(true_scores[known] > expected[known]))
    p_value = one_sided(scores - expected)
    return LeakCheck(scores, true_scores[known], float(expected.mean()), p_value, remembers, level)


def _checked(y: Any, n_permutations: int, level: float) -> NDArray[Any]:
    labels = np.asarray(y)
    if labels.ndim != 1 or len(np.unique(labels)) < 2:
        raise DataError(
            "y must be one-dimensional and contain at least two classes, or a numeric target that "
            "varies."
        )
    if n_permutations < 7:
        raise UsageError(
            f"n_permutations must be at least 7, got {n_permutations}: fewer shuffles cannot "
            "distinguish a leak from luck."
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
            "A procedure needs `chance`, the score of guessing. Use `chance=0.5` for AUC or "
            "`chance=0` for R²."
        )
