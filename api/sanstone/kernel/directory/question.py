"""A question to a directory, and the socket by which the API puts it.

The API has no network (sanstone-api.service), and what a server sends is a stranger's: so
`sanstone-directory`, a process without any privilege, asks the servers. It keeps no configuration:
a question says whom to ask and how. They travel as JSON (see `kernel.questions`).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

RFC_2307, AD_IDMU, MS_AD_BIS = "rfc_2307", "ad_idmu", "ms_ad_bis"
BASE, ONE_LEVEL, SUBTREE = "base", "onelevel", "subtree"


@dataclass(frozen=True)
class Place:
    """Where entries are looked for: a distinguished name, and how far below it."""

    dn: str
    scope: str


@dataclass(frozen=True)
class Directory:
    """The servers of a directory, in the order of the requests, and how to reach them.

    There is no way without TLS: from the beginning (`ldaps`), else by StartTLS. `authorities` are
    the certificates, in PEM, by which servers are believed, and no others. `bind_dn` is '' to ask
    anonymously. `timeout` is in seconds, for each step with one server.
    """

    servers: tuple[str, ...]
    port: int
    ldaps: bool
    authorities: tuple[str, ...]
    base: Place
    users: Place
    groups: Place
    schema: str = RFC_2307
    bind_dn: str = ""
    bind_password: str = field(default="", repr=False)
    timeout: int = 3


@dataclass(frozen=True)
class Question:
    """Is there a user of this name, is this the password, and which groups is the user in?

    Without a `password` none is checked. `groups` are the names that are of interest. Without a
    `name` the question is whether the directory answers at all.
    """

    directory: Directory
    name: str = ""
    password: str | None = field(default=None, repr=False)
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A directory's answer. `known` is whether there is such a user, who is not disabled.

    `proved` is whether the password was right, `groups` those of the question that the user is in.
    `error` is why no server answered, '' if one did.
    """

    known: bool = False
    proved: bool = False
    groups: tuple[str, ...] = ()
    error: str = ""


def to_line(message: Question | Answer) -> bytes:
    """Return a question or an answer as it is sent."""
    return json.dumps(asdict(message)).encode() + b"\n"


def question_of(line: bytes) -> Question:
    """Return the question that was sent. Raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        of_directory: dict[str, Any] = fields.pop("directory")
        for name in ("base", "users", "groups"):
            of_directory[name] = Place(**of_directory[name])
        for name in ("servers", "authorities"):
            of_directory[name] = tuple(of_directory[name])
        return Question(Directory(**of_directory), **fields | {"groups": tuple(fields["groups"])})
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no question: {error}") from error


def answer_of(line: bytes) -> Answer:
    """Return the answer that was sent. Raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        return Answer(**fields | {"groups": tuple(fields["groups"])})
    except (TypeError, KeyError) as error:
        raise ValueError(f"no answer: {error}") from error
