"""Accounts that may log in, and the account that a session acts for.

An account belongs to the array or to an SVM; two SVMs may each have an account of the same name.
How an account is authenticated, and how guessing is slowed down, is in `authentication`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.session_value import SessionValue
from sanstone.model.security import ADMIN, ANYWHERE, HTTP, Account, Failures, Totp
from sanstone.security import password_hashes, passwords, roles
from sanstone.security.roles import Privileges


@dataclass(frozen=True)
class Actor:
    """The sender of a request and its address; `privileges` are those of its role."""

    account: str
    name: str
    owner_uuid: str
    role: str
    privileges: Privileges
    address: str
    application: str = HTTP


_actor: SessionValue[Actor | None] = SessionValue(lambda _: None)


def act(session: Session, actor: Actor | None) -> None:
    """Set the actor that the session acts for."""
    _actor.set(session, actor)


def actor(session: Session) -> Actor | None:
    """Return the actor that the session acts for, None for the array itself."""
    return _actor.of(session)


def require_power(session: Session, theirs: Privileges, name: str) -> None:
    """Raise ApiError when privileges exceed those of the sender of the request."""
    who = actor(session)
    if who is not None and not roles.covers(who.privileges, theirs):
        text = f"{name} allows more than your own role."
        raise errors.ApiError(403, errors.FORBIDDEN, text)


def set_password(account: Account, password: str) -> None:
    """Set an account's password, which the caller has checked against the rules."""
    account.replace_password(password_hashes.hash_password(password))


def forget_failures(session: Session, account: Account) -> None:
    """Unlock an account that was locked out because of failed logins."""
    session.execute(delete(Failures).filter_by(account=account.uuid))


def expired(account: Account) -> bool:
    """Return whether the account must change its password before any other request."""
    if account.of_directory:
        return False
    if account.must_change:
        return True
    lasts = account.rules.expiry_days * passwords.DAY if account.rules else 0
    return lasts > 0 and time.time() - account.password_changed > lasts


def only_administrator(session: Session, uuids: list[str]) -> bool:
    """Return whether the array would have no administrator without these accounts."""
    admins = session.scalars(select(Account).filter_by(role=ADMIN, owner_uuid="")).all()
    able = {
        a.uuid
        for a in admins
        if a.administers() and not locked_out(session, a) and not lacks_code(session, a)
    }
    return bool(able) and able <= set(uuids)


def profile_of(session: Session, account: Account) -> Totp | None:
    """Return an account's profile of the second factor, or None."""
    return session.get(Totp, (account.owner_uuid, account.name))


def lacks_code(session: Session, account: Account) -> bool:
    """Return whether `http` asks an account for a code that it cannot have."""
    profile = profile_of(session, account)
    return account.asks_code(HTTP) and not (profile and profile.enabled)


def all_locked_out(session: Session) -> set[str]:
    """Return the UUIDs of the accounts that are locked out by failed logins from anywhere."""
    now = Failures.address == ANYWHERE, Failures.locked_until > time.time()
    return set(session.scalars(select(Failures.account).where(*now)))


def locked_out(session: Session, account: Account) -> bool:
    """Return whether an account is locked out by failed logins from anywhere."""
    row = session.get(Failures, (account.uuid, ANYWHERE))
    return row is not None and row.locked_until > time.time()
