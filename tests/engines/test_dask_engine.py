"""What is Dask's own: small graphs, workers that die, schedulers that do not answer."""

import os
import signal
import socket
import subprocess
import sys
from functools import partial

import cloudpickle
import numpy as np
import pytest
from distributed import Client, LocalCluster

from featrank._utils.progress import progress_to
from featrank.engines import dask_clients
from featrank.engines.dask import DaskEngine
from featrank.engines.dask_graph import MERGED_AT_ONCE, FoldGraph
from featrank.engines.local_engine import LocalEngine
from featrank.exceptions import FeatrankError, UsageError

from .chunks import begun, both, eats_memory, made, merged_in, number, slow_sums, sums, with_process


def weighed(part, weights):
    return sums(part) * weights[0]


def graph_of(work, count):
    return FoldGraph(work, made(count), both, threads=32, topic="topic")


def test_the_graph_of_many_parts_is_small():
    assert len(cloudpickle.dumps(graph_of(sums, 10_000).tasks)) < 2_000_000


def test_what_the_work_carries_is_in_the_graph_once():
    weights = np.ones(500_000)
    sizes = [
        len(cloudpickle.dumps(graph_of(work, 1000).tasks))
        for work in (sums, partial(weighed, weights=weights))
    ]
    assert sizes[1] - sizes[0] < 1.1 * weights.nbytes


def test_no_task_gets_more_than_a_few_states():
    graph = graph_of(sums, 10_000)
    most = max(len(task.dependencies) for task in graph.tasks.values())
    assert most == MERGED_AT_ONCE + 1  # the functions, too


def test_states_are_merged_by_several_workers_and_never_here(dask_engine):
    worked, merged = dask_engine.fold(with_process, made(200), merged_in)
    assert len(worked) == 2
    assert len(merged) == 2
    assert os.getpid() not in worked | merged


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(dask_engine, tmp_path):
    parts = made(60, tmp_path)
    victim = next(iter(dask_engine.fold(with_process, made(2), merged_in)[0]))
    killed = []

    def kill(done, total):
        if done >= 20 and not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(done)

    with progress_to(kill):
        found = dask_engine.fold(slow_sums, parts, both)
    assert killed
    assert len(begun(tmp_path)) > len(parts)  # what the dead one had was worked on anew
    np.testing.assert_array_equal(found, LocalEngine(2).fold(sums, made(60), both))


@pytest.mark.slow
def test_a_worker_out_of_memory_is_told_as_that(small_cluster):
    engine = DaskEngine(small_cluster)
    with pytest.raises(
        FeatrankError, match=r"Out of memory on worker tcp://.*rows 0 to 2.*`memory="
    ):
        engine.fold(eats_memory, made(1), both)
    assert engine.fold(number, made(2), both) == (0, 1)


def raises_memory_error(part):
    raise MemoryError("Unable to allocate 3 TiB")


def test_memory_that_the_system_refuses_is_reported_too(dask_engine):
    with pytest.raises(FeatrankError, match=r"Out of memory on a worker: Unable.*rows 0 to 2"):
        dask_engine.fold(raises_memory_error, made(1), both)


@pytest.fixture(params=["closed", "silent"])
def no_scheduler(request):
    """Return the address of a port where nobody listens, or where nobody answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if request.param == "silent":
            server.listen()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_a_scheduler_that_does_not_answer_is_reported(no_scheduler, monkeypatch):
    assert 2 * dask_clients.PATIENCE < 10
    monkeypatch.setattr(dask_clients, "PATIENCE", 1)
    with pytest.raises(UsageError, match=f"No Dask scheduler answers at '{no_scheduler}'.*workers"):
        DaskEngine(address=no_scheduler)


def test_an_address_that_is_none_is_reported():
    with pytest.raises(UsageError, match="No Dask scheduler answers at 'nowhere://x'"):
        DaskEngine(address="nowhere://x")


def test_the_address_of_a_scheduler_will_do(dask_engine):
    with DaskEngine(address=dask_engine.client.scheduler.address) as engine:
        assert engine.fold(number, made(3), both) == (0, 1, 2)
        client = engine.client
    assert client.status == "closed"
    assert dask_engine.client.status == "running"


def test_the_client_that_is_given_is_used_and_stays_open(dask_engine):
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as other,
        Client(other, set_as_default=True) as current,
    ):
        with DaskEngine(dask_engine.client) as engine:
            assert os.getpid() not in engine.fold(with_process, made(4), merged_in)[0]
            found = dict(engine.each(with_process, made(4)))
            assert all(os.getpid() not in processes for processes, _ in found.values())
        assert dask_engine.client.status == "running"
        assert DaskEngine().client is current


def test_a_script_that_lacks_its_guard_is_reported(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from featrank.engines.dask import DaskEngine\nDaskEngine(workers=1)\n")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert 'below `if __name__ == "__main__":`' in run.stderr.splitlines()[-1]


def test_one_way_to_a_cluster_is_given():
    with pytest.raises(UsageError, match="Pass only one of"):
        DaskEngine(address="tcp://127.0.0.1:1", workers=2)
    with pytest.raises(UsageError, match="at least 1"):
        DaskEngine(workers=0)
    with pytest.raises(UsageError, match="No Dask client is open"):
        DaskEngine()
