"""The calls that are frozen. Each is a function of a temporary folder, registered under a name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

import featrank
from tests.freeze import names
from tests.freeze.errors import REFUSALS
from tests.freeze.inputs import CHUNKED, NAMES, TARGETS, X, Y, table, write_csv
from tests.freeze.recording import Case

METHODS = featrank.methods()
SINGLE_PASS = ("ec-fs", "fisher", "inf-fs-s", "mi", "moderated-t", "trace-ratio")
GREEDY = ("cfs", "cmim", "fcbf", "jmi", "mifs", "mrmr")
REGRESSION = (
    "boruta",
    "ec-fs",
    "fisher",
    "hsic-lasso",
    "lasso",
    "mi",
    "mrmr",
    "relieff",
    "svm-rfe",
)

CASES: dict[str, Case] = {}


def case(name: str, function: Callable[..., Any], *args: Any, **keywords: Any) -> None:
    """Register ``function(folder, *args, **keywords)``."""
    if name in CASES:
        raise ValueError(f"Two cases are called {name!r}.")
    CASES[name] = lambda folder: function(folder, *args, **keywords)


def ranker(method: str, **params: Any) -> Any:
    """Return a ranker that is fast enough for many cases."""
    cls = METHODS[method]
    if method == "boruta":
        params = {"max_iter": 5, **params}
    known = cls().get_params()
    return cls(**{name: value for name, value in params.items() if name in known})


def fit(_: Path, method: str, X: Any, y: Any, params: Any = None, **further: Any) -> Any:
    return ranker(method, **(params or {})).fit(X, y, **further)


def fit_chunked(folder: Path, method: str, make: Any, params: Any = None, **further: Any) -> Any:
    with names.patched({"chunk size": lambda self, source: 900}):
        args = make(folder)
        args = args if isinstance(args, tuple) else (args,)
        return ranker(method, **(params or {})).fit(*args, **further)


# Every method on every kind of matrix.
THREE = TARGETS["three classes"]
MATRICES: dict[str, tuple[Any, Any]] = {
    "dense": (X, Y),
    "csr": (sparse.csr_matrix(X), Y),
    "frame": (pd.DataFrame(X, columns=NAMES), pd.Series(Y)),
    "float32": (np.asfortranarray(X, dtype=np.float32), Y),
    "three classes": (X, THREE),
}
for method in METHODS:
    for kind, (values, labels) in MATRICES.items():
        if kind != "csr" or METHODS[method].accepts_sparse:
            case(f"memory/{method}/{kind}", fit, method, values, labels)

# Data sets of another kind: long, wide, tied.
WIDE = table(40, 300, seed=5)
for data, (values, labels) in {
    "cancer": load_breast_cancer(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "iris": load_iris(return_X_y=True),
    "wide": WIDE,
}.items():
    for method in (*SINGLE_PASS, "mrmr", "relieff"):
        case(f"data/{data}/{method}", fit, method, values, labels)

# Out-of-core inputs.
for kind, make in CHUNKED.items():
    for method in SINGLE_PASS + GREEDY:
        params = {"n_features_to_select": 4} if method in GREEDY else {}
        case(f"out-of-core/{kind}/{method}", fit_chunked, method, make, params)
for kind in ("npy", "npy by columns", "parquet", "csv"):
    for missing in ("skip", "mean"):
        for method in ("ec-fs", "fisher", "mi", "mrmr"):
            make = partial(CHUNKED[kind], X=TARGETS["gaps"])
            name = f"missing/{kind}/{missing}/{method}"
            case(name, fit_chunked, method, make, missing=missing)
for method in ("relieff", "lasso", "inf-fs"):
    case(f"out-of-core/brought into memory/{method}", fit_chunked, method, CHUNKED["parquet"])
for kind in ("npy", "npy by columns"):
    case(
        f"out-of-core/groups/{kind}", fit_chunked, "ec-fs", CHUNKED[kind], groups=TARGETS["groups"]
    )

# Parameters of EC-FS and the other single-pass methods.
EC_FS: dict[str, dict[str, Any]] = {
    "three features": {"n_features_to_select": 3},
    "alpha": {"alpha": 0.3},
    "alphas": {"alphas": (0.0, 0.5, 1.0)},
    "symmetric kernel": {"kernel": "symmetric"},
    "toolbox kernel": {"kernel": "toolbox", "normalize": None},
    "quantile bins": {"binning": "quantile"},
    "seven bins": {"bins": 7},
    "seed": {"random_state": 7},
    "two threads": {"n_jobs": 2},
}
for name, params in EC_FS.items():
    for data, (values, labels) in {"small": (X, Y), "wide": WIDE, "three": (X, THREE)}.items():
        case(f"ec-fs/{name}/{data}", fit, "ec-fs", values, labels, params)
    case(f"ec-fs/{name}/npy", fit_chunked, "ec-fs", CHUNKED["npy"], params)
case("mi/normalized", fit, "mi", X, Y, {"normalized": True, "bins": 9})
case("fisher/class weighted", fit, "fisher", X, THREE, {"class_weighted": True})

# Weights, groups, classes, regression, threads.
WEIGHTS, GROUPS = TARGETS["weights"], TARGETS["groups"]
for method in (*SINGLE_PASS, "mrmr"):
    case(f"weights/{method}", fit, method, X, Y, sample_weight=WEIGHTS)
    case(f"weights/csr/{method}", fit, method, MATRICES["csr"][0], Y, sample_weight=WEIGHTS)
case("groups/ec-fs", fit, "ec-fs", X, Y, groups=GROUPS)
case("groups/ec-fs weighted", fit, "ec-fs", X, Y, groups=GROUPS, sample_weight=WEIGHTS)
case("groups/fisher", fit, "fisher", X, Y, groups=GROUPS)
for method in REGRESSION:
    for data, (values, target) in {
        "small": (X, TARGETS["regression"]),
        "diabetes": [part[:150] for part in load_diabetes(return_X_y=True)],
    }.items():
        case(f"regression/{method}/{data}", fit, method, values, target, {"task": "regression"})
for method in SINGLE_PASS + GREEDY + ("relieff", "inf-fs", "hsic-lasso"):
    for n_jobs in (1, 2):
        params = {"n_jobs": n_jobs, "n_features_to_select": 5}
        case(f"n_jobs/{n_jobs}/{method}", fit, method, *WIDE, params)


def fit_per_class(_: Path, method: str, X: Any, y: Any) -> Any:
    return ranker(method).fit_per_class(X, y)


for method in (*SINGLE_PASS, "mrmr", "relieff", "laplacian"):
    case(f"per class/{method}", fit_per_class, method, X, THREE)
case("per class/ec-fs csr", fit_per_class, "ec-fs", MATRICES["csr"][0], THREE)
case("per class/ec-fs wide", fit_per_class, "ec-fs", *WIDE)


# Summaries.
def summary(bins: Any = None) -> Any:
    ranges, summaries = names.find("FeatureRanges"), names.find("ClassSummary")
    blocks = [(X[rows], Y[rows]) for rows in np.split(np.arange(len(Y)), (3, 40, 41))]
    found = reduce(ranges.merge, [ranges.of(*block) for block in blocks])
    return reduce(summaries.merge, [summaries.of(*block, found, bins=bins) for block in blocks])


def fit_summary(_: Path, method: str, params: Any) -> Any:
    own = ranker(method, **params)
    return own.fit_summary(summary(params.get("bins")), feature_names=NAMES)


def partial_fit(_: Path, method: str, params: Any, ranges: bool) -> list[Any]:
    own, steps = ranker(method, **params), []
    known = names.find("FeatureRanges").of(X, Y) if ranges else None
    order = np.argsort(-np.abs(X).max(axis=1)) if not ranges else np.arange(len(Y))
    for number, rows in enumerate(np.array_split(order, 3)):
        own.partial_fit(X[rows], Y[rows], **({"ranges": known} if ranges and not number else {}))
        steps.append(clone(own) if not hasattr(own, "scores_") else own.scores_.copy())
    return [*steps, own]


for method, params in {
    "ec-fs": {"alpha": 0.3, "bins": 8},
    "fisher": {},
    "inf-fs-s": {"bins": 8},
    "mi": {"bins": 8},
    "trace-ratio": {},
}.items():
    case(f"summary/{method}", fit_summary, method, params)
    case(f"partial fit/{method}", partial_fit, method, params, True)
    case(f"partial fit/without ranges/{method}", partial_fit, method, params, False)
case("summary/ec-fs without alpha", fit_summary, "ec-fs", {"bins": 8})
case("summary/mi with other bins", fit_summary, "mi", {})


# Several settings at once, and the number of features.
def rank_candidates(_: Path, method: str, candidates: list[dict[str, Any]]) -> Any:
    return ranker(method).rank_candidates(X, Y, candidates)


for method, candidates in {
    "ec-fs": [{"alpha": alpha} for alpha in (0.0, 0.4, 1.0)] + [{}],
    "fisher": [{}, {"class_weighted": True}],
    "mi": [{"bins": 4}, {"bins": 9}, {"binning": "quantile"}],
    "mrmr": [{"criterion": "mid"}, {"criterion": "fcq"}],
    "relieff": [{"n_neighbors": 3}, {"n_neighbors": 5}],
    "inf-fs": [{"alpha": 0.2}, {"alpha": 0.8}],
}.items():
    case(f"candidates/{method}", rank_candidates, method, candidates)


def n_features_cv(_: Path, **params: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    cls = names.find("NFeaturesCV")
    return cls(ranker("fisher"), LogisticRegression(), **params).fit(X, Y)


case("number of features/fisher", n_features_cv)


# Checkpoints: a run that stops after some chunks and is resumed.
def resume(folder: Path, method: str, make: Any, after: int) -> Any:
    engine_class = names.find("LocalEngine")

    class Stopping(engine_class):  # type: ignore[misc, valid-type]
        count = 0

        def each(self, work: Any, parts: Any) -> Any:
            for one in super().each(work, parts):
                self.count += 1
                if self.count > after:
                    raise InterruptedError("stopped on purpose")
                yield one

    small = {
        "chunk size": lambda self, source: 900,
        "checkpoint pause": 0,
        "checkpoint share": 0,
    }
    with names.patched(small):
        data, kept, first = make(folder), folder / "kept", ""
        try:
            ranker(method).fit(data, engine=Stopping(1), checkpoint=kept)
        except InterruptedError as error:
            first = str(error)
        there = kept.exists()
        found = ranker(method).fit(data, engine=engine_class(1), checkpoint=kept)
        return {"stop": first, "written": there, "left": kept.exists(), "ranker": found}


for method in SINGLE_PASS:
    for kind in ("npy", "npy by columns", "csv"):
        for after in (2, 5):
            case(f"checkpoint/{method}/{kind}/{after}", resume, method, CHUNKED[kind], after)


# featrank.rank, files, comparisons and the command line.
def rank(_: Path, *args: Any, **keywords: Any) -> Any:
    found = featrank.rank(*args, **keywords)
    frame = None if hasattr(found, "items") else found.to_frame(details=True)
    return {"ranking": found, "details": frame}


FRAME = pd.DataFrame(X, columns=NAMES)
for method in (*SINGLE_PASS, "mrmr", "relieff", "cfs", "lasso"):
    case(f"rank/{method}", rank, FRAME, Y, method, top=4)
case("rank/auto", rank, FRAME, Y, "fcbf", top="auto")
case("rank/share", rank, FRAME, Y, "fisher", top=0.25)
case("rank/per class", rank, FRAME, THREE, "ec-fs", per_class=True)
case("rank/noise", rank, FRAME, TARGETS["noise"], "ec-fs", top=3)
case("rank/groups that tell the class", rank, FRAME, Y, "ec-fs", groups=(Y == "case") * 1)
case("rank/regression", rank, FRAME, TARGETS["regression"], "fisher", task="regression")
case("rank/tied", rank, np.repeat(X[:, :2], 4, axis=1), Y, "fisher", top=2)


def rank_file(folder: Path, suffix: str = "csv", **keywords: Any) -> Any:
    found = featrank.rank_file(write_csv(folder, suffix), "kind", n_jobs=1, **keywords)
    return found


def select_file(folder: Path, suffix: str, **keywords: Any) -> Any:
    output = folder / f"out.{suffix}"
    found = featrank.select_file(write_csv(folder), output, "kind", n_jobs=1, **keywords)
    text = output.read_text() if suffix == "csv" else pl.read_parquet(output).write_csv()
    return {"file": text, "ranking": found.ranking if hasattr(found, "ranking") else None}


for suffix in ("csv", "tsv", "parquet"):
    for method in ("ec-fs", "mrmr", "relieff"):
        case(f"rank_file/{suffix}/{method}", rank_file, suffix, method=method, top=4)
case("rank_file/per class", rank_file, per_class=True)
case("rank_file/out of core", rank_file, "parquet", method="mi", memory="100MB")
case("rank_file/drop", rank_file, drop=["gene 0"], method="fisher")
for suffix in ("csv", "parquet"):
    for method in ("ec-fs", "mrmr"):
        case(f"select_file/{suffix}/{method}", select_file, suffix, method=method, top=3)


def compare(folder: Path, y: Any, methods: Any, task: str, n_jobs: int = 1, **further: Any) -> Any:
    protocol = names.call(
        "Protocol",
        n_repeats=3,
        n_features=(2, 5),
        C=(0.1, 1.0),
        inner_cv=3,
        penalties=(1.0, 0.1),
        task=task,
        random_state=1,
    )
    return names.call("compare", FRAME, y, methods, protocol, n_jobs=n_jobs, **further)


case("compare/classes", compare, Y, ["ec-fs", "fisher", "mrmr"], "classification")
case("compare/three classes", compare, THREE, ["ec-fs", "mi"], "classification")
case("compare/groups", compare, Y, ["ec-fs", "mi"], "classification", groups=GROUPS)
case("compare/regression", compare, TARGETS["regression"], ["fisher", "lasso"], "regression")
case("compare/two jobs", compare, Y, ["fisher", "mi"], "classification", 2)


def compare_file(folder: Path) -> Any:
    protocol = names.call("Protocol", n_repeats=2, n_features=(3,), C=(1.0,), inner_cv=3)
    return names.call("compare_file", write_csv(folder), "kind", ["fisher", "mi"], protocol)


case("compare/file", compare_file)

for name, refusal in REFUSALS.items():
    case(name, refusal)
