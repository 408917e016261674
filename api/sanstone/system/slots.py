"""The two system slots of an installed array: which one runs, what lies in them, and where.

GRUB says on the kernel's command line which slot it booted and from which ESP (`sanstone.slot=`,
`sanstone.esp=`, a PARTUUID). A system that was started live, or in the lab, has neither: it has no
slots, and `find` returns None.

Everything else follows from the ESP's disk: the partitions by number (see `layout`), and where they
are members of RAID 1, the arrays and so the other disk. A member whose array is not active is
assembled first: writing to it alone would make the mirror's halves differ.

`sanstone-slots` writes at boot, and again after each update, what others go by: RAUC's
configuration (`/run/rauc/system.conf`) and `slots.json` in the run directory, which the API's
`cluster/software/images` shows.
"""

from __future__ import annotations

import configparser
import fcntl
import json
import logging
import posixpath
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sanstone.core import durable, jobs, store
from sanstone.kernel.host import CommandError, FileError, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.system import boot_order, grub_environment
from sanstone.system.grub_environment import BadEnvironment, Environment
from sanstone.system.layout import BOOT, ESP, STATE, SYSTEM, Partition

RAUC_CONFIGURATION = Path("/run/rauc/system.conf")
KEYRING = "/usr/share/sanstone/update-keyring.pem"
HANDLER = "/usr/bin/sanstone-slot-state"
COMPATIBLE = "sanstone-x86_64"
_VERSION = re.compile(r"""^(?:set )?version=["']?([^"'\s]+)""", re.MULTILINE)
log = logging.getLogger("sanstone.system")


@dataclass(frozen=True)
class Slots:
    """The slots of this machine. `running` is "a" or "b"; devices are paths by slot."""

    running: str
    esps: tuple[str, ...]
    boot: dict[str, str]
    system: dict[str, str]


def state_path() -> Path:
    """Return the file that tells of the slots; an array without slots has none."""
    return jobs.wake_path().with_name("slots.json")


def told() -> dict[str, dict[str, Any]]:
    """Return by slot what `slots.json` says, {} where there are no slots."""
    file = state_path()
    return dict(json.loads(file.read_text())) if file.exists() else {}


def find(host: Host) -> Slots | None:
    """Return the machine's slots, None where there are none. Raises HostError."""
    words = host.files.read("/proc/cmdline").split()
    given = dict(word.split("=", 1) for word in words if "=" in word)
    running = given.get("sanstone.slot", "")
    if running not in boot_order.SLOTS:
        return None
    esp = host.files.readlink(f"/dev/disk/by-partuuid/{given.get('sanstone.esp', '')}")
    disks = _partitions(host)
    first = next((d for d, names in disks.items() if posixpath.basename(esp) in names), None)
    if first is None:
        raise HostError(f"the disk that the system was started from is gone: {esp}")
    members = _members(host, disks, _path(disks, first, STATE))
    mine = [first, *(disk for disk in disks if disk != first and members & disks[disk].keys())]
    return Slots(
        running,
        tuple(_path(disks, disk, ESP) for disk in mine),
        {slot: _device(host, disks, mine, BOOT[slot]) for slot in boot_order.SLOTS},
        {slot: _device(host, disks, mine, SYSTEM[slot]) for slot in boot_order.SLOTS},
    )


def _partitions(host: Host) -> dict[str, dict[str, int]]:
    """Return by disk the numbers of its partitions by name (sysfs, ABI/stable/sysfs-block)."""
    found: dict[str, dict[str, int]] = {}
    for disk in host.files.listdir("/sys/block"):
        for name in host.files.listdir(f"/sys/block/{disk}"):
            number = f"/sys/block/{disk}/{name}/partition"
            if host.files.exists(number):
                found.setdefault(disk, {})[name] = int(host.files.read(number))
    return found


def _path(disks: dict[str, dict[str, int]], disk: str, partition: Partition) -> str:
    for name, number in disks[disk].items():
        if number == partition.number:
            return f"/dev/{name}"
    raise HostError(f"/dev/{disk} has no partition {partition.number}, {partition.name}")


def _array(host: Host, disks: dict[str, dict[str, int]], device: str) -> str:
    """Return the md array that has a partition as its member, '' for none that is active."""
    name = posixpath.basename(device)
    disk = next(disk for disk, names in disks.items() if name in names)
    holders = f"/sys/block/{disk}/{name}/holders"
    found = host.files.listdir(holders) if host.files.exists(holders) else []
    return next((holder for holder in found if holder.startswith("md")), "")


def _members(host: Host, disks: dict[str, dict[str, int]], device: str) -> set[str]:
    array = _array(host, disks, device)
    return set(host.files.listdir(f"/sys/block/{array}/slaves")) if array else set()


def _device(
    host: Host, disks: dict[str, dict[str, int]], mine: list[str], partition: Partition
) -> str:
    """Return the device of a slot's partition: the array where it is mirrored."""
    device = _path(disks, mine[0], partition)
    array = _array(host, disks, device)
    if not array and _content(host, device) == "linux_raid_member":
        members = [_path(disks, disk, partition) for disk in mine]
        name = f"/dev/md/{partition.name}"
        host.commands.run(["mdadm", "--assemble", "--run", name, *members])
        array = _array(host, disks, device)
    return f"/dev/{array}" if array else device


