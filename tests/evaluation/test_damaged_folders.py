"""Folders that were tampered with, and writes that fail: a sentence, and nothing lost."""

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from featrank.evaluation import Protocol, compare, read_comparison
from featrank.exceptions import DataError, FeatrankError, UsageError

PROTOCOL = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)
TABLES = {
    "classes": "values_by_class", "correlations": "correlations", "edges": "edges",
}  # fmt: skip


def made():
    rng = np.random.default_rng(0)
    return rng.normal(5, 1, size=(40, 6)), np.arange(40) % 2


@pytest.fixture
def folder(tmp_path):
    compare(*made(), ["ec-fs", "fisher"], PROTOCOL, out_dir=tmp_path / "run [1]")
    return tmp_path / "run [1]"  # polars takes brackets for a pattern


def resumed(folder):
    return compare(*made(), ["ec-fs", "fisher"], PROTOCOL, out_dir=folder, resume=True)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"methods": 5}, "'methods' should be a list and is 5"),
        ({"methods": []}, r"'methods' should be a list, each an object, and is \[\]"),
        ({"methods": ["fisher"]}, "'methods' should be a list, each an object"),
        ({"methods": [{"name": 3, "method": "mi"}]}, r"'methods\[0\].name' should be a string"),
        ({"data": None}, "'data' should be an object and is None"),
        ({"data": {}}, "'data.name' is missing"),
        ({"protocol": {"n_features": "2"}}, "'protocol.n_features' should be a list and is '2'"),
        ({"n_repeats": "many"}, "'n_repeats' should be a whole number and is 'many'"),
        ({"n_repeats": True}, "'n_repeats' should be a whole number and is True"),
        ({"test_size": "a third"}, "'test_size' should be a number"),
        ({"layout_version": "two"}, "'layout_version' should be a whole number"),
        ({"layout_version": None}, "'layout_version' should be a whole number"),
        ({"layout_version": 9}, "format version 9. This featrank reads version 3"),
    ],
)
def test_a_manifest_of_another_shape_is_refused(folder, change, says):
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    for act in (read_comparison, resumed):
        with pytest.raises(DataError, match=says):
            act(folder)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"scale": ["standard"]}, "'protocol.scale' should be one of 'standard', "),
        ({"imputer": "zero"}, "'protocol.imputer' should be one of 'mean', "),
    ],
)
def test_a_protocol_with_unknown_preprocessing_is_refused(folder, change, says):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"protocol": manifest["protocol"] | change}))
    with pytest.raises(DataError, match=says):
        read_comparison(folder)


@pytest.mark.parametrize("kept", [0, 4, 300])
@pytest.mark.parametrize("name", TABLES)
def test_a_damaged_table_is_named(folder, name, kept):
    path = folder / f"{name}.parquet"
    whole = read_comparison(folder)
    before = getattr(whole, TABLES[name])()
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError, match=rf"{name}.parquet' cannot be read: .*resume=True"):
        getattr(whole, TABLES[name])()
    resumed(folder)
    assert getattr(whole, TABLES[name])().equals(before)


@pytest.mark.parametrize("name", TABLES)
def test_a_lost_table_is_named(folder, name):
    (folder / f"{name}.parquet").unlink()
    spoilt = read_comparison(folder)
    [lack] = spoilt.missing_parts()
    with pytest.raises(DataError, match=f"{name}.parquet' is not there"):
        getattr(spoilt, TABLES[name])()
    assert f"{name}.parquet" in lack
    resumed(folder)
    assert read_comparison(folder).missing_parts() == []


def test_damaged_and_copied_fits(folder):
    first, second = folder / "fits" / "00000.npz", folder / "fits" / "00001.npz"
    whole = second.read_bytes()
    second.write_bytes(first.read_bytes())
    with pytest.raises(DataError, match=r"contains the fit of 'ec-fs' instead of 'fisher'"):
        read_comparison(folder).features()
    second.write_bytes(whole[:100])
    with pytest.raises(DataError, match=r"00001.npz' cannot be read.*Delete it"):
        resumed(folder)
    second.unlink()
    (folder / "fits" / "00001 (1).npz").write_bytes(whole)
    with pytest.warns(UserWarning, match=r"not fits and are ignored: '00001 \(1\).npz'"):
        resumed(folder)
    (folder / "fits" / "00001 (1).npz").unlink()
    assert read_comparison(folder).missing_parts() == []


def test_pickles_are_never_loaded(folder):
    path = folder / "fits" / "00000.npz"
    with np.load(path) as stored:
        arrays = dict(stored)
    np.savez(path, **{**arrays, "scores": np.array([{"run": "me"}], dtype=object)})
    with pytest.raises(
        DataError, match=r"npz' cannot be read: holds .* never does\..*resume=True"
    ) as told:
        read_comparison(folder).features()
    assert "allow_pickle" not in str(told.value)


