"""A machine's complaints: failed units, ordering cycles, messages of the kernel and of services.

A complaint is fine only when a pattern of the allow-list accounts for it. The list is a text file:
a regular expression a line, under comments that say why, and under a heading that says on which
machines ("any", or how their names begin), and in which areas of tests if not in all:

    [array storage reliability]
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from lab.machine import Machine

WARNING, ERROR = 4, 3
ORDERING_CYCLE = "ordering cycle"


@dataclass(frozen=True)
class Allowed:
    """A line of the allow-list."""

    machine: str
    areas: frozenset[str]
    """None of them stands for all."""
    pattern: re.Pattern[str]

    def accounts_for(self, machine: str, area: str, text: str) -> bool:
        """Return whether a machine may log `text` in tests of this area."""
        here = self.machine == "any" or machine.startswith(self.machine)
        return here and (not self.areas or area in self.areas) and bool(self.pattern.search(text))


def read_allowed(path: Path) -> list[Allowed]:
    """Return the allow-list at `path`."""
    allowed = []
    machine, areas = "", frozenset[str]()
    for line in path.read_text().splitlines():
        if heading := re.fullmatch(r"\[(\w+)((?: \w+)*)\]", line):
            machine, areas = heading[1], frozenset(heading[2].split())
        elif line and not line.startswith("#"):
            assert machine, f"{path}: no heading above {line!r}"
            allowed.append(Allowed(machine, areas, re.compile(line)))
    return allowed


def read_failures(disk: str, address: str) -> re.Pattern[str]:
    """Return a pattern of the kernel's messages when a SCSI disk goes while it is being read.

    Of this disk and its partitions alone: `disk` is its name, such as sdb, `address` what its own
    messages begin with (host:channel:target:LUN). The texts are those of blk_print_req_error
    (block/blk-mq.c), buffer_io_error (fs/buffer.c) and scsi_device_state_check
    (drivers/scsi/scsi_lib.c).
    """
    of_request = rf"(I/O|device offline) error, dev {disk}\d*, "
    of_page = rf"Buffer I/O error on dev {disk}\d*, "
    of_device = rf"sd {address}: (\[{disk}\] .*|rejecting I/O to (offline|dead) device)"
    return re.compile(f"^kernel: ({of_request}|{of_page}|{of_device})")


@dataclass
class Inspector:
    """Finds messages in a machine's journal that are new since it last looked, and not allowed."""

    allowed: list[Allowed]
    _seen: set[str] = field(default_factory=set)
    _removals: dict[str, list[re.Pattern[str]]] = field(default_factory=dict)

    def expect_removal(self, machine: Machine, disk: str) -> None:
        """Account for reads of a SCSI disk that fail because a test takes it away.

        To be called before that, with the disk's name, such as sdb. It counts until the next
        call of `complaints`: later another disk may have the name.
        """
        address = machine.run(f"basename $(realpath /sys/block/{disk}/device)").strip()
        removals = self._removals.setdefault(machine.hardware.name, [])
        removals.append(read_failures(disk, address))

    def complaints(self, machine: Machine, area: str) -> list[str]:
        """Return a line for each failed unit and each unexplained message of the running boot."""
        failed = machine.run("systemctl --failed --plain --no-legend").splitlines()
        return [f"failed: {line}" for line in failed] + self._messages(machine, area)

    def _messages(self, machine: Machine, area: str) -> list[str]:
        name = machine.hardware.name
        removals = self._removals.pop(name, [])
        fields = "MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,_TRANSPORT"
        journal = f"journalctl --boot --priority=warning --output=json --output-fields={fields}"
        messages = []
        for line in machine.run(journal).splitlines():
            entry = json.loads(line)
            if entry["__CURSOR"] in self._seen:
                continue
            self._seen.add(entry["__CURSOR"])
            text = f"{entry.get('SYSLOG_IDENTIFIER', '')}: {entry['MESSAGE']}"
            most = WARNING if entry["_TRANSPORT"] == "kernel" else ERROR
            serious = int(entry["PRIORITY"]) <= most or ORDERING_CYCLE in text
            expected = any(removal.search(text) for removal in removals)
            allowed = any(line.accounts_for(name, area, text) for line in self.allowed)
            if serious and not expected and not allowed:
                messages.append(text)
        return messages
