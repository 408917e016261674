"""The role `update` has an array run another release while a host writes, and waits for the host.

The array shuts down and boots again in earnest; by the lab's kernel, with the slot that GRUB would
boot among its parameters. Both slots hold the package's content, and neither of them boots.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import ansible_here
import pytest
import slotted_disks
from slotted_disks import FOLDER, Package

from lab import paths
from lab.administrator import MIB
from lab.api import CERTIFICATE
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host, Station
from lab.workload import Workload

BOOK = paths.REPOSITORY / "ansible/playbooks/update.yml"
RELEASE = "9.9.0"
WRITTEN, BLOCK = 32 * MIB, 32 * 1024
SECONDS = slotted_disks.MINUTES * 60


@pytest.fixture
def disks(array: Array, disk: str) -> Iterator[list[str]]:
    """Two disks that serve no aggregate, and are a system disk with slots; afterwards as before."""
    query = {"serial_number": "LAB-DISK-*", "container_type": "spare", "max_records": "2"}
    records = array.api.get("storage/disks", fields="serial_number", **query)["records"]
    spare = [f"/dev/disk/by-id/virtio-{record['serial_number']}" for record in records]
    slotted_disks.make(array, spare)
    slotted_disks.make_packages(array, Package("next", RELEASE))
    array.run("systemctl start sanstone-slots.service")
    eventually(lambda: releases(array) == ["0.1.0", None])
    machine = array.machine
    hardware = machine.hardware
    yield spare
    machine.hardware = hardware
    slotted_disks.clear(array, spare)


def releases(array: Array) -> list[str | None]:
    """Return the release in each slot."""
    records = array.api.get("cluster/software/images", fields="version")["records"]
    return [record.get("version") for record in records]


def reported(array: Array) -> list[str]:
    """Return the names of the events that the array reports now."""
    records = array.api.get("support/ems/events", active="true", fields="message")["records"]
    return sorted({record["message"]["name"] for record in records})


def boot_preferred(array: Array, disks: list[str]) -> None:
    """Shut the array down and boot it, as GRUB does: by the slot that its variables name first."""
    slot = slotted_disks.variables(array, disks)[0]["ORDER"].split()[0]
    esp = array.run(f"blkid --match-tag PARTUUID --output value $(realpath {disks[0]})2").strip()
    parameters = (f"sanstone.slot={slot}", f"sanstone.esp={esp}")
    array.machine.hardware = replace(array.machine.hardware, parameters=parameters)
    array.stop()
    array.boot()


def test_a_release_is_reached_while_a_host_writes(
    array: Array,
    host: Host,
    station: Station,
    iscsi: Iscsi,
    disk: str,
    disks: list[str],
    tmp_path: Path,
) -> None:
    certificate, package = tmp_path / "array.pem", tmp_path / "next.raucb"
    certificate.write_text(array.run(f"cat {CERTIFICATE}"))
    package.write_bytes(b64decode(array.run(f"base64 {FOLDER}/next.raucb")))
    variables = tmp_path / "variables.json"
    variables.touch(mode=0o600)
    variables.write_text(
        json.dumps(
            {
                "array_url": array.url.rstrip("/"),
                "array_username": "admin",
                "array_password": station.rack.password,
                "array_ca_path": str(certificate),
                "update_version": RELEASE,
                "update_file": str(package),
                # Those of disks with slots and no GRUB, and of tests before this one.
                "update_accepted_events": reported(array),
            }
        )
    )
    inventory = "[arrays]\n" + ansible_here.LOCALHOST.replace("localhost", "san1", 1)

    def play(*options: str) -> int:
        result, _ = ansible_here.play(
            tmp_path,
            BOOK,
            inventory,
            *("-e", f"@{variables}", *options),
            environment={"PYTHONPATH": str(paths.REPOSITORY / "api")},
        )
        return int(result["stats"]["san1"]["changed"])

    def image() -> Any:
        [record] = array.api.get("cluster/software/images", is_current="true", fields="**")[
            "records"
        ]
        return record

    assert play("--check") == 2
    assert image()["image"] == "image1"
    assert array.api.get("cluster/software/packages")["records"] == []

    workload = Workload(host, "update", disk, WRITTEN, BLOCK)
    with ThreadPoolExecutor() as beside:
        played = beside.submit(play)
        eventually(
            lambda: played.done() or slotted_disks.variables(array, disks)[0].get("TRIAL") == "b",
            SECONDS,
        )
        workload.start()
        workload.wait_until_written(WRITTEN // 8)
        boot_preferred(array, disks)
        assert played.result() == 2
    workload.wait()
    workload.reread()
    assert (image()["image"], image()["version"], image()["state"]) == ("image2", RELEASE, "good")
    eventually(lambda: [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2)

    assert play() == 0
