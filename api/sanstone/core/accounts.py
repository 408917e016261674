"""Accounts that may log in, and who acts as which of them.

An account belongs to the array or to an SVM; two SVMs may each have an account of the same name.
How one proves to be an account, and how guessing is slowed down, is in `authentication`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import errors, passwords, roles, secrets
from sanstone.core.roles import ADMIN, Privileges
from sanstone.core.store import Base, Identified

HTTP, SSH, CONSOLE = "http", "ssh", "console"
PASSWORD, PUBLIC_KEY = "password", "publickey"
ANYWHERE = "*"


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
    """Failed logins in a row from a source, by an account's UUID, or the digest of another name.

    `address` names the source (see `authentication`); ANYWHERE counts those from all of them.
    `locked_until` is in seconds since 1970, and for one that need not wait when it last failed.
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
    if account.must_change:
        return True
    days = passwords.expiry_days(session, account.owner_uuid, account.role)
    return days > 0 and time.time() - account.password_changed > days * passwords.DAY


def only_administrator(session: Session, uuids: list[str]) -> bool:
    """Return whether nobody could administer the array without these accounts."""
    admins = session.scalars(select(Account).filter_by(role=ADMIN, owner_uuid="")).all()
    able = {a.uuid for a in admins if a.administers() and not locked_out(session, a)}
    return bool(able) and able <= set(uuids)


def all_locked_out(session: Session) -> set[str]:
    """Return the UUIDs of the accounts that failed logins from anywhere keep out."""
    now = Failures.address == ANYWHERE, Failures.locked_until > time.time()
    return set(session.scalars(select(Failures.account).where(*now)))


def locked_out(session: Session, account: Account) -> bool:
    """Return whether failed logins from anywhere keep an account out."""
    row = session.get(Failures, (account.uuid, ANYWHERE))
    return row is not None and row.locked_until > time.time()
