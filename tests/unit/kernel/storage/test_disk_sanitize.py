"""Disks of each kind sanitize themselves, are waited for, and are let go when they fail."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from fakes.disks import FakeDisk, Foreign
from sanstone.kernel.storage import block, disk_erasure, disk_sanitize
from sanstone.kernel.storage.block import ContentError, Disk
from sanstone.kernel.storage.disk_erasure import RELEASE
from sanstone.kernel.storage.disk_sanitize import Sanitization
from sanstone.kernel.storage.sanitization import (
    BLOCK_ERASE,
    CRYPTO_ERASE,
    FAILED,
    METHODS,
    OVERWRITE,
    RUNNING,
    SanitizeError,
)

KINDS = {
    "NVMe": FakeDisk("nvme1n1", 1 << 30, "N1", "eui.01"),
    "SCSI": FakeDisk("sdx", 1 << 30, "S1", "5000cca001"),
    "SCSI, descriptors": FakeDisk("sdx", 1 << 30, "S1", "5000cca001", descriptors=True),
    "ATA": FakeDisk("sdx", 1 << 30, "A1", "5000cca002", vendor="ATA"),
    "ATA, descriptors": FakeDisk(
        "sdx", 1 << 30, "A1", "5000cca002", vendor="ATA", descriptors=True
    ),
}


@dataclass
class Machine:
    """A machine with a disk that holds foreign data."""

    kernel: FakeKernel
    fake: FakeDisk

    @property
    def disk(self) -> Disk:
        """The present state of the disk."""
        return next(d for d in block.disks(self.kernel.host) if d.name == self.fake.name)

    def read(self) -> Sanitization:
        """Ask it."""
        return disk_sanitize.read(self.kernel.host, self.disk)

    def erase(self, method: str) -> None:
        """Erase it."""
        disk_erasure.erase(self.kernel.host, self.disk, method)


@pytest.fixture(autouse=True)
def impatient(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits for the disk end at once."""
    monkeypatch.setattr(time, "sleep", clock.sleep)


@pytest.fixture(params=KINDS)
def machine(request: pytest.FixtureRequest) -> Machine:
    """A machine with a disk of a kind that has all methods."""
    kernel = FakeKernel()
    fake = FakeDisk(**vars(KINDS[request.param]) | {"sanitizes": METHODS, "divided": []})
    fake.foreign = [Foreign("zfs_member", "filesystem", "tank")]
    kernel.storage.disks.plug(fake)
    return Machine(kernel, fake)


@pytest.mark.parametrize("method", METHODS)
def test_a_sanitized_disk_is_empty(machine: Machine, method: str) -> None:
    machine.erase(method)
    assert machine.fake.overwritten == method
    assert machine.disk.obstacle == ""
    assert machine.read() == Sanitization(METHODS)


def test_progress_is_read_without_methods_meanwhile(machine: Machine) -> None:
    machine.fake.looks = 4
    disk_sanitize.start(machine.kernel.host, machine.disk, OVERWRITE)
    readings = [machine.read() for _ in range(5)]
    assert [each.percent for each in readings] == [0, 25, 50, 75, None]
    assert [each.state for each in readings] == [RUNNING] * 4 + [""]
    assert readings[0].methods == ()


def test_nobody_can_use_it_meanwhile(machine: Machine) -> None:
    disk_sanitize.start(machine.kernel.host, machine.disk, BLOCK_ERASE)
    assert "Input/output error" in machine.disk.busy


def test_a_sanitize_operation_continues_after_a_loss_of_power(machine: Machine) -> None:
    disk_sanitize.start(machine.kernel.host, machine.disk, OVERWRITE)
    machine.kernel.reboot()
    machine.kernel.interrupt.log.clear()
    machine.erase(OVERWRITE)
    assert machine.disk.obstacle == ""
    assert machine.kernel.interrupt.log == []


