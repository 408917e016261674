"""Commands in a machine that has no serial port of its own: its agent, reached over SSH."""

from __future__ import annotations

import contextlib
import shlex
import socket
import subprocess
import time
from collections.abc import Sequence

from lab import guest, patience
from lab.agent import GRACE, Agent, GuestTimeout, Result, ask

# The SSH server has a host name of its own, among other things that its unit is confined to.
OUT_OF_CONFINEMENT = ("nsenter", "--target=1", "--uts", "--mount")
AGENT = ("python3", "-I", "-S", "/usr/lib/sanstone-lab/agent.py", "--standard-io")
# Seconds after an attempt to reach a machine that boots: each costs both sides.
BETWEEN_ATTEMPTS = 0.25
# How many seconds later than a command's own end its answer may come. No look at a machine that
# boots may be given up sooner: a connection that the machine itself ends is an answer.
ANSWER = 60


class Line:
    """A connection to a machine's agent, by an ssh of its own."""

    def __init__(self, ssh: Sequence[str]) -> None:
        self.connection, there = socket.socketpair()
        with there:
            self._process = subprocess.Popen(
                ssh, stdin=there.fileno(), stdout=there.fileno(), stderr=subprocess.PIPE, text=True
            )

    def close(self) -> str:
        """End the connection, and return ssh's messages."""
        self._process.kill()
        _, message = self._process.communicate()
        self.connection.close()
        return message.strip()


class SecureShell(Agent):
    """Runs commands in a machine by its agent, which is started over SSH.

    A connection serves one command at a time, and is kept for the next: to start a program through
    ssh each time costs the machine five programs for each.
    """

    def __init__(self, address: str) -> None:
        options = {
            "BatchMode": "yes",
            # Until sshd has sent its banner. Where nobody answers yet, try again.
            "ConnectTimeout": "20",
            "LogLevel": "ERROR",
            # A machine's key is new whenever its state is, and the network is ours alone.
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": "/dev/null",
        }
        self._ssh = ["ssh", "-T", "-i", str(guest.SSH_KEY)]
        for name, value in options.items():
            self._ssh += ["-o", f"{name}={value}"]
        self._ssh += [f"root@{address}", shlex.join(["exec", *OUT_OF_CONFINEMENT, *AGENT])]
        self._idle: list[Line] = []
        self._all: set[Line] = set()

    def execute(
        self,
        argv: list[str],
        stdin: bytes = b"",
        timeout: float = patience.SECONDS,
        grace: float = GRACE,
    ) -> Result:
        """Run `argv` for at most `timeout` seconds, once the machine can be reached.

        Raises GuestTimeout when it cannot within the timeout and `grace`, or when no answer comes.
        """
        deadline = time.monotonic() + timeout + grace
        while True:
            line = self._line()
            try:
                # A machine that stands still keeps its connections: ssh would wait for ever.
                result = ask(line.connection, argv, stdin, timeout, deadline + ANSWER)
            except TimeoutError:
                self._end(line)
                raise GuestTimeout(f"no answer in {timeout + grace:.0f} s to {argv}") from None
            except ConnectionError:
                message = self._end(line)
                if time.monotonic() > deadline:
                    raise GuestTimeout(f"{argv}: {message}") from None
                time.sleep(BETWEEN_ATTEMPTS)
            else:
                self._idle.append(line)
                return result

    def forget(self) -> None:
        """Close the connections: the machine that they led to is gone."""
        for line in list(self._all):
            self._end(line)

    def _line(self) -> Line:
        """Return a connection that nobody uses."""
        with contextlib.suppress(IndexError):
            return self._idle.pop()
        line = Line(self._ssh)
        self._all.add(line)
        return line

    def _end(self, line: Line) -> str:
        with contextlib.suppress(ValueError):
            self._idle.remove(line)
        self._all.discard(line)
        return line.close()
