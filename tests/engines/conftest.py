"""The engines of all tests: threads, and two processes that Dask starts once."""

import signal

import dask
import pytest
from distributed import Client, LocalCluster

from featrank.engines.dask import DaskEngine
from featrank.engines.local_engine import LocalEngine


@pytest.fixture(scope="package")
def dask_engine():
    with DaskEngine(workers=2) as engine:
        client = engine.client
        yield engine
    assert client.status == "closed"


@pytest.fixture(params=["local", "dask"])
def engine(request):
    if request.param == "local":
        return LocalEngine(n_jobs=2)
    return request.getfixturevalue("dask_engine")


@pytest.fixture
def small_cluster():
    """Return the client of one worker of little memory, which may die but once."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(
            n_workers=1, threads_per_worker=1, memory_limit="400MB", dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises, as at a prompt; what a shell runs in the background would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
