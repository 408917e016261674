"""Have a disk sanitize itself, by the commands of its kind (`sanitization`).

The disk itself reports its progress, and nothing is remembered: so the report is the same after a
power cut, and for a sanitization that others started.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sanstone.kernel.host import Host
from sanstone.kernel.storage import ata_sanitize, nvme_sanitize, scsi_sanitize
from sanstone.kernel.storage.block import Disk
from sanstone.kernel.storage.sanitization import (
    FAILED,
    RUNNING,
    CommandSet,
    Progress,
    SanitizeError,
)

PERIOD = 5.0
"""Seconds between two looks at a disk that is waited for."""
_EMULATED = ("virtio", "iscsi")
"""Transports of disks that are not this machine's own."""


@dataclass(frozen=True)
class Sanitization:
    """A disk's methods, and its progress. While one runs it tells no methods."""

    methods: tuple[str, ...] = ()
    state: str = ""
    percent: int | None = None


def read(host: Host, disk: Disk) -> Sanitization:
    """Ask a disk. Raises HostError."""
    commands = _commands(disk)
    if commands is None:
        return Sanitization()
    now = commands.progress(host, disk.path)
    methods = () if now.state == RUNNING else commands.methods(host, disk.path)
    return Sanitization(methods, now.state, now.percent)


def progress(host: Host, disk: Disk) -> Progress:
    """Return where a disk is. Raises HostError."""
    commands = _commands(disk)
    return commands.progress(host, disk.path) if commands else Progress()


def start(host: Host, disk: Disk, method: str) -> None:
    """Have a disk begin. Raises HostError where it cannot, or something besides it would go, too.

    A disk that failed is not queried for its methods, since it need not tell them.
    """
    commands = _required(disk)
    is_known = commands.progress(host, disk.path).state != FAILED
    if is_known and method not in commands.methods(host, disk.path):
        raise SanitizeError("{}: cannot be sanitized by {}", disk.path, method)
    commands.start(host, disk.path, method)


def wait(host: Host, disk: Disk) -> None:
    """Return when a disk is done. Raises SanitizeError when it has failed."""
    while (state := progress(host, disk).state) == RUNNING:
        time.sleep(PERIOD)
    if state == FAILED:
        raise SanitizeError("{}: tells that its sanitization failed", disk.path)


def leave_failure(host: Host, disk: Disk) -> None:
    """Have a disk that failed be read and written again. Raises HostError."""
    commands = _required(disk)
    if commands.progress(host, disk.path).state != FAILED:
        raise SanitizeError("{}: has not failed to be sanitized", disk.path)
    commands.leave_failure(host, disk.path)


def _required(disk: Disk) -> CommandSet:
    commands = _commands(disk)
    if commands is None:
        raise SanitizeError("{}: cannot be sanitized", disk.path)
    return commands


def _commands(disk: Disk) -> CommandSet | None:
    """Return the commands of a disk's kind. A SCSI disk of the vendor ATA is one of SAT."""
    if disk.transport in _EMULATED:
        return None
    if disk.name.startswith("nvme"):
        return nvme_sanitize
    if not disk.name.startswith("sd"):
        return None
    return ata_sanitize if disk.vendor == "ATA" else scsi_sanitize
