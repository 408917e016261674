"""Accounts that may log in, and the throttle on guessing their passwords.

An account belongs to the array or to an SVM; two SVMs may each have an account of the same name.
Whoever logs in by name alone is the array's account of that name, or else the one SVM account whose
password fits; `svm\\name`, or a header that names the SVM, says which is meant.

A password is stored as its argon2id hash. Since every request carries the password, and a modern
hash is slow on purpose, a password found right is remembered in memory, keyed by a digest under a
key that only this process has, for as long as the stored hash is the same.

After five failures in a row an account answers nothing to the same address for a second, doubling
up to five minutes; one success forgets them. Failures are counted in the database, so that all
workers share them. A name that there is not has a counter like any other, known by a digest, and an
account that is locked takes as long to refuse as one that is not: neither the answer nor its time
tells who has an account. Guessing names or from many addresses fills no table, since only so many
counters are kept, those that wait or failed last. Accounts of one name have counters of their own:
what somebody does as one of them neither locks another nor forgets its failures. The rules of a
role may besides lock an account after failures from anywhere (see `passwords`); the last
administrator that is not kept out is never locked like that.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Engine, UniqueConstraint, delete, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import errors, events, passwords, roles, secrets
from sanstone.core.roles import ADMIN, Privileges
from sanstone.core.store import Base, Identified, reading, writing

FREE_FAILURES = 5
LONGEST_DELAY = 300.0
FOREVER = 2.0**52
MOST_COUNTERS = 10_000
HTTP, SSH, CONSOLE = "http", "ssh", "console"
PASSWORD, PUBLIC_KEY = "password", "publickey"
_ANYWHERE = "*"
_MEMORY_KEY = os.urandom(32)
_MEMORY_SIZE = 256


def _every_application() -> list[Any]:
    return [{"application": HTTP, "authentication_methods": [PASSWORD]}] + [
        {"application": name, "authentication_methods": [PASSWORD]} for name in (SSH, CONSOLE)
    ]


class Account(Identified, Base):
    """An account of the array, or of the SVM `owner_uuid`.

    `password` is the hash, '' while none is set; `former` are the hashes before it, newest first.
    `applications` are ways in, each with the methods that prove who it is.
    """

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("owner_uuid", "name"),)

    owner_uuid: Mapped[str] = mapped_column(default="")
    name: Mapped[str]
    password: Mapped[str] = mapped_column(default="")
    former: Mapped[list[Any]] = mapped_column(default=list)
    password_changed: Mapped[float] = mapped_column(default=time.time)
    must_change: Mapped[bool] = mapped_column(default=False)
    role: Mapped[str] = mapped_column(default=ADMIN)
    locked: Mapped[bool] = mapped_column(default=False)
    comment: Mapped[str] = mapped_column(default="")
    applications: Mapped[list[Any]] = mapped_column(default=_every_application)

    def may_use(self, application: str, method: str) -> bool:
        """Return whether the account may come in through an application by a method."""
        return any(
            entry["application"] == application and method in entry["authentication_methods"]
            for entry in self.applications
        )

    def administers(self) -> bool:
        """Return whether whoever logs in as this account can do everything."""
        usable = bool(self.password) and not self.locked and self.may_use(HTTP, PASSWORD)
        return usable and self.role == ADMIN and not self.owner_uuid

    def set_password(self, password: str) -> None:
        """Replace the password, which must have been checked."""
        self._replace(secrets.hash_password(password))

    def readmit(self, password_hash: str) -> None:
        """Make it the administrator that it was at first, with the password of this hash."""
        self._replace(password_hash)
        self.role, self.applications = ADMIN, _every_application()
        self.locked = self.must_change = False

    def _replace(self, password_hash: str) -> None:
        if self.password:
            self.former = [self.password, *self.former][: passwords.MOST_REMEMBERED]
        self.password = password_hash
        self.password_changed = time.time()


class Failures(Base):
    """Failed logins in a row from an address, by an account's UUID, or the digest of another name.

    `locked_until` is in seconds since 1970, and for one that need not wait when it last failed. The
    address `*` counts those from anywhere.
    """

    __tablename__ = "login_failure"

    account: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[float] = mapped_column(default=0.0)


@dataclass(frozen=True)
class Actor:
    """Who makes a request, and from where; `privileges` are those of its role."""

    account: str
    name: str
    owner_uuid: str
    role: str
    privileges: Privileges
    address: str
    application: str = HTTP


_ACTOR = "actor"


def act(session: Session, actor: Actor | None) -> None:
    """Say on whose behalf the session is used."""
    session.info[_ACTOR] = actor


def actor(session: Session) -> Actor | None:
    """Return on whose behalf the session is used, None for the array itself."""
    found: Actor | None = session.info.get(_ACTOR)
    return found


def require_power(session: Session, theirs: Privileges, what: str) -> None:
    """Raise ApiError when privileges are more than those of whoever makes the request."""
    who = actor(session)
    if who is not None and not roles.covers(who.privileges, theirs):
        text = f"{what} allows more than your own role."
        raise errors.ApiError(403, errors.FORBIDDEN, text)


def forget_failures(session: Session, account: Account) -> None:
    """Let an account in again that was kept out because of failures."""
    session.execute(delete(Failures).filter_by(account=account.uuid))


def expired(session: Session, account: Account) -> bool:
    """Return whether the account must change its password before it may do anything else."""
    days = passwords.rules(session, account.owner_uuid, account.role).expiry_days
    age = time.time() - account.password_changed
    return account.must_change or (days > 0 and age > days * passwords.DAY)


@cache
def _hash_of_nobody() -> str:
    """Return a hash that no password has; made when first needed, since hashing is slow."""
    return secrets.hash_password(os.urandom(16).hex())


class Authenticator:
    """Checks names and passwords against the database."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._right: dict[bytes, str] = {}

    def check(
        self, name: str, password: str, address: str, svm: str = "", application: str = HTTP
    ) -> Account | None:
        """Return the account, or None for whatever keeps it out.

        `svm` is the name or UUID of the SVM that the request is about, '' when it names none;
        `application` is the way in.
        """
        with reading(self._database) as session:
            meant = _meant(session, name, svm)
            counters = {account.uuid: account.name for account in meant}
            counters = counters or {_of_nobody(name, svm): "an unknown name"}
            near = Failures.address.in_((address, _ANYWHERE))
            found = select(Failures).where(Failures.account.in_(counters), near)
            failures = session.scalars(found).all()
            session.expunge_all()
        now = time.time()
        waiting = [row for row in failures if row.locked_until > now]
        throttled = {row.account for row in waiting if row.address != _ANYWHERE}
        if throttled.issuperset(counters):
            return None
        locked = {row.account for row in waiting if row.address == _ANYWHERE}
        tried = [account for account in meant if account.uuid not in throttled | locked]
        account = self._proven(tried, password)
        if account:
            if any(row.account == account.uuid for row in failures):
                with writing(self._database) as session:
                    # By a statement: another worker may have forgotten them in the meantime.
                    session.execute(delete(Failures).where(near, Failures.account == account.uuid))
            may = not account.locked and account.may_use(application, PASSWORD)
            return account if may else None
        with writing(self._database) as session:
            for uuid in counters.keys() - throttled:
                _count(session, uuid, counters[uuid], address)
            for each in tried:
                _lock_out(session, each)
        return None

    def _proven(self, meant: list[Account], password: str) -> Account | None:
        """Return the one account that the password is of."""
        if not any(account.password for account in meant):
            # The same work as for a known name, so that the time taken tells nothing.
            secrets.verify_password(_hash_of_nobody(), password)
            return None
        right = [a for a in meant if a.password and self._is_right(a, password)]
        return right[0] if len(right) == 1 else None

    def _is_right(self, account: Account, password: str) -> bool:
        text = f"{account.uuid}\0{password}"
        digest = hmac.digest(_MEMORY_KEY, text.encode(), hashlib.sha256)
        if self._right.get(digest) == account.password:
            return True
        if not secrets.verify_password(account.password, password):
            return False
        if len(self._right) >= _MEMORY_SIZE:
            self._right.clear()
        self._right[digest] = account.password
        return True


