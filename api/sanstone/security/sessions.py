"""Sessions of the web interface, so that a browser need not keep a password.

A session is identified by a random token, which the browser keeps in a cookie and the database only
as a hash. It ends after half an hour without a request, after twelve hours, or when its account
changes the password that it began with, or gets a second factor (see `second_factor`). The shell
begins one, too, for an account whose `ssh` asks for a code. Requests by which a page looks for
changes by itself do not count as such. Requests that write must carry a second token, derived from
the first, which a page of another site cannot know (against cross-site request forgery).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import delete, or_, select

from sanstone.core.database.store import reading, writing
from sanstone.core.database.turns import NoTurn
from sanstone.model.activity import SessionUser, WebSession
from sanstone.model.security import HTTP, NSSWITCH, OIDC, PASSWORD, TOTP, Account
from sanstone.security import activity
from sanstone.security.directory import Login

IDLE = 30 * 60.0
LONGEST = 12 * 3600.0
MOST = 32
"""Most sessions of one account; a new one replaces the oldest."""
_METHODS = (PASSWORD, NSSWITCH, OIDC)
_NOTED_EVERY = 30.0
"""Seconds between two updates of a session's last use, since each is a write."""


@dataclass(frozen=True)
class Began:
    """Who began a session: an account's UUID, a digest of what was proved, and the name of a
    group's member, '' for the account itself.
    """

    account: str
    password: str
    user: str


def begin(login: Login, application: str = HTTP) -> str:
    """Start a session of an application and return its token."""
    account = login.account
    token, now = secrets.token_urlsafe(32), time.time()
    with writing(activity.engine()) as session:
        stale = or_(WebSession.used < now - IDLE, WebSession.began < now - LONGEST)
        session.execute(delete(WebSession).where(stale))
        mine = select(WebSession).filter_by(account=account.uuid).order_by(WebSession.used.desc())
        for old in session.scalars(mine.offset(MOST - 1)).all():
            session.delete(old)
        session.add(
            WebSession(
                token=_hash(token),
                account=account.uuid,
                password=_proof(account, application, login.method),
                began=now,
                used=now,
            )
        )
        if account.is_group:
            session.add(SessionUser(token=_hash(token), user=login.user))
        session.flush()
        without_session = SessionUser.token.not_in(select(WebSession.token))
        session.execute(delete(SessionUser).where(without_session))
    return token


def began_by(token: str, *, in_use: bool = True) -> Began | None:
    """Return the login of a session that goes on, or None.

    The call counts as a use of the session and prolongs it, unless it is not `in_use`.
    """
    now = time.time()
    with reading(activity.engine()) as session:
        web_session = session.get(WebSession, _hash(token))
        if (
            web_session is None
            or web_session.used < now - IDLE
            or web_session.began < now - LONGEST
        ):
            return None
        member = session.get(SessionUser, web_session.token)
        user = member.user if member else ""
        began = Began(web_session.account, web_session.password, user)
        used = web_session.used
    if in_use and used < now - _NOTED_EVERY:
        # If others write for long, the next request records it.
        with suppress(NoTurn), writing(activity.engine()) as session:
            again = session.get(WebSession, _hash(token))
            if again:
                again.used = now
    return began


def method(account: Account, proof: str) -> str:
    """Return the method by which a session of the web interface began, '' if it no longer counts:
    the account has another password, a code is required, or the method is not the account's.
    """
    mine = (each for each in _METHODS if account.may_use(HTTP, each))
    return next((each for each in mine if is_of(account, proof, HTTP, each)), "")


def is_of(account: Account, proof: str, application: str, method: str = PASSWORD) -> bool:
    """Return whether what a session of an application started with still counts.

    That is the account's password, or that its method needs none, and a code if one is required.
    """
    return hmac.compare_digest(_proof(account, application, method), proof)


def _proof(account: Account, application: str, method: str) -> str:
    code = f" {application} {TOTP}" if account.asks_code(application) else ""
    return _hash(f"{method if method == OIDC else account.password}{code}")


def end(token: str) -> None:
    """End a session."""
    with writing(activity.engine()) as session:
        session.execute(delete(WebSession).filter_by(token=_hash(token)))


def csrf_token(token: str) -> str:
    """Return the token that requests of a session must carry to write."""
    return hmac.digest(token.encode(), b"csrf", hashlib.sha256).hex()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
