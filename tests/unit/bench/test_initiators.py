"""A host's login gives a device that every program can use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench import initiators
from lab.machine import Machine
from lab.qemu import Hardware


class Host(Machine):
    """A host on which a LUN's name by path leads to /dev/sdb."""

    def run(self, script: str, **_: Any) -> str:
        """Answer `readlink -e` alone."""
        return "/dev/sdb\n" if "readlink -e /dev/disk/by-path/ip-" in script else ""


def test_a_luns_device_has_no_colon_in_its_path(tmp_path: Path) -> None:
    host = Host(tmp_path, Hardware("host", 2, 512))
    disk = initiators.log_in(host, "10.10.1.10", "iqn.2026-11.org.sanstone:vs.1", "iqn.x:y", 0)
    assert disk == "/dev/sdb"
