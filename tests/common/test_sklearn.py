"""scikit-learn's own checks of an estimator, over every method."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from featrank import methods


@parametrize_with_checks([cls() for cls in methods().values()])
def test_estimator(estimator, check):
    check(estimator)
