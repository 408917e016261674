"""Which of the kernel's messages concern a turn: not those about the devices that we make."""

from __future__ import annotations

import pytest

from sanstone.reconcile.main import Uevents, uevents_of

BLOCK = b"SUBSYSTEM=block"


def uevent(action: bytes, path: bytes, *variables: bytes) -> bytes:
    """Return a message as lib/kobject_uevent.c makes it."""
    return b"\0".join([action + b"@" + path, b"ACTION=" + action, b"DEVPATH=" + path, *variables])


@pytest.mark.parametrize(
    ("message", "news"),
    [
        (uevent(b"add", b"/devices/pci0/host0/block/sda", BLOCK, b"DEVTYPE=disk"), Uevents.DISK),
        (uevent(b"remove", b"/devices/pci0/host0/block/sda", BLOCK, b"DEVTYPE=disk"), Uevents.DISK),
        (uevent(b"change", b"/devices/pci0/host0/block/sda", BLOCK, b"DEVTYPE=disk"), Uevents(0)),
        (uevent(b"add", b"/devices/pci0/block/sda/sda1", BLOCK, b"DEVTYPE=partition"), Uevents(0)),
        (uevent(b"add", b"/devices/virtual/block/dm-7", BLOCK, b"DEVTYPE=disk"), Uevents(0)),
        (uevent(b"change", b"/devices/virtual/block/dm-7", BLOCK, b"DEVTYPE=disk"), Uevents(0)),
        (uevent(b"change", b"/devices/virtual/block/md127", BLOCK, b"DEVTYPE=disk"), Uevents.OTHER),
        (uevent(b"add", b"/devices/pci0/net/e0c", b"SUBSYSTEM=net"), Uevents.OTHER),
        (uevent(b"add", b"/devices/virtual/net/a0a", b"SUBSYSTEM=net"), Uevents.OTHER),
        (uevent(b"change", b"/devices/pci0/fc_host/host3", b"SUBSYSTEM=fc_host"), Uevents.OTHER),
        (uevent(b"add", b"/devices/virtual/bdi/253:7", b"SUBSYSTEM=bdi"), Uevents(0)),
    ],
)
def test_a_message_concerns_a_turn_or_not(message: bytes, news: Uevents) -> None:
    assert uevents_of(message) == news
