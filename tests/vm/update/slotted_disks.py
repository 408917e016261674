"""A system disk for an array of the lab, mirrored on two of its data disks, and packages for it.

The machine boots by a kernel of the lab's, not by GRUB from these disks: tests choose the slot that
GRUB would boot, and the kernel's parameters.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from plugged import wait_until_spare

from lab.station import Array
from sanstone.system import grub_environment

HERE = Path(__file__).parent
FOLDER = "/var/lib/sanstone/update-test"
MINUTES = 15.0
"""Each of RAUC's calls to the array's program takes half a minute on an emulated processor."""
_READ_ESP = """
# Beside the product, which mounts it to write.
exec 9> /run/sanstone/system-disk.lock
flock 9
mkdir -p /run/update/esp
mount -o ro "$(realpath %s)2" /run/update/esp
cat /run/update/esp/grub/grubenv
umount /run/update/esp
"""
_KNOWN_SCHEMA = "from sanstone import migrate; print(*migrate.revisions())"
_CLEAR = f"""
while umount --quiet /proc/cmdline; do :; done
if grep --quiet sanstone.slot= /proc/cmdline; then
    sed 's/ sanstone[.][a-z]*=[^ ]*//g' /proc/cmdline > /run/update/cmdline
    mount --bind /run/update/cmdline /proc/cmdline
fi
systemctl stop update-server.service rauc.service 'sanstone-update@*.service' sanstone-web-client
rm -rf {FOLDER} /usr/lib/update-test /run/sanstone/slots.json
rm -rf /run/systemd/system/sanstone-{{update@,web-client}}.service.d
rm -rf /var/lib/sanstone/rauc
systemctl daemon-reload
for disk; do
    for part in "$(realpath "$disk")"[3-7]; do
        for mirror in /sys/class/block/"${{part##*/}}"/holders/*; do
            [ ! -e "$mirror" ] || mdadm --stop --quiet "/dev/${{mirror##*/}}"
        done
    done
done
for disk; do
    for part in "$(realpath "$disk")"[3-7]; do
        mdadm --zero-superblock --quiet "$part"
        # Or the next partition in this place would hold the release that this one does.
        wipefs --all --quiet --force "$part"
    done
    wipefs --all --quiet --force "$(realpath "$disk")"
    partx --delete "$(realpath "$disk")"
done
udevadm settle
"""


class Package(NamedTuple):
    """A package of a release: `key` is "own" or "stranger", `size` the bytes of its system.

    It knows the array's database unless its `schema` is another one.
    """

    name: str
    version: str
    key: str = "own"
    size: int = 4096
    schema: str = ""


def make(array: Array, disks: Sequence[str]) -> None:
    """Make the system disk of two disks, and say on the command line that slot A was booted."""
    _play(array, "system_disk.sh", *disks)


def make_packages(array: Array, *packages: Package) -> None:
    """Make packages, and have the array take those of the key `own`.

    They are in FOLDER, and at `url_of` for the array. From here on an update does not reboot the
    array.
    """
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    known = array.run(f"{interpreter} -c {shlex.quote(_KNOWN_SCHEMA)}").strip()
    words = [
        word
        for each in packages
        for word in (each.name, each.key, each.version, each.schema or known, str(each.size))
    ]
    _play(array, "packages.sh", FOLDER, *words)


def url_of(name: str) -> str:
    """Return where the array finds a package."""
    return f"http://packages.example.org:8000/{name}.raucb"


def variables(array: Array, disks: Sequence[str]) -> list[dict[str, str]]:
    """Return GRUB's variables on both disks."""
    return [grub_environment.parse(array.run(_READ_ESP % disk).encode()) for disk in disks]


def clear(array: Array, disks: Sequence[str]) -> None:
    """Leave the disks and the machine as they were."""
    for package in array.api.get("cluster/software/packages")["records"]:
        array.api.delete(f"cluster/software/packages/{package['version']}")
    array.run(f"set -- {shlex.join(disks)}\n{_CLEAR}", timeout=MINUTES * 60)
    wait_until_spare(array, *(disk.rpartition("virtio-")[2] for disk in disks))


def _play(array: Array, script: str, *arguments: str) -> None:
    line = f"cat > /run/{script}; bash /run/{script} {shlex.join(arguments)}"
    array.run(line, stdin=(HERE / script).read_bytes(), timeout=MINUTES * 60)