@pytest.mark.parametrize("name", ["results.csv", "rankings.npz", "features.parquet", "roc.parquet"])
def test_a_table_that_cannot_be_written_is_named(folder, name):
    whole = read_comparison(folder).frame
    (folder / name).unlink()
    (folder / name).mkdir()
    with pytest.raises(DataError, match=rf"{name}' cannot be written: .*`resume=True`"):
        resumed(folder)
    assert read_comparison(folder).frame.equals(whole)
    (folder / name).rmdir()
    resumed(folder)
    assert (folder / name).is_file()
    assert not list(folder.rglob(".*"))


FULL = """if True:
    import resource, signal, sys
    import numpy as np
    from featrank.evaluation import Protocol, compare

    rng = np.random.default_rng(0)
    X, y = rng.normal(5, 1, size=(40, 3000)), np.arange(40) % 2
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)
    compare(X, y, ["fisher"], protocol, out_dir=sys.argv[1], resume=True)
"""


@pytest.mark.slow
def test_a_full_disk_loses_no_trial(tmp_path):
    """No file may have more than so many bytes: trials fit, the joint table does not."""
    folder, call = tmp_path / "run", [sys.executable, "-c", FULL, str(tmp_path / "run")]
    full = subprocess.run([*call, "20000"], capture_output=True, text=True, check=False)
    assert full.returncode == 1
    assert "cannot be written: File too large" in full.stderr
    assert "resume=True" in full.stderr
    finished = sorted((folder / "trials").iterdir())
    assert len(finished) == 2
    times = [path.stat().st_mtime_ns for path in finished]
    assert not list(folder.rglob(".*.*"))
    no_limit = str(resource.RLIM_INFINITY)
    subprocess.run([*call, no_limit], check=True)
    assert [path.stat().st_mtime_ns for path in finished] == times
    assert read_comparison(folder).missing_parts() == []


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match=r"cannot be written to: .*Give another folder"):
            compare(*made(), ["fisher"], PROTOCOL, out_dir=path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "trials").write_text("")
    with pytest.raises(UsageError, match="cannot be written to"):
        compare(*made(), ["fisher"], PROTOCOL, out_dir=tmp_path / "run")


def test_an_unfinished_run_says_what_it_lacks(folder):
    (folder / "trials" / "00001.npz").unlink()
    (folder / "fits" / "00001.npz").unlink()
    (folder / "edges.parquet").unlink()
    begun = read_comparison(folder)
    assert begun.missing_parts()[0] == "1 of 2 trials are not finished."
    assert any(
        "'fisher' has no scores on all rows" in sentence for sentence in begun.missing_parts()
    )
    with pytest.raises(FeatrankError, match="written when a run ends"):
        begun.edges()
    own = begun.features().filter(method="fisher")
    assert own["score"].is_null().all()
    assert own["chosen_2"].sum() == 2


@pytest.mark.parametrize(
    "name", ["results.csv", "results.parquet", "rankings.npz", "features.parquet", "edges.parquet"]
)
def test_a_write_that_fails_while_tables_are_assembled(folder, name, monkeypatch):
    """The disk is full when a table takes its place: the old one stays, and nothing is left."""
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    replace = os.replace

    def full(source, target):
        if Path(target).name == name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DataError, match=rf"{name}' cannot be written: No space left on device\."):
        resumed(folder)
    assert (folder / name).read_bytes() == before[name]
    assert not list(folder.rglob(".*"))
    assert len(read_comparison(folder).trials) == 2
    monkeypatch.undo()
    assert resumed(folder).missing_parts() == []


def test_no_space_for_the_signature_of_a_lock(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(UsageError, match=r"cannot be written to: No space left on device\."):
        resumed(folder)
    monkeypatch.undo()
    assert not list(folder.rglob(".*"))
    assert resumed(folder).missing_parts() == []


def test_a_manifest_of_other_features_or_numbers_of_them(folder):
    """It is sound, but not that of the trials beside it."""
    path = folder / "manifest.json"
    good = json.loads(path.read_text())
    for part, change, says in (
        ("data", {"features": 5}, r"00000.npz' contains an order of 6, not 5 features"),
        ("protocol", {"n_features": [3]}, r"00000.npz' contains nothing of 'ec-fs' at k=3"),
    ):
        path.write_text(json.dumps(good | {part: good[part] | change}))
        with pytest.raises(DataError, match=says):
            read_comparison(folder)
    shutil.rmtree(folder / "trials")
    with pytest.raises(DataError, match=r"results.parquet' contains nothing of 'ec-fs' at k=3"):
        read_comparison(folder)
