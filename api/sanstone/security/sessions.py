"""Sessions of the web interface, so that a browser need not keep a password.

A session is known by a random token, which the browser has in a cookie and the database only as its
hash. It ends after half an hour without a request, after twelve hours, or when its account changes
its password. Requests that write must show a second token, made of the first, which another site's
page cannot know (against cross-site request forgery).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from contextlib import suppress

from sqlalchemy import delete, or_, select

from sanstone.core.store import reading, writing
from sanstone.core.turns import NoTurn
from sanstone.model.activity import WebSession
from sanstone.model.security import Account
from sanstone.security import activity

IDLE = 30 * 60.0
LONGEST = 12 * 3600.0
MOST = 32
"""Most sessions of one account; the oldest goes for a new one."""
_NOTED_EVERY = 30.0
"""Seconds between two notes that a session is used, since each is a write."""


def begin(account: Account) -> str:
    """Begin a session and return its token."""
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
                password=_hash(account.password),
                began=now,
                used=now,
            )
        )
    return token


def account_of(token: str) -> tuple[str, str] | None:
    """Return the UUID of a session's account and its password's digest, None for no session."""
    now = time.time()
    with reading(activity.engine()) as session:
        found = session.get(WebSession, _hash(token))
        if found is None or found.used < now - IDLE or found.began < now - LONGEST:
            return None
        known, used = (found.account, found.password), found.used
    if used < now - _NOTED_EVERY:
        # Where others write for long, the next request notes it.
        with suppress(NoTurn), writing(activity.engine()) as session:
            again = session.get(WebSession, _hash(token))
            if again:
                again.used = now
    return known


def is_of(account: Account, password: str) -> bool:
    """Return whether the account's password is still the one that a session began with."""
    return hmac.compare_digest(_hash(account.password), password)


def end(token: str) -> None:
    """End a session."""
    with writing(activity.engine()) as session:
        session.execute(delete(WebSession).filter_by(token=_hash(token)))


def csrf_token(token: str) -> str:
    """Return what writing requests of a session must show."""
    return hmac.digest(token.encode(), b"csrf", hashlib.sha256).hex()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
