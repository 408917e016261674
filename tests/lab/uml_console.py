"""User-mode Linux's management console: changes a machine's devices from outside."""

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
    """Run one command on the console's socket at `path` and return its output.

    Commands are those of Documentation/virt/uml: `config <device>=<how>`, `remove <device>`.
    Raises MonitorError when it is refused, and OSError where no machine runs.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
        own.settimeout(patience.SECONDS)
        # A name of the kernel's choice, which the answer goes to (unix(7), "Autobind feature").
        own.bind("")
        own.sendto(_packed(command), str(path))
        text, error, more = b"", 0, 1
        while more:
            answer = own.recv(MOST)
            error, more, _ = ANSWERED.unpack_from(answer)
            text += answer[ANSWERED.size :].rstrip(b"\0")
    if error:
        raise MonitorError(f"{command}: {text.decode(errors='replace')}")
    return text.decode(errors="replace")


def send(path: Path, command: str) -> None:
    """Run one command; its output goes to the machine's own console.

    Raises OSError where no machine runs, or one that took none of the last commands.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
        # For a machine that stands still: the test has waited long already.
        own.settimeout(5)
        own.sendto(_packed(command), str(path))


def _packed(command: str) -> bytes:
    text = command.encode()
    return REQUEST.pack(MAGIC, VERSION, len(text), text)
