"""What a machine complains about: failed units, ordering cycles, what kernel and services log.

A complaint is fine only when a pattern of the allow-list accounts for it. The list is a text file:
a regular expression a line, under comments that say why.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from lab.machine import Machine

WARNING, ERROR = 4, 3
ORDERING_CYCLE = "ordering cycle"


def read_allowed(path: Path) -> list[re.Pattern[str]]:
    """Return the patterns in the allow-list at `path`."""
    lines = path.read_text().splitlines()
    return [re.compile(line) for line in lines if line and not line.startswith("#")]


@dataclass
class Inspector:
    """Finds what is new in a machine's journal since it last looked, and is not allowed."""

    allowed: list[re.Pattern[str]]
    _seen: set[str] = field(default_factory=set)

    def complaints(self, machine: Machine) -> list[str]:
        """Return a line for each failed unit and each unexplained message of the running boot."""
        failed = machine.run("systemctl --failed --plain --no-legend").splitlines()
        return [f"failed: {line}" for line in failed] + self._messages(machine)

    def _messages(self, machine: Machine) -> list[str]:
        fields = "MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,_TRANSPORT"
        journal = f"journalctl --boot --priority=warning --output=json --output-fields={fields}"
        found = []
        for line in machine.run(journal).splitlines():
            entry = json.loads(line)
            if entry["__CURSOR"] in self._seen:
                continue
            self._seen.add(entry["__CURSOR"])
            text = f"{entry.get('SYSLOG_IDENTIFIER', '')}: {entry['MESSAGE']}"
            most = WARNING if entry["_TRANSPORT"] == "kernel" else ERROR
            serious = int(entry["PRIORITY"]) <= most or ORDERING_CYCLE in text
            if serious and not any(pattern.search(text) for pattern in self.allowed):
                found.append(text)
        return found
