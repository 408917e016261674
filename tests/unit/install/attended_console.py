"""A program for a terminal: the installer's screens over a machine in memory."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

from machine import Machine

from fakes.disks import FakePartition, Foreign, Superblock
from sanstone import setup
from sanstone.install import main
from sanstone.kernel.storage import disk_arrival
from sanstone.system import layout


def attend(folder: Path, medium: Path, *options: str) -> None:
    """Show the screens. It needs a process of its own, whose settings it changes.

    The machine's file systems are in the folder afterwards. With the option `aggregate`
    the disk sdb belongs to one, which cannot be read; with `installed` there is a Sanstone on sdc.
    """
    disk_arrival.QUIET = 0.0
    setup.USER = setup.GROUP = pwd.getpwuid(os.getuid()).pw_name
    machine = Machine(folder)
    if "aggregate" in options:
        label = "sanstone:sanstone-1a2b3c4d-0"
        block = Superblock("1a2b3c4d-0000-5000-8000-000000000000", label, "0", 2, 0)
        machine.kernel.storage.disks.present["sdb"].superblock = block
    if "installed" in options:
        content = Foreign("ext4", "filesystem", layout.STATE_LABEL)
        machine.kernel.storage.disks.divide("sdc", [FakePartition(layout.STATE.name, [content])])
    main.attended(machine.host, medium, lambda after: print(f"THEN {after}"), folder / "work")
    print("LEFT")
