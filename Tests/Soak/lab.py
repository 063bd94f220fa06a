"""A lab of machines on a LAN, and a list that runs on one of them, for the soak."""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time

from folded import Folded

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAB = os.path.join(ROOT, "Tests", "Lab", "lab")
LOAD = os.path.join(ROOT, "Tests", "Lab", "load.py")


class Failed(Exception):
    """Something did not come true."""


class Lab:
    """Machines on a LAN, for as long as the block lasts."""

    def __init__(self, *settings):
        self.settings = settings

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="peerlist-soak-")
        self.environment = dict(
            os.environ, LAB=os.path.join(self.directory.name, "lab"), LAB_OWNER=str(os.getpid()),
            XDG_STATE_HOME=os.path.join(self.directory.name, "states"))
        self("up", "2", *self.settings)
        return self

    def __exit__(self, *_):
        self("down")
        self.directory.cleanup()

    def __call__(self, *words):
        """Does something to the lab: lab("daemon", "h1", "restart")."""
        done = subprocess.run([LAB, *words], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"lab {' '.join(words)}: {done.stderr.strip()}")

    def load(self, *options):
        """Has h1 play services."""
        self("spawn", "h1", "load", "python3", LOAD, *map(str, options))

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def run(self, host, *command):
        words = [LAB, "exec", host, *command]
        return subprocess.run(words, env=self.environment, capture_output=True, text=True)


class List:
    """`peerlist --json` on h2: folded line by line, on a thread of its own, as they come."""

    def __init__(self, lab, program, backend="daemon", options=(), folded=None, errors=None):
        self.lab, self.program, self.backend = lab, program, backend
        words = [LAB, "exec", "h2", program, "--json", "--backend", backend, *options]
        self.process = subprocess.Popen(
            words, env=lab.environment, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL)
        self.folded, self.lock, self.fault = folded or Folded(), threading.Condition(), None
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            try:
                with self.lock:
                    self.folded.fold(json.loads(line))
                    self.lock.notify_all()
            except (ValueError, KeyError, IndexError) as error:
                self.fault = self.fault or f"a line does not fit: {error!r}: {line[:400]!r}"

    def present(self):
        """The peers that are present, without what differs from observer to observer."""
        if self.fault:
            raise Failed(self.fault)
        with self.lock:
            return self.folded.present()

    def fresh(self):
        """What a list shows that is started now."""
        words = [self.program, "--once", "--json", "--timeout", "30", "--backend", self.backend]
        once = self.lab.run("h2", *words)
        if once.returncode > 1:
            raise Failed(f"--once: status {once.returncode}: {once.stderr}")
        folded = Folded()
        for line in once.stdout.splitlines():
            folded.fold(json.loads(line))
        return folded.present()

    def agree(self, limit):
        """Waits until a fresh list shows the same peers, and returns these."""
        end = time.monotonic() + limit
        while True:
            fresh, shown = self.fresh(), self.present()
            if fresh == shown:
                return shown
            if time.monotonic() > end:
                differing = [key for key in fresh.keys() | shown.keys() if fresh.get(key) != shown.get(key)]
                raise Failed(f"{len(differing)} of {len(fresh)} peers differ from a fresh list's: "
                             + "; ".join(unlike(shown.get(key), fresh.get(key)) for key in differing[:3]))

    def wait(self, limit, what, holds):
        """Waits until the counts are as wanted; returns how long that took."""
        begin = time.monotonic()
        with self.lock:
            if not self.lock.wait_for(lambda: holds(self.folded.counts()), limit):
                raise Failed(f"not within {limit} s: {what}; there are {dict(self.folded.counts())}")
        return time.monotonic() - begin

    def memory(self):
        """The resident memory, in MB."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

    def children(self):
        """The states of the programs that it started and has not waited for."""
        own, states = str(self.process.pid), []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    state, parent = file.read().rpartition(") ")[2].split()[:2]
            except OSError:
                continue
            if parent == own:
                states.append(state)
        return states

    def descriptors(self):
        """The number of open descriptors."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self):
        """Ends the program as Ctrl-C does, and waits until its last line is folded."""
        self.process.send_signal(signal.SIGINT)
        self.reader.join(30)
        if self.process.wait(30) != 130 or self.fault:
            raise Failed(self.fault or f"it ended with status {self.process.returncode}")


def unlike(shown, fresh):
    """What differs between a peer and itself in a fresh list."""
    if not shown or not fresh:
        return f"{(shown or fresh)['name']} is {'not shown' if fresh else 'shown alone'}"
    fields = []
    for key in sorted(shown.keys() | fresh.keys()):
        one, other = shown.get(key), fresh.get(key)
        if one != other and key == "services":
            one, other = [sorted(left.keys() - right.keys()) for left, right in ((one, other), (other, one))]
        if one != other:
            fields.append(f"{key} {one}, fresh {other}")
    return f"{shown['name']}: {', '.join(fields)}"
