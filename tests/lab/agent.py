"""Runs commands in a machine through its agent; `guest/.../agent.py` describes the protocol.

A machine has several ports, each a socket of QEMU's that takes one client at a time. A lock file
beside the socket says which is in use, so that tests, a person at a shell and the demo can talk to
one machine at once. An answer carries its request's id: answers to a client that gave up are
skipped.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import secrets
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab import patience

PORTS = 4
# How much longer than a command the way there and back may take, in seconds: a machine may be busy
# with its boot.
GRACE = 120.0
# The status of a command that the guest ended, as timeout(1) has it.
TIMED_OUT = 124


class GuestTimeout(Exception):
    """The machine did not answer in time."""


class GuestCommandFailed(Exception):
    """A command in a machine ended with a status other than 0."""

    def __init__(self, command: str, result: Result) -> None:
        super().__init__(f"exit status {result.status} of:\n{command}\n{result.out}{result.err}")
        self.result = result


@dataclass(frozen=True)
class Result:
    """How a command ended: status (TIMED_OUT included), standard output and standard error."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.stdout.decode(errors="replace")

    @property
    def err(self) -> str:
        """Standard error as text."""
        return self.stderr.decode(errors="replace")


class Agent:
    """The agent behind the sockets lab.0, lab.1, … in `directory`."""

    def __init__(self, directory: Path) -> None:
        self._sockets = [directory / f"lab.{number}" for number in range(PORTS)]

    def execute(
        self,
        argv: list[str],
        stdin: bytes = b"",
        timeout: float = patience.SECONDS,
        grace: float = GRACE,
    ) -> Result:
        """Run `argv` for at most `timeout` seconds.

        Waits for a machine that still boots, within the timeout and `grace`. Raises GuestTimeout,
        and OSError where no machine runs.
        """
        deadline = time.monotonic() + timeout + grace
        with self._connection(deadline) as connection:
            try:
                return ask(connection, argv, stdin, timeout, deadline)
            except TimeoutError:
                raise GuestTimeout(f"no answer in {timeout + grace:.0f} s to {argv}") from None

    @contextlib.contextmanager
    def _connection(self, deadline: float) -> Iterator[socket.socket]:
        """Connect to the first port that no other client uses."""
        with contextlib.ExitStack() as stack:
            path = stack.enter_context(self._free_port(deadline))
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(max(1.0, deadline - time.monotonic()))
            connection.connect(str(path))
            yield connection

    @contextlib.contextmanager
    def _free_port(self, deadline: float) -> Iterator[Path]:
        while True:
            for path in self._sockets:
                with path.with_suffix(path.suffix + ".lock").open("w") as lock:
                    try:
                        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except BlockingIOError:
                        continue
                    yield path
                    return
            if time.monotonic() > deadline:
                raise GuestTimeout(f"all ports of {self._sockets[0].parent} are in use")
            time.sleep(0.05)


def ask(
    connection: socket.socket, argv: list[str], stdin: bytes, timeout: float, deadline: float
) -> Result:
    """Have an agent at the other end of a connection run `argv` for at most `timeout` seconds.

    Raises TimeoutError when no answer has come by the deadline, by time.monotonic(), and
    ConnectionError when the agent is gone.
    """
    identity = secrets.token_hex(8)
    request = {"id": identity, "argv": argv, "stdin": len(stdin), "timeout": timeout}
    connection.settimeout(max(1.0, deadline - time.monotonic()))
    connection.sendall(json.dumps(request).encode() + b"\n" + stdin)
    return _receive(connection, identity, deadline)


def _receive(connection: socket.socket, identity: str, deadline: float) -> Result:
    """Read answers until the one to the request `identity`."""
    with connection.makefile("rb") as stream:
        while True:
            connection.settimeout(max(1.0, deadline - time.monotonic()))
            line = stream.readline()
            if not line:
                raise ConnectionResetError("the machine ended")
            header = json.loads(line)
            out, err = stream.read(header["stdout"]), stream.read(header["stderr"])
            if len(err) < header["stderr"] or len(out) < header["stdout"]:
                raise ConnectionResetError("the machine ended")
            if header["id"] == identity:
                return Result(header["status"], out, err)
