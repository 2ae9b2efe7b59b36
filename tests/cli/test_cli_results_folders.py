"""Folders of results that are not as they should be: one sentence and an exit code."""

import json
import shutil
import webbrowser

import pytest

COMMANDS = ("stability", "significance")
READERS = {
    "stability": [],
    "significance": [],
    "report": ["-o", "page.html"],
    "open": [],
    "plot": ["-o", "figure.svg"],
}


def without_manifest(folder):
    (folder / "manifest.json").unlink()


def without_trials(folder):
    shutil.rmtree(folder / "trials")
    (folder / "results.parquet").unlink()


def cut_tables(folder):
    shutil.rmtree(folder / "trials")
    (folder / "results.parquet").write_bytes(b"PAR1")


def no_rankings(folder):
    shutil.rmtree(folder / "trials")
    (folder / "rankings.npz").unlink()


def cut_trial(folder):
    path = folder / "trials" / "00002.npz"
    path.write_bytes(path.read_bytes()[:200])


def emptied_trial(folder):
    (folder / "trials" / "00002.npz").write_bytes(b"")


def copied_trial(folder):
    shutil.copy(folder / "trials" / "00001.npz", folder / "trials" / "00002.npz")


def unknown_version(folder):
    change_manifest(folder, {"layout_version": 99})


def damaged_manifest(folder):
    path = folder / "manifest.json"
    path.write_text(path.read_text()[:100])


def another_manifest(folder):
    (folder / "manifest.json").write_text('["of", "something", "else"]')


def poor_manifest(folder):
    path = folder / "manifest.json"
    kept = {k: v for k, v in json.loads(path.read_text()).items() if k != "methods"}
    path.write_text(json.dumps(kept))


def no_list_of_methods(folder):
    change_manifest(folder, {"methods": 5})


def no_parameters(folder):
    change_manifest(folder, {"methods": [{"name": "ec-fs", "method": "ec-fs"}]})


def no_share(folder):
    change_manifest(folder, {"test_size": None})


def no_versions(folder):
    change_manifest(folder, {"versions": {}})


def other_features(folder):
    data = json.loads((folder / "manifest.json").read_text())["data"]
    change_manifest(folder, {"data": data | {"features": 10**6}})


def change_manifest(folder, change):
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))


def unreadable_manifest(folder):
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").mkdir()


def call(command, folder):
    kind = ["score-curve"] if command == "plot" else []
    return [command, *kind, folder, *READERS[command]]


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(webbrowser, "open", lambda address: True)


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("spoil", "exit_code", "words"),
    [
        (without_manifest, 2, "is not a results folder"),
        (without_trials, 1, "no finished trial"),
        (cut_tables, 1, "results.parquet' cannot be read"),
        (no_rankings, 1, "rankings.npz"),
        (cut_trial, 1, "00002.npz' cannot be read"),
        (emptied_trial, 1, "00002.npz' cannot be read"),
        (copied_trial, 1, "00002.npz' contains trial 1 "),
        (unknown_version, 1, "results in format version 99. This featrank reads version 3"),
        (damaged_manifest, 1, "is not a manifest of results"),
        (another_manifest, 1, "is not a manifest of results"),
        (poor_manifest, 1, "is not a manifest of results: 'methods'"),
        (no_list_of_methods, 1, "'methods' should be a list and is 5"),
        (no_parameters, 1, "'methods[0].params' is missing"),
        (no_share, 1, "'test_size' should be a number and is None"),
        (no_versions, 1, "'versions.python' is missing"),
        (other_features, 1, "00000.npz' contains an order of 30, not 1000000 features"),
        (unreadable_manifest, 1, "cannot be read: Is a directory"),
    ],
)
def test_spoilt_folders_are_refused(run, results, command, spoil, exit_code, words):
    spoil(results)
    result = run(*call(command, results))
    assert (result.exit_code, result.stdout) == (exit_code, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert words in line


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_does_not_exist_and_a_file(run, tmp_path, command):
    (tmp_path / "file").write_text("")
    for path, words in ((tmp_path / "absent", "does not exist"), (tmp_path / "file", "is a file")):
        result = run(command, path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_that_has_not_ended_counts_as_far_as_it_is(run, results, command):
    (results / "trials" / "00004.npz").unlink()
    result = run(command, results)
    assert result.exit_code == 0, result.stderr
    note = f"Only finished trials are used: 5 of 6 in {str(results)!r}."
    assert note in result.stderr
    assert note not in run(command, results, "--quiet").stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_tables_alone_serve_as_well(run, results, command):
    whole = run(command, results)
    shutil.rmtree(results / "trials")
    tables = run(command, results)
    assert (tables.exit_code, tables.stdout) == (0, whole.stdout)


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize("command", READERS)
def test_what_others_left_in_a_folder_does_not_count(run, results, command):
    whole = run(*call(command, results))
    trials = results / "trials"
    shutil.copy(trials / "00001.npz", trials / "00001 (1).npz")
    (trials / ".ipynb_checkpoints").mkdir()
    (trials / ".0a1b2c3d.00002.npz").write_bytes(b"half")
    (results / ".0a1b2c3d.results.parquet").write_bytes(b"half")
    again = run(*call(command, results))
    assert (again.exit_code, again.stdout) == (0, whole.stdout)
    warning, *others = again.stderr.splitlines()
    assert warning.startswith("warning: ")
    assert "are not trials and are ignored: '00001 (1).npz'." in warning
    assert others == whole.stderr.splitlines()
