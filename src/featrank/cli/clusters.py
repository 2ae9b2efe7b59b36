"""Options to run on a cluster, and the client for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from click.core import ParameterSource

from featrank.cli.grouped_help import LARGE, option
from featrank.cli.options import POSITIVE, add_options

cluster_options = add_options(
    option(
        "--workers",
        type=POSITIVE,
        metavar="N",
        group=LARGE,
        show_default="none",
        help="Run on N Dask processes on this computer.",
    ),
    option(
        "--scheduler",
        metavar="ADDRESS",
        group=LARGE,
        show_default="none",
        help="Run on a Dask cluster, e.g. tcp://host:8786.",
    ),
)


@contextmanager
def cluster(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Open a client if requested, and yield the keyword ``n_jobs`` or ``client`` of a run."""
    address, workers = options["scheduler"], options["workers"]
    if address is None and workers is None:
        yield {"n_jobs": options["jobs"]}
        return
    if address is not None and workers is not None:
        raise click.UsageError("--workers and --scheduler exclude each other. Use one of the two.")
    if click.get_current_context().get_parameter_source("jobs") is not ParameterSource.DEFAULT:
        raise click.UsageError(
            "--jobs has no effect on a Dask cluster (--workers, --scheduler). Leave it out."
        )
    from featrank.engines.dask import DaskEngine

    with DaskEngine(address=address, workers=workers) as engine:
        yield {"client": engine.client}
