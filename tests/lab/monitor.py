"""QEMU's monitor (QMP): changes a machine from outside, for example pulls a cable."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

from lab import patience


class MonitorError(Exception):
    """QEMU refused a command."""


def execute(path: Path, command: str, **arguments: Any) -> Any:
    """Run one QMP command on the monitor socket at `path` and return its result.

    Commands are those of QEMU's QMP reference, for example `set_link` with `name` and `up`.
    Raises MonitorError, and OSError where no machine runs.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(patience.SECONDS)
        connection.connect(str(path))
        with connection.makefile("rw") as stream:
            json.loads(stream.readline())
            _ask(stream, {"execute": "qmp_capabilities"})
            return _ask(stream, {"execute": command, "arguments": arguments})


def _ask(stream: Any, request: dict[str, Any]) -> Any:
    stream.write(json.dumps(request) + "\n")
    stream.flush()
    while True:
        line = stream.readline()
        if not line:
            raise MonitorError("QEMU ended")
        reply = json.loads(line)
        if "return" in reply:
            return reply["return"]
        if "error" in reply:
            raise MonitorError(f"{request['execute']}: {reply['error']['desc']}")
        # Anything else is an event, which nobody here waits for.