def _content(host: Host, device: str) -> str:
    """Return blkid's word for what lies on a device, '' for nothing known: never written."""
    probe = ["blkid", "--probe", "--match-tag", "TYPE", "--output", "value", device]
    try:
        return host.commands.run(probe).strip()
    except CommandError as error:
        if error.status == 2:
            return ""
        raise


@contextmanager
def mounted(host: Host, device: str, kind: str, options: str) -> Iterator[Path]:
    """Mount a file system for the time being, one process at a time. Raises HostError."""
    run = jobs.wake_path().parent
    with (run / "system-disk.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = Path(tempfile.mkdtemp(prefix="mount-", dir=run))
        try:
            options = f"{options},nodev,nosuid"
            host.commands.run(["mount", "-t", kind, "-o", options, device, str(place)])
            try:
                yield place
            finally:
                host.commands.run(["umount", str(place)])
        finally:
            place.rmdir()


def environment(host: Host, slots: Slots) -> Environment:
    """Return GRUB's variables from the ESP that was booted. Raises HostError."""
    with mounted(host, slots.esps[0], "vfat", "ro") as place:
        return _variables(place)


def change_environment(host: Host, slots: Slots, variables: Environment) -> None:
    """Write GRUB's variables to every ESP, the booted one last. Raises HostError.

    One of two disks may be dead: what could be written to the others counts, unless it is none.
    """
    failed: list[HostError] = []
    for esp in reversed(slots.esps):
        try:
            with mounted(host, esp, "vfat", "rw") as place:
                grub_environment.write(place / "grub/grubenv", variables)
        except (BadEnvironment, OSError) as error:
            failed.append(HostError(f"grubenv of {esp}: {error}"))
        except HostError as error:
            failed.append(error)
    for failure in failed:
        log.error("GRUB's variables were not written: %s", failure)
    if len(failed) == len(slots.esps):
        raise failed[-1]


def _variables(place: Path) -> Environment:
    try:
        return grub_environment.read(place / "grub/grubenv")
    except (BadEnvironment, OSError) as error:
        raise HostError(f"GRUB's variables cannot be read: {error}") from error


def version(host: Host, device: str) -> str:
    """Return the release in a boot partition, '' when there is none that can be read."""
    if _content(host, device) != "squashfs":
        return ""  # Nothing was ever written there; the kernel would complain of the attempt.
    try:
        with mounted(host, device, "squashfs", "ro") as place:
            found = _VERSION.search((place / "boot.cfg").read_text())
    except (HostError, OSError) as error:
        log.info("%s holds no system: %s", device, error)
        return ""
    return found[1] if found else ""


def rauc_configuration(slots: Slots, state: Path) -> str:
    """Return RAUC's configuration for this machine (RAUC 1.13, "System Configuration File")."""
    sections: dict[str, dict[str, str]] = {
        "system": {
            "compatible": COMPATIBLE,
            "bootloader": "custom",
            "bundle-formats": "verity",
            "data-directory": str(state / "rauc"),
        },
        "keyring": {"path": KEYRING},
        "handlers": {"bootloader-custom-backend": HANDLER},
    }
    for number, slot in enumerate(boot_order.SLOTS):
        sections[f"slot.system.{number}"] = {
            "device": slots.system[slot],
            "type": "raw",
            "bootname": slot,
        }
        sections[f"slot.boot.{number}"] = {
            "device": slots.boot[slot],
            "type": "raw",
            "parent": f"system.{number}",
        }
    return "\n".join(
        f"[{name}]\n" + "".join(f"{key}={value}\n" for key, value in values.items())
        for name, values in sections.items()
    )


def observe(host: Host, slots: Slots, state: Path) -> dict[str, dict[str, Any]]:
    """Return by slot what lies in it and what GRUB thinks of it. Raises HostError."""
    variables = environment(host, slots)
    installed = _install_times(state / "rauc/central.raucs")
    return {
        slot: {
            "version": version(host, slots.boot[slot]),
            "is_current": slot == slots.running,
            "is_default": slot == boot_order.primary(variables),
            "good": boot_order.is_good(variables, slot),
            "trial": boot_order.on_trial(variables, slot),
            "install_time": installed.get(f"slot.system.{number}"),
        }
        for number, slot in enumerate(boot_order.SLOTS)
    }


def _install_times(file: Path) -> dict[str, float]:
    """Return when RAUC wrote its slots, in seconds since 1970; the installer's are not told."""
    status = configparser.ConfigParser(interpolation=None)
    status.read(file)
    return {
        name: datetime.fromisoformat(status[name]["installed.timestamp"]).timestamp()
        for name in status.sections()
        if "installed.timestamp" in status[name]
    }


def publish(host: Host, state: Path) -> None:
    """Write RAUC's configuration and `slots.json`; nothing where there are no slots."""
    slots = find(host)
    if slots is None:
        return
    RAUC_CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
    (state / "rauc").mkdir(mode=0o700, exist_ok=True)
    durable.write(RAUC_CONFIGURATION, rauc_configuration(slots, state).encode(), 0o644)
    durable.write(state_path(), json.dumps(observe(host, slots, state)).encode(), 0o644)


def main() -> None:
    """Tell others of the slots; the entry point `sanstone-slots`."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        publish(real_host(), store.path().parent)
    except (HostError, FileError) as error:
        sys.exit(f"sanstone-slots: {error}")
