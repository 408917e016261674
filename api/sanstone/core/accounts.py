"""Accounts that may log in, and the throttle on guessing their passwords.

A password is stored as its argon2id hash. Since every request carries the password, and a modern
hash is slow on purpose, a password found right is remembered in memory, keyed by a digest under a
key that only this process has, for as long as the stored hash is the same.

After five failures in a row an account answers nothing to the same address for a second, doubling
up to five minutes; one success forgets them. Failures are counted in the database, so that all
workers share them, and only for accounts that exist plus one counter for all others, so that
guessing names fills no table.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from functools import cache

from sqlalchemy import Engine, delete
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import events, secrets
from sanstone.core.store import Base, Identified, reading, writing

ADMIN = "admin"
FREE_FAILURES = 5
LONGEST_DELAY = 300.0
_MEMORY_KEY = os.urandom(32)
_MEMORY_SIZE = 256


class Account(Identified, Base):
    """An account of the array; its `role` is admin or readonly."""

    __tablename__ = "account"

    name: Mapped[str] = mapped_column(unique=True)
    password: Mapped[str]
    role: Mapped[str] = mapped_column(default=ADMIN)


class Failures(Base):
    """Failed logins in a row of an account ('' for all unknown names) from one address.

    `locked_until` is in seconds since 1970.
    """

    __tablename__ = "login_failure"

    account: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[float] = mapped_column(default=0.0)


@cache
def _hash_of_nobody() -> str:
    """Return a hash that no password has; made when first needed, since hashing is slow."""
    return secrets.hash_password(os.urandom(16).hex())


class Authenticator:
    """Checks names and passwords against the database."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._right: dict[bytes, str] = {}

    def check(self, name: str, password: str, address: str) -> Account | None:
        """Return the account, or None for a wrong name or password or a throttled address."""
        with reading(self._database) as session:
            account = session.query(Account).filter_by(name=name).one_or_none()
            known = account.name if account else ""
            failures = session.get(Failures, (known, address))
            session.expunge_all()
        if failures and failures.locked_until > time.time():
            return None
        if self._is_right(account, name, password):
            if failures:
                with writing(self._database) as session:
                    # By a statement: another worker may have forgotten them in the meantime.
                    session.execute(delete(Failures).filter_by(account=known, address=address))
            return account
        with writing(self._database) as session:
            self._count(session, known, address)
        return None

    def _is_right(self, account: Account | None, name: str, password: str) -> bool:
        if account is None:
            # The same work as for a known name, so that the time taken tells nothing.
            secrets.verify_password(_hash_of_nobody(), password)
            return False
        digest = hmac.digest(_MEMORY_KEY, f"{name}\0{password}".encode(), hashlib.sha256)
        if self._right.get(digest) == account.password:
            return True
        if not secrets.verify_password(account.password, password):
            return False
        if len(self._right) >= _MEMORY_SIZE:
            self._right.clear()
        self._right[digest] = account.password
        return True

    def _count(self, session: Session, account: str, address: str) -> None:
        row = session.get(Failures, (account, address))
        if row is None:
            row = Failures(account=account, address=address, count=0)
            session.add(row)
        row.count += 1
        beyond = row.count - FREE_FAILURES
        if beyond >= 0:
            # Beyond 2^1023 a float overflows, and a forgotten client gets there in some days.
            row.locked_until = time.time() + min(2.0 ** min(beyond, 20), LONGEST_DELAY)
            who = account or "unknown names"
            text = f"{row.count} failed logins in a row as {who} from {address}."
            events.emit(session, events.ALERT, "security.login.failed", text)
