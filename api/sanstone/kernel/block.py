"""Disks: which there are, what they are, and what is on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel.host import Host, HostError


class ContentError(HostError):
    """A disk holds something that is not ours, so it must not be touched."""


@dataclass(frozen=True)
class Disk:
    """A whole disk. `content` is '' when it is free, else says what is on it."""

    name: str
    """The kernel's name, "sda"; it may differ after a reboot, `identity` does not."""
    path: str
    identity: str
    """`wwn:<digits>` or `serial:<model>:<serial>`; '' when the disk tells neither."""
    identity_conflict: bool
    """Whether another disk claims the same identity: then neither may be used."""
    size: int
    """Bytes."""
    serial: str
    wwn: str
    vendor: str
    model: str
    firmware: str
    rotational: bool
    transport: str
    """virtio, sata, sas, nvme, fc, iscsi, usb, … or ''."""
    logical_block_size: int
    physical_block_size: int
    zeroes_itself: bool
    """Whether it clears ranges by itself when asked (write zeroes), with no data sent."""
    content: str
    array_uuid: str
    """The UUID of the md array whose superblock it carries, '' for none."""

    @property
    def free(self) -> bool:
        """Whether it may be used: empty, and known for certain to be this disk and no other."""
        return not self.content and bool(self.identity) and not self.identity_conflict


def disks(host: Host) -> list[Disk]:
    """Return all whole disks, ordered by path."""
    raise NotImplementedError


def require_empty(host: Host, paths: Sequence[str], *, array_uuid: str = "") -> None:
    """Raise ContentError unless each disk is empty or carries only a superblock of `array_uuid`."""
    raise NotImplementedError
