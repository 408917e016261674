"""Accounts of the array reach its shell by SSH, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ssh_client import ACCESS_DENIED, Client, client

from lab import commands, guest
from lab.api import Api
from lab.patience import eventually
from lab.station import Array, Station

NAME = "operator"
PASSWORD = "A long pass phrase 1"
UNREACHABLE = 2
"""The shell's status where the API cannot be reached (`sanstone.shell.main`)."""


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
    [account] = api.get("security/accounts", name=NAME, fields="owner")["records"]
    return f"security/accounts/{account['owner']['uuid']}/{NAME}"


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


def test_a_code_is_required_after_the_password(operator: Client, api: Api) -> None:
    profile = api.post("security/login/totps", {"account.name": NAME})["records"][0]
    entry = {"application": "ssh", "authentication_methods": ["password"]}
    api.patch(place(api), {"applications": [entry | {"second_authentication_method": "totp"}]})
    eventually(lambda: operator.by_password(NAME, "version").returncode == UNREACHABLE)
    none = operator.by_password(NAME, "version")
    assert none.stdout == ""
    assert "Verification code: " in none.stderr
    assert "needs a verification code" in none.stderr
    code = f"{profile['emergency_codes'][0]}\n"
    done = operator.by_password(NAME, "version", typed=f"000000\n{code}")
    assert done.returncode == 0
    assert "Sanstone" in done.stdout
    assert "The code is wrong" in done.stderr
    assert operator.by_password(NAME, "version", typed=code).returncode == UNREACHABLE


def test_root_has_no_password(administrator: Client) -> None:
    assert administrator.by_password("root", "id").returncode == ACCESS_DENIED
    done = administrator.by_key("root", guest.SSH_KEY, "id --user")
    assert (done.returncode, done.stdout) == (0, "0\n")


OLD = {
    "MACs": ("hmac-sha1", "hmac-sha1-etm@openssh.com", "umac-64@openssh.com", "hmac-sha2-256"),
    "KexAlgorithms": ("diffie-hellman-group14-sha1", "diffie-hellman-group14-sha256"),
    "Ciphers": ("aes128-cbc",),
    "HostKeyAlgorithms": ("rsa-sha2-512", "ssh-rsa"),
}


@pytest.mark.parametrize(
    ("option", "algorithm"), [(option, each) for option, them in OLD.items() for each in them]
)
def test_old_algorithms_are_refused(administrator: Client, option: str, algorithm: str) -> None:
    key = f"IdentityFile={guest.SSH_KEY}"
    # A cipher that authenticates by itself would need no MAC.
    chosen = [f"{option}={algorithm}", *(["Ciphers=aes256-ctr"] if option == "MACs" else [])]
    done = administrator.run("root", "id", "BatchMode=yes", "LogLevel=INFO", key, *chosen)
    assert done.returncode == ACCESS_DENIED
    assert "no matching" in done.stderr


def test_connections_without_a_login_are_limited(array: Array) -> None:
    configured = array.run("sshd -T -C user=admin,host=h,addr=192.0.2.1").lower().splitlines()
    assert {
        "logingracetime 30",
        "maxauthtries 4",
        "maxstartups 40:30:100",
        "persourcemaxstartups 10",
        "persourcenetblocksize 32:64",
        "disableforwarding yes",
        "permittunnel no",
    } <= set(configured)
    [penalties] = [line for line in configured if line.startswith("persourcepenalties ")]
    assert " max:30 " in penalties
