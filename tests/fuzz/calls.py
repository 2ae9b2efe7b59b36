"""What is done with a damaged file; each gives an answer, or raises."""

import json
from pathlib import Path
from typing import Any

import numpy as np

METHODS = ("fisher", "mi", "ec-fs", "inf-fs-s")


def whole(data: Path, options: dict[str, Any], how: dict[str, Any]) -> None:
    """Read a table and rank its features."""
    import featrank

    table = featrank.tables.read_table(
        data, **options, missing=how["missing"], categorical=how["categorical"]
    )
    if table.y is None:
        return
    _check(featrank.rank(table.X, table.y, how["method"], n_jobs=1, **_plain(how["method"])))


def parts(data: Path, options: dict[str, Any], how: dict[str, Any]) -> None:
    """Open a source and rank what is read in parts."""
    import featrank
    from featrank.sources import open_dataset

    missing = "skip" if how["missing"] == "mean" else "error"
    source = open_dataset(data, **options)
    _check(
        featrank.rank(
            source, method=how["method"], missing=missing, n_jobs=1, **_plain(how["method"])
        )
    )


def checkpoint(data: Path, options: dict[str, Any], how: dict[str, Any]) -> None:
    """Go on from a checkpoint."""
    import featrank

    ranking = featrank.rank_file(
        data,
        labels=data.parent / "labels.npy",
        method="mi",
        checkpoint=data.parent / "state",
        n_jobs=1,
    )
    _check(ranking)


def shell(data: Path, options: dict[str, Any], how: dict[str, Any]) -> int:
    """``featrank rank``, or ``select`` now and then."""
    table = ["--missing", how["missing"], "--categorical", how["categorical"]]
    return _ranked(data, options, how, table)


def shell_in_parts(data: Path, options: dict[str, Any], how: dict[str, Any]) -> int:
    """``featrank rank`` with --memory, which reads in parts."""
    return _ranked(data, options, how, ["--memory", "100MB", "--missing", how["missing"]])


def results(data: Path, options: dict[str, Any], how: dict[str, Any]) -> None:
    """Read a folder of results and all that it tells."""
    from featrank.evaluation import read_comparison

    found = read_comparison(data)
    repr(found), found._repr_html_(), found.missing_parts(), found.table(), found.failures()
    for name in ("features", "curves", "values_by_class", "correlations", "edges", "tests"):
        getattr(found, name)()


def report(data: Path, options: dict[str, Any], how: dict[str, Any]) -> int:
    """``featrank report``."""
    return _command(["report", str(data), "-o", str(data.parent / "page.html")])


def tables(data: Path, options: dict[str, Any], how: dict[str, Any]) -> int:
    """``featrank stability``, ``significance`` or a figure."""
    commands = {
        "fisher": ["stability", str(data)],
        "mi": ["significance", str(data)],
        "ec-fs": ["stability", "--by-feature", str(data)],
        "inf-fs-s": ["plot", "score-curve", str(data), "-o", str(data.parent / "figure.svg")],
    }
    return _command(commands[how["method"]])


def resume(data: Path, options: dict[str, Any], how: dict[str, Any]) -> None:
    """Go on with a comparison."""
    from featrank.evaluation import Protocol, compare

    from .good_files import values

    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)
    compare(*values(), ["fisher", "mi"], protocol, out_dir=data, resume=True)


CALLS = {
    call.__name__: call
    for call in (whole, parts, checkpoint, shell, shell_in_parts, results, report, tables, resume)
}


def _plain(method: str) -> dict[str, Any]:
    return {"alpha": 0.5} if method == "ec-fs" else {}


def _ranked(data: Path, options: dict[str, Any], how: dict[str, Any], more: list[str]) -> int:
    given = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    given += [part for name, value in _plain(how["method"]).items() for part in
              ("--param", f"{name}={value}")]  # fmt: skip
    common = [str(data), *given, *more, "--method", how["method"], "--jobs", "1", "--quiet"]
    if how["select"]:
        return _command(["select", *common, "--top", "2", "-o", str(data.parent / "small.csv")])
    output = data.parent / "ranking.json"
    code = _command(["rank", *common, "-o", str(output)])
    if code == 0:
        json.loads(output.read_text())
    return code


def _command(arguments: list[str]) -> int:
    """Run a command in this process, as the shell would, and return its exit code."""
    from featrank.cli import main

    try:
        main.main(arguments, prog_name="featrank")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    raise AssertionError("the command did not end")


def _check(ranking: Any) -> None:
    """Hold that an answer is one: scores without NaN, and every feature once."""
    assert not np.isnan(ranking.scores).any(), "NaN among the scores"
    assert sorted(ranking.order) == list(range(len(ranking.scores))), "the order is no permutation"


def _segfault(*_: Any) -> None:
    import ctypes

    ctypes.string_at(0)


def _hang(*_: Any) -> None:
    import time

    time.sleep(1000)


def _fill_memory(*_: Any) -> None:
    np.ones(2**40)


def _stray(*_: Any) -> None:
    raise KeyError("x")


# What a child has to survive, or to be ended for, so that this is tested too.
MISBEHAVIOUR = {
    "misbehave:segfault": _segfault,
    "misbehave:hang": _hang,
    "misbehave:fill_memory": _fill_memory,
    "misbehave:stray": _stray,
    "misbehave:nothing": lambda *_: None,
}
CALLS |= MISBEHAVIOUR
