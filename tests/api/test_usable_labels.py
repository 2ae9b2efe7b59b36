"""``featrank.rank`` and labels that are missing, misspelt or rare."""

import anndata
import numpy as np
import pandas as pd
import pytest

import featrank
from featrank.exceptions import DataError, FeatrankWarning

N = 40


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(N, 6))
    values[::2, 1] += 3
    return values


@pytest.fixture
def y():
    return np.array(["sick", "well"] * (N // 2), dtype=object)


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, np.ndarray.tolist])
def test_rows_without_a_label_are_left_out_with_weights_and_groups(X, y, kind):
    weights, groups = np.arange(1.0, N + 1), np.repeat(np.arange(N // 2), 2)
    y[[2, 9]] = None, "NA"
    used = np.delete(np.arange(N), [2, 9])
    with pytest.warns(FeatrankWarning, match=r"2 of 40 samples have no label.*\(rows 3, 10\)"):
        found = featrank.rank(kind(X), y, sample_weight=weights, groups=groups)
    expected = featrank.rank(
        X[used], y[used].astype(str), sample_weight=weights[used], groups=groups[used]
    )
    assert found.scores.tolist() == expected.scores.tolist()
    assert found.data.class_sizes == [19, 19]


def test_samples_of_a_frame_are_named_by_its_index(X, y):
    y[3] = np.nan
    frame = pd.DataFrame(X, index=[f"patient {row}" for row in range(N)]).rename(columns=str)
    with pytest.warns(FeatrankWarning, match=r"1 of 40 samples has no 'state'.*\(patient 3\)"):
        found = featrank.rank(frame, pd.Series(y, frame.index, name="state"), "fisher")
    assert found.feature_names == [*"012345"]


def test_labels_are_stripped_in_the_ranking(X, y):
    y[0] = "sick "
    assert featrank.rank(X, y, "fisher").data.classes.labels == ["sick", "well"]


def test_classes_of_a_ranking_per_class(X, y):
    y[[0, 1]] = "stray"
    with pytest.warns(FeatrankWarning, match=r"left out: 'stray' \(2 samples\)"):
        assert list(featrank.rank(X, y, "fisher", per_class=True)) == ["sick", "well"]
    kept = featrank.rank(X, y, "fisher", per_class=True, min_class_size=2)
    assert list(kept) == ["sick", "stray", "well"]


def test_values_that_mean_missing(X, y):
    y[:5] = "unknown"
    with pytest.warns(FeatrankWarning, match="5 of 40 samples have no label"):
        found = featrank.rank(X, y, "fisher", na_values="unknown")
    assert found.scores.tolist() == featrank.rank(X[5:], y[5:], "fisher").scores.tolist()


def test_a_regression_target(X):
    y = X[:, 3] + 0.2 * X[:, 4]
    y[[0, 7]] = np.nan
    with pytest.warns(FeatrankWarning, match="2 of 40 samples have no target value"):
        found = featrank.rank(X, y, task="regression")
    used = ~np.isnan(y)
    expected = featrank.rank(X[used], y[used], task="regression")
    assert found.scores.tolist() == expected.scores.tolist()


def test_a_method_without_a_target_uses_all_samples(X, y):
    expected = featrank.rank(X, None, "laplacian").scores
    y[3] = None
    assert featrank.rank(X, y, "laplacian").scores.tolist() == expected.tolist()


def test_no_labels_are_left(X):
    with pytest.raises(DataError, match="No sample has a label"):
        featrank.rank(X, [None] * N, "fisher")


def test_labels_for_other_rows_are_still_an_error(X, y):
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        featrank.rank(X, y[:-1], "fisher")


def test_estimators_raise_an_error(X, y):
    y[3] = None
    with pytest.raises(DataError, match="contains NaN: 1 of 40 labels are missing"):
        featrank.ECFS().fit(X, y)


@pytest.mark.parametrize("in_chunks", [False, True])
def test_notes_on_the_matrix_of_an_anndata_survive_a_missing_label(tmp_path, in_chunks):
    rng = np.random.default_rng(0)
    logs = np.log1p(rng.poisson(2.0, size=(40, 6))).astype(np.float64)
    kinds = np.array(["a", "b"] * 20, dtype=object)
    cells = anndata.AnnData(logs, obs=pd.DataFrame({"kind": kinds}, index=[*map(str, range(40))]))
    cells.raw = cells
    whole = featrank.rank(cells, "kind", "fisher")
    cells.obs["kind"] = np.where(np.arange(40) == 3, None, kinds)
    data = cells
    if in_chunks:
        data = tmp_path / "cells.h5ad"
        cells.write_h5ad(data)
    with pytest.warns(FeatrankWarning, match="1 of 40 samples"):
        ranking = featrank.rank(data, "kind", "fisher", **({"memory": "1GB"} if in_chunks else {}))
    assert ranking.provenance.notes == whole.provenance.notes != ()
    assert ranking.provenance.values == whole.provenance.values == "log1p"
