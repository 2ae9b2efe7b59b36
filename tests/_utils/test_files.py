"""One guard for all that writes files: what is there already, pipes, devices and links."""

import os
import stat
import threading
from pathlib import Path

import numpy as np
import pytest

import featrank
from featrank import tables
from featrank._utils.atomic_files import replacing
from featrank.data.checkpoint import Checkpoint
from featrank.exceptions import UsageError

anndata = pytest.importorskip("anndata")

SUFFIXES = [".csv", ".csv.gz", ".parquet", ".npy", ".npz", ".mat", ".arff", ".gct", ".h5ad"]


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 4))
    return tables.Table(X, ["a", "b", "c", "d"], np.arange(20) % 2, "y")


def as_table(path, table):
    tables.write_table(path, table)


def as_report(path, table):
    ranking = featrank.rank(table.X, table.y, "fisher")
    featrank.report.write(featrank.report.ranking_report(ranking), "csv", path)


def as_figure(path, table):
    pytest.importorskip("matplotlib")
    from featrank.plots import save

    save(featrank.rank(table.X, table.y, "fisher").plot(), path)


def as_selection(path, table):
    source = path.with_name("source.h5ad")
    tables.write_table(source, table)
    featrank.select_file(source, path, "y", "fisher", top=2)


WRITERS = [
    *((as_table, suffix) for suffix in SUFFIXES),
    (as_report, ".csv"),
    (as_figure, ".png"),
    (as_selection, ".h5ad"),
    (as_selection, ".csv"),
]
# By the numbers that Linux gives them.
NULL, FULL = (1, 3), (1, 7)
every_writer = pytest.mark.parametrize(("write", "suffix"), WRITERS)


def permissions(path):
    return stat.S_IMODE(path.stat().st_mode)


def device(folder, name, numbers):
    """Return a device that root may lose without harm; others cannot harm that of the system."""
    path = folder / name
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(*numbers))
    except PermissionError:
        return Path("/dev") / name
    return path


class Listener:
    """Reads a pipe until its writer is done."""

    def __init__(self, path):
        self.content = b""
        self._thread = threading.Thread(target=self._read, args=(path,), daemon=True)
        self._thread.start()

    def _read(self, path):
        self.content = path.read_bytes()

    def heard(self):
        self._thread.join(20)
        return self.content


@every_writer
def test_a_named_pipe_is_written_to_and_stays(write, suffix, table, tmp_path):
    pipe, link, plain = (tmp_path / f"{name}{suffix}" for name in ("pipe", "link", "plain"))
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    write(plain, table)
    for path in (pipe, link):
        listener = Listener(path)
        write(path, table)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert link.is_symlink()
        # HDF5 and MATLAB files hold the time.
        assert len(listener.heard()) == plain.stat().st_size


@every_writer
def test_a_device_stays_a_device_behind_a_link_too(write, suffix, table, tmp_path):
    link = tmp_path / f"link{suffix}"
    null = device(tmp_path, "null", NULL)
    link.symlink_to(null)
    write(link, table)
    assert stat.S_ISCHR(null.stat().st_mode)
    assert link.is_symlink()


@every_writer
def test_what_exists_keeps_its_permissions_and_what_is_new_has_the_usual(
    write, suffix, table, tmp_path
):
    old, new = tmp_path / f"old{suffix}", tmp_path / f"new{suffix}"
    old.touch()
    usual = permissions(old)
    old.chmod(0o600)
    write(old, table)
    write(new, table)
    assert permissions(old) == 0o600
    assert permissions(new) == usual
    assert old.stat().st_size > 0


@every_writer
def test_what_a_link_leads_to_is_replaced(write, suffix, table, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "target", tmp_path / f"link{suffix}"
    link.symlink_to(target)
    for _ in range(2):  # a target that is not there yet, and one that is
        write(link, table)
        assert link.is_symlink()
        assert not target.is_symlink()
        assert [path.name for path in target.parent.iterdir()] == ["target"]
    plain = tmp_path / f"plain{suffix}"
    write(plain, table)
    assert target.stat().st_size == plain.stat().st_size


def test_nobody_else_may_read_a_private_file_while_it_is_written(tmp_path):
    path = tmp_path / "private"
    path.touch(mode=0o600)
    with replacing(path) as temporary, open(temporary, "w") as stream:
        assert permissions(temporary) == 0o600
        stream.write("secret")
    assert path.read_text() == "secret"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_root_leaves_a_file_to_its_owner(tmp_path):
    path = tmp_path / "theirs"
    path.touch()
    os.chown(path, 1234, 1235)
    with replacing(path) as temporary:
        temporary.write_text("new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


def test_what_fails_leaves_nothing_behind(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_bytes(bytes([1, 1 // 0]))
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_full_device_and_a_folder_are_reported(table, tmp_path):
    link = tmp_path / "full.csv"
    link.symlink_to(device(tmp_path, "full", FULL))
    with pytest.raises(UsageError, match=r"Cannot write '.*full.csv': No space left"):
        tables.write_table(link, table)
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    with pytest.raises(UsageError, match=r"Cannot write '.*folder.csv': it is a folder"):
        tables.write_table(folder, table)


def test_a_checkpoint_is_a_file_which_may_be_behind_a_link(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, device(tmp_path, "null", NULL)):
        with pytest.raises(UsageError, match="is not a regular file"):
            Checkpoint(path, {})
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    checkpoint = Checkpoint(link, {})
    target.touch()
    checkpoint.finish()
    assert link.is_symlink()
    assert not target.exists()


def test_a_pipe_as_input_is_rejected_with_the_way_out(tmp_path):
    os.mkfifo(tmp_path / "data.csv")
    with pytest.raises(UsageError, match="is a pipe or a device"):
        tables.read_table(tmp_path / "data.csv")
