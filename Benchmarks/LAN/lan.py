"""Runs programs on a LAN of network namespaces, and measures when their output is as expected."""

import collections
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAB = os.path.join(ROOT, "Tests", "Lab", "lab")
LOAD = os.path.join(ROOT, "Tests", "Lab", "load.py")
LIMIT = 60  # seconds, for anything


class Lab:
    """Machines on a LAN, which exist while the block runs."""

    def __init__(self, hosts, *settings):
        self.hosts, self.settings = hosts, settings

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="peerlist-bench-")
        # Programs remember the devices of the lab there, not among the user's.
        self.environment = dict(
            os.environ, LAB=os.path.join(self.directory.name, "lab"), LAB_OWNER=str(os.getpid()),
            XDG_STATE_HOME=os.path.join(self.directory.name, "state"))
        self("up", str(self.hosts), *self.settings)
        return self

    def __exit__(self, *_):
        self("down")
        self.directory.cleanup()

    def __call__(self, *words):
        subprocess.run([LAB, *words], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def start(self, host, *command):
        return Program([LAB, "exec", host, *command], self.environment)


class Program:
    """A program on a terminal of 80×24, and its timed output."""

    def __init__(self, command, environment):
        self.started = time.monotonic()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # it is ended so, even if this one ignores it
            os.execvpe(command[0], command, dict(environment, TERM="xterm-256color"))
        self.count = 0

    def read(self, until):
        """Returns the next output, or nothing at the time `until` or if the program has ended."""
        rest = until - time.monotonic()
        if rest <= 0 or not select.select([self.terminal], [], [], rest)[0]:
            return b""
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # the other end is closed
            return b""
        self.count += len(data)
        return data

    def seconds_until(self, matches):
        """Returns the time from the start until the output is as expected."""
        seen, end = bytearray(), self.started + LIMIT
        while not matches(seen):
            data = self.read(end)
            if not data:
                raise SystemExit(f"bench: not seen within {LIMIT} s; the end: {bytes(seen[-300:])!r}")
            seen += data
        return time.monotonic() - self.started

    def bytes_within(self, seconds):
        """Returns the number of bytes that it writes in a time."""
        before, end = self.count, time.monotonic() + seconds
        while self.read(end):
            pass
        return self.count - before

    def end(self):
        """Ends it; returns its processor time in seconds and its peak memory in bytes."""
        # Not the maximum of wait4(2), which is at least that of this interpreter, from which it was forked.
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            peak = next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), 0)
        os.kill(self.pid, signal.SIGINT)
        end = time.monotonic() + 5
        while self.read(end):
            pass
        _, _, usage = os.wait4(self.pid, 0)
        os.close(self.terminal)
        return usage.ru_utime + usage.ru_stime, peak * 1024


class Names:
    """Whether avahi-browse has printed the names of a number of services, once or over both families."""

    def __init__(self, wanted, times=1):
        self.wanted, self.times, self.names, self.passed = wanted, times, collections.Counter(), 0

    def __call__(self, seen):
        end = seen.rfind(b"\n") + 1
        for line in seen[self.passed:end].splitlines():
            if line.startswith(b"+;"):
                self.names[bytes(line.split(b";")[3])] += 1
        self.passed = end
        return sum(count >= self.times for count in self.names.values()) >= self.wanted

    @staticmethod
    def by_both_families(wanted):
        return Names(wanted, times=2)


class Resolved:
    """Whether a number of services are resolved in the list folded from the JSON lines."""

    def __init__(self, wanted):
        self.wanted, self.rows, self.passed = wanted, {}, 0

    def __call__(self, seen):
        end = seen.rfind(b"\n") + 1
        for line in seen[self.passed:end].splitlines():
            for change in json.loads(line).get("changes", ()):
                self.take(change)
        self.passed = end
        return sum(len(ports) for ports in self.rows.values()) >= self.wanted

    def take(self, change):
        """Keeps the resolved services of each row: those with a port."""
        row, ports = change.get("id"), self.rows
        if change["op"] == "delete":
            ports.pop(row, None)
        elif change["op"] in ("insert", "update"):
            item = change.get("peer") or change.get("service") or change["set"]
            services = item.get("services", [dict(item, id=row)] if "port" in item else [])
            ports.setdefault(row, set()).update(
                each["id"] for each in services if each["port"] is not None)
