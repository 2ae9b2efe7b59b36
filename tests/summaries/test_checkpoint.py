"""A run that was stopped goes on where it was, gives the same bits, and leaves no file behind."""

import os
import re
import time

import numpy as np
import pytest

import featrank
from featrank.engines.local_engine import LocalEngine
from featrank.exceptions import DataError, UsageError
from featrank.sources import open_dataset

RANKERS = [featrank.ECFS(), featrank.MutualInformation()]


class Stopped(Exception):
    pass


class Stopping(LocalEngine):
    """Counts parts, and stops after some."""

    def __init__(self, after=10**9):
        super().__init__(1)
        self.after, self.count = after, 0

    def each(self, work, parts):
        for part, result in super().each(work, parts):
            self.count += 1
            if self.count > self.after:
                raise Stopped
            yield part, result


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """Make many parts, and write the file after every batch of them."""
    monkeypatch.setattr("featrank.data.reader.Reader.block_bytes", lambda self, source: 4000)
    monkeypatch.setattr("featrank.data.checkpoint.PAUSE", 0)
    monkeypatch.setattr("featrank.data.checkpoint.SHARE", 0)


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 2
    X = rng.normal(size=(600, 40))
    X[:, 5] += y
    return X, y


@pytest.fixture(params=["rows", "columns"])
def source(request, table, tmp_path):
    X = np.asfortranarray(table[0]) if request.param == "columns" else table[0]
    np.save(tmp_path / "data.npy", X)
    np.save(tmp_path / "y.npy", table[1])
    opened = open_dataset(tmp_path / "data.npy", labels=tmp_path / "y.npy")
    assert opened.axis == request.param
    return opened


@pytest.mark.parametrize("ranker", RANKERS, ids=lambda ranker: ranker.name)
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_goes_on_after_a_stop(source, table, tmp_path, ranker, share):
    whole = Stopping()
    expected = ranker.fit(source, engine=whole).scores_.copy()
    np.testing.assert_array_equal(expected, ranker.fit(*table).scores_)
    kept = tmp_path / "kept"
    first = Stopping(after=int(share * whole.count))
    with pytest.raises(Stopped):
        ranker.fit(source, engine=first, checkpoint=kept)
    assert kept.exists()
    rest = Stopping()
    found = ranker.fit(source, engine=rest, checkpoint=kept, memory="20MB")
    np.testing.assert_array_equal(found.scores_, expected)
    assert rest.count < whole.count
    assert not kept.exists()


def test_panels_are_not_counted_twice(table, tmp_path, monkeypatch):
    monkeypatch.setattr("featrank.data.reader.Reader.panel", lambda self, _: 9)
    np.save(tmp_path / "data.npy", table[0])
    source, ranker = open_dataset(tmp_path / "data.npy"), featrank.MutualInformation()
    whole = Stopping()
    ranker.fit(source, table[1], engine=whole)
    kept = tmp_path / "kept"
    with pytest.raises(Stopped):
        ranker.fit(source, table[1], engine=Stopping(int(0.8 * whole.count)), checkpoint=kept)
    rest = Stopping()
    found = ranker.fit(source, table[1], engine=rest, checkpoint=kept)
    np.testing.assert_array_equal(found.scores_, ranker.fit(*table).scores_)
    assert rest.count < 0.4 * whole.count


@pytest.fixture
def kept(source, tmp_path):
    with pytest.raises(Stopped):
        featrank.FisherScore().fit(source, engine=Stopping(9), checkpoint=tmp_path / "kept")
    return tmp_path / "kept"


def test_another_run_is_rejected(source, kept):
    for ranker, options, told in [
        (featrank.MutualInformation(), {}, 'method was "FisherScore(class_weighted=False'),
        (featrank.FisherScore(), {"missing": "skip"}, "missing was 'error'"),
    ]:
        with pytest.raises(
            UsageError, match=re.escape(told) + ".*Pass another file, or delete this one"
        ):
            ranker.fit(source, checkpoint=kept, **options)
    assert kept.exists()


def test_data_that_has_changed_is_rejected(source, kept):
    later = time.time() + 10
    os.utime(source.files[0], (later, later))
    with pytest.raises(UsageError, match="belongs to another run: files was"):
        featrank.FisherScore().fit(source, checkpoint=kept)


@pytest.mark.parametrize("damage", ["cut", "changed", "other"])
def test_a_damaged_file_is_rejected(source, kept, damage):
    blob = bytearray(kept.read_bytes())
    if damage == "cut":
        del blob[-5:]
    elif damage == "changed":
        blob[len(blob) // 2] ^= 1
    else:
        blob = bytearray(b"rank,feature,score\n")
    kept.write_bytes(blob)
    with pytest.raises(DataError, match=r"cannot resume from the checkpoint.*Delete it"):
        featrank.FisherScore().fit(source, checkpoint=kept)


def test_a_place_that_cannot_be_written_is_reported(source, tmp_path):
    with pytest.raises(UsageError, match=r"The checkpoint .*absent.* cannot be written"):
        featrank.FisherScore().fit(source, checkpoint=tmp_path / "absent" / "kept")


@pytest.mark.parametrize("facts", [{}, {"run": {}, "kept": 5, "done": {}}, {"run": "text"}])
def test_a_file_with_a_right_checksum_and_other_facts(tmp_path, facts):
    from featrank._utils import serialise

    np.save(tmp_path / "data.npy", np.eye(6))
    (tmp_path / "state").write_bytes(serialise.pack("Checkpoint", facts, {}))
    source = open_dataset(tmp_path / "data.npy")
    with pytest.raises(DataError, match=r"cannot resume from the checkpoint.*Delete it"):
        featrank.FisherScore().fit(source, [0, 1] * 3, checkpoint=tmp_path / "state")


@pytest.mark.parametrize("header", [b"{", b"[]", b'{"version": "x"}', b'\xff{"kind": 1}'])
def test_a_header_that_is_none(header):
    import zlib

    body = len(header).to_bytes(8, "little") + header
    blob = b"featrank" + zlib.crc32(body).to_bytes(8, "little") + body
    with pytest.raises(DataError, match="are damaged"):
        featrank.summaries.ClassSummary.from_bytes(blob)
