"""Shelves and bays are read as the kernel shows them, and lights obey or say that they do not."""

from __future__ import annotations

import errno

import pytest

from fakes import FakeKernel
from fakes.files import Text
from sanstone.kernel.hardware import enclosures
from sanstone.kernel.hardware.enclosures import Bay, Shelf
from sanstone.kernel.host import FileError, HostError

UID = "500605b0000272bf"


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine without a shelf."""
    return FakeKernel()


def test_most_machines_in_a_laboratory_have_none(kernel: FakeKernel) -> None:
    assert enclosures.shelves(kernel.host) == []


def test_a_shelf_with_disks_and_empty_bays(kernel: FakeKernel) -> None:
    kernel.enclosures.attach(UID, 3, {0: "sda", 2: "sdc"})
    lights = [f"{kernel.enclosures.bay(0, number)}/locate" for number in range(3)]
    assert enclosures.shelves(kernel.host) == [
        Shelf(
            UID,
            "FAKE",
            "JBOD24",
            (
                Bay(0, "sda", "OK", lights[0]),
                Bay(1, "", "not installed", lights[1]),
                Bay(2, "sdc", "OK", lights[2]),
            ),
        )
    ]


def test_bays_are_in_the_order_of_their_numbers(kernel: FakeKernel) -> None:
    kernel.enclosures.attach(UID, 2, {})
    kernel.files.place(f"{kernel.enclosures.bay(0, 0)}/slot", Text("7\n"))
    [shelf] = enclosures.shelves(kernel.host)
    assert [bay.number for bay in shelf.bays] == [1, 7]


def test_a_shelf_with_two_ways_to_it_is_one(kernel: FakeKernel) -> None:
    kernel.enclosures.attach(UID, 2, {0: "sda"})
    kernel.enclosures.attach(UID, 2, {1: "sdb"})
    [shelf] = enclosures.shelves(kernel.host)
    assert [bay.disk for bay in shelf.bays] == ["sda", "sdb"]


def test_shelves_without_an_identifier_are_distinguished(kernel: FakeKernel) -> None:
    kernel.enclosures.attach("0", 1, {0: "sda"})
    kernel.enclosures.attach("0", 1, {0: "sdb"})
    assert [shelf.uid for shelf in enclosures.shelves(kernel.host)] == ["6:0:24:0", "6:0:25:0"]


def test_a_shelf_without_lights_has_none(kernel: FakeKernel) -> None:
    kernel.enclosures.attach(UID, 1, {0: "sda"}, lights=False)
    [shelf] = enclosures.shelves(kernel.host)
    assert shelf.bays == (Bay(0, "sda", "OK"),)


@pytest.mark.parametrize("light", [True, False])
def test_an_nvme_disk_in_a_slot(kernel: FakeKernel, light: bool) -> None:
    kernel.enclosures.put_in_slot(5, "nvme0n1", light=light)
    kernel.files.place("/sys/bus/pci/slots/3/address", Text("0000:03:00\n"))
    path = "/sys/bus/pci/slots/5/attention" if light else ""
    assert enclosures.shelves(kernel.host) == [Shelf("", "", "", (Bay(5, "nvme0n1", light=path),))]


def test_a_slot_with_an_unreadable_light_has_none(
    kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.enclosures.put_in_slot(5, "nvme0n1")
    read = kernel.files.read

    def refusing(path: str) -> str:
        if path.endswith("/attention"):
            raise FileError("read", path, errno.EINVAL)
        return read(path)

    monkeypatch.setattr(kernel.files, "read", refusing)
    [shelf] = enclosures.shelves(kernel.host)
    assert shelf.bays == (Bay(5, "nvme0n1"),)


def test_a_light_goes_on_and_off(kernel: FakeKernel) -> None:
    kernel.enclosures.attach(UID, 1, {0: "sda"})
    light = f"{kernel.enclosures.bay(0, 0)}/locate"
    enclosures.switch(kernel.host, light, on=True)
    [shelf] = enclosures.shelves(kernel.host)
    assert shelf.bays[0].lit
    enclosures.switch(kernel.host, light, on=False)
    assert not kernel.enclosures.is_lit(0, 0)


def test_a_light_that_does_not_obey_is_an_error(
    kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel reports success, whatever the shelf did."""
    kernel.enclosures.attach(UID, 1, {0: "sda"})
    monkeypatch.setattr(enclosures, "_PAUSE", 0.0)
    monkeypatch.setattr(kernel.files, "write", lambda _path, _text: None)
    with pytest.raises(HostError, match="does not go on"):
        enclosures.switch(kernel.host, f"{kernel.enclosures.bay(0, 0)}/locate", on=True)
