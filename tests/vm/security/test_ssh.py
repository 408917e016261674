"""Accounts of the array reach its shell by SSH, and nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from patience import eventually

from lab import commands, guest
from lab.api import Api
from lab.station import Array, Station

NAME = "operator"
PASSWORD = "A long pass phrase 1"
OPTIONS = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR")
ACCESS_DENIED = 255
"""ssh's own status (ssh(1))."""


@dataclass(frozen=True)
class Client:
    """ssh as a user calls it; `ask` is the program that it asks for a password."""

    port: int
    ask: Path

    def run(self, user: str, line: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a line at the array."""
        words = ["ssh", "-p", str(self.port), "-F", "none"]
        for option in (*OPTIONS, *options):
            words += ["-o", option]
        environment = {"SSH_ASKPASS": str(self.ask), "SSH_ASKPASS_REQUIRE": "force"}
        return subprocess.run(
            [*words, f"{user}@127.0.0.1", line],
            env=environment | {"PATH": commands.SEARCH_PATH},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def by_password(self, user: str, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line at the array, as one who has a password."""
        return self.run(
            user, line, "PreferredAuthentications=password", "NumberOfPasswordPrompts=1"
        )

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
    """A client with the administrator's password."""
    return client(station, tmp_path, station.rack.password)


@pytest.fixture
def operator(api: Api, station: Station, tmp_path: Path) -> Iterator[Client]:
    """A client with the password of an account that may only look, and may use keys too."""
    methods = ["password", "publickey"]
    body = {
        "name": NAME,
        "password": PASSWORD,
        "role": "readonly",
        "applications": [{"application": "ssh", "authentication_methods": methods}],
    }
    api.post("security/accounts", body)
    yield client(station, tmp_path, PASSWORD)
    api.delete(place(api))


def place(api: Api) -> str:
    """Return the account's path in the API."""
    [found] = api.get("security/accounts", name=NAME, fields="owner")["records"]
    return f"security/accounts/{found['owner']['uuid']}/{NAME}"


def test_administrator_gets_the_shell(administrator: Client, api: Api) -> None:
    done = administrator.by_password("admin", "version")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Sanstone" in done.stdout
    done = administrator.by_password("admin", "volume show -vserver nowhere")
    assert "There are no entries matching your query." in done.stdout + done.stderr
    done = administrator.by_password("admin", "volume create -vserver nowhere -volume v -size 1g")
    assert done.returncode != 0
    assert "Error: command failed:" in done.stderr + done.stdout
    messages = api.get("security/audit/messages", application="ssh", fields="user,state")["records"]
    assert {message["user"] for message in messages} == {"admin"}


def test_system_is_out_of_reach(administrator: Client, array: Array) -> None:
    done = administrator.by_password("admin", "cat /etc/shadow > /tmp/stolen")
    assert done.returncode != 0
    assert "root" not in done.stdout
    assert array.attempt("ls /tmp/stolen").status != 0


def test_key_of_an_account_is_a_way_in(operator: Client, api: Api, tmp_path: Path) -> None:
    key = tmp_path / "key"
    commands.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key])
    assert operator.by_key(NAME, key, "version").returncode == ACCESS_DENIED
    public = key.with_suffix(".pub").read_text().strip()
    body = {"account.name": NAME, "public_key": public}
    api.post("security/authentication/publickeys", body)
    eventually(lambda: operator.by_key(NAME, key, "version").returncode == 0)
    refused = operator.by_key(NAME, key, "volume create -vserver svm1 -volume v -size 1g")
    assert refused.returncode not in (0, ACCESS_DENIED)
    assert operator.by_key("admin", key, "version").returncode == ACCESS_DENIED


def test_locked_account_is_out(operator: Client, api: Api) -> None:
    eventually(lambda: operator.by_password(NAME, "version").returncode == 0)
    api.patch(place(api), {"locked": True})
    eventually(lambda: operator.by_password(NAME, "version").returncode == ACCESS_DENIED)


def test_root_has_no_password(administrator: Client) -> None:
    assert administrator.by_password("root", "id").returncode == ACCESS_DENIED
    done = administrator.by_key("root", guest.SSH_KEY, "id --user")
    assert (done.returncode, done.stdout) == (0, "0\n")
