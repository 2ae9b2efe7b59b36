"""Calls that featrank refuses, in Python and on the command line, and what commands print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

import featrank
from tests.freeze import names
from tests.freeze.inputs import CHUNKED, NAMES, TARGETS, X, Y, frame, write_csv
from tests.freeze.recording import Case, Text


def put(row: int, column: int, value: float) -> Any:
    """Return the table with another value in one place."""
    changed = X.copy()
    changed[row, column] = value
    return changed


def run(folder: Path, command: str, *args: Any) -> dict[str, Any]:
    """Call the command line on the table; what it prints may be reworded."""
    from click.testing import CliRunner

    write_csv(folder)
    (folder / "data.docx").write_text("a")
    (folder / "broken.parquet").write_bytes(b"PAR1 but no more")
    (folder / "one.csv").write_text("a,kind\n1,x\n2,x\n3,x\n")
    gaps = frame().to_pandas()
    gaps.iloc[3, 2] = np.nan
    gaps.to_csv(folder / "gaps.csv", index=False)
    found = CliRunner().invoke(names.find("cli"), [command, *names.arguments(command, args)])
    return {
        "exit code": found.exit_code,
        "stdout": Text(found.stdout),
        "stderr": Text(found.stderr),
        "files": sorted(path.name for path in folder.iterdir()),
    }


def ec_fs(*args: Any, **params: Any) -> Case:
    return lambda _: featrank.ECFS(**params).fit(*args)


def call(function: Any, *args: Any, **keywords: Any) -> Case:
    return lambda _: function(*args, **keywords)


FRAME = pd.DataFrame(X, columns=NAMES)
PYTHON: dict[str, Case] = {
    "missing values": ec_fs(put(3, 5, np.nan), Y),
    "infinity": ec_fs(put(3, 5, np.inf), Y),
    "missing values by name": ec_fs(FRAME.mask(FRAME > 4), Y),
    "missing values in csr": ec_fs(sparse.csr_array(put(3, 5, np.nan)), Y),
    "too large": ec_fs(X * 1e200, Y),
    "one class": ec_fs(X, ["sick"] * len(Y)),
    "no labels": ec_fs(X),
    "too few labels": ec_fs(X, Y[:-1]),
    "continuous target": ec_fs(X, np.linspace(0, 1, len(Y))),
    "missing labels": ec_fs(X, np.where(Y == "case", None, Y)),
    "infinite labels": ec_fs(X, np.where(Y == "case", np.inf, 0.0)),
    "labels in two columns": ec_fs(X, np.column_stack([Y, Y])),
    "too many features": ec_fs(X, Y, n_features_to_select=13),
    "no rows": ec_fs(X[:0], Y[:0]),
    "one row": ec_fs(X[:1], Y[:1]),
    "no columns": ec_fs(X[:, :0], Y),
    "one dimension": ec_fs(X[0], Y),
    "three dimensions": ec_fs(X[None], Y),
    "text in a frame": ec_fs(FRAME.assign(city="Rome"), Y),
    "text in an array": ec_fs(np.full((60, 2), "Rome"), Y),
    "repeated names": ec_fs(FRAME.rename(columns={"gene 3": "gene 1"}), Y),
    "complex": ec_fs(X + 1j, Y),
    "masked": ec_fs(np.ma.masked_array(X, mask=X > 4), Y),
    "alpha": ec_fs(X, Y, alpha=1.5),
    "kernel": ec_fs(X, Y, kernel="rbf"),
    "bins": ec_fs(X, Y, bins=1),
    "auto": ec_fs(X, Y, n_features_to_select="auto"),
    "csr": call(lambda: featrank.ReliefF().fit(sparse.csr_array(X), Y)),
    "weights": call(lambda: featrank.MRMR().fit(X, Y, sample_weight=np.ones(60))),
    "negative weights": call(lambda: featrank.FisherScore().fit(X, Y, sample_weight=-np.ones(60))),
    "large weights": call(lambda: featrank.ECFS().fit(X, Y, sample_weight=np.full(60, 1e300))),
    "groups": call(lambda: featrank.MRMR().fit(X, Y, groups=np.arange(60))),
    "one group": call(lambda: featrank.ECFS().fit(X, Y, groups=np.zeros(60))),
    "keyword": call(lambda: featrank.ReliefF().fit(X, Y, wieght=1)),
    "per class without labels": call(lambda: featrank.LaplacianScore().fit_per_class(X, Y)),
    "per class regression": call(
        lambda: featrank.ECFS(task="regression").fit_per_class(X, TARGETS["regression"])
    ),
    "regression with text": call(lambda: featrank.FisherScore(task="regression").fit(X, Y)),
    "transform before fit": call(lambda: featrank.ECFS().transform(X)),
    "transform other columns": call(lambda: featrank.ECFS().fit(X, Y).transform(X[:, :5])),
    "rank method": call(featrank.rank, X, Y, "ecfs"),
    "rank parameter": call(featrank.rank, X, Y, "ec-fs", alpah=0.3),
    "rank top": call(featrank.rank, X, Y, "ec-fs", top=13),
    "rank top zero": call(featrank.rank, X, Y, "ec-fs", top=0),
    "rank names": call(featrank.rank, X, Y, feature_names=["a"]),
    "rank memory": call(featrank.rank, X, Y, memory="4GB"),
    "rank per class weights": call(featrank.rank, X, Y, per_class=True, sample_weight=np.ones(60)),
    "open absent": lambda folder: names.call("open_dataset", folder / "absent.npy"),
    "open suffix": lambda folder: names.call("open_dataset", folder / "data.docx"),
    "open target": lambda folder: names.call(
        "open_dataset", write_csv(folder, "parquet"), target="knid"
    ),
    "chunks option": lambda folder: featrank.ECFS().fit(CHUNKED["npy"](folder), memroy="1GB"),
    "chunks missing": lambda folder: featrank.ECFS().fit(
        CHUNKED["npy"](folder, TARGETS["gaps"]), missing="error"
    ),
    "chunks way": lambda folder: featrank.ECFS().fit(CHUNKED["npy"](folder), missing="zero"),
    "chunks weights": lambda folder: featrank.ECFS().fit(
        CHUNKED["npy"](folder), sample_weight=np.ones(60)
    ),
    "chunks labels": lambda folder: featrank.ECFS().fit(CHUNKED["npy"](folder), Y[:-1]),
    "chunks checkpoint": lambda folder: featrank.ECFS().fit(
        CHUNKED["npy"](folder), checkpoint=folder / "absent" / "kept"
    ),
    "chunks checkpoint greedy": lambda folder: featrank.ReliefF().fit(
        CHUNKED["npy"](folder), checkpoint=folder / "kept"
    ),
    "file target": lambda folder: featrank.rank_file(write_csv(folder), "knid"),
    "file none": lambda folder: featrank.rank_file(folder / "absent.csv", "kind"),
    "select input": lambda folder: featrank.select_file(
        write_csv(folder), folder / "data.csv", "kind", top=2
    ),
    "protocol repeats": lambda _: names.call("Protocol", n_repeats=0),
    "protocol size": lambda _: names.call("Protocol", test_size=2.0),
    "protocol imputer": lambda _: names.call("Protocol", imputer="zero"),
    "compare method": lambda _: names.call("compare", X, Y, ["ecfs"]),
    "compare features": lambda _: names.call(
        "compare", X, Y, ["fisher"], names.call("Protocol", n_features=(50,))
    ),
}

DATA = ("data.csv", "-t", "kind")
SHELL: dict[str, tuple[Any, ...]] = {
    "target": ("rank", "data.csv", "-t", "knid"),
    "no target": ("rank", "data.csv"),
    "absent": ("rank", "absent.csv", "-t", "kind"),
    "suffix": ("rank", "data.docx", "-t", "kind"),
    "broken": ("rank", "broken.parquet", "-t", "kind"),
    "one class": ("rank", "one.csv", "-t", "kind"),
    "missing": ("rank", "gaps.csv", "-t", "kind"),
    "continuous": ("rank", "data.csv", "-t", "gene 0"),
    "method": ("rank", *DATA, "-m", "ecfs"),
    "parameter": ("rank", *DATA, "-p", "alpah=0.3"),
    "parameter form": ("rank", *DATA, "-p", "alpha"),
    "parameter value": ("rank", *DATA, "-p", "alpha=3"),
    "parameter twice": ("rank", *DATA, "-p", "alpha=0", "-p", "alpha=1"),
    "parameter top": ("rank", *DATA, "-p", "n_features_to_select=3"),
    "parameter jobs": ("rank", *DATA, "-p", "n_jobs=3"),
    "top": ("rank", *DATA, "--top", "13"),
    "top zero": ("rank", *DATA, "--top", "0"),
    "jobs": ("rank", *DATA, "--jobs", "0"),
    "drop": ("rank", *DATA, "--drop", "gen 0"),
    "flag": ("rank", *DATA, "--tip", "3"),
    "way": ("rank", *DATA, "--missing", "zero"),
    "format": ("rank", *DATA, "--format", "xml"),
    "output is input": ("rank", *DATA, "-o", "data.csv"),
    "output folder": ("rank", *DATA, "-o", "nowhere/out.csv"),
    "output suffix": ("rank", *DATA, "-o", "out.parquet"),
    "class": ("rank", *DATA, "--of-class", "casr"),
    "select no top": ("select", *DATA, "-o", "out.csv"),
    "compare features": ("compare", *DATA, "-m", "fisher", "--n-features", "50"),
    "compare resume": ("compare", *DATA, "-m", "fisher", "--resume"),
    "compare method": ("compare", *DATA, "-m", "fishr"),
    "command": ("rnak",),
    "prints csv": ("rank", *DATA, "--format", "csv", "-m", "fisher"),
    "prints json": ("rank", *DATA, "--format", "json", "-m", "fisher", "--top", "3"),
    "prints details": ("rank", *DATA, "--format", "csv", "-m", "ec-fs", "--details"),
    "prints a table": ("rank", *DATA, "-m", "ec-fs", "--top", "3"),
    "prints classes": ("rank", *DATA, "--per-class", "-m", "fisher", "--format", "csv"),
    "fills gaps": ("rank", "gaps.csv", "-t", "kind", "--missing", "mean", "--format", "csv"),
    "selects": ("select", *DATA, "--top", "3", "-o", "out.csv", "-m", "mi"),
}


def _command(args: tuple[Any, ...]) -> Case:
    return lambda folder: run(folder, *args)


REFUSALS: dict[str, Case] = {
    **{f"refused/{name}": function for name, function in PYTHON.items()},
    **{f"shell/{name}": _command(args) for name, args in SHELL.items()},
}
