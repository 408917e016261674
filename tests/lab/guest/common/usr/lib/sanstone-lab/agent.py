"""The lab's ear in a machine: runs commands that arrive over virtio-serial ports.

It needs no network, so tests may take the network down, and starts before anything else, so that a
boot that hangs can be looked into. Where there are no such ports SSH starts it, with --standard-io.
Each port serves one request at a time:

    request   {"id", "argv", "stdin": bytes, "timeout": seconds} newline, standard input
    answer    {"id", "status", "stdout": bytes, "stderr": bytes} newline, both outputs

The status is the program's, minus the signal's number if one ended it, 127 if there is no such
program, or 124 after the timeout, when its whole process group is killed. Outputs go through files
and count up to the program's end, so that programs it leaves in the background cannot delay
the answer.

A port without a client reads as an empty string at once; the driver (virtio_console) sends SIGIO
when that changes, which saves polling.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

PORTS = Path("/sys/class/virtio-ports")
# As many as lab.agent.PORTS.
PORT_COUNT = 4
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "TERM": "dumb",
    # For systemctl and its like; by default 25 s, which systemd may take in a machine that is busy.
    "SYSTEMD_BUS_TIMEOUT": "10min",
}


class Disconnected(Exception):
    """The client went away, perhaps in the middle of a request."""


class Line:
    """What a client's requests come by, and what answers go by."""

    def __init__(self, source: int, sink: int) -> None:
        self.source, self.sink = source, sink
        self.buffer = b""

    def answer_next(self) -> None:
        """Answer a request. Raises Disconnected."""
        self.write(answer(json.loads(self.line()), self.exactly))

    def fill(self) -> None:
        """Add what the client sent to the buffer. Raises Disconnected."""
        data = os.read(self.source, 65536)
        if not data:
            raise Disconnected
        self.buffer += data

    def line(self) -> bytes:
        """Return the next line."""
        while b"\n" not in self.buffer:
            self.fill()
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def exactly(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        while len(self.buffer) < count:
            self.fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def write(self, data: bytes) -> None:
        """Send all of `data`; waits while there is no client."""
        while data:
            data = data[os.write(self.sink, data) :]


class Port(Line):
    """One virtio-serial port, served by a thread of its own."""

    def __init__(self, path: Path) -> None:
        file = os.open(path, os.O_RDWR)
        super().__init__(file, file)
        self.changed = threading.Event()
        fcntl.fcntl(file, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(file, fcntl.F_SETFL, os.O_RDWR | os.O_ASYNC)

    def serve(self) -> None:
        """Answer requests for ever."""
        while True:
            self.changed.clear()
            try:
                self.answer_next()
            except Disconnected:
                self.buffer = b""
                self.changed.wait()


def answer(request: dict[str, Any], read: Any) -> bytes:
    """Run a request's program, with the input that `read` gets, and pack the answer."""
    with (
        tempfile.TemporaryFile() as standard_input,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        standard_input.write(read(request["stdin"]))
        standard_input.seek(0)
        status = execute(request["argv"], request["timeout"], standard_input, out, err)
        outputs = []
        for file in (out, err):
            file.seek(0)
            outputs.append(file.read())
    header = {"id": request["id"], "status": status}
    header |= {"stdout": len(outputs[0]), "stderr": len(outputs[1])}
    return json.dumps(header).encode() + b"\n" + b"".join(outputs)


def execute(argv: list[str], timeout: float, standard_input: Any, out: Any, err: Any) -> int:
    """Run a program in a session of its own and return its status."""
    try:
        process = subprocess.Popen(
            argv,
            stdin=standard_input,
            stdout=out,
            stderr=err,
            cwd="/root",
            env=ENVIRONMENT,
            start_new_session=True,
        )
    except OSError as error:
        err.write(f"{error}\n".encode())
        return 127
    # Not by wait(timeout), which looks twenty times a second whether it has ended.
    handle = os.pidfd_open(process.pid)
    try:
        ended, _, _ = select.select([handle], [], [], timeout)
    finally:
        os.close(handle)
    if ended:
        return process.wait()
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return 124


def port_names() -> set[str]:
    """Return the kernel's names of the lab's ports, since udev may not have run yet.

    QEMU tells of each port, and then of its name, in a message; this waits until all are there.
    """
    while True:
        names = {
            path.parent.name for path in PORTS.glob("*/name") if path.read_text()[:4] == "lab."
        }
        if len(names) == PORT_COUNT:
            return names
        time.sleep(0.1)


def serve_standard_io() -> None:
    """Answer the requests of one client, until it goes."""
    line = Line(sys.stdin.fileno(), sys.stdout.fileno())
    with contextlib.suppress(Disconnected):
        while True:
            line.answer_next()


def serve_ports() -> None:
    """Serve every port of the lab."""
    # The handler does nothing: what counts is the byte that Python writes into the pipe.
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGIO, lambda *_: None)
    ports = [Port(Path("/dev") / name) for name in port_names()]
    for port in ports:
        threading.Thread(target=port.serve, daemon=True).start()
    while os.read(woken, 4096):
        for port in ports:
            port.changed.set()


if "--standard-io" in sys.argv:
    serve_standard_io()
else:
    serve_ports()
