"""Questions that the API has asked by processes that have a network, which it has not.

Each connection of such a process's socket carries one question and its answer, each on one line.
What a question is, and how it is answered, is the process's own matter (`directory`, `oidc`).
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
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


def serve(listening: socket.socket, answer: Callable[[bytes], bytes], at_once: int) -> None:
    """Answer what comes by a socket until that is shut down, so many questions at once.

    `answer` raises ValueError for what is no question; others wait for as long as the API does.
    """
    with ThreadPoolExecutor(at_once) as threads:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threads.submit(_answer, answer, connection)


def _answer(answer: Callable[[bytes], bytes], connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as said:
        connection.settimeout(PATIENCE)
        try:
            answered = answer(said.readline(LONGEST))
        except (OSError, ValueError) as error:
            log.warning("a question cannot be read: %s", error)
            return
        # The API may have given up waiting.
        with suppress(OSError):
            connection.sendall(answered)