def only_administrator(session: Session, uuids: list[str]) -> bool:
    """Return whether nobody could administer the array without these accounts."""
    admins = session.scalars(select(Account).filter_by(role=ADMIN, owner_uuid="")).all()
    able = {a.uuid for a in admins if a.administers() and not locked_out(session, a)}
    return bool(able) and able <= set(uuids)


def locked_out(session: Session, account: Account) -> bool:
    """Return whether failed logins from anywhere keep an account out."""
    row = session.get(Failures, (account.uuid, _ANYWHERE))
    return row is not None and row.locked_until > time.time()


def _count(session: Session, account: str, name: str, address: str) -> None:
    row = _failed(session, account, address)
    beyond = row.count - FREE_FAILURES
    row.locked_until = time.time()
    if beyond >= 0:
        # Beyond 2^1023 a float overflows, and a forgotten client gets there in some days.
        row.locked_until += min(2.0 ** min(beyond, 20), LONGEST_DELAY)
        text = f"{row.count} failed logins in a row as {name} from {address}."
        events.emit(session, events.ALERT, "security.login.failed", text)
    if (session.scalar(select(func.count()).select_from(Failures)) or 0) > MOST_COUNTERS:
        least = select(Failures).where(Failures.address != _ANYWHERE)
        least = least.order_by(Failures.locked_until, Failures.count).limit(1)
        session.delete(session.scalars(least).one())


def _lock_out(session: Session, account: Account) -> None:
    """Lock an account after as many failures as the rules of its role allow."""
    rule = passwords.rules(session, account.owner_uuid, account.role)
    if not rule.most_failures or only_administrator(session, [account.uuid]):
        return
    row = _failed(session, account.uuid, _ANYWHERE)
    if row.count >= rule.most_failures:
        days = rule.lockout_days
        row.locked_until = time.time() + days * passwords.DAY if days else FOREVER
        text = f"Account {account.name} is locked after {row.count} failed logins in a row."
        events.emit(session, events.ALERT, "security.login.locked", text)


def _failed(session: Session, account: str, address: str) -> Failures:
    row = session.get(Failures, (account, address))
    if row is None:
        row = Failures(account=account, address=address, count=0, locked_until=0.0)
        session.add(row)
    row.count += 1
    return row


def _of_nobody(login: str, svm: str) -> str:
    """Return the key of the counter for a name that no account has."""
    owner, _, name = login.rpartition("\\")
    return secrets.digest(f"{owner or svm}\\{name}")


def _meant(session: Session, login: str, svm: str) -> list[Account]:
    """Return the accounts that a login name may mean; see the module's text.

    The table of SVMs is used instead of its class, which belongs to a layer above this.
    """
    owner, _, name = login.rpartition("\\")
    wanted = owner or svm
    found = session.scalars(select(Account).filter_by(name=name)).all()
    of_array = [account for account in found if not account.owner_uuid]
    if of_array and not owner:
        return of_array
    if not wanted:
        return list(found)
    table = Base.metadata.tables["svm"]
    named = select(table.c.uuid).where((table.c.name == wanted) | (table.c.uuid == wanted))
    uuids = set(session.scalars(named))
    return [account for account in found if account.owner_uuid in uuids]
