"""What only a process of its own shows: pipes, terminals, signals, what gets imported."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import featrank
from featrank import kernels

HEAVY = {"numpy", "scipy", "sklearn", "polars", "pandas", "rich", "joblib", "narwhals"}
HEAVY |= {"matplotlib"}
NEWER = [
    [name, "-h"] for name in ("compare", "stability", "significance", "plot", "datasets", "demo")
]


@pytest.mark.parametrize(
    "args", [["--help"], ["rank", "--help"], ["select", "-h"], ["--version"], *NEWER]
)
def test_help_imports_nothing_heavy(args):
    code = (
        "import sys; from featrank.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *args]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "featrank" in done.stdout
    loaded = set(done.stderr.split())
    assert "featrank.cli" in loaded
    assert not HEAVY & loaded


def test_installed_command_is_the_module():
    installed = Path(sys.executable).with_name("featrank")
    done = subprocess.run([installed, "--version"], capture_output=True, text=True)
    assert done.stdout == f"featrank {featrank.__version__} ({kernels.instruction_set()})\n"


def test_exit_codes(launch, table, write_table):
    good = launch("rank", table, "-t", "diagnosis", "--param", "alpha=0.9", "--value-scale", "log2")
    assert good.returncode == 0
    assert good.stderr.startswith("note: 1 of 7 features is significant")
    assert good.stdout.startswith("rank,feature,score,")
    assert good.stdout.splitlines()[1].startswith('1,"say ""x""",')
    bad_call = launch("rank", table.with_name("absent.csv"), "-t", "y")
    bad_data = launch("rank", write_table({"a": [1, 2], "y": [1, 1]}, "bad.csv"), "-t", "y")
    assert (bad_call.returncode, bad_data.returncode) == (2, 1)
    for refused in (bad_call, bad_data):
        assert refused.stdout == ""
        assert refused.stderr.splitlines()[-1].startswith("error: ")
        assert "Traceback" not in refused.stderr


# A report of its own spares these processes the import of scikit-learn.
LIST_NO_METHODS = """if True:
    import sys, types
    from featrank.cli import main
    from featrank.report import Report
    report = Report([], [{"name": "none"}], [])
    made = types.SimpleNamespace(methods_report=lambda uses, long: report)
    sys.modules["featrank.report.methods"] = made
    main(["methods", "--format", "csv"])
"""


def test_closed_pipe_ends_quietly():
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", LIST_NO_METHODS]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_full_disk_is_a_sentence():
    command = [sys.executable, "-c", LIST_NO_METHODS]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "error: System error: No space left on device.\n"


WRITE_SLOWLY = """if True:
    import sys, time
    from featrank import report
    from featrank.cli import main
    from featrank.files import rank as from_files
    from featrank.report import ranking

    class Slow(list):
        def __iter__(self):
            yield {"rank": 1}
            print("writing", flush=True)
            time.sleep(60)

    from_files.rank_file = lambda *_, **__: None
    ranking.ranking_report = lambda *_, **__: report.Report({}, Slow([{"rank": 1}]), [])
    main(sys.argv[1:])
"""


@pytest.mark.slow
def test_interrupt_while_writing_leaves_nothing_behind(table):
    (table.parent / "out.csv").write_text("old")
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE_SLOWLY, "rank", "data.csv", "-t", "-1", "-o", "out.csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=table.parent,
    )
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == "\nInterrupted.\n"
    assert sorted(path.name for path in table.parent.iterdir()) == ["data.csv", "out.csv"]
    assert (table.parent / "out.csv").read_text() == "old"


def run_on_terminal(*args):
    """Return what a command prints on a terminal of 100 columns, and its exit code."""
    settings = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    settings.pop("NO_COLOR", None)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "featrank", *args]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=settings)
    os.close(theirs)
    chunks = []
    try:
        while chunk := os.read(ours, 65536):
            chunks.append(chunk)
    except OSError:  # how Linux reports that the other side has closed
        pass
    os.close(ours)
    return b"".join(chunks).decode(), process.wait()


def test_terminal_gets_a_table_and_progress(table):
    text, code = run_on_terminal("rank", str(table), "-t", "-1")
    assert code == 0, text
    assert "Reading data.csv" in text
    assert "Ranked 7 features of 40 samples by ec-fs" in text
    assert "█" in text
    assert "[red]bold[/red]" in text
    assert "esc\x1b[31m" not in text
    assert "rank,feature,score" not in text


def test_terminal_gets_rate_and_time_left_of_parts(tmp_path):
    np.save(tmp_path / "long.npy", np.random.default_rng(0).normal(size=(150_000, 20)))
    np.save(tmp_path / "y.npy", np.arange(150_000) % 2)
    labels = ["--labels", str(tmp_path / "y.npy")]
    text, code = run_on_terminal("rank", str(tmp_path / "long.npy"), *labels, "--memory", "16MB")
    assert code == 0, text
    assert "Opening long.npy" in text
    assert re.search(r"Ranking 20 features in chunks.*\d [KMG]B/s.*0:00:0", text), text
    assert "Ranked 20 features of 150,000 samples by ec-fs in chunks in " in text
