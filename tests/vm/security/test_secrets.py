"""Secrets stay where they belong: not in files in the clear, nor in logs, nor in arguments."""

from __future__ import annotations

import pytest

from lab.administrator import Administrator, Record
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Station

PASSWORD = "a-secret-nobody-may-see"
STATE = "/var/lib/sanstone"


# Searches binary files, too; the image's grep is not Debian's.
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


def test_a_support_bundle_has_journal_and_targets_and_no_secret(
    array: Array, admin: Administrator, iscsi: Iscsi, lun: Record, station: Station
) -> None:
    svm = lun["svm"]["uuid"]
    chap = {"inbound": {"user": "host1", "password": PASSWORD}}
    body = {"svm.uuid": svm, "initiator": iscsi.name, "authentication_type": "chap", "chap": chap}
    admin.api.post("protocols/san/iscsi/credentials", body)
    admin.api.post("support/bundles", {"name": "secrets"})
    bundle: Record = {}

    def is_complete() -> bool:
        bundle.update(admin.api.get("support/bundles", name="secrets", fields="**")["records"][0])
        return bool(bundle["state"] == "available")

    try:
        eventually(is_complete)
        file = f"{STATE}/support/{bundle['uuid']}.tar.gz"
        rights = array.run(f"stat --format '%A %U %G' {file}").split()
        assert rights == ["-rw-r-----", "root", "sanstone"]
        folder = "/run/bundle"
        array.run(f"rm -rf {folder}; mkdir {folder}; tar -xzf {file} -C {folder}")
        assert "systemd" in array.run(f"head -c 100000 {folder}/support/journal.txt")
        assert iscsi.name in array.run(f"cat {folder}/support/kernel/target.txt")
        assert "sanstone_firewall" in array.run(f"cat {folder}/support/network/firewall.txt")
        key = array.run(f"sed -n 2p {STATE}/tls/server.pem").strip()
        for secret in (PASSWORD, station.rack.password, key):
            assert files_with(array, secret, folder) == ""
        lost = [m["part"] for m in bundle.get("missing", []) if m["part"].startswith("rest/")]
        assert lost == []
    finally:
        array.run("rm -rf /run/bundle")
        admin.api.delete(f"support/bundles/{bundle['uuid']}")
        admin.api.delete(f"protocols/san/iscsi/credentials/{svm}/{iscsi.name}")
