"""Links of PCIe devices are read as sysfs shows them."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from sanstone.kernel.hardware import pcie_links
from sanstone.kernel.hardware.pcie_links import ROOT, Link
from sanstone.kernel.host import FileError

DISK = "0000:3b:00.0"


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine without PCIe links in sysfs."""
    return FakeKernel()


def test_a_machine_without_pcie(kernel: FakeKernel) -> None:
    assert pcie_links.read(kernel.host) == []


def test_a_disk_and_its_link(kernel: FakeKernel) -> None:
    kernel.pcie.plug(DISK, name="nvme3")
    assert pcie_links.read(kernel.host) == [Link(DISK, "144d:a80a", "nvme3", 16.0, 4)]
    kernel.pcie.plug(DISK, speed="2.5 GT/s PCIe", width=1)
    assert pcie_links.read(kernel.host) == [Link(DISK, "144d:a80a", "", 2.5, 1)]


@pytest.mark.parametrize("kind", ["0x030000", "0x060400", "0x040300"])
def test_of_other_devices_nothing_is_read(kernel: FakeKernel, kind: str) -> None:
    kernel.pcie.plug(DISK, kind=kind)
    assert pcie_links.read(kernel.host) == []


def test_functions_of_a_device_have_one_link(kernel: FakeKernel) -> None:
    for function in ("0", "1"):
        kernel.pcie.plug(f"0000:5e:00.{function}", kind="0x020000")
    assert [link.address for link in pcie_links.read(kernel.host)] == ["0000:5e:00.0"]


@pytest.mark.parametrize(("speed", "width"), [("Unknown", 0), ("Unknown", 4), ("8.0 GT/s PCIe", 0)])
def test_a_link_that_is_down_is_none(kernel: FakeKernel, speed: str, width: int) -> None:
    kernel.pcie.plug(DISK, speed=speed, width=width)
    assert pcie_links.read(kernel.host) == []


def test_a_device_that_is_taken_out_meanwhile_is_none(kernel: FakeKernel) -> None:
    kernel.pcie.plug(DISK)
    kernel.files.displace(f"{ROOT}/{DISK}/current_link_width")
    assert pcie_links.read(kernel.host) == []


def test_an_unreadable_folder_is_an_error(kernel: FakeKernel) -> None:
    kernel.pcie.plug(DISK)
    kernel.files.listdir = lambda path: (_ for _ in ()).throw(FileError("list", path, 5))  # type: ignore[method-assign]
    with pytest.raises(FileError):
        pcie_links.read(kernel.host)
