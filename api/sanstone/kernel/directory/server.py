"""`sanstone-directory`: asks directories for the API, which has no network (see `question`).

systemd starts it by its socket when the first question comes. A few questions are asked at a time;
others wait for as long as the API does.
"""

from __future__ import annotations

import logging
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from sanstone.kernel import processes
from sanstone.kernel.directory import ldap
from sanstone.kernel.directory.question import LONGEST, question_of, to_line

AT_ONCE = 8
"""Questions at a time; each is a process of some megabytes."""
LISTENING = 3
"""The socket that systemd hands over (sd_listen_fds(3))."""
PATIENCE = 5.0
"""Seconds within which a question has to arrive."""
log = logging.getLogger(__name__)


def serve(listening: socket.socket) -> None:
    """Answer what comes by a socket until that is shut down."""
    client = ldap.Client()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threads.submit(_answer, client, connection)


def _answer(client: ldap.Client, connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as said:
        connection.settimeout(PATIENCE)
        try:
            question = question_of(said.readline(LONGEST))
        except (OSError, ValueError) as error:
            log.warning("a question cannot be read: %s", error)
            return
        answer = client.ask(question)
        # The API may have given up waiting.
        with suppress(OSError):
            connection.sendall(to_line(answer))


def main() -> None:
    """Serve the socket that systemd hands over."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    processes.require([ldap.PROGRAM])
    serve(socket.socket(fileno=LISTENING))
