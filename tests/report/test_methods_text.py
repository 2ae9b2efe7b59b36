"""What a paper's section on methods is told of a ranking."""

import numpy as np
import pandas as pd

import featrank


def test_each_class_tells_what_it_chose():
    data = featrank.datasets.make_counts(90, 60, n_classes=3, n_informative=20, random_state=0)
    markers = featrank.rank(data.X, data.y, per_class=True)
    text = markers.methods_section()
    assert len({one.notes()[0] for one in markers.values()}) > 1
    for label, one in markers.items():
        assert f"For {label}: {one.notes()[0]}" in text


def test_two_classes_that_chose_alike_tell_it_once():
    data = featrank.datasets.make_microarray(40, 60, n_correlated=10, random_state=0)
    markers = featrank.rank(data.X, data.y, per_class=True)
    assert markers.methods_section().count("chosen by") == 1


def test_a_quantity_is_told():
    X = np.random.default_rng(0).normal(size=(40, 6))
    ranking = featrank.rank(X, 3 * X[:, 0] + X[:, 1], task="regression")
    text = ranking.methods_section()
    y = ranking.data.regression_target
    told = f"were ranked for regression on a quantity from {y.min():.4g} to {y.max():.4g} by ec-fs"
    assert told in text
    assert "cross-validation: R²" in text
    assert "task" not in text
    assert "class" not in text


def test_names_that_were_merged_are_told(tmp_path):
    values = np.random.default_rng(0).normal(size=(6, 12))
    frame = pd.DataFrame(values, columns=[f"s{column}" for column in range(12)])
    frame.insert(0, "gene", ["a", "a", "b", "c", "d", "e"])
    frame.loc[6] = ["class", *["ill", "well"] * 6]
    frame.to_csv(tmp_path / "genes.csv", index=False)
    ranking = featrank.rank_file(
        tmp_path / "genes.csv", "class", "fisher", transpose=True, duplicates="max"
    )
    assert "made one, with the largest of their values in each sample." in ranking.methods_section()
