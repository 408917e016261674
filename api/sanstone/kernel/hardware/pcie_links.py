"""The links of PCIe devices: how fast and how wide they are, as sysfs tells.

`current_link_speed` and `current_link_width` (Documentation/ABI/testing/sysfs-bus-pci) are what was
agreed when the link was trained. The kernel tells of no change, so they are read again and again.
Of graphics and bridges nothing is read: the one saves power by a slower link, the link of the other
is that of the devices behind it. Functions of a device share its link; the first stands for all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sanstone.kernel.host import FileError, Host

ROOT = "/sys/bus/pci/devices"
_CLASSES = ("0x01", "0x02", "0x0c04")
"""Beginnings of the classes of devices with links to read: storage, network, Fibre Channel
(pci_ids.h)."""
_NAMES = ("nvme", "net", "infiniband")
"""Folders of a device that say by which name it is known."""
_SPEED = re.compile(r"(?P<speed>\d+(?:\.\d+)?) GT/s.*")


@dataclass(frozen=True)
class Link:
    """The link of the device at a PCI address. `speed` is in GT/s, `width` in lanes.

    `device` is its type, `<vendor>:<device>` in hexadecimal; `name` is '' where it has none.
    """

    address: str
    device: str
    name: str
    speed: float
    width: int


def read(host: Host) -> list[Link]:
    """Return the links that are up. Raises FileError."""
    if not host.files.exists(ROOT):
        return []
    links = (_link(host, each) for each in host.files.listdir(ROOT) if each.endswith(".0"))
    return [link for link in links if link is not None]


def _link(host: Host, address: str) -> Link | None:
    folder, files = f"{ROOT}/{address}", host.files
    if not files.exists(f"{folder}/current_link_speed"):
        return None
    try:
        if not files.read(f"{folder}/class").startswith(_CLASSES):
            return None
        speed = _SPEED.fullmatch(files.read(f"{folder}/current_link_speed").strip())
        width = int(files.read(f"{folder}/current_link_width"))
        vendor, device = (files.read(f"{folder}/{part}")[2:] for part in ("vendor", "device"))
        names = [name for part in _NAMES for name in _inside(host, f"{folder}/{part}")]
    except FileError:
        # It was taken out meanwhile.
        return None
    # Of a link that is down the speed is "Unknown", the width 0.
    if speed is None or width == 0:
        return None
    name = names[0] if names else ""
    return Link(address, f"{vendor}:{device}", name, float(speed["speed"]), width)


def _inside(host: Host, folder: str) -> list[str]:
    return host.files.listdir(folder) if host.files.exists(folder) else []
