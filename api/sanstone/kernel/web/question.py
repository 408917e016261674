"""Questions of root's programs to web servers, and how they travel.

What a web server sends is a stranger's, and so is where it redirects to. So `sanstone-web-client`,
a process without any privilege, opens the URL, checks where each connection goes (`destination`),
and hands the content on. A connection of its socket carries one question, on one line; then the
head of the answer, on one line; and the body in pieces, each behind its length; the last one is
empty.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

from sanstone.kernel.tls import Trust

LONGEST = 1024 * 1024
"""Bytes of a question, and of a piece of a body."""
LENGTH = struct.Struct("!I")
MARGIN = 10.0
"""Seconds that the process has to tell that a web server is silent."""


@dataclass(frozen=True)
class Question:
    """A request to a URL of http or https.

    `proxy` is the URL of an HTTP proxy, '' for none; name and password may be in it. Up to `hops`
    redirections are followed, without `login`, the value of an Authorization header. `patience` is
    in seconds, for connecting and for each wait for what the server sends.
    """

    url: str
    patience: float
    trust: Trust = field(default_factory=Trust)
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    login: str = field(default="", repr=False)
    proxy: str = field(default="", repr=False)
    hops: int = 0


@dataclass(frozen=True)
class Head:
    """The head of the answer; `length` is None where the server announces none.

    `error` is why there is no answer, '' if there is.
    """

    status: int = 0
    reason: str = ""
    length: int | None = None
    error: str = ""


class Unanswered(OSError):
    """There is no answer, or not all of it; the text says why."""


class Body:
    """The body of an answer; `length` is the announced one, as that of `http.client`."""

    def __init__(self, connection: socket.socket) -> None:
        self._pieces = connection.makefile("rb")
        self.head = _head(self._pieces.readline(LONGEST))
        self.length = self.head.length

    def read1(self, _size: int = -1) -> bytes:
        """Return the next piece, b"" at the end. Raises Unanswered where it is cut short."""
        (length,) = LENGTH.unpack(self._exactly(LENGTH.size))
        return self._exactly(min(length, LONGEST))

    def _exactly(self, size: int) -> bytes:
        try:
            content = self._pieces.read(size)
        except OSError as error:
            raise Unanswered(f"its answer was cut short: {error}") from error
        if len(content) < size:
            raise Unanswered("its answer was cut short")
        return content


@contextmanager
def answered(path: str, question: Question) -> Iterator[Body]:
    """Ask by the socket at `path`, and give the answer. Raises Unanswered."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(question.patience + MARGIN)
        try:
            connection.connect(path)
            connection.sendall(json.dumps(asdict(question)).encode() + b"\n")
            body = Body(connection)
        except OSError as error:
            raise Unanswered(f"sanstone-web-client does not answer: {error}") from error
        if body.head.error:
            raise Unanswered(body.head.error)
        yield body


def of_line(line: bytes) -> Question:
    """Return the question that was sent. Raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        trust = fields.pop("trust")
        trust["authorities"] = tuple(trust["authorities"])
        return Question(trust=Trust(**trust), **fields)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no question: {error}") from error


def _head(line: bytes) -> Head:
    """Return the head of an answer. Raises OSError where there is none."""
    try:
        return Head(**json.loads(line))
    except (TypeError, ValueError) as error:
        raise OSError("its line is no answer") from error
