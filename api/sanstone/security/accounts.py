"""Accounts that may log in, and who acts as which of them.

An account belongs to the array or to an SVM; two SVMs may each have an account of the same name.
How one proves to be an account, and how guessing is slowed down, is in `authentication`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.session_value import SessionValue
from sanstone.model.security import ADMIN, ANYWHERE, HTTP, Account, Failures
from sanstone.security import password_hashes, passwords, roles
from sanstone.security.roles import Privileges


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


_actor: SessionValue[Actor | None] = SessionValue(lambda _: None)


def act(session: Session, actor: Actor | None) -> None:
    """Say on whose behalf the session is used."""
    _actor.set(session, actor)


def actor(session: Session) -> Actor | None:
    """Return on whose behalf the session is used, None for the array itself."""
    return _actor.of(session)


def require_power(session: Session, theirs: Privileges, what: str) -> None:
    """Raise ApiError when privileges are more than those of whoever makes the request."""
    who = actor(session)
    if who is not None and not roles.covers(who.privileges, theirs):
        text = f"{what} allows more than your own role."
        raise errors.ApiError(403, errors.FORBIDDEN, text)


def set_password(account: Account, password: str) -> None:
    """Replace an account's password, which must have been checked."""
    account.replace_password(password_hashes.hash_password(password))


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
