"""``gauntlet_file``: check the guarantee of ``fdr`` on the values of a file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from featrank._utils.budget import at_most
from featrank._utils.progress import stage
from featrank.data.transformed import transformed
from featrank.error_control import Gauntlet, run_gauntlet
from featrank.error_control.gauntlet import EFFECTS
from featrank.exceptions import UsageError
from featrank.files.rank import Paths
from featrank.files.request import FileRequest
from featrank.tables.options import ReadOptions

# Options of ``rank_file`` for data that is read in chunks, or for its result.
UNUSED = ("workers", "scheduler", "checkpoint", "top", "per_class", "keep")


def gauntlet_file(
    path: Paths,
    target: str | int | None = None,
    method: str = "ec-fs",
    *,
    fdr: float = 0.1,
    n_runs: int = 20,
    n_planted: int | None = None,
    effects: tuple[float, ...] = EFFECTS,
    n_jobs: int | None = -1,
    **options: Any,
) -> Gauntlet:
    """Measure false discovery rate and power on the values of a file: ``featrank gauntlet``.

    Parameters
    ----------
    path, target, method, n_jobs
        As for :func:`featrank.rank_file`.
    fdr, n_runs, n_planted, effects
        As for :func:`featrank.error_control.run_gauntlet`.
    **options
        How to read the file, and the method's own parameters, as for :func:`featrank.rank_file`.

    Returns
    -------
    gauntlet : Gauntlet
        The rates of each scenario, with 95 % intervals.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     featrank.datasets.load("breast-cancer").write(f"{folder}/cells.csv")
    ...     path = f"{folder}/cells.csv"
    ...     gauntlet = featrank.gauntlet_file(path, "diagnosis", "fisher", n_runs=3)
    >>> gauntlet.n_features
    30
    """
    for name in UNUSED:
        if options.get(name):
            raise UsageError(f"The gauntlet does not support `{name}`. Leave it out.")
    known = {one.name for one in (*fields(FileRequest), *fields(ReadOptions))}
    own = {name: value for name, value in options.items() if name not in known}
    given = {"path": path, "target": target, "method": method, "fdr": fdr, "n_jobs": n_jobs}
    request = FileRequest.of({**options, **given, "params": own})
    ranker = request.ranker()
    with request.listing_targets(), at_most(request.options.memory):
        request.require_labels()
        table = request.read(request.options.missing, ranker.supervised)
        if table.y is None:
            raise request.unlabelled_error()
    X = transformed(table.X, request.options.transform)
    if not isinstance(X, np.ndarray) and not ranker.accepts_sparse:
        X = X.toarray()
    with stage(f"Running {(1 + len(effects)) * n_runs} checks"):
        return run_gauntlet(
            X,
            request.classes(table.y),
            ranker,
            fdr=fdr,
            n_runs=n_runs,
            n_planted=n_planted,
            effects=effects,
            groups=table.groups,
            n_jobs=n_jobs,
        )
