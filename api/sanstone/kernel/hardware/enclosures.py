"""Shelves, their bays, and the locate light of each bay.

A shelf of SCSI disks is an enclosure that the kernel's driver `ses` shows in
`/sys/class/enclosure/<address>` (drivers/misc/enclosure.c, drivers/scsi/ses.c): `id` is its logical
identifier, `device` the SCSI device that speaks for it, and each folder with a file `slot` is a
bay, in which `device` leads to the disk. A bay of an NVMe disk is a PCI slot,
`/sys/bus/pci/slots/<number>` (drivers/pci/slot.c), of no shelf but the machine's own.

Each read of a bay's `status` or `locate` is a command to the shelf. The kernel waits up to half a
minute for the answer and tries again (SES_TIMEOUT in ses.c). So never read these in a turn of the
reconciler.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sanstone.kernel.host import FileError, Files, Host, HostError

ENCLOSURES, SLOTS = "/sys/class/enclosure", "/sys/bus/pci/slots"
ON, OFF = "1", "0"
"""The values of a light's file; `attention` of a PCI slot shows 2 where it blinks
(pciehp_hpc.c)."""
_PAUSE, _LOOKS = 0.1, 10
"""Seconds between two looks whether a light obeys, and how many there are."""


@dataclass(frozen=True)
class Bay:
    """A place for a disk; `number` is the one printed on the shelf, as far as it tells.

    `disk` is the kernel's name of the disk in it, '' for none. `status` is the shelf's word for the
    bay (OK, critical, not installed, …), '' where nothing tells. `light` is the file of its locate
    light, '' where it has none.
    """

    number: int
    disk: str = ""
    status: str = ""
    light: str = ""
    lit: bool = False


@dataclass(frozen=True)
class Shelf:
    """A shelf. `uid` is its logical identifier, '' for the machine's own PCI slots."""

    uid: str
    vendor: str
    model: str
    bays: tuple[Bay, ...]


def shelves(host: Host) -> list[Shelf]:
    """Return all shelves with at least one bay. Raises FileError.

    A shelf with two ways to it appears once, with what either sees.
    """
    by_uid: dict[str, Shelf] = {}
    files = host.files
    for address in files.listdir(ENCLOSURES) if files.exists(ENCLOSURES) else ():
        shelf = _enclosure(files, f"{ENCLOSURES}/{address}", address)
        known = by_uid.get(shelf.uid)
        by_uid[shelf.uid] = _joined(known, shelf) if known else shelf
    own = _pci_bays(files)
    return [shelf for shelf in (*by_uid.values(), Shelf("", "", "", own)) if shelf.bays]


def switch(host: Host, light: str, *, on: bool) -> None:
    """Switch a light. Raises HostError, also when it does not obey: the kernel does not say so."""
    host.files.write(light, ON if on else OFF)
    for _ in range(_LOOKS):
        if _is_lit(host.files, light) is on:
            return
        time.sleep(_PAUSE)
    raise HostError(f"{{}}: the light does not go {'on' if on else 'off'}", light)


def _joined(one: Shelf, other: Shelf) -> Shelf:
    """Return a shelf that is seen in two ways. A disk is linked to the way that found it."""
    disks = {bay.number: bay.disk for bay in other.bays}
    bays = (replace(bay, disk=bay.disk or disks.get(bay.number, "")) for bay in one.bays)
    return replace(one, bays=tuple(bays))


def _enclosure(files: Files, path: str, address: str) -> Shelf:
    uid = _text(files, f"{path}/id").removeprefix("0x")
    bays = (
        _bay(files, f"{path}/{name}")
        for name in files.listdir(path)
        if files.exists(f"{path}/{name}/slot")
    )
    return Shelf(
        # Some have no identifier, or all zeros. Their addresses distinguish them until a reboot.
        uid if uid.strip("0") else address,
        _text(files, f"{path}/device/vendor"),
        _text(files, f"{path}/device/model"),
        tuple(sorted(bays, key=lambda bay: bay.number)),
    )


def _bay(files: Files, path: str) -> Bay:
    block, light = f"{path}/device/block", f"{path}/locate"
    disks = files.listdir(block) if files.exists(block) else []
    lit = _is_lit(files, light)
    return Bay(
        int(files.read(f"{path}/slot")),
        disks[0] if disks else "",
        _text(files, f"{path}/status"),
        "" if lit is None else light,
        bool(lit),
    )


def _pci_bays(files: Files) -> tuple[Bay, ...]:
    """Return the PCI slots that hold an NVMe disk.

    Others may hold anything: nothing tells which of the empty ones are for disks.
    """
    controllers = dict(_nvme_disks(files))
    bays = []
    for name in files.listdir(SLOTS) if files.exists(SLOTS) else ():
        number = re.match(r"\d+", name)
        disk = controllers.get(_text(files, f"{SLOTS}/{name}/address"))
        if number and disk:
            light = f"{SLOTS}/{name}/attention"
            lit = _is_lit(files, light)
            bays.append(
                Bay(int(number[0]), disk, light="" if lit is None else light, lit=bool(lit))
            )
    return tuple(sorted(bays, key=lambda bay: bay.number))


def _nvme_disks(files: Files) -> Iterator[tuple[str, str]]:
    """Yield the PCI address, without the function, of each NVMe disk, and its kernel's name.

    With the kernel's multipath a disk belongs to a subsystem, in which its controllers are.
    """
    names = files.listdir("/sys/block") if files.exists("/sys/block") else []
    for name in names:
        if re.fullmatch(r"nvme\d+n\d+", name) and files.exists(f"/sys/block/{name}/device"):
            device = f"/sys/block/{name}/device"
            inside = [
                f"{device}/{each}"
                for each in files.listdir(device)
                if re.fullmatch(r"nvme\d+", each)
            ]
            for controller in (device, *inside):
                address = _text(files, f"{controller}/address")
                if address:
                    yield address.partition(".")[0], name


def _text(files: Files, path: str) -> str:
    """Return a file's text, '' where there is none."""
    return files.read(path).strip() if files.exists(path) else ""


def _is_lit(files: Files, light: str) -> bool | None:
    """Return whether a light is on, None where there is none.

    A slot of ACPI's has a file that cannot be read (drivers/pci/hotplug/acpiphp_core.c).
    """
    if not files.exists(light):
        return None
    try:
        return files.read(light).strip() != OFF
    except FileError:
        return None
