"""systemd's services of the fake machine: those that were started and are not stopped, for a test
to run; and its journal.

A process that dies is active no more and is not started again by itself, as one with Restart=no.
"""

from __future__ import annotations

from collections.abc import Sequence

from fakes.arguments import parse
from fakes.commands import FakeCommands


class FakeServices:
    """`systemctl` for services by name alone: there are no unit files."""

    def __init__(self, commands: FakeCommands) -> None:
        self.started: list[str] = []
        """The units, oldest first."""
        self.journal: list[str] = []
        """The lines of the journal; a test writes them."""
        commands.register("systemctl", self.systemctl)
        commands.register("journalctl", self._journalctl)

    def reboot(self) -> None:
        """Stop all."""
        self.started.clear()

    def take(self, *prefixes: str) -> str:
        """Return the oldest started unit with such a prefix, and end it; '' for none."""
        unit = next((each for each in self.started if each.startswith(prefixes)), "")
        if unit:
            self.started.remove(unit)
        return unit

    def systemctl(self, argv: Sequence[str], _stdin: str) -> str:
        """Answer start, stop and show (systemctl(1)); a test reboots the machine itself."""
        if list(argv[1:]) in (["reboot"], ["poweroff"]):
            return ""
        if argv[1] == "list-units":
            flags = "--all --full --no-pager --plain"
            parse(argv, argv[2:], flags=flags, valued="", usage_status=1)
            return "".join(f"{unit} loaded active running\n" for unit in self.started)
        arguments = parse(
            argv, argv[2:], flags="--no-block --value", valued="--property", usage_status=1
        )
        verb, [unit] = argv[1], arguments.operands
        if verb == "start" and unit not in self.started:
            self.started.append(unit)
        if verb == "stop" and unit in self.started:
            self.started.remove(unit)
        if verb == "show":
            return "active\n" if unit in self.started else "inactive\n"
        return ""

    def _journalctl(self, argv: Sequence[str], _stdin: str) -> str:
        """Print the last lines (journalctl(1)); of the kernel there are none in it."""
        flags = "--no-pager --quiet --dmesg"
        valued = "--output --since --lines --unit"
        arguments = parse(argv, argv[1:], flags=flags, valued=valued, usage_status=1)
        if arguments.has("--dmesg"):
            return ""
        return "".join(f"{line}\n" for line in self.journal[-int(arguments.options["--lines"]) :])
