"""Questions that the API passes to processes with a network, which it has not.

Each connection of such a process's socket carries one question, on one line, and its answer: a line
as well, or more (`web`). What a question is, and how it is answered, is the process's own matter
(`directory`, `oidc`, `web`).
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

LONGEST = 1024 * 1024
"""Bytes of a question or an answer."""
LISTENING = 3
"""The socket that systemd hands over (sd_listen_fds(3))."""
PATIENCE = 5.0
"""Seconds within which a question has to arrive."""
log = logging.getLogger(__name__)


def put(path: str, question: bytes, patience: float) -> bytes:
    """Put a question by the socket at a path, and return the answer. Raises OSError.

    `patience` is in seconds, for connecting and for the answer each.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(patience)
        connection.connect(path)
        connection.sendall(question)
        with connection.makefile("rb") as answer:
            return answer.readline(LONGEST)


Answer = Callable[[bytes], Iterable[bytes]]
"""Yields the parts of the answer to a question. Raises ValueError for other lines."""


def serve(listening: socket.socket, answer: Answer, at_once: int) -> None:
    """Answer what comes by a socket until that is shut down, so many questions at once.

    Others wait for as long as the API does.
    """
    with ThreadPoolExecutor(at_once) as threads:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threads.submit(_answer, answer, connection)


def _answer(answer: Answer, connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as stream:
        connection.settimeout(PATIENCE)
        try:
            parts = iter(answer(stream.readline(LONGEST)))
            part = next(parts, b"")
        except (OSError, ValueError) as error:
            log.warning("a question cannot be read: %s", error)
            return
        # The client may have given up waiting, or writes to a slow disk.
        connection.settimeout(None)
        with suppress(OSError):
            while part:
                connection.sendall(part)
                part = next(parts, b"")
