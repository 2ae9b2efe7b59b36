"""What a fit will take is told before it starts, and what cannot fit is refused."""

import time

import numpy as np
import pytest

from featrank import (
    DGUFS,
    ECFS,
    FSV,
    MCFS,
    NDFS,
    UDFS,
    UFSOL,
    HSICLasso,
    InfFS,
    LaplacianScore,
    LassoPath,
    ReliefF,
    methods,
)
from featrank._utils import probe
from featrank.exceptions import DataError


@pytest.fixture
def seconds_by_calls(monkeypatch):
    """A clock by which every fit that is timed takes one second."""
    ticks = iter(range(1000))
    monkeypatch.setattr(probe, "perf_counter", lambda: next(ticks))


@pytest.mark.usefixtures("seconds_by_calls")
@pytest.mark.parametrize("method", [ReliefF, LaplacianScore])
def test_time_grows_with_the_square_of_the_samples(method):
    once, twice, wider = (
        method().cost(*shape).seconds for shape in [(50_000, 100), (100_000, 100), (50_000, 4096)]
    )
    assert twice == pytest.approx(4 * once)
    assert once == pytest.approx((50_000 / method()._probe(50_000, 100).shape[0]) ** 2)
    assert wider > 20 * once


@pytest.mark.usefixtures("seconds_by_calls")
def test_time_of_relieff_is_that_of_the_samples_that_are_drawn():
    every, few, all_of_them = (
        ReliefF(n_samples=m).cost(100_000, 100).seconds for m in (None, 1000, 200_000)
    )
    assert few == pytest.approx(every / 100)
    assert all_of_them == every


@pytest.mark.usefixtures("seconds_by_calls")
def test_time_of_inf_fs_grows_with_the_square_of_the_features():
    once, twice = (InfFS().cost(100, n).seconds for n in (50_000, 100_000))
    assert twice == pytest.approx(4 * once)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranker", "shape"),
    [
        (ReliefF(), (7000, 40)),
        (LaplacianScore(), (7000, 40)),
        (InfFS(), (60, 9000)),
        (LassoPath(), (200, 10_000)),
        (LassoPath(50), (200, 30_000)),
        (HSICLasso(), (150, 1500)),
        (HSICLasso(20), (400, 3000)),
        (UFSOL(), (400, 400)),
        (DGUFS(), (900, 600)),
        (NDFS(), (1500, 1000)),
        (UDFS(), (150, 8000)),
        (MCFS(), (150, 20_000)),
    ],
)
def test_what_is_said_is_near_to_what_is_taken(monkeypatch, ranker, shape):
    """By the time of the processor, which others on the machine do not change much."""
    monkeypatch.setattr(probe, "perf_counter", time.process_time)
    X = np.random.default_rng(0).standard_normal(shape)
    said = ranker.cost(*shape).seconds
    start = time.process_time()
    ranker.fit(X, np.arange(shape[0]) % 2)
    assert 0.1 < said / (time.process_time() - start) < 10


SHAPES = [(1, 1), (1, 10), (2, 1), (3, 10**8), (10**6, 10**5), (2000, 200_000), (10**5, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_little_is_drawn_for_any_shape(shape):
    for name, cls in methods().items():
        given = [cls()]
        if name in ("lasso", "hsic-lasso"):
            given.append(cls(1))
        if name == "lasso":
            given += [cls(n_subsamples=10), cls(n_subsamples=10, path_length=100)]
        for ranker in given:
            probe = ranker._probe(*shape)
            if probe is not None:
                assert np.prod(probe.shape) <= 4e6
                assert np.all(np.minimum(shape, 2) <= probe.shape)
                assert probe.ratio > 0


def test_paths_longer_than_there_are_features():
    ranker = LassoPath(n_subsamples=50, path_length=100)
    assert ranker.cost(200, 50).seconds > 0
    assert LassoPath(n_subsamples=10).cost(1, 10).seconds > 0


def test_asking_changes_no_ranker():
    ranker = ReliefF(n_samples=7, random_state=3)
    before = ranker.get_params(), dict(vars(ranker))
    ranker.cost(20_000, 10)
    assert (ranker.get_params(), dict(vars(ranker))) == before


@pytest.mark.slow
def test_methods_that_are_quick_or_cannot_know_say_nothing():
    assert ECFS().cost(10**6, 10**5) is None
    assert FSV().cost(100, 1000) == (None, 800_000)
    assert {name for name, cls in methods().items() if cls().estimate_cost(10**5, 10**5)} == {
        "dgufs",
        "fsasl",
        "hsic-lasso",
        "inf-fs",
        "laplacian",
        "lasso",
        "llc-fs",
        "mcfs",
        "ndfs",
        "relieff",
        "spec",
        "udfs",
        "ufsol",
    }


@pytest.mark.usefixtures("seconds_by_calls")
def test_only_a_long_wait_has_an_outlook():
    assert ReliefF().estimate_cost(5000, 100) is None
    assert ReliefF().estimate_cost(5000, 100, fits=10).startswith("ReliefF on 5,000 samples")
    told = ReliefF(n_jobs=1).estimate_cost(100_000, 100)
    assert told == (
        "ReliefF on 100,000 samples and 100 features will take about 17 minutes and 36.6 MB of "
        "memory in addition to the data."
    )


def test_what_cannot_fit_is_refused_with_the_way_out(monkeypatch):
    X = np.random.default_rng(0).standard_normal((3, 5000))
    monkeypatch.setattr("featrank._utils.budget.free_memory", lambda: 20 * 2**20)
    words = "InfFS on 3 samples and 5,000 features needs 49.3 MB of memory.* 20.0 MB are free.*True"
    with pytest.raises(DataError, match=words):
        InfFS(blocked=False).fit(X)
    assert len(InfFS(blocked=True).fit(X).scores_) == 5000


def test_fsv_that_cannot_fit_is_refused(monkeypatch):
    X = np.random.default_rng(0).standard_normal((20, 150_000))
    monkeypatch.setattr("featrank._utils.budget.free_memory", lambda: 20 * 2**20)
    with pytest.raises(DataError, match=r"22.9 MB .* Rank fewer samples or features"):
        FSV().fit(X, np.arange(20) % 2)


@pytest.mark.usefixtures("seconds_by_calls")
@pytest.mark.parametrize("quiet", [False, True])
def test_the_command_line_tells_it(tmp_path, quiet):
    from click.testing import CliRunner

    from featrank.cli import main

    np.save(tmp_path / "data.npy", np.random.default_rng(0).standard_normal((15_000, 2)))
    given = ["rank", str(tmp_path / "data.npy"), "--method", "laplacian", *["-q"] * quiet]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.stderr
    sentence = (
        "note: LaplacianScore on 15,000 samples and 2 features will take about 14 seconds and "
    )
    assert done.stderr.startswith(sentence) or quiet
    assert bool(done.stderr) != quiet
