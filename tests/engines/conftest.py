"""The engines of all tests: threads, and two processes that Dask starts once."""

import pytest

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
