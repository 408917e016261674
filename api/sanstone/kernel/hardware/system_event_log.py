"""The log of a server's management controller (BMC): what happened while nobody else could tell.

The BMC goes on writing where the system has stopped: a watchdog that reset it, a processor that
gave up, a fatal error of a bus or of the memory. What sensors measure is in it too, and is left out
here: `sensors` tells of their states, and rasdaemon (`error_records`) of corrected errors.

`ipmitool -c sel elist` prints `<record>,<date>,<time>,<sensor>,<event>,Asserted` or `Deasserted`,
the record's number in hexadecimal, the sensor by its type and name (ipmi_sel_print_std_entry(),
lib/ipmi_sel.c of ipmitool 1.8.19). A kernel that panicked leaves its last words there as a record
without date and time (IPMI_PANIC_STRING, drivers/char/ipmi/ipmi_msghandler.c).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sanstone.kernel.hardware.sensors import PATIENCE
from sanstone.kernel.host import Host

LAST = 64
"""Entries that are read, the newest: each is a question to the BMC, and a log has thousands."""
_PANIC = "Linux kernel panic: "
_ENTRY = re.compile(
    r"(?P<record>[0-9a-f]+),(?P<when>[^,]*,[^,]*),"
    rf"(?:(?P<panic>{_PANIC}.*)|(?P<sensor>[^,]*),(?P<event>.*),(?P<direction>A|Dea)sserted(?:,.*)?)"
)
_GRAVE = {
    "Processor": (
        "IERR",
        "Thermal Trip",
        "FRB",
        "SM BIOS Uncorrectable CPU-complex Error",
        "Uncorrectable machine check exception",
    ),
    "Power Unit": ("Power off/down", "AC lost", "Soft-power control failure", "Failure detected"),
    "Memory": (
        "Uncorrectable ECC",
        "Parity",
        "Memory Device Disabled",
        "Critical Overtemperature",
    ),
    "Watchdog1": ("BIOS Reset", "OS Reset", "OS Power Down", "OS Power Cycle"),
    "Watchdog2": ("Hard reset", "Power down", "Power cycle"),
    "Critical Interrupt": (
        "PCI PERR",
        "PCI SERR",
        "Bus Uncorrectable error",
        "Fatal NMI",
        "Bus Fatal Error",
    ),
}
"""By ipmitool's name of a sensor's type: how events begin that nobody else tells of."""


@dataclass(frozen=True)
class LogEntry:
    """An entry of the log. `identity` tells it from others, also after the log was cleared.

    `grave` is whether it tells what an administrator has to know and nobody else tells.
    """

    identity: str
    text: str
    grave: bool


def read(host: Host) -> list[LogEntry]:
    """Return the newest entries, oldest first.

    Raises HostError, CommandTimeout when the BMC does not answer.
    """
    argv = ["ipmitool", "-c", "sel", "elist", "last", str(LAST)]
    return parse(host.commands.run(argv, time_limit=PATIENCE))


def parse(answer: str) -> list[LogEntry]:
    """Return the entries in ipmitool's answer, without the other lines."""
    matches = (_ENTRY.fullmatch(line) for line in answer.splitlines())
    return [_entry(match) for match in matches if match]


def _entry(match: re.Match[str]) -> LogEntry:
    identity = " ".join([match["record"], *match["when"].replace(",", " ").split()])
    if match["panic"]:
        return LogEntry(identity, _printable(match["panic"]), grave=True)
    sensor, event = match["sensor"].strip(), match["event"].strip()
    grave = match["direction"] == "A" and any(
        sensor.startswith(kind) and event.startswith(beginnings)
        for kind, beginnings in _GRAVE.items()
    )
    return LogEntry(identity, _printable(f"{sensor}: {event}"), grave)


def _printable(text: str) -> str:
    """Return a text without what no line has: a BMC may send any byte."""
    return "".join(c if c.isprintable() else "?" for c in text)
