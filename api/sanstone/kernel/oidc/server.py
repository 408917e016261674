"""`sanstone-oidc`: asks identity providers for the API, which has no network (see `question`).

systemd starts it by its socket when the first question comes.
"""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Iterable

from sanstone.kernel import questions
from sanstone.kernel.oidc.provider import Provider
from sanstone.kernel.oidc.question import Discovery, Redemption, of_line, to_line

AT_ONCE = 8
"""Questions at a time."""


def serve(listening: socket.socket) -> None:
    """Answer what comes by a socket until that is shut down."""
    provider = Provider()

    def answer(line: bytes) -> Iterable[bytes]:
        match of_line(line):
            case Discovery() as question:
                return (to_line(provider.endpoints(question)),)
            case Redemption() as question:
                return (to_line(provider.identity(question)),)
        raise ValueError("no question")

    questions.serve(listening, answer, AT_ONCE)


def main() -> None:
    """Serve the socket that systemd hands over."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    serve(socket.socket(fileno=questions.LISTENING))
