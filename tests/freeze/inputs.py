"""The data of the cases: a small table, its targets, and the table in every format."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from tests.freeze import names

NAMES = [f"gene {j}" for j in range(12)]


def table(n_samples: int = 60, n_features: int = 12, seed: int = 0) -> tuple[Any, Any]:
    """Return numbers that every format holds exactly, half of them 0, and labels."""
    rng = np.random.default_rng(seed)
    y = np.array(["case", "control"])[rng.permutation(np.arange(n_samples) % 2)]
    shift = 6 * (y == "case")[:, None] * (np.arange(n_features) < 3)
    X = np.round(rng.normal(0, 8, (n_samples, n_features)) + shift) / 4
    return np.where(rng.random(X.shape) < 0.5, 0, X), y


X, Y = table()
_rng = np.random.default_rng(1)
TARGETS: dict[str, Any] = {
    "three classes": np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 5], [-0.5, 0.6])],
    "regression": X[:, 0] - 2 * X[:, 3] + _rng.normal(size=len(Y)),
    "noise": np.array(["case", "control"])[_rng.permutation(np.arange(len(Y)) % 2)],
    "weights": _rng.integers(0, 4, len(Y)).astype(float),
    "groups": np.arange(len(Y)) // 4,
    "gaps": np.where(_rng.random(X.shape) < 0.1, np.nan, X),
}


def frame(X: Any = X) -> pl.DataFrame:
    """Return the table with its labels in the column "kind"."""
    return pl.DataFrame(X, schema=NAMES).with_columns(kind=pl.Series(Y))


def write_csv(folder: Path, suffix: str = "csv") -> Path:
    """Write the table to a file."""
    path = folder / f"data.{suffix}"
    if suffix == "parquet":
        frame().write_parquet(path)
    else:
        frame().write_csv(path, separator="\t" if suffix == "tsv" else ",")
    return path


def opened(path: Any, **keywords: Any) -> Any:
    return names.call("open_dataset", path, **keywords)


def beside(folder: Path) -> dict[str, Path]:
    np.save(folder / "labels.npy", Y)
    return {"labels": folder / "labels.npy"}


def npy(folder: Path, X: Any = X) -> Any:
    np.save(folder / "data.npy", X)
    return opened(folder / "data.npy", **beside(folder))


def npy_by_columns(folder: Path, X: Any = X) -> Any:
    return npy(folder, np.asfortranarray(X))


def csv(folder: Path, X: Any = X) -> Any:
    frame(X).write_csv(folder / "data.csv")
    return opened(folder / "data.csv", target="kind")


def parquet(folder: Path, X: Any = X) -> Any:
    frame(X).write_parquet(folder / "data.parquet", row_group_size=13)
    return opened(folder / "data.parquet", target="kind")


def hdf5(folder: Path) -> Any:
    import h5py

    with h5py.File(folder / "data.h5", "w") as file:
        file.create_dataset("X", data=X, chunks=(11, 12))
    return opened(folder / "data.h5", **beside(folder))


def zarr(folder: Path, chunks: tuple[int, int]) -> Any:
    import zarr as library

    group = library.open_group(folder / "data.zarr", mode="w")
    group.create_array("X", data=X, chunks=chunks)
    return opened(folder / "data.zarr", **beside(folder))


def h5ad(folder: Path) -> Any:
    import anndata

    obs = pd.DataFrame({"kind": pd.Categorical(Y)}, index=[f"cell {i}" for i in range(len(Y))])
    made = anndata.AnnData(sparse.csr_matrix(X), obs, pd.DataFrame(index=NAMES))
    made.write_h5ad(folder / "data.h5ad")
    return folder / "data.h5ad", "kind"


def dask_array(_: Path) -> Any:
    import dask.array

    return dask.array.from_array(X, chunks=(20, 5)), Y


def lazy_frame(_: Path) -> Any:
    return frame().lazy(), "kind"


def blocks(_: Path) -> Any:
    parts = [(X[:20], Y[:20]), (sparse.csr_array(X[20:50]), Y[20:50]), (X[50:], Y[50:])]
    return names.find("Blocks")(parts)


def two_files(folder: Path) -> Any:
    frame()[:31].write_parquet(folder / "1.parquet")
    frame()[31:].write_csv(folder / "2.csv")
    return opened([folder / "1.parquet", folder / "2.csv"], target="kind")


# Functions of a folder that return what `fit` takes.
CHUNKED: dict[str, Any] = {
    "npy": npy,
    "npy by columns": npy_by_columns,
    "csv": csv,
    "parquet": parquet,
    "h5": hdf5,
    "zarr by rows": partial(zarr, chunks=(7, 12)),
    "zarr by columns": partial(zarr, chunks=(60, 5)),
    "h5ad": h5ad,
    "dask array": dask_array,
    "lazy frame": lazy_frame,
    "blocks": blocks,
    "two files": two_files,
}
