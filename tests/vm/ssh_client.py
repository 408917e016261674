"""ssh as users of the array call it: with a password or a key, one line at a time."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab import commands, patience
from lab.station import Array, Station

OPTIONS = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR")
ACCESS_DENIED = 255
"""ssh's own status (ssh(1))."""
PENALISED = "kex_exchange_identification: Connection closed by remote host"
"""What ssh says where sshd refuses an address with failed logins (overlay/etc/ssh)."""


@dataclass(frozen=True)
class Client:
    """ssh as a user calls it; `ask` is the program that it asks for a password."""

    port: int
    ask: Path

    def run(
        self, user: str, line: str, *options: str, typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a line at the array; `typed` is what its user types meanwhile.

        All tests log in from one address, and some of them wrongly on purpose: a penalty that
        sshd gave for that is waited for, as its administrator would.
        """
        words = ["ssh", "-p", str(self.port), "-F", "none"]
        # The first of an option's values counts (ssh_config(5)).
        for option in (*options, *OPTIONS):
            words += ["-o", option]
        environment = {"SSH_ASKPASS": str(self.ask), "SSH_ASKPASS_REQUIRE": "force"}
        deadline = patience.now() + patience.SECONDS
        while True:
            done = subprocess.run(
                [*words, f"{user}@127.0.0.1", line],
                env=environment | {"PATH": commands.SEARCH_PATH},
                input=typed,
                capture_output=True,
                text=True,
                timeout=patience.SECONDS,
                check=False,
            )
            penalised = done.returncode == ACCESS_DENIED and PENALISED in done.stderr
            if not penalised or patience.now() > deadline:
                return done
            time.sleep(1)

    def by_password(
        self, user: str, line: str, typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a line at the array, as one who has a password."""
        options = "PreferredAuthentications=password", "NumberOfPasswordPrompts=1"
        return self.run(user, line, *options, typed=typed)

    def by_key(self, user: str, key: Path, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line at the array, as one who has a key."""
        return self.run(user, line, "BatchMode=yes", f"IdentityFile={key}")


def client(station: Station, directory: Path, password: str) -> Client:
    """Return a client that knows a password."""
    secret, ask = directory / "password", directory / "ask"
    secret.write_text(f"{password}\n")
    ask.write_text(f"#!/bin/sh\nexec cat '{secret}'\n")
    ask.chmod(0o700)
    return Client(station.rack.ports["ssh"], ask)


@pytest.fixture
def administrator(array: Array, station: Station, tmp_path: Path) -> Client:
    """A client with the administrator's password, for an array that serves."""
    assert array.machine.running
    return client(station, tmp_path, station.rack.password)
