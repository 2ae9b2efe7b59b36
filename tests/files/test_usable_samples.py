"""Missing, misspelt and stray labels in files of every format, in memory and out of core."""

import warnings

import numpy as np
import pandas as pd
import pytest

import featrank
from featrank import compare_file, rank_file, select_file, tables
from featrank.evaluation import Protocol, compare
from featrank.exceptions import DataError, FeatrankWarning
from featrank.sources import Blocks, open_dataset
from tests.sources.test_bed import write_plink

N, P = 60, 12
BAD = [3, 4, 17, 41, 59]  # three labels are missing, and two samples are a class of their own


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.array(["case", "control"] * (N // 2), dtype=object)
    X = rng.normal(size=(N, P)).round(3)
    X[:, 5] += 3 * (y == "case")
    X[BAD] += 50  # samples that would change every score
    y[BAD] = [None, "NA", None, "stray", "stray"]
    return X, y


@pytest.fixture(scope="module")
def clean(data):
    X, y = data
    used = np.setdiff1d(np.arange(N), BAD)
    return X[used], y[used].astype(str)


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    """Files with the same samples, and what to call their target."""
    folder = tmp_path_factory.mktemp("files")
    X, y = data
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(P)])
    (folder / "labels.txt").write_text("\n".join("NA" if one is None else one for one in y))
    np.save(folder / "d.npy", X)
    frame.assign(kind=y).to_csv(folder / "d.csv", index=False)
    frame.assign(kind=y).to_parquet(folder / "d.parquet")
    samples = [f"s{row}" for row in range(N)]
    frame.assign(sample=samples).to_csv(folder / "values.csv", index=False)
    pd.DataFrame({"sample": samples, "kind": y}).to_csv(folder / "sheet.csv", index=False)
    anndata = pytest.importorskip("anndata")
    obs = pd.DataFrame({"kind": pd.Categorical(y)}, index=samples)
    anndata.AnnData(X, obs, frame.T[[]]).write_h5ad(folder / "d.h5ad")
    return folder


ASKED = {
    "d.csv": {"target": "kind"},
    "d.parquet": {"target": "kind"},
    "d.h5ad": {"target": "kind"},
    "d.npy": {"labels": "labels.txt"},
    "values.csv": {"target": "kind", "labels": "sheet.csv"},
}


def asked(folder, name):
    options = dict(ASKED[name])
    if "labels" in options:
        options["labels"] = folder / options["labels"]
    return folder / name, options


