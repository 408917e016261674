"""TCP ports of this machine at which programs beside a test listen."""

from __future__ import annotations

from socket import create_connection
from subprocess import Popen

from lab.patience import eventually


def wait_for(port: int, process: Popen[bytes]) -> None:
    """Wait until a program listens at a port."""

    def listens() -> bool:
        assert process.poll() is None, f"{process.args!r} has ended"
        try:
            create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            return False
        return True

    eventually(listens)
