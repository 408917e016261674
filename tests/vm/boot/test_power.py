"""A power cut loses no identity of the array, and the array touches no foreign disks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from plugged import wait_until_spare

from lab.station import Array

IDENTITY = "sha256sum /var/lib/sanstone/tls/certificate.pem /var/lib/sanstone/ssh/*.pub"
# The array's own LVM is configured not to see such disks; a host's tools have no such bounds.
UNBOUNDED = """--config 'devices { global_filter = [ "a|.*|" ] }'"""


def cut_power_and_boot(array: Array) -> None:
    array.power_off_hard()
    array.boot()


@pytest.mark.fresh_array
def test_identity_survives(array: Array) -> None:
    """Even where the power goes as soon as the array has begun to serve for the first time."""
    before = array.run(IDENTITY), array.api.get("cluster")["uuid"]
    cut_power_and_boot(array)
    assert (array.run(IDENTITY), array.api.get("cluster")["uuid"]) == before


@pytest.fixture
def foreign_disks(array: Array) -> Iterator[list[str]]:
    """Three disks that somebody else used, and that are empty again afterwards."""
    disks = [f"/dev/disk/by-id/virtio-LAB-DISK-{number:02d}" for number in (1, 2, 3)]
    array.run(
        f"""set -e
        pvcreate --quiet {UNBOUNDED} {disks[0]}
        vgcreate --quiet {UNBOUNDED} foreign {disks[0]}
        lvcreate --quiet --yes {UNBOUNDED} --size 100M --name volume foreign
        vgchange --quiet {UNBOUNDED} --activate n foreign
        mdadm --create /dev/md/foreign --run --level 1 --raid-devices 2 --assume-clean \
            {disks[1]} {disks[2]}
        mdadm --stop /dev/md/foreign
        # LVM leaves its writes in the disk's cache, which the power takes along.
        for disk in {" ".join(disks)}; do dd if=/dev/null of=$disk conv=notrunc,fsync; done
        """
    )
    yield disks
    array.run(f"wipefs --all {' '.join(disks)}")
    wait_until_spare(array)


@pytest.mark.spare_disks
def test_foreign_disks_are_left_alone(array: Array, foreign_disks: list[str]) -> None:
    """A volume group and a RAID array that came with a disk are neither activated nor offered."""
    cut_power_and_boot(array)
    assert "foreign" not in array.run("dmsetup ls; ls /dev/mapper; cat /proc/mdstat")
    assert "active" not in array.run("cat /proc/mdstat")
    disks = array.api.get("storage/disks", fields="serial_number,container_type")["records"]
    offered = {disk["serial_number"] for disk in disks if disk["container_type"] == "spare"}
    assert offered == {f"LAB-DISK-{number:02d}" for number in range(4, 9)}
    for disk in foreign_disks:
        assert array.run(f"wipefs --noheadings {disk}")
