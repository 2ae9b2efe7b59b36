"""Files of trials that are not what they seem to be, in folders of both kinds of comparison."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from featrank.evaluation import (
    Protocol,
    compare,
    compare_labels,
    read_comparison,
    read_label_comparison,
)
from featrank.exceptions import DataError, FeatrankWarning, UsageError

PROTOCOL = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)


def make_classes():
    rng = np.random.default_rng(0)
    return rng.normal(5, 1, size=(40, 6)), np.arange(40) % 2


def make_labels():
    X, y = make_classes()
    return X, np.column_stack([y, np.arange(40) % 3 == 0])


class Kind:
    """A comparison, what reads it, and its data."""

    def __init__(self, compare, read, data):
        self.compare, self.read, self.data = compare, read, data

    def run(self, folder, protocol=PROTOCOL, **options):
        return self.compare(*self.data, ["fisher"], protocol, out_dir=folder, **options)


KINDS = {
    "classes": Kind(compare, read_comparison, make_classes()),
    "labels": Kind(compare_labels, read_label_comparison, make_labels()),
}


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


@pytest.fixture
def folder(kind, tmp_path):
    kind.run(tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize("resume", [False, True])
def test_trials_without_a_manifest_are_refused(kind, folder, resume):
    (folder / "manifest.json").unlink()
    before = {path.name: path.read_bytes() for path in (folder / "trials").iterdir()}
    with pytest.raises(UsageError, match=r"trials? but no manifest.json.*Use another folder"):
        kind.run(folder, replace(PROTOCOL, random_state=7), resume=resume)
    assert {path.name: path.read_bytes() for path in (folder / "trials").iterdir()} == before
    assert not (folder / "manifest.json").exists()
    shutil.rmtree(folder / "trials")
    again = kind.run(folder, replace(PROTOCOL, random_state=7), resume=resume)
    assert again.manifest["protocol"]["random_state"] == 7


def test_a_folder_whose_trials_had_not_begun_is_taken(kind, tmp_path):
    (tmp_path / "run" / "trials").mkdir(parents=True)
    assert len(kind.run(tmp_path / "run").frame)


def test_a_copy_under_another_number_is_refused(kind, folder):
    first, second = folder / "trials" / "00000.npz", folder / "trials" / "00001.npz"
    own = second.read_bytes()
    shutil.copy(first, second)
    says = r"00001.npz' contains trial 0 .* instead of trial .*Delete it.*resume=True"
    with pytest.raises(DataError, match=says):
        kind.read(folder)
    with pytest.raises(DataError, match=says):
        kind.run(folder, resume=True)
    second.unlink()
    kind.run(folder, resume=True)
    with np.load(second) as made:
        rows = json.loads(str(made["rows"]))
    second.write_bytes(own)
    with np.load(second) as stored:
        before = json.loads(str(stored["rows"]))
    assert [row["score"] for row in rows] == [row["score"] for row in before]


def test_a_copy_beyond_the_last_number_is_refused_when_the_run_grows(kind, folder):
    files = sorted((folder / "trials").iterdir())
    shutil.copy(files[0], folder / "trials" / f"{len(files):05d}.npz")
    assert len(kind.read(folder).frame) == 2 * len(files)  # the method and the baseline
    with pytest.raises(DataError, match=r"contains .* instead of"):
        kind.run(folder, replace(PROTOCOL, n_repeats=3), resume=True)


def test_a_trial_of_a_run_with_another_seed_is_refused(kind, folder, tmp_path):
    kind.run(tmp_path / "other", replace(PROTOCOL, random_state=1))
    shutil.copy(tmp_path / "other/trials/00001.npz", folder / "trials/00001.npz")
    with pytest.raises(DataError, match=r"contains .* instead of"):
        kind.read(folder)


def test_what_is_not_ours_does_not_count_and_stays(kind, folder):
    trials = folder / "trials"
    whole = kind.read(folder).frame
    for name in (".DS_Store", ".notes.npz", "00001 (1).npz", "1.npz", "notes.txt"):
        shutil.copy(trials / "00001.npz", trials / name)
    for name in (".ipynb_checkpoints", "00009.npz", "old"):
        (trials / name).mkdir()
    (trials / ".0a1b2c3d.00001.npz").write_bytes(b"half")
    names = {path.name for path in trials.iterdir()}
    told = r"are ignored: '00001 \(1\).npz', '00009.npz', '1.npz', 'notes.txt', 'old'"
    with pytest.warns(FeatrankWarning, match=told):
        assert kind.read(folder).frame.equals(whole)
    (trials / "00001.npz").unlink()
    with pytest.warns(FeatrankWarning, match=told):
        again = kind.run(folder, resume=True).frame
    assert again.drop("ranking_seconds").equals(whole.drop("ranking_seconds"))
    assert {path.name for path in trials.iterdir()} == names - {".0a1b2c3d.00001.npz"}


def test_hidden_files_alone_are_passed_over_in_silence(kind, folder):
    (folder / "trials" / ".DS_Store").write_bytes(b"")
    kind.read(folder)
