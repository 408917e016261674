"""The process that asks directories for the API, as threads of a test's own process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from sanstone.core import places
from sanstone.kernel.directory import server
from sanstone.security import directory


@contextmanager
def directory_service() -> Iterator[None]:
    """Serve the socket of the array whose folders are the present ones."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(places.run_directory() / directory.SOCKET))
    listening.listen()
    thread = Thread(target=server.serve, args=(listening,))
    thread.start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
