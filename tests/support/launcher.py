"""A process that has imported what takes seconds, and becomes a new one for each piece of code."""

import json
import os
import signal
import subprocess
import sys
import time

# The child leaves the loop as a main program does, whatever the code ends in.
SERVER = """
import json, os, signal, sys
# A shell script that starts the tests in the background makes them ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
exec(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child:
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(asked["folder"])
    for number, path in enumerate((os.devnull, asked["out"], asked["err"])):
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(path, flags if number else os.O_RDONLY), number)
    sys.argv = ["-c", *asked["arguments"]]
    exec(asked["code"], {"__name__": "__main__"})
    sys.exit()
"""


class Launcher:
    """Starts processes, one after the other, that have some modules already.

    What is imported must not start threads: they do not get over into the new process.
    """

    def __init__(self, imports, place):
        command = [sys.executable, "-c", SERVER, imports]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        self.out, self.err = place / "out", place / "err"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def start(self, code, *arguments, folder="."):
        """Start a process that runs the code with these arguments."""
        self.out.write_text("")
        asked = {"code": code, "arguments": list(map(str, arguments))}
        asked |= {"folder": str(folder), "out": str(self.out), "err": str(self.err)}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return Launched(self, int(self.process.stdout.readline()))

    def run(self, code, *arguments, folder="."):
        """Run the code to its end; return what subprocess.run does."""
        return self.start(code, *arguments, folder=folder).completed()


class Launched:
    """A process that runs."""

    def __init__(self, launcher, number):
        self.launcher, self.number = launcher, number

    @property
    def runs(self):
        """Whether the process has not ended."""
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return False
        return True

    def wait_for(self, text, patience=240):
        """Wait until the process has printed a text."""
        deadline = time.monotonic() + patience
        while text not in self.launcher.out.read_text():
            running = self.runs and time.monotonic() < deadline
            assert running or text in self.launcher.out.read_text(), self.launcher.err.read_text()
            time.sleep(0.01)

    def send_signal(self, number):
        """Send a signal to the process."""
        os.kill(self.number, number)

    def completed(self, patience=600):
        """Wait for the end, which is by force after so many seconds; return what is known then."""
        deadline = time.monotonic() + patience
        while self.runs and time.monotonic() < deadline:
            time.sleep(0.005)
        if self.runs:
            os.kill(self.number, signal.SIGKILL)
        code = int(self.launcher.process.stdout.readline())
        said = self.launcher.out.read_text(), self.launcher.err.read_text()
        return subprocess.CompletedProcess([], code, *said)
