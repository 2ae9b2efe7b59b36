import warnings

import pytest

from featrank import ECFS, tables
from featrank.exceptions import FeatrankWarning, missing_extra


def assert_refused(result, exit_code, *parts):
    assert result.exit_code == exit_code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    last = result.stderr.splitlines()[-1]
    assert last.startswith("error: ")
    for part in parts:
        assert part in last


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["-t", "diagnosi"], ["'diagnosi'", "Did you mean 'diagnosis'?"]),
        (["-t", "-1", "-m", "ecfs"], ["'ecfs'", "Did you mean 'ec-fs', 'cfs' or 'mcfs'?"]),
        (["-t", "-1", "-p", "alpah=0.3"], ["'alpah'", "Did you mean 'alpha' or 'alphas'?"]),
        (["-t", "-1", "-p", "zzz=0.3"], ["'zzz'", "Known: 'alpha'"]),
        (["-t", "-1", "-p", "alpha=3"], ["alpha", "[0.0, 1.0]", "3"]),
        (["-t", "-1", "-p", "kernel=cubic"], ["kernel", "'cubic'"]),
        (["-t", "-1", "-p", "alpha"], ["'alpha' is not of the form NAME=VALUE"]),
        (["-t", "-1", "-p", "=3"], ["NAME=VALUE"]),
        (["-t", "-1", "-p", "alpha=0", "-p", "alpha=1"], ["'alpha' is given twice"]),
        (["-t", "-1", "-p", "n_features_to_select=3"], ["Use --top"]),
        (["-t", "-1", "-p", "n_jobs=3"], ["Use --jobs"]),
        (["-t", "-1", "--drop", "a.b"], ["'a.b'", "Did you mean 'a,b'?"]),
        (["-t", "-1", "--top", "8"], ["--top 8 exceeds the 7 features", "Use --top 7 or fewer"]),
        (["-t", "-1", "--top", "0"], ["--top"]),
        (["-t", "-1", "--jobs", "0"], ["--jobs"]),
        (["-t", "-1", "--missing", "zero"], ["'zero'"]),
        (["-t", "-1", "--format", "xml"], ["'xml'"]),
        (["-t", "-1", "--tip", "3"], ["--tip"]),
        (["-t", "-1", "-o", "data.csv"], ["is the input file"]),
        (["-t", "-1", "-o", "nowhere/out.csv"], ["The folder 'nowhere' does not exist"]),
        (["-t", "-1", "-o", "out.parquet"], [".csv", ".json", "'out.parquet'"]),
        (["-t", "-1", "-o", "out.csv.gz"], ["'out.csv.gz'"]),
        ([], ["Use --target diagnosis."]),
    ],
)
def test_wrong_call(run, table, monkeypatch, args, parts):
    monkeypatch.chdir(table.parent)
    assert_refused(run("rank", "data.csv", *args), 2, *parts)
    assert [path.name for path in table.parent.iterdir()] == ["data.csv"]


def test_target_is_asked_for_before_the_file_is_read(run, table, monkeypatch):
    monkeypatch.setattr(tables, "read_file", lambda *_, **__: pytest.fail("was read"))
    assert_refused(run("rank", table), 2, "needs a target")


def test_array_file_without_labels_needs_a_target(run, table, tmp_path):
    data = tables.read_table(table, target="-1")
    tables.write_table(tmp_path / "bare.npz", tables.Table(data.X, data.feature_names))
    assert_refused(run("rank", tmp_path / "bare.npz"), 2, "--target COL")


@pytest.mark.parametrize("name", ["absent.csv", "."])
def test_no_such_file(run, tmp_path, name):
    assert_refused(run("rank", tmp_path / name, "-t", "y"), 2, "FILE")


def test_unknown_suffix(run, tmp_path):
    (tmp_path / "data.docx").write_text("a")
    assert_refused(run("rank", tmp_path / "data.docx", "-t", "y"), 2, "data.docx", ".parquet")


def test_unknown_command(run):
    assert_refused(run("rnak"), 2, "'rnak'")


def test_one_class(run, columns, write_table):
    path = write_table({**columns, "diagnosis": ["sick"] * 40})
    assert_refused(run("rank", path, "-t", "-1"), 1, "a single class", "sick")


def test_continuous_target(run, columns, write_table):
    path = write_table({**columns, "diagnosis": columns["a,b"]})
    assert_refused(run("rank", path, "-t", "-1"), 1, "continuous")


def test_truncated_files(run, table, tmp_path):
    whole = table.read_text(encoding="utf-8")
    table.write_text(whole[:-30], encoding="utf-8")
    assert_refused(run("rank", table, "-t", "-1"), 1, "line 41")
    data = tmp_path / "data.parquet"
    data.write_bytes(b"PAR1 but no more")
    assert_refused(run("rank", data, "-t", "-1"), 1, "data.parquet")


def test_missing_extra_is_told(run, table, monkeypatch):
    def read(*_, **__):
        raise missing_extra("anndata", "bio", "Reading h5ad files")

    monkeypatch.setattr(tables, "read_file", read)
    assert_refused(run("rank", table, "-t", "-1"), 1, "pip install 'featrank[bio]'")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            ValueError("odd\nvalue \x1b[31m"),
            "Unexpected ValueError: odd value \N{REPLACEMENT CHARACTER}[31m",
        ),
        (MemoryError("8 TiB"), "does not fit into memory. 8 TiB"),
        (KeyError("k"), "Unexpected KeyError: 'k'"),
    ],
)
def test_the_unforeseen_is_told_in_a_sentence(run, table, monkeypatch, error, expected):
    def fit(*_):
        raise error

    monkeypatch.setattr(ECFS, "fit", fit)
    assert_refused(run("rank", table, "-t", "-1"), 1, expected)


def test_debugging_shows_where(run, table, monkeypatch):
    def fit(*_):
        raise ValueError("odd")

    monkeypatch.setattr(ECFS, "fit", fit)
    monkeypatch.setenv("FEATRANK_DEBUG", "1")
    result = run("rank", table, "-t", "-1")
    assert result.exit_code == 1
    assert "Traceback" in result.stderr


def test_warnings_are_lines_on_stderr(run, table, monkeypatch):
    fit = ECFS.fit

    def warn_and_fit(self, X, y):
        warnings.warn("watch out", FeatrankWarning, stacklevel=1)
        warnings.warn("for developers only", RuntimeWarning, stacklevel=1)
        return fit(self, X, y)

    monkeypatch.setattr(ECFS, "fit", warn_and_fit)
    result = run("rank", table, "-t", "-1", "--quiet", "--test", "none")
    assert result.exit_code == 0
    assert result.stderr == "warning: watch out\n"
