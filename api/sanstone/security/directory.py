"""Accounts with the password of a directory (LDAP), and groups of it that are accounts.

`sanstone-directory` asks the servers (`kernel.directory`), since the API has no network: a few at a
time, and rarely while none answers (`asking`).

A right password is remembered for up to a minute by digest, as others are for longer
(`remembered`), together with the configuration: after a change of that all are checked anew. Who is
in a session or a shell is looked for in the directory as often, and is put out when disabled there
or no longer in the group. While no server answers they stay until the session ends.

Questions about users without an account use a name that nobody has: the servers' answering time
does not tell who has one.
"""

from __future__ import annotations

import secrets as chance
import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.store import reading
from sanstone.kernel.directory.question import (
    Answer,
    Directory,
    Place,
    Question,
    answer_of,
    to_line,
)
from sanstone.model.directory import LdapClient
from sanstone.model.security import NSSWITCH, PASSWORD, SERVER_CA, Account, Certificate
from sanstone.security import asking, remembered
from sanstone.security.asking import SILENCE, Asking, Unasked, Unreachable
from sanstone.security.remembered import Remembered

SOCKET = "directory.sock"
REMEMBERED = 60.0
"""Seconds for which an answer is good."""
AT_ONCE = 8
"""Threads of a process that ask at a time."""
EVENT = "security.directory.failed"
# Created before the workers are forked, so that they share it.
_remembered = Remembered()


@dataclass(frozen=True)
class Login:
    """An account, and the name of who logged in as it: a group's account has many.

    `method` is what proved it. No password's expiry matters to what has none.
    """

    account: Account
    user: str
    method: str = PASSWORD


def directory_of(row: LdapClient, authorities: Sequence[str]) -> Directory:
    """Return how to ask a directory."""
    return Directory(
        servers=tuple(row.servers),
        port=row.port,
        ldaps=row.ldaps,
        authorities=tuple(authorities),
        base=Place(row.base_dn, row.base_scope),
        users=Place(row.user_dn or row.base_dn, row.user_scope),
        groups=Place(row.group_dn or row.base_dn, row.group_scope),
        schema=row.schema,
        bind_dn=row.bind_dn,
        bind_password=row.bind_password or "",
        timeout=row.query_timeout,
    )


def authorities(session: Session) -> list[str]:
    """Return the certificates by which the array believes servers of a directory."""
    theirs = select(Certificate.public_certificate).filter_by(type=SERVER_CA)
    return list(session.scalars(theirs.order_by(Certificate.name)))


def configured(session: Session) -> Directory | None:
    """Return the array's directory, None where there is none."""
    row = session.scalar(select(LdapClient))
    return directory_of(row, authorities(session)) if row else None


def ask(question: Question) -> Answer:
    """Return a directory's answer; its `error` says why no server answered."""
    try:
        return answer_of(asking.put(SOCKET, to_line(question)))
    except (Unasked, ValueError) as error:
        return Answer(error=f"The process that asks directories does not answer: {error}.")


class _Look(NamedTuple):
    """A directory's answer at a moment of the clock; `key` identifies the question."""

    time: float
    key: bytes
    error: str


_looking = Lock()
_look = _Look(0.0, b"", "")


def failure(directory: Directory, *, now: bool = False) -> str:
    """Return why no server of a directory answers, '' if one does.

    One thread asks at a time, so that those who look hold up no others, and unless the question has
    to be `now` its last answer is good for a few seconds. Raises ApiError, 503.
    """
    global _look
    key = _key(directory)
    if not now and _look.key == key and time.monotonic() < _look.time + SILENCE:
        return _look.error
    if not _looking.acquire(blocking=False):
        text = "The array is asking the directory already; try again in a few seconds."
        raise errors.again(503, text, 5.0)
    try:
        error = ask(Question(directory)).error
        _look = _Look(time.monotonic(), key, error)
    finally:
        _looking.release()
    return error


class Directories:
    """Checks passwords and membership with the array's directory."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._asking = Asking(database, AT_ONCE, EVENT, "Users of the directory cannot log in")
        self._lock = Lock()
        self._admitted: dict[tuple[str, str], float] = {}

    @property
    def silent(self) -> bool:
        """Return whether no server answered a moment ago, so that the next question waits."""
        return self._asking.silent

    def recognised(
        self, accounts: Sequence[Account], name: str, password: str, source: str
    ) -> Login | None:
        """Return the account with this remembered password."""
        if not accounts:
            return None
        with reading(self._database) as session:
            directory = configured(session)
        if directory is None:
            return None
        for account in accounts:
            if _digest(directory, account, name, password, source) in _remembered:
                return Login(account, name, NSSWITCH)
        return None

    def check(
        self, accounts: Sequence[Account], name: str, password: str, source: str
    ) -> Login | None:
        """Return the first of the accounts that a user of this name and password has.

        `accounts` are the one of this name, or those of groups; without any the directory is
        queried all the same. Raises Unreachable, and ApiError, 503, when too many ask already.
        """
        with reading(self._database) as session:
            directory = configured(session)
        if directory is None:
            return None
        groups = tuple(account.name for account in accounts if account.is_group)
        login_name = name if accounts else chance.token_hex(8)
        if not password or not _is_text(name + password):
            login_name, password = chance.token_hex(8), chance.token_hex(8)
        answer = self._ask(Question(directory, login_name, password, groups))
        for account in accounts:
            if answer.proved and (not account.is_group or account.name in answer.groups):
                _remembered.add(_digest(directory, account, name, password, source))
                self._admit(account, name)
                return Login(account, name, NSSWITCH)
        return None

    def admits(self, login: Login) -> bool:
        """Return whether the directory still has a user who logged in before.

        The query goes out once in a while. Where no server answers, nothing has changed.
        """
        account, user = login.account, login.user
        with self._lock:
            if self._admitted.get((account.uuid, user), 0.0) > time.monotonic():
                return True
        with reading(self._database) as session:
            directory = configured(session)
        if directory is None:
            return False
        groups = (account.name,) if account.is_group else ()
        try:
            answer = self._ask(Question(directory, user, None, groups))
        except Unreachable:
            return True
        if answer.known and answer.groups == groups:
            self._admit(account, user)
            return True
        return False

    def _admit(self, account: Account, user: str) -> None:
        now = time.monotonic()
        with self._lock:
            self._admitted = {key: end for key, end in self._admitted.items() if end > now}
            self._admitted[account.uuid, user] = now + REMEMBERED

    def _ask(self, question: Question) -> Answer:
        """Return the answer. Raises Unreachable, ApiError."""
        return self._asking.ask(lambda: ask(question))


def _digest(directory: Directory, account: Account, name: str, password: str, source: str) -> bytes:
    """Return the digest of a password that is right for a minute of the clock."""
    who, minute = (account.uuid, account.name, name), str(time.time() // REMEMBERED)
    return remembered.digest(*who, password, source, _key(directory).hex(), minute)


def _key(directory: Directory) -> bytes:
    """Return a value that changes with each setting of a directory."""
    return remembered.digest(repr(directory), directory.bind_password)


def _is_text(text: str) -> bool:
    """Return whether a text can be sent to a server."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