def heard(work):
    """Return the result and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = work()
    return result, [str(one.message) for one in caught if one.category is FeatrankWarning]


@pytest.mark.parametrize("method", ["fisher", "ec-fs", "mrmr", "relieff"])
@pytest.mark.parametrize("memory", [None, "40MB"])
@pytest.mark.parametrize("name", ASKED)
def test_every_format_in_memory_and_in_chunks(folder, clean, name, memory, method):
    path, options = asked(folder, name)
    found, told = heard(lambda: rank_file(path, method=method, memory=memory, **options))
    assert found.scores.tolist() == featrank.rank(*clean, method).scores.tolist()
    assert found.data.class_sizes == np.unique(clean[1], return_counts=True)[1].tolist()
    missing = [one for one in told if "3 of 60 samples have no" in one]
    small = [one for one in told if "'stray' (2 samples)" in one]
    assert (len(missing), len(small)) == (1, 1)
    assert told.index(missing[0]) < told.index(small[0])
    if name in ("values.csv", "d.h5ad"):
        assert "(s3, s4, s17)" in missing[0]
    else:
        assert "(rows 4, 5, 18)" in missing[0]


@pytest.mark.parametrize("memory", [None, "40MB"])
def test_means_are_those_of_the_samples_that_take_part(data, clean, tmp_path, memory):
    X, y = data[0].copy(), data[1]
    X[7, 2] = X[3, 2] = np.nan
    frame = pd.DataFrame(X).rename(columns=str).assign(kind=y)
    frame.to_csv(tmp_path / "d.csv", index=False)
    found, _ = heard(
        lambda: rank_file(tmp_path / "d.csv", "kind", "fisher", missing="mean", memory=memory)
    )
    filled = np.delete(X, BAD, axis=0)
    filled[:, 2] = np.where(np.isnan(filled[:, 2]), np.nanmean(filled[:, 2]), filled[:, 2])
    expected = featrank.rank(filled, clean[1], "fisher").scores
    np.testing.assert_allclose(found.scores, expected, rtol=1e-12)


@pytest.mark.parametrize("method", ["fisher", "ec-fs", "mrmr", "relieff"])
def test_plink_samples_without_a_phenotype(tmp_path, method):
    rng = np.random.default_rng(1)
    calls, phenotypes = rng.integers(0, 3, size=(9, 41)), rng.integers(1, 3, size=41)
    unknown = [0, 5, 6, 40]
    used = np.setdiff1d(np.arange(41), unknown)
    whole, part = tmp_path / "whole", tmp_path / "part"
    whole.mkdir()
    part.mkdir()
    given = phenotypes.copy()
    given[unknown] = [-9, 0, -9, 0]
    first = write_plink(whole, calls.tolist(), phenotypes=given)
    second = write_plink(part, calls[:, used].tolist(), phenotypes=phenotypes[used])
    found, told = heard(lambda: rank_file(first, method=method))
    expected, _ = heard(lambda: rank_file(second, method=method))
    assert "4 of 41 samples have no 'phenotype' and are left out (i0, i5, i6, i40)" in told[0]
    assert found.scores.tolist() == expected.scores.tolist()


@pytest.mark.parametrize("kind", ["path", "blocks", "dask", "dask frame"])
@pytest.mark.parametrize("method", ["fisher", "ec-fs", "mrmr"])
def test_out_of_core_data_in_python(folder, data, clean, kind, method):
    X, y = data
    given = {
        "path": lambda: (folder / "d.csv", "kind"),
        "blocks": lambda: (Blocks([(X[:25], y[:25]), (X[25:], y[25:])]), None),
        "dask": lambda: _dask(X, y),
        "dask frame": lambda: _dask_frame(X, y),
    }[kind]()
    found, told = heard(lambda: featrank.rank(*given, method))
    assert found.scores.tolist() == featrank.rank(*clean, method).scores.tolist()
    assert ["3 of 60" in one for one in told[:2]] == [True, False]
    assert "'stray' (2 samples)" in told[1]


def _dask(X, y):
    da = pytest.importorskip("dask.array")
    return da.from_array(X, chunks=(20, P)), da.from_array(y, chunks=30)


def _dask_frame(X, y):
    dd = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(X).rename(columns=str).assign(kind=y)
    cut = dd.from_pandas(frame, npartitions=3)
    return cut.drop(columns="kind"), cut["kind"]


def test_fit_keeps_the_contract_of_scikit_learn(folder):
    with pytest.raises(DataError, match="contains NaN"):
        featrank.FisherScore().fit(open_dataset(folder / "d.csv", target="kind"))


@pytest.mark.parametrize("memory", [None, "40MB"])
def test_a_regression_target_with_missing_values(data, tmp_path, memory):
    X, _ = data
    y = X[:, 0] * 2 + X[:, 1]
    y[BAD] = np.nan
    pd.DataFrame(X).rename(columns=str).assign(age=y).to_csv(tmp_path / "d.csv", index=False)
    found, told = heard(
        lambda: rank_file(tmp_path / "d.csv", "age", "lasso", task="regression", memory=memory)
    )
    used = ~np.isnan(y)
    expected = featrank.rank(X[used], y[used], "lasso", task="regression")
    assert found.scores.tolist() == expected.scores.tolist()
    assert "5 of 60 samples have no 'age' and are left out" in told[0]
    bins, told = heard(
        lambda: rank_file(tmp_path / "d.csv", "age", "fisher", target_bins=3, memory=memory)
    )
    classes = featrank.bin_target(y[used], 3)
    assert bins.scores.tolist() == featrank.rank(X[used], classes, "fisher").scores.tolist()
    assert len(told) == 1


@pytest.mark.parametrize("memory", [None, "40MB"])
@pytest.mark.parametrize("name", ASKED)
def test_select_writes_the_samples_that_were_ranked(folder, clean, tmp_path, name, memory):
    path, options = asked(folder, name)
    output = tmp_path / ("small.h5ad" if name == "d.h5ad" else "small.csv")
    found, _ = heard(
        lambda: select_file(path, output, method="fisher", top=2, memory=memory, **options)
    )
    assert found.n_samples == N - len(BAD)
    back = tables.read_table(output, target=options.get("target", "labels"))
    assert back.y.tolist() == clean[1].tolist()
    columns = [int("".join(filter(str.isdigit, one))) for one in found.kept]
    np.testing.assert_array_equal(back.X, clean[0][:, columns])


def test_compare_file_leaves_out_the_same_samples(folder, clean):
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1,))
    found, told = heard(lambda: compare_file(folder / "d.csv", "kind", ["fisher"], protocol))
    assert sum("3 of 60 samples" in one for one in told) == 1
    assert sum("'stray' (2 samples)" in one for one in told) == 1
    expected, _ = heard(lambda: compare(*clean, ["fisher"], protocol))
    assert found.manifest["data"]["sha256"] == expected.manifest["data"]["sha256"]


def test_compare_leaves_out_rows_and_their_groups(data, clean):
    X, y = data
    groups = np.repeat(np.arange(N // 2), 2)
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1,))
    found, told = heard(lambda: compare(X, y, ["fisher"], protocol, groups=groups))
    kept = np.delete(groups, BAD)
    expected, _ = heard(lambda: compare(*clean, ["fisher"], protocol, groups=kept))
    assert found.manifest["data"] == expected.manifest["data"]
    assert sum("3 of 60 samples" in one for one in told) == 1


def microarray(rng, n=60, p=1500, signal=30):
    """Simulate log expression of two classes, as in Shipp's lymphoma data."""
    y = np.array(["DLBCL"] * (2 * n // 3) + ["FL"] * (n - 2 * n // 3), dtype=object)
    X = rng.normal(8, 1, size=(n, p)) + rng.normal(size=(n, 3)) @ rng.normal(0, 0.4, size=(3, p))
    X[:, :signal] += 2.5 * (y == "DLBCL")[:, None]
    return X, y


@pytest.mark.parametrize("method", ["ec-fs", "fisher", "mi"])
@pytest.mark.parametrize("seed", range(3))
def test_stray_labels_do_not_take_over_the_ranking(tmp_path, seed, method):
    rng = np.random.default_rng(seed)
    X, y = microarray(rng)
    top = set(featrank.rank(X, y, method, feature_names=_genes(X)).top(20))
    spoilt = y.copy()
    spoilt[[0, 1]] = "9"
    spoilt[[5, 50]] = "unknown"
    spoilt[[7]] = "dlbcl"
    spoilt[[10, 11, 12]] = "DLBCL "
    path = tmp_path / "d.csv"
    pd.DataFrame(X, columns=_genes(X)).assign(subtype=spoilt).to_csv(path, index=False)
    found, told = heard(lambda: rank_file(path, "subtype", method))
    assert len(top & set(found.top(20))) >= 18
    assert any("'9' (2 samples), 'unknown' (2), 'dlbcl' (1)" in one for one in told)
    assert any("differ only in case" in one and "'dlbcl' (1)" in one for one in told)
    assert any('na_values="unknown,9"' in one for one in told)
    taken_over, _ = heard(lambda: rank_file(path, "subtype", method, min_class_size=1))
    if method == "fisher":
        assert len(top & set(taken_over.top(20))) < 18
    assert taken_over.data.classes.labels == ["9", "DLBCL", "FL", "dlbcl", "unknown"]
    named, told = heard(lambda: rank_file(path, "subtype", method, na_values="9,unknown"))
    assert len(top & set(named.top(20))) >= 18
    assert "4 of 60 samples have no 'subtype'" in told[0]


def _genes(X):
    return [f"g{j}" for j in range(X.shape[1])]
