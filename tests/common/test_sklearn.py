"""scikit-learn's own checks of an estimator, over every method."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from featrank import ECFS, methods

WEIGHTS = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]


def expected_failures(estimator):
    """Name the checks that folds rule out: a repeated row may fall on both sides of a fold."""
    reason = "folds are cut by rows, not by their weights"
    return dict.fromkeys(WEIGHTS, reason) if estimator.tunes_itself else {}


@parametrize_with_checks(
    [*(cls() for cls in methods().values()), ECFS(alpha=0.5)],
    expected_failed_checks=expected_failures,
)
def test_estimator(estimator, check):
    check(estimator)
