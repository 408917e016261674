"""Disks as the reconciler finds them, and as it remembers them."""

from __future__ import annotations

from typing import Any

from simulator import Simulator

IDENTITY = ("name", "uid", "serial_number", "model", "vendor", "usable_size", "type")


def disks(array: Simulator) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = array.get("storage/disks?fields=**")["records"]
    return records


def test_a_disk_that_is_gone_keeps_what_it_is_known_by(array: Simulator) -> None:
    """A technician looks for it by its serial number, also after a reboot without it."""
    before, *others = disks(array)
    array.kernel.remove_disk(before["path"].removeprefix("/dev/"))
    array.reconciler.rescan()
    array.settle()
    for _ in range(2):
        removed, *remaining = disks(array)
        assert (removed["state"], removed["container_type"]) == ("removed", "unknown")
        assert {key: removed.get(key) for key in IDENTITY} == {
            key: before.get(key) for key in IDENTITY
        }
        assert "path" not in removed
        assert remaining == others
        array.reboot()
        array.settle()

    array.kernel.add_disk(before["path"].removeprefix("/dev/"))
    array.reconciler.rescan()
    array.settle()
    assert disks(array) == [before, *others]
