"""Counters of failed logins in a row, by account and source, and the delays that follow.

They are in the database, so that all processes share them. What a source is, and why these limits,
is in `authentication`.
"""

from __future__ import annotations

import math
import time

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events
from sanstone.model.security import ANYWHERE, Account, Failures
from sanstone.security import passwords
from sanstone.security.accounts import only_administrator

FREE_FAILURES = 5
LONGEST_DELAY = 30.0
FOREVER = 2.0**52
MOST_COUNTERS = 10_000


def too_many(seconds: float) -> errors.ApiError:
    """Return the error for an attempt that is not looked at yet (429)."""
    text = f"Too many failed logins; try again in {math.ceil(seconds)} s."
    return errors.again(429, text, seconds)


def count(session: Session, account: str, name: str, source: str, address: str) -> None:
    """Count a failure of an account, or of an unknown name's digest; `name` is what events say."""
    row = _failed(session, account, source)
    beyond = row.count - FREE_FAILURES
    row.locked_until = time.time()
    if beyond >= 0:
        # Beyond 2^1023 a float overflows, and a forgotten client reaches that in some days.
        row.locked_until += min(2.0 ** min(beyond, 20), LONGEST_DELAY)
        text = f"{row.count} failed logins in a row as {name} from {address}."
        events.emit(session, events.ALERT, "security.login.failed", text)
    if (session.scalar(select(func.count()).select_from(Failures)) or 0) > MOST_COUNTERS:
        least = select(Failures).where(Failures.address != ANYWHERE)
        least = least.order_by(Failures.locked_until, Failures.count).limit(1)
        session.delete(session.scalars(least).one())


def lock_out(session: Session, account: Account) -> None:
    """Lock an account once its failures reach the limit of its role's rules."""
    rule = passwords.rules(session, account.owner_uuid, account.role)
    if not rule.most_failures or only_administrator(session, [account.uuid]):
        return
    row = _failed(session, account.uuid, ANYWHERE)
    if row.count >= rule.most_failures:
        days = rule.lockout_days
        row.locked_until = time.time() + days * passwords.DAY if days else FOREVER
        text = f"Account {account.name} is locked after {row.count} failed logins in a row."
        events.emit(session, events.ALERT, "security.login.locked", text)


def wait(session: Session, account: str, *sources: str) -> float:
    """Return the seconds for which an account must wait at one of these sources, 0 for none."""
    until = select(func.max(Failures.locked_until)).where(
        Failures.account == account, Failures.address.in_(sources)
    )
    return max(0.0, (session.scalar(until) or 0.0) - time.time())


def forget(session: Session, account: str, *sources: str) -> None:
    """Reset an account's counters at these sources and from anywhere, after a success."""
    # By a statement: another worker may have deleted them in the meantime.
    session.execute(
        delete(Failures).where(
            Failures.address.in_((*sources, ANYWHERE)), Failures.account == account
        )
    )


def _failed(session: Session, account: str, source: str) -> Failures:
    row = session.get(Failures, (account, source))
    if row is None:
        row = Failures(account=account, address=source, count=0, locked_until=0.0)
        session.add(row)
    row.count += 1
    return row
