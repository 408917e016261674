"""An attempt to log in by name and password: the given texts, and the facts of the database.

`authentication` explains which account a name means, and what the counters of failures count.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Engine, bindparam, select
from sqlalchemy.orm import Session

from sanstone.core import secrets
from sanstone.core.database.store import reading
from sanstone.model.security import ANYWHERE, HTTP, Account, Failures
from sanstone.model.svm import Svm
from sanstone.security import browsers, budget
from sanstone.security.directory import Login

# The statements of every request are built once.
_NAMED = select(Account).where(Account.name == bindparam("name"))
_FAILED = Failures.__table__.c
_FAILURES = select(_FAILED.account, _FAILED.address, _FAILED.locked_until).where(
    _FAILED.account.in_(bindparam("accounts", expanding=True)),
    _FAILED.address.in_(bindparam("addresses", expanding=True)),
)


@dataclass(frozen=True)
class Credentials:
    """A client's input to log in.

    `svm` is the name or UUID of the request's SVM, '' when it names none; `application` is the
    kind of access, `cookie` the browser's, `code` that of a second factor.
    """

    name: str
    password: str
    address: str
    svm: str = ""
    application: str = HTTP
    cookie: str = ""
    code: str = ""


@dataclass(frozen=True)
class Attempt:
    """An attempt before its password is looked at.

    `candidates` are the accounts that the name may mean, `groups` those of the directory's groups,
    and a user of this name may be in one of them. `counters` are the keys under which its failures
    count, each with the name that events say. `source` is where it comes from. `waits` are the
    seconds for which a key (or a key and ANYWHERE) is still to wait, and `failed` the keys that
    have failures.
    """

    credentials: Credentials
    source: str
    candidates: list[Account]
    groups: list[Account]
    counters: Mapping[str, str]
    waits: Mapping[tuple[str, str], float]
    failed: frozenset[str]

    @cached_property
    def guesses(self) -> list[str]:
        """Return the keys that the budget of guesses counts by."""
        return [f"{key} {self.source}" for key in self.counters]

    @cached_property
    def unlocked(self) -> list[Account]:
        """Return the candidates that are not locked out from anywhere."""
        return [each for each in self.candidates if (each.uuid, ANYWHERE) not in self.waits]

    @cached_property
    def throttled(self) -> frozenset[str]:
        """Return the keys for which this source is to wait."""
        return frozenset(key for key in self.counters if (key, self.source) in self.waits)

    @cached_property
    def tried(self) -> list[Account]:
        """Return the accounts with a password that may be checked now, though that takes time."""
        return [account for account in self.unlocked if account.uuid not in self.throttled]

    @property
    def wait(self) -> float:
        """Return the seconds after which something can be tried again, 0 when it can be now."""
        if not self.throttled.issuperset(self.counters):
            return 0.0
        return min(self.waits[key, self.source] for key in self.throttled)


def looked_up(database: Engine, credentials: Credentials) -> Attempt:
    """Return an attempt with the facts of the database; its rows are in no session."""
    name, svm = credentials.name, credentials.svm
    with reading(database) as session:
        candidates = candidates_of(session, name, svm)
        counters = {account.uuid: account.name for account in candidates}
        counters = counters or {_unknown_name_key(name, svm): "an unknown name"}
        # One of a group's account has none of this name.
        groups = [] if candidates or svm or "\\" in name else _groups(session)
        source, recalled = (
            budget.source(credentials.address),
            browsers.account_of(credentials.cookie),
        )
        if recalled in counters:
            source = browsers.source(credentials.cookie)
            candidates = [account for account in candidates if account.uuid == recalled]
            counters = {recalled: counters[recalled]}
        places = {"accounts": list(counters), "addresses": (source, ANYWHERE)}
        rows, now = session.execute(_FAILURES, places).all(), time.time()
        session.expunge_all()
    waits = {(row.account, row.address): row.locked_until - now for row in rows}
    return Attempt(
        credentials,
        source,
        candidates,
        groups,
        counters,
        {place: seconds for place, seconds in waits.items() if seconds > 0},
        frozenset(row.account for row in rows),
    )


def known_as(login: Login) -> str:
    """Return the key of a login's failures and its browser: an account, or a name's digest.

    A group's account is that of many.
    """
    return _unknown_name_key(login.user) if login.account.is_group else login.account.uuid


def _unknown_name_key(login: str, svm: str = "") -> str:
    """Return the key of the counter for a name that no account has."""
    owner, _, name = login.rpartition("\\")
    return secrets.digest(f"{owner or svm}\\{name}")


def candidates_of(session: Session, login: str, svm: str) -> list[Account]:
    """Return the accounts that a login name may refer to; see the module's text."""
    owner, _, name = login.rpartition("\\")
    svm_key = owner or svm
    same_name = session.scalars(_NAMED, {"name": name}).all()
    of_array = [account for account in same_name if not account.owner_uuid]
    if of_array and not owner:
        return of_array
    if not svm_key:
        return list(same_name)
    named = select(Svm.uuid).where((Svm.name == svm_key) | (Svm.uuid == svm_key))
    uuids = set(session.scalars(named))
    return [account for account in same_name if account.owner_uuid in uuids]


def _groups(session: Session) -> list[Account]:
    """Return the accounts that stand for groups of the directory."""
    groups = select(Account).filter_by(is_group=True, owner_uuid="", locked=False)
    return list(session.scalars(groups.order_by(Account.name)))
