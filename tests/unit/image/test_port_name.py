"""`port-name`: Ethernet ports are named by their place on the PCI bus."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from image.repository import REPOSITORY

SCRIPT = REPOSITORY / "board/common/overlay/usr/lib/sanstone/port-name"
ETHERNET, INFINIBAND, NVME, OTHER = "0x020000", "0x020700", "0x010802", "0x028000"
INTEL, MELLANOX = "0x8086", "0x15b3"


class Machine:
    """A /sys of PCI functions and of the ports behind some of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "bus/pci/devices").mkdir(parents=True)
        (root / "class/net").mkdir(parents=True)

    def function(
        self, address: str, kind: str = ETHERNET, *, vendor: str = INTEL, virtual: bool = False
    ) -> Path:
        place = self.root / "devices/pci0000:00" / address
        place.mkdir(parents=True)
        (place / "class").write_text(f"{kind}\n")
        (place / "vendor").write_text(f"{vendor}\n")
        if virtual:
            (place / "physfn").symlink_to(self.root)
        (self.root / "bus/pci/devices" / address).symlink_to(place)
        return place

    def port(self, interface: str, device: Path, number: int = 0, *, type_: int = 1) -> None:
        device.mkdir(exist_ok=True)
        net = device / "net" / interface
        net.mkdir(parents=True)
        (net / "device").symlink_to(device)
        (net / "type").write_text(f"{type_}\n")
        (net / "dev_port").write_text(f"{number}\n")
        (self.root / "class/net" / interface).symlink_to(net)

    def name(self, interface: str) -> str | None:
        ran = subprocess.run(
            ["sh", SCRIPT, interface, self.root], capture_output=True, text=True, check=False
        )
        return ran.stdout.strip() if ran.returncode == 0 else None


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_first_port_is_the_management_port(machine: Machine) -> None:
    last, first = machine.function("0000:03:00.1"), machine.function("0000:03:00.0")
    machine.port("eth0", last)
    machine.port("eth1", first)
    assert (machine.name("eth1"), machine.name("eth0")) == ("e0M", "e0a")


def test_names_do_not_depend_on_ports_that_have_not_appeared_yet(machine: Machine) -> None:
    for address in ("0000:01:00.0", "0000:02:00.0"):
        machine.function(address)
    machine.port("eth0", machine.function("0000:04:00.0"))
    assert machine.name("eth0") == "e0b"


def test_other_devices_are_not_counted(machine: Machine) -> None:
    machine.function("0000:01:00.0", NVME)
    machine.function("0000:02:00.0", INFINIBAND)
    machine.function("0000:03:00.0", virtual=True)
    machine.port("eth0", machine.function("0000:04:00.0"))
    assert machine.name("eth0") == "e0M"


def test_cards_that_can_do_infiniband_too_come_last_and_wlan_is_not_counted(
    machine: Machine,
) -> None:
    machine.function("0000:01:00.0", OTHER)
    card = machine.function("0000:02:00.0", OTHER, vendor=MELLANOX)
    machine.port("eth0", card)
    machine.port("eth1", card, 1)
    machine.port("eth2", machine.function("0000:04:00.0"))
    assert [machine.name(f"eth{n}") for n in (2, 0, 1)] == ["e0M", "e0a", "e0a1"]


def test_a_port_of_virtio_lies_behind_a_device_of_its_own(machine: Machine) -> None:
    machine.function("0000:00:02.0")
    machine.port("eth0", machine.function("0000:00:03.0") / "virtio1")
    assert machine.name("eth0") == "e0a"


def test_the_second_port_of_a_function_has_its_number(machine: Machine) -> None:
    card = machine.function("0000:05:00.0")
    machine.port("eth0", card)
    machine.port("eth1", card, 1)
    assert (machine.name("eth0"), machine.name("eth1")) == ("e0M", "e0M1")


def test_a_port_that_is_not_ethernet_keeps_its_name(machine: Machine) -> None:
    machine.port("ib0", machine.function("0000:05:00.0", INFINIBAND), type_=32)
    machine.port("ib1", machine.function("0000:06:00.0", OTHER, vendor=MELLANOX), type_=32)
    assert (machine.name("ib0"), machine.name("ib1")) == (None, None)


def test_more_ports_than_letters_keep_their_names(machine: Machine) -> None:
    functions = [machine.function(f"0000:05:{number:02x}.0") for number in range(28)]
    machine.port("eth0", functions[26])
    machine.port("eth1", functions[27])
    assert (machine.name("eth0"), machine.name("eth1")) == ("e0z", None)
