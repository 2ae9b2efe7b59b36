"""scikit-learn's own checks of an estimator, over every method and what is built on them."""

from dataclasses import dataclass

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from featrank import ECFS, FisherScore, GraphRanker, methods
from featrank.evaluation import NFeaturesCV

WEIGHTS = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]


@dataclass(frozen=True)
class ProductOfSpreads:
    """A function whose name is the same in every process, as tests are called by it."""

    def __call__(self, first, second):
        return first.std() * second.std()


OTHERS = [
    ECFS(alpha=0.5),
    *(cls(task="regression") for cls in methods().values() if "regression" in cls.tasks),
    GraphRanker(edges=ProductOfSpreads()),
    NFeaturesCV(FisherScore(), LogisticRegression(), cv=2),
]


def expected_failures(estimator):
    """Name the checks that folds rule out: a repeated row may fall on both sides of a fold.

    For a quantity alpha is the same here whatever the folds.
    """
    reason = "folds are cut by rows, not by their weights"
    tuned = getattr(estimator, "_tunes_itself", False) and not estimator._regresses
    return dict.fromkeys(WEIGHTS, reason) if tuned else {}


@parametrize_with_checks(
    [*(cls() for cls in methods().values()), *OTHERS], expected_failed_checks=expected_failures
)
def test_estimator(estimator, check):
    check(estimator)
