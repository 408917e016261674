"""User-mode Linux's management console: what happens to a machine from outside."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

from lab import patience
from lab.monitor import MonitorError

# arch/um/drivers/mconsole.h: magic, version, length and text; error, "more follows", length, and as
# much of the text.
REQUEST, ANSWERED = struct.Struct("=III512s"), struct.Struct("=III")
MAGIC, VERSION, MOST = 0xCAFEBABE, 2, 524


def execute(path: Path, command: str) -> str:
    """Run one command on the console's socket at `path` and return what it prints.

    Commands are those of Documentation/virt/uml: `config <device>=<how>`, `remove <device>`.
    Raises MonitorError when it is refused, and OSError where no machine runs.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
        own.settimeout(patience.SECONDS)
        # A name of the kernel's choice, which the answer goes to (unix(7), "Autobind feature").
        own.bind("")
        own.sendto(_packed(command), str(path))
        told, error, more = b"", 0, 1
        while more:
            answer = own.recv(MOST)
            error, more, _ = ANSWERED.unpack_from(answer)
            told += answer[ANSWERED.size :].rstrip(b"\0")
    if error:
        raise MonitorError(f"{command}: {told.decode(errors='replace')}")
    return told.decode(errors="replace")


def send(path: Path, command: str) -> None:
    """Run one command and leave what it prints to the machine's own console.

    Raises OSError where no machine runs, or one that took none of the last commands.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
        # What a machine that stands still does is asked for where one has waited long already.
        own.settimeout(5)
        own.sendto(_packed(command), str(path))


def _packed(command: str) -> bytes:
    text = command.encode()
    return REQUEST.pack(MAGIC, VERSION, len(text), text)
