"""The installer in the lab's array, on two disks that are plugged in for it; Ansible answers.

The array itself goes on serving meanwhile: its own disks are none of the installer's business.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ansible_here
import pytest
from carried import wait_until_carried
from plugged import plug_in_disk, sparse_file, unplug_disk

from lab.administrator import GIB, Administrator
from lab.agent import Result
from lab.health import Inspector
from lab.patience import eventually
from lab.station import Array, Station

SERIALS = ("LAB-SYSTEM-1", "LAB-SYSTEM-2")
PASSWORD = "tower of rings 7"
BOOK = "- {hosts: localhost, gather_facts: false, roles: [sanstone.array.install]}\n"
ANSWERS = {
    "install_file": "answers.json",
    "install_disks": [f"serial:{serial}" for serial in SERIALS],
    "install_host_name": "san1",
    "install_address": "192.0.2.10/24",
    "install_gateway": "192.0.2.1",
    "install_name_servers": ["192.0.2.53"],
    "install_time_servers": ["ntp.example.org"],
    "install_timezone": "Europe/Vienna",
    "install_password": PASSWORD,
}
"""Variables of the role `install`."""
MEDIUM = """
set -e
mkdir -p /run/medium/grub
cd /run/medium
echo 1.2 > version
head -c 5000000 /dev/urandom > boot.img
head -c 30000000 /dev/urandom > system.img
head -c 30000 /dev/urandom > grub/core.img
head -c 512 /dev/urandom > grub/mbr.img
echo MZ > grub/BOOTX64.EFI
echo '# menu' > grub/grub.cfg
"""
CHECK = """
import json, sqlite3, sys
from sanstone.security.password_hashes import verify_password
database = sqlite3.connect("file:/run/check/database/sanstone.db?immutable=1", uri=True)
[(name, hashed)] = database.execute("SELECT name, password FROM account")
found = [name, verify_password(hashed, sys.stdin.read())]
for columns in (
    "name, timezone, name_servers FROM cluster",
    "address, port FROM ip_interface",
    "server FROM ntp_server",
    "name FROM aggregate",
):
    found.append(database.execute(f"SELECT {columns}").fetchall())
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The answers of the role `install` for an unattended installer."""
    folder = tmp_path_factory.mktemp("answers")
    book, variables = folder / "install.yml", folder / "variables.json"
    book.write_text(BOOK)
    variables.touch(mode=0o600)
    variables.write_text(json.dumps(ANSWERS | {"install_folder": str(folder)}))
    _, text = ansible_here.play(folder, book, ansible_here.LOCALHOST, "-e", f"@{variables}")
    assert PASSWORD not in text
    written: dict[str, Any] = json.loads((folder / "answers.json").read_text())
    return written


@pytest.fixture(scope="module")
def plugged(station: Station, inspector: Inspector) -> Iterator[dict[str, str]]:
    """Serial numbers of disks that were plugged in, with their paths; pulled at the end."""
    known: dict[str, str] = {}
    yield known
    for serial in known:
        unplug_disk(station.array, serial, inspector)
        file_of(station, serial).unlink()


def file_of(station: Station, serial: str) -> Path:
    return station.rack.directory / f"{serial}.raw"


@pytest.fixture
def disks(array: Array, station: Station, plugged: dict[str, str]) -> list[str]:
    """The paths of two empty disks that are large enough for a system."""
    if not plugged:
        for serial in SERIALS:
            file = sparse_file(file_of(station, serial), 6 * GIB)
            plug_in_disk(array, file, serial)
            eventually(lambda: bool(path_of(array, serial)))  # noqa: B023 - called at once
            plugged[serial] = path_of(array, serial)
    return list(plugged.values())


def path_of(array: Array, serial: str) -> str:
    listed = json.loads(array.run("lsblk --json --nodeps --output PATH,SERIAL"))["blockdevices"]
    return next((row["path"] for row in listed if row["serial"] == serial), "")


def install(array: Array, answers: dict[str, Any]) -> Result:
    array.run(MEDIUM)
    array.run("umask 077; cat > /run/answers.json", stdin=json.dumps(answers).encode())
    command = "sanstone-install --stay --medium /run/medium --answers /run/answers.json"
    return array.attempt(command, timeout=900)


def nothing_is_left(array: Array) -> None:
    assert "/run/sanstone-install" not in array.run("cat /proc/self/mountinfo")
    assert "md_" not in array.run("ls /sys/block")


@pytest.mark.spare_disks
def test_a_disk_of_an_aggregate_is_refused(
    array: Array, disks: list[str], answers: dict[str, Any]
) -> None:
    admin = Administrator(array.api, aggregate="aggr_kept")
    spares = {"serial_number": SERIALS[1], "container_type": "spare"}
    eventually(lambda: bool(admin.api.get("storage/disks", **spares)["records"]))
    [disk] = admin.api.get("storage/disks", **spares)["records"]
    aggregate = admin.add_aggregate(1, "raid0", [disk["name"]])
    refused = install(array, answers)
    assert refused.status == 1
    assert f"{disks[1]} 6.0 GiB" in refused.err
    assert "is a disk of an aggregate" in refused.err
    assert "Nothing was changed" in refused.err
    assert array.run(f"wipefs --noheadings {disks[0]}") == ""
    assert admin.api.get("storage/aggregates", fields="state")["records"][0]["state"] == "online"
    admin.remove("storage/aggregates", aggregate)


@pytest.mark.spare_disks
def test_two_disks_are_installed_on(
    array: Array, disks: list[str], answers: dict[str, Any]
) -> None:
    for again in (False, True):
        if again:
            refused = install(array, answers)
            assert refused.status == 1
            assert "Sanstone is installed already" in refused.err
        done = install(array, {**answers, "erase_installed": again})
        assert done.status == 0, done.err
        assert "This is a new array." in done.out
        assert PASSWORD not in done.out + done.err
        nothing_is_left(array)

    for disk in disks:
        table = json.loads(array.run(f"sfdisk --json {disk}"))["partitiontable"]
        assert [part["name"] for part in table["partitions"]] == [
            "sanstone-bios",
            "sanstone-esp",
            "sanstone-boot-a",
            "sanstone-boot-b",
            "sanstone-system-a",
            "sanstone-system-b",
            "sanstone-state",
        ]
        assert table["label"] == "gpt"
        for number in range(3, 8):
            report = array.run(f"mdadm --examine {disk}{number}")
            assert "Version : 1.0" in report
            assert "Raid Level : raid1" in report
        # A member reads like the plain image.
        array.run(f"cmp --bytes=5000000 {disk}3 /run/medium/boot.img")
        array.run(f"cmp --bytes=30000000 {disk}5 /run/medium/system.img")
        first = table["partitions"][0]["start"]
        code = array.run(f"od -An -t u8 -j 92 -N 8 {disk}").strip()
        assert code == str(first)
        array.run(f"mkdir -p /run/check && mount --read-only {disk}2 /run/check")
        try:
            assert array.run("head -c 3 /run/check/EFI/BOOT/BOOTX64.EFI") == "MZ\n"
            assert "ORDER=a b\na_OK=1\n" in array.run("cat /run/check/grub/grubenv")
        finally:
            array.run("umount /run/check")


@pytest.mark.spare_disks
def test_the_state_lets_the_administrator_in(array: Array, disks: list[str]) -> None:
    """Follows the installation; each of its two disks carries the state."""
    for disk in disks:
        with installed_state(array, disk):
            assert configuration(array) == [
                "admin",
                True,
                [["san1", "Europe/Vienna", '["192.0.2.53"]']],
                [["192.0.2.10", "e0M"]],
                [["ntp.example.org"]],
                [],
            ]
            array.run("test -s /run/check/machine-id -a -s /run/check/tls/server.pem")


@pytest.mark.spare_disks
def test_the_array_of_the_other_disks_is_taken_back(
    array: Array, disks: list[str], answers: dict[str, Any]
) -> None:
    """The configuration on the aggregates overrides the answers, but for the password."""
    admin = Administrator(array.api, aggregate="aggr_kept")
    aggregate = admin.add_aggregate(4)
    name = admin.api.get("cluster")["name"]
    wait_until_carried(array)
    done = install(array, {**answers, "erase_installed": True})
    assert done.status == 0, done.err
    assert "The configuration was taken back from the aggregates" in done.out
    with installed_state(array, disks[1]):
        assert configuration(array) == [
            "admin",
            True,
            [[name, "Etc/UTC", "[]"]],
            [],
            [],
            [["aggr_kept"]],
        ]
    assert admin.api.get("storage/aggregates", fields="state")["records"][0]["state"] == "online"
    admin.remove("storage/aggregates", aggregate)


@contextmanager
def installed_state(array: Array, disk: str) -> Iterator[None]:
    """Have the state of an installation mounted from one of its disks alone."""
    array.run(f"mdadm --assemble --run /dev/md/check {disk}7")
    try:
        assert "sanstone-state" in array.run("wipefs --noheadings /dev/md/check")
        array.run("mount --read-only /dev/md/check /run/check")
        try:
            yield
        finally:
            array.run("umount /run/check")
    finally:
        array.run("mdadm --stop /dev/md/check")


def configuration(array: Array) -> list[Any]:
    """Return rows of the mounted state, and whether its administrator has the password."""
    state: list[Any] = json.loads(
        array.run(f"python3 -c {shlex.quote(CHECK)}", stdin=PASSWORD.encode())
    )
    return state
