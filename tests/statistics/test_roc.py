"""ROC curves on a grid beside scikit-learn's corners."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from featrank.exceptions import DataError
from featrank.statistics import roc_points


def between_corners(y, scores, points):
    """Scikit-learn's corners joined by straight lines; rounded, so that 0.3 is 3/10."""
    fpr, tpr, _ = roc_curve(y, scores)
    return np.interp(np.linspace(0, 1, points).round(12), fpr.round(12), tpr)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=60).filter(
        lambda rows: 0 < sum(own for own, _ in rows) < len(rows)
    )
)
def test_it_is_scikit_learns_curve_with_few_and_many_ties(rows):
    y, scores = (np.array(column) for column in zip(*rows, strict=True))
    found = roc_points(y, scores)
    assert found == pytest.approx(between_corners(y, scores, 51), abs=1e-9)
    assert found[-1] == 1
    assert (np.diff(found) > -1e-12).all()
    assert found.max() == 1


def test_a_corner_at_a_rate_of_the_grid_counts():
    """Ten negatives: every corner is at a tenth, where binary fractions are not to be trusted."""
    y = np.tile([0, 1], 10)
    scores = np.arange(20.0)
    assert roc_points(y, scores, 11).tolist() == [step / 10 for step in range(1, 11)] + [1.0]


def test_the_area_beneath_is_the_auc_of_many_points():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    scores = (y + rng.normal(size=400)).round(1)
    found = roc_points(y, scores, 5001)
    assert np.trapezoid(found, dx=1 / 5000) == pytest.approx(roc_auc_score(y, scores), abs=1e-3)


def test_a_single_class_has_no_curve():
    assert np.isnan(roc_points([1, 1], [0.5, 2])).all()
    assert np.isnan(roc_points([0, 0], [0.5, 2])).all()


@pytest.mark.parametrize("scores", [[1.0], [[1.0, 2.0]], [1.0, np.nan]])
def test_refusals(scores):
    with pytest.raises(DataError, match="one score per sample, without NaN"):
        roc_points([0, 1], scores)
