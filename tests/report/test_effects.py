"""Direction and effect, against the values themselves."""

import numpy as np
import polars as pl
import pytest

from featrank.report.effects import effects_by_feature


def table_of(values):
    """Return the figures of each class of one feature."""
    return pl.DataFrame(
        {
            "feature": ["g"] * len(values),
            "class": list(values),
            "samples": [len(own) for own in values.values()],
            "missing": [int(np.isnan(own).sum()) for own in values.values()],
            "mean": [float(np.nanmean(own)) for own in values.values()],
            "sd": [float(np.nanstd(own, ddof=1)) for own in values.values()],
        }
    )


def plain_d(own, others):
    """Cohen's d as it is defined, from the values."""
    squares = ((own - own.mean()) ** 2).sum() + ((others - others.mean()) ** 2).sum()
    return (own.mean() - others.mean()) / np.sqrt(squares / (len(own) + len(others) - 2))


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_highest_class_against_the_rest(classes):
    rng = np.random.default_rng(classes)
    values = {f"class {c}": rng.normal(c % 3, 1 + c / 4, size=8 + c) for c in range(classes)}
    highest = max(values, key=lambda name: values[name].mean())
    others = np.concatenate([own for name, own in values.items() if name != highest])
    [(direction, effect)] = effects_by_feature(table_of(values)).values()
    assert direction == highest
    assert effect == pytest.approx(plain_d(values[highest], others), rel=1e-12)


def test_missing_values_do_not_count():
    values = {"a": np.array([1.0, 2, 3, np.nan]), "b": np.array([4.0, 6, np.nan, 9])}
    known = {name: own[~np.isnan(own)] for name, own in values.items()}
    assert effects_by_feature(table_of(values)) == effects_by_feature(table_of(known))


def test_classes_without_spread_are_infinitely_far_apart():
    values = {"a": np.zeros(3), "b": np.ones(3)}
    assert effects_by_feature(table_of(values)) == {"g": ("b", np.inf)}


@pytest.mark.parametrize("others", [np.zeros(3), np.full(3, np.nan)], ids=["equal", "missing"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_direction_without_two_means_that_differ(others):
    assert effects_by_feature(table_of({"a": np.zeros(3), "b": others})) == {}
