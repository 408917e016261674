"""Secrets stay where they belong: not in files in the clear, nor in logs, nor in arguments."""

from __future__ import annotations

import pytest

from lab.administrator import Administrator, Record
from lab.initiator import Iscsi
from lab.station import Array, Station

PASSWORD = "a-secret-nobody-may-see"
STATE = "/var/lib/sanstone"


# Finds what is in binary files, too; the image's grep is not Debian's.
SEARCH = """
import pathlib, sys
secret = sys.stdin.buffer.read()
for folder in sys.argv[1:]:
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file() and not path.is_symlink() and secret in path.read_bytes():
            print(path)
"""


def files_with(array: Array, secret: str, *folders: str) -> str:
    """Return the paths of the files below the folders that have the secret in the clear."""
    program = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    return array.run(f"{program} -c '{SEARCH}' {' '.join(folders)}", stdin=secret.encode())


@pytest.fixture
def used(array: Array, admin: Administrator, iscsi: Iscsi, lun: Record) -> None:
    """The password has been given to the array, which has set its targets by it."""
    svm = lun["svm"]["uuid"]
    chap = {"inbound": {"user": "host1", "password": PASSWORD}}
    body = {"svm.uuid": svm, "initiator": iscsi.name, "authentication_type": "chap", "chap": chap}
    admin.api.post("protocols/san/iscsi/credentials", body)
    in_kernel = array.run("cat /sys/kernel/config/target/iscsi/*/tpgt_*/acls/*/auth/password")
    assert PASSWORD in in_kernel
    admin.api.delete(f"protocols/san/iscsi/credentials/{svm}/{iscsi.name}")


@pytest.mark.usefixtures("used")
def test_chap_password_is_nowhere_in_the_clear(array: Array) -> None:
    assert "write" in array.run("journalctl --boot --unit sanstone-reconciler | grep auth/password")
    assert array.attempt(f"journalctl --boot | grep {PASSWORD}").status == 1
    assert files_with(array, PASSWORD, STATE) == ""


def test_password_of_the_administrator_is_nowhere_in_the_clear(
    array: Array, station: Station
) -> None:
    assert files_with(array, station.rack.password, STATE, "/var/log", "/etc") == ""
    password = station.rack.password.encode()
    journal = "journalctl --boot > /run/journal; grep -F -f - /run/journal"
    assert array.attempt(journal, stdin=password).status == 1


def test_only_those_who_must_can_read_the_state(array: Array) -> None:
    listed = array.run(
        f"cd {STATE}; stat --format '%n %A %U' secret.key database/sanstone.db tls/server.pem . api"
    )
    rights = {name: (mode, owner) for name, mode, owner in map(str.split, listed.splitlines())}
    assert all(mode.endswith("---") for mode, _ in rights.values()), rights
    assert rights["secret.key"][0] == "-rw-r-----"
    assert rights["tls/server.pem"] == ("-rw-------", "root")
