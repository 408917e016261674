"""Accounts of the array reach its shell by SSH, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import eventually
from ssh_client import ACCESS_DENIED, Client, client

from lab import commands, guest
from lab.api import Api
from lab.station import Array, Station

NAME = "operator"
PASSWORD = "A long pass phrase 1"


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
