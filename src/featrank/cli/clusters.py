"""Options to run on a cluster, and the client for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from click.core import ParameterSource

from featrank.cli.options import POSITIVE, add_options

cluster_options = add_options(
    click.option(
        "--workers",
        type=POSITIVE,
        metavar="N",
        help="Start N processes of Dask on this machine, and work there.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Work on the Dask cluster of this scheduler, such as tcp://10.0.0.1:8786.",
    ),
)


@contextmanager
def cluster(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Open a client if requested; give the keywords ``n_jobs`` or ``client`` of a run."""
    address, workers = options["scheduler"], options["workers"]
    if address is None and workers is None:
        yield {"n_jobs": options["jobs"]}
        return
    if address is not None and workers is not None:
        raise click.UsageError("--workers starts processes, and --scheduler has them. Give one.")
    if click.get_current_context().get_parameter_source("jobs") is not ParameterSource.DEFAULT:
        raise click.UsageError(
            "--jobs is for processes of this machine without a cluster. Leave it out, or "
            "--workers and --scheduler."
        )
    from featrank.engines.dask import DaskEngine

    with DaskEngine(address=address, workers=workers) as engine:
        yield {"client": engine.client}
