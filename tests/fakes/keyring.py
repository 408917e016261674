"""The kernel's keyring `.nvme` of the fake machine, by keyctl(1) and /proc/keys.

Source: keyctl.c of keyutils 1.6, drivers/nvme/common/keyring.c and security/keys of Linux 6.12.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence

from fakes.commands import FakeCommands
from fakes.device_counters import ReadOnly
from fakes.files import Node, Text
from fakes.interrupt import Interrupt
from sanstone.kernel.host import CommandError

NAME = "%keyring:.nvme"
LONGEST = 4096
"""Bytes of a description at most (KEY_MAX_DESC_SIZE)."""


class FakeKeyring(ReadOnly):
    """A keyring in which keys of the type `psk` can be put; /proc/keys shows them."""

    def __init__(self, interrupt: Interrupt, commands: FakeCommands) -> None:
        self._interrupt = interrupt
        self._last = 0x1000
        self.keys: dict[str, bytes] = {}
        """The keys of the keyring by description."""
        self._serials: dict[int, str] = {}
        self.held: set[str] = set()
        """Descriptions of keys that connections have: they stay in /proc/keys."""
        commands.register("keyctl", self._keyctl)

    def reboot(self) -> None:
        """Lose all keys."""
        self.keys.clear()
        self._serials.clear()
        self.held.clear()

    def node(self, path: str) -> Node | None:
        """Return the file."""
        lines = ["00000001 I--Q---     1 perm 3f0f0000     0     0 keyring   .nvme: empty\n"]
        for serial, description in self._serials.items():
            if description in self.keys or description in self.held:
                ending = "perm 3f010000     0     0 psk       "
                lines.append(f"{serial:08x} I--Q---     1 {ending}{description}: 32\n")
        return Text("".join(lines))

    def dump(self) -> str:
        """Return the keys as text."""
        return "\n".join(f"{name}: {key.hex()}" for name, key in sorted(self.keys.items()))

    def _keyctl(self, argv: Sequence[str], stdin: str) -> str:
        match argv[1:]:
            case ["rlist", keyring] if keyring == NAME:
                there = [n for n, description in self._serials.items() if description in self.keys]
                return " ".join(map(str, there)) + "\n"
            case ["padd", "-x", "psk", description, keyring] if keyring == NAME:
                return self._add(argv, description, stdin)
            case ["unlink", serial, keyring] if keyring == NAME and serial.isdecimal():
                return self._unlink(argv, int(serial))
        raise CommandError(argv, 2, "Format: keyctl ...")

    def _add(self, argv: Sequence[str], description: str, stdin: str) -> str:
        try:
            payload = bytes.fromhex(stdin)
        except ValueError:
            raise CommandError(argv, 1, "Hex data is not valid") from None
        if not payload or len(description) >= LONGEST:
            raise CommandError(argv, 1, f"add_key: {errno.errorcode[errno.EINVAL]}")
        with self._interrupt.step(f"add key {description}"):
            self._serials = {n: d for n, d in self._serials.items() if d != description}
            self._last += 1
            self._serials[self._last] = description
            self.keys[description] = payload
        return f"{self._last}\n"

    def _unlink(self, argv: Sequence[str], serial: int) -> str:
        description = self._serials.get(serial, "")
        if description not in self.keys:
            raise CommandError(argv, 1, "keyctl_unlink: No such file or directory")
        with self._interrupt.step(f"unlink key {description}"):
            del self.keys[description]
        return ""
