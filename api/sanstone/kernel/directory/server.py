"""`sanstone-directory`: asks directories for the API, which has no network (see `question`).

systemd starts it by its socket when the first question comes.
"""

from __future__ import annotations

import logging
import socket
import sys

from sanstone.kernel import processes, questions
from sanstone.kernel.directory import ldap
from sanstone.kernel.directory.question import question_of, to_line

AT_ONCE = 8
"""Questions at a time; each is a process of some megabytes."""


def serve(listening: socket.socket) -> None:
    """Answer what comes by a socket until that is shut down."""
    client = ldap.Client()
    questions.serve(listening, lambda line: (to_line(client.ask(question_of(line))),), AT_ONCE)


def main() -> None:
    """Serve the socket that systemd hands over."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    processes.require([ldap.PROGRAM])
    serve(socket.socket(fileno=questions.LISTENING))
