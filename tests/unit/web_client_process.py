"""The process that opens URLs for root's programs, as threads of a test's own process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from sanstone.kernel.web import server


@contextmanager
def urls_are_opened(path: Path) -> Iterator[str]:
    """Serve the socket at a path, and give that path."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    thread = Thread(target=server.serve, args=(listening,))
    thread.start()
    try:
        yield str(path)
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
