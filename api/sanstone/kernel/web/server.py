"""`sanstone-web-client`: opens URLs for programs of root's (see `question`).

systemd starts it by its socket when the first question comes.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
from collections.abc import Iterator
from dataclasses import asdict
from http.client import HTTPException

from sanstone.kernel import questions
from sanstone.kernel.web.client import opened
from sanstone.kernel.web.question import LENGTH, Head, of_line

AT_ONCE = 8
"""Questions at a time: a download, and destinations of events."""
PIECE = 256 * 1024


def answer(line: bytes) -> Iterator[bytes]:
    """Yield the answer to a question. Raises ValueError for a line that is no question.

    One that breaks off has no last piece.
    """
    question = of_line(line)
    has_head = False
    try:
        with opened(question) as response:
            yield _line(Head(response.status, response.reason, response.length))
            has_head = True
            while piece := response.read1(PIECE):
                yield LENGTH.pack(len(piece)) + piece
            if not response.length:
                yield LENGTH.pack(0)
    except OSError as error:
        if not has_head:
            yield _line(Head(error=str(error) or type(error).__name__))
    except (HTTPException, ValueError) as error:
        if not has_head:
            yield _line(
                Head(error=f"its answer is not understood: {type(error).__name__}: {error}")
            )


def _line(head: Head) -> bytes:
    return json.dumps(asdict(head)).encode() + b"\n"


def serve(listening: socket.socket) -> None:
    """Answer what comes by a socket until that is shut down."""
    questions.serve(listening, answer, AT_ONCE)


def main() -> None:
    """Serve the socket that systemd hands over."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    serve(socket.socket(fileno=questions.LISTENING))