def test_a_failed_sanitize_operation_is_an_error_and_can_run_again(machine: Machine) -> None:
    machine.fake.fails_to_sanitize = True
    with pytest.raises(SanitizeError, match="tells that its sanitization failed"):
        machine.erase(CRYPTO_ERASE)
    assert machine.read().state == FAILED
    machine.fake.fails_to_sanitize = False
    machine.erase(BLOCK_ERASE)
    assert machine.fake.overwritten == BLOCK_ERASE


def test_a_failed_disk_is_released_with_its_content(machine: Machine) -> None:
    machine.fake.fails_to_sanitize = True
    disk_sanitize.start(machine.kernel.host, machine.disk, CRYPTO_ERASE)
    with pytest.raises(SanitizeError):
        disk_sanitize.wait(machine.kernel.host, machine.disk)
    machine.erase(RELEASE)
    assert machine.read() == Sanitization(METHODS)
    assert machine.disk.content == "zfs_member file system tank"


def test_a_disk_without_failure_is_not_released(machine: Machine) -> None:
    with pytest.raises(SanitizeError, match="has not failed"):
        machine.erase(RELEASE)


def test_an_unsupported_method_is_refused_without_effect(machine: Machine) -> None:
    machine.fake.sanitizes = (CRYPTO_ERASE,)
    assert machine.read() == Sanitization((CRYPTO_ERASE,))
    with pytest.raises(SanitizeError, match="cannot be sanitized by overwrite"):
        disk_sanitize.start(machine.kernel.host, machine.disk, OVERWRITE)
    assert machine.fake.sanitizing == ""


def test_a_disk_without_sanitize_commands_has_no_state(machine: Machine) -> None:
    machine.fake.sanitizes = ()
    assert machine.read() == Sanitization()


def test_a_disk_in_use_is_refused_by_the_kernel(machine: Machine) -> None:
    machine.kernel.storage.disks.hold({machine.fake.name: "md0"})
    with pytest.raises(ContentError, match="in use by md0"):
        machine.erase(CRYPTO_ERASE)
    assert machine.fake.sanitizing == ""


@pytest.mark.parametrize("machine", ["NVMe"], indirect=True)
class TestNvme:
    """The whole subsystem goes."""

    def test_a_disk_with_a_sibling_has_no_method(self, machine: Machine) -> None:
        machine.kernel.storage.disks.plug(FakeDisk("nvme1n2", 1 << 30, "N1", "eui.02"))
        assert machine.read().methods == ()

    def test_a_namespace_that_is_not_attached_counts(self, machine: Machine) -> None:
        machine.fake.namespaces = 2
        assert machine.read().methods == ()

    def test_other_disks_do_not_count(self, machine: Machine) -> None:
        machine.kernel.storage.disks.plug(FakeDisk("nvme11n1", 1 << 30, "N2", "eui.03"))
        assert machine.read().methods == METHODS


@pytest.mark.parametrize("machine", ["SCSI"], indirect=True)
def test_a_method_that_leaves_it_unreadable_is_none(machine: Machine) -> None:
    machine.fake.to_be_written = True
    assert machine.read().methods == (OVERWRITE,)


@pytest.mark.parametrize("machine", ["ATA", "ATA, descriptors"], indirect=True)
def test_a_disk_frozen_by_firmware_is_reported(machine: Machine) -> None:
    machine.fake.frozen = True
    with pytest.raises(SanitizeError, match="has frozen sanitizing"):
        disk_sanitize.start(machine.kernel.host, machine.disk, CRYPTO_ERASE)


def test_a_virtio_disk_cannot_be_sanitized() -> None:
    kernel = FakeKernel()
    kernel.storage.disks.plug(FakeDisk("vda", 1 << 30, "V1", "", transport="virtio"))
    disk = next(d for d in block.disks(kernel.host) if d.name == "vda")
    assert disk_sanitize.read(kernel.host, disk) == Sanitization()
    with pytest.raises(SanitizeError, match="cannot be sanitized"):
        disk_sanitize.start(kernel.host, disk, OVERWRITE)
